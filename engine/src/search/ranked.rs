use super::{Line, Report};
use crate::endings::Endings;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_probe::RankedMove;
use damka_tables::metric::Metric;

/// The first `count` of the legal moves as tables rank them, with best play behind those whose
/// distance they know, as far as there is time to look it up. None if tables do not know.
pub(super) fn ranked<G: Searchable>(
    endings: &Endings<G>,
    position: &G::Position,
    count: usize,
    mut is_over: impl FnMut() -> bool,
) -> Vec<Line<G>> {
    let ask = |metric| Some((metric, endings.moves(position, metric)?));
    let Some((metric, moves)) = [Metric::Dtw, Metric::Wdl].into_iter().find_map(ask) else {
        return Vec::new();
    };
    let line = |first: RankedMove<G>| {
        let plies = first.value.plies().filter(|_| metric == Metric::Dtw);
        let wdl = first.value.wdl();
        let score = plies.map_or_else(|| Score::of_wdl(wdl, 0), Score::decided);
        let mut line = Line { score, wdl: Some(wdl), moves: vec![first.mv] };
        let mut position = first.position;
        // No longer than its value says, whatever the tables hold.
        for _ in 1..plies.unwrap_or(0) {
            let best = || endings.moves(&position, metric)?.into_iter().next();
            let Some(next) = (if is_over() { None } else { best() }) else { break };
            line.moves.push(next.mv);
            position = next.position;
        }
        line
    };
    moves.into_iter().take(count).map(line).collect()
}

impl<G: Searchable> Report<G> {
    /// Corrects what was found of other moves than the best one by what tables know, and adds
    /// moves that were not searched, until there are `count` lines.
    pub(super) fn rank(&mut self, ranked: &[Line<G>], count: usize) {
        for line in &mut self.others {
            let of_move = |known: &&Line<G>| known.moves.first() == line.moves.first();
            let Some(known) = ranked.iter().find(of_move) else { continue };
            (line.score, line.wdl) = (known.score, known.wdl);
        }
        for known in ranked {
            let first = known.moves.first();
            let is_there = self.line.first() == first
                || self.others.iter().any(|line| line.moves.first() == first);
            if !is_there && self.others.len() + 1 < count {
                self.others.push(known.clone());
            }
        }
    }
}
