use super::Report;
use crate::endings::Endings;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::{Value, Wdl};

/// What tables know of the position to search.
pub(super) struct Known<G: Searchable> {
    score: Score,
    /// The moves that keep it, as far as tables can tell.
    moves: Vec<G::Move>,
    /// Best play, if the distance is known and there is one: to the end, or as far as there
    /// was time to look it up.
    line: Vec<G::Move>,
}

impl<G: Searchable> Known<G> {
    pub(super) fn ask(
        endings: &Endings<G>,
        position: &G::Position,
        is_over: impl FnMut() -> bool,
    ) -> Option<Known<G>> {
        let score = endings.score(position, 0)?;
        let after = |mv| endings.score(&position.play(mv), 1).map(|score| -score);
        let ranked: Vec<_> = position.moves().into_iter().map(|mv| (mv, after(mv))).collect();
        let those = |holds: &dyn Fn(Option<Score>) -> bool| -> Vec<G::Move> {
            ranked.iter().filter(|ranked| holds(ranked.1)).map(|ranked| ranked.0).collect()
        };
        let mut moves = those(&|after| after == Some(score));
        let mut line = Vec::new();
        if score.plies().is_some() && !moves.is_empty() {
            line = best_line(endings, position, moves[0], score, is_over);
        }
        if moves.is_empty() {
            // Which of the moves is best tables do not tell. Of those that lose, none is.
            moves = those(&|after| score.is_loss() || after.and_then(Score::wdl) == score.wdl());
        }
        let is_complete = moves.is_empty() == ranked.is_empty();
        is_complete.then_some(Known { score, moves, line })
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
