use super::{Report, Variation};
use crate::endgame_tables::EndgameTables;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_probe::RankedMove;
use damka_tables::metric::Metric;
use std::cmp::Reverse;

/// The legal moves by the endgame tables, best first: by distance if they have it, else by win, draw or
/// loss. The first `count` moves with a distance are followed by the best line, as far as time allows.
/// Empty if the tables do not know the position.
pub(super) fn ranked<G: Searchable>(
    endings: &EndgameTables<G>,
    position: &G::Position,
    count: usize,
    mut is_over: impl FnMut() -> bool,
) -> Vec<Variation<G>> {
    let ranked_by = |metric| Some((metric, endings.moves(position, metric)?));
    let Some((metric, moves)) = [Metric::Dtw, Metric::Wdl].into_iter().find_map(ranked_by) else {
        return Vec::new();
    };
    let line = |(rank, first): (usize, RankedMove<G>)| {
        let plies = first.value.plies().filter(|_| metric == Metric::Dtw);
        let wdl = first.value.wdl();
        let score = plies.map_or_else(|| Score::of_wdl(wdl, 0), Score::decided);
        let mut line = Variation { score, wdl: Some(wdl), moves: vec![first.mv] };
        let mut position = first.position;
        // Bounded by the distance, in case the tables contradict each other.
        for _ in 1..plies.filter(|_| rank < count).unwrap_or(0) {
            let best = || endings.moves(&position, metric)?.into_iter().next();
            let Some(next) = (if is_over() { None } else { best() }) else { break };
            line.moves.push(next.mv);
            position = next.position;
        }
        line
    };
    moves.into_iter().enumerate().map(line).collect()
}

impl<G: Searchable> Report<G> {
    /// Replaces the scores of the lines after the best one by those of the tables, and adds the best moves
    /// that were not searched until there are `count` lines.
    pub(super) fn rank(&mut self, ranked: &[Variation<G>], count: usize) {
        for line in &mut self.other_lines {
            let of_move = |known: &&Variation<G>| known.moves.first() == line.moves.first();
            let Some(known) = ranked.iter().find(of_move) else { continue };
            (line.score, line.wdl) = (known.score, known.wdl);
        }
        for known in ranked {
            let first = known.moves.first();
            let is_listed = self.pv.first() == first
                || self.other_lines.iter().any(|line| line.moves.first() == first);
            if !is_listed && self.other_lines.len() + 1 < count {
                self.other_lines.push(known.clone());
            }
        }
        self.other_lines.sort_by_key(|line| Reverse(line.score));
    }
}
