use super::Report;
use crate::endings::Endings;
use crate::history::{History, State};
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::{Value, Wdl};
use std::cmp::Reverse;

/// What tables know of the position to search.
pub(super) struct Known<G: Searchable> {
    /// What the position is worth, by the tables alone if there is a doubt.
    score: Score,
    /// Whether a win or loss may come too late for a rule that counts moves.
    is_doubtful: bool,
    /// The moves that keep the score, as far as tables can tell; if there is a doubt, those that
    /// keep the win or loss, the best first.
    moves: Vec<G::Move>,
    /// Best play, if the distance is known and there is one: to the end, or as far as there
    /// was time to look it up.
    line: Vec<G::Move>,
}

impl<G: Searchable> Known<G> {
    pub(super) fn ask(
        endings: &Endings<G>,
        game: &History<G>,
        is_over: impl FnMut() -> bool,
    ) -> Option<Known<G>> {
        let (state, position) = (game.state(), game.position());
        let legal = position.moves();
        let repeats = legal.iter().any(|&mv| game.is_drawn_by(mv));
        let after = |mv| match repeats && game.is_drawn_by(mv) {
            true => Some(Score::DRAW),
            false => endings.score(&position.play(mv), 1).map(|score| -score),
        };
        let mut ranked: Vec<_> = legal.into_iter().map(|mv| (mv, after(mv))).collect();
        // Tables know of no repetition and of no right to castle; the moves tell.
        let by_table = endings.score(position, 0).filter(|_| !repeats);
        let by_moves = || ranked.iter().map(|ranked| ranked.1).collect::<Option<Vec<Score>>>();
        let told = by_table.or_else(|| by_moves()?.into_iter().max())?;
        let score = in_time(told, 0, state);
        if score.is_none() {
            ranked.sort_by_key(|ranked| Reverse(ranked.1));
        }
        let those = |holds: &dyn Fn(Option<Score>) -> bool| -> Vec<G::Move> {
            ranked.iter().filter(|ranked| holds(ranked.1)).map(|ranked| ranked.0).collect()
        };
        let mut moves = Vec::new();
        let mut line = Vec::new();
        if score.is_some() {
            moves = those(&|after| after == Some(told));
        }
        if told.plies().is_some() && !moves.is_empty() {
            line = best_line(endings, position, moves[0], told, is_over);
        }
        if moves.is_empty() {
            // Which of the moves is best tables do not tell. Of those that lose, none is.
            moves = those(&|after| told.is_loss() || after.and_then(Score::wdl) == told.wdl());
        }
        let is_complete = moves.is_empty() == ranked.is_empty();
        is_complete.then_some(Known {
            score: score.unwrap_or(told),
            is_doubtful: score.is_none(),
            moves,
            line,
        })
    }

    /// Whether a win or loss may come too late, so that only a search can tell.
    pub(super) fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Win, draw or loss.
    pub(super) fn wdl(&self) -> Option<Wdl> {
        self.score.wdl()
    }

    /// The moves to choose from.
    pub(super) fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Whether there is nothing left to search.
    pub(super) fn has_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// Corrects what a search has found. How soon a win or loss comes it does not know: one side
    /// or the other may have a better way that it has not seen.
    pub(super) fn tell(&self, found: &mut Report<G>) {
        if self.is_doubtful {
            found.value = found.score.plies().map(Value::decided);
            return;
        }
        found.score = self.score;
        found.value = self.wdl().map(|wdl| match (found.score.plies(), wdl) {
            (Some(plies), _) => Value::decided(plies),
            (None, Wdl::Win) => Value::decided(1),
            (None, Wdl::Draw) => Value::DRAW,
            (None, Wdl::Loss) => Value::LOST,
        });
        if !self.line.is_empty() {
            found.line.clone_from(&self.line);
        }
    }
}

/// What tables say of a position `ply` plies from the root, in view of a rule that counts moves:
/// what is won too late is drawn if nothing can begin the count anew. `None` if something can, so
/// that only a search can tell.
pub(super) fn in_time<G: Searchable>(score: Score, ply: u16, state: &State<G>) -> Option<Score> {
    let Some(left) = G::plies_left(&state.counters).filter(|_| score != Score::DRAW) else {
        return Some(score);
    };
    match score.plies() {
        Some(plies) if plies - ply <= left => Some(score),
        Some(_) if G::is_conversion_vain(&state.position) => Some(Score::DRAW),
        // How far it is nobody knows: most often not far.
        None if !G::is_draw_near(&state.counters) => Some(score),
        _ => None,
    }
}

/// Best play from `position`, with `first` for a move, as tables with distances have it.
fn best_line<G: Searchable>(
    endings: &Endings<G>,
    position: &G::Position,
    first: G::Move,
    score: Score,
    mut is_over: impl FnMut() -> bool,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let (mut position, mut next) = (*position, Some(first));
    // No longer than its value says, whatever the tables hold.
    for _ in 0..score.plies().unwrap_or(0) {
        let Some(mv) = next else { break };
        line.push(mv);
        position = position.play(mv);
        let best = || endings.moves(&position, Metric::Dtw)?.into_iter().next();
        next = if is_over() { None } else { best().map(|best| best.mv) };
    }
    line
}
