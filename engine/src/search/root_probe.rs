use super::Report;
use crate::endgame_tables::EndgameTables;
use crate::history::{History, State};
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::{Value, Wdl};
use std::cmp::Reverse;

/// The result of probing the endgame tables for the root.
pub(super) struct RootProbe<G: Searchable> {
    /// The score by the tables; draw rules are taken into account unless `is_uncertain`.
    score: Score,
    /// Whether a draw rule may turn the win or loss into a draw, so that only a search can decide.
    is_uncertain: bool,
    /// The moves that keep the score, as far as the tables can tell. If `is_uncertain`: the moves
    /// that keep the win or loss, best first.
    moves: Vec<G::Move>,
    /// The best line if the distance is known: to the end of the game, or as far as time allowed.
    /// Empty otherwise.
    line: Vec<G::Move>,
}

impl<G: Searchable> RootProbe<G> {
    /// Probes the tables for the root. `None` if the tables do not give its score. `is_over` is
    /// polled while the best line is read.
    pub(super) fn new(
        endings: &EndgameTables<G>,
        game: &History<G>,
        is_over: impl FnMut() -> bool,
    ) -> Option<RootProbe<G>> {
        let (state, position) = (game.state(), game.position());
        let legal = position.moves();
        let may_repeat = legal.iter().any(|&mv| game.is_drawn_by_repetition(mv));
        let after = |mv| match may_repeat && game.is_drawn_by_repetition(mv) {
            true => Some(Score::DRAW),
            false => endings.score(&position.play(mv), 1).map(|score| -score),
        };
        let mut ranked: Vec<_> = legal.into_iter().map(|mv| (mv, after(mv))).collect();
        // Tables take neither repetitions nor castling rights into account. Where these matter, the
        // score is the best of those after the legal moves.
        let by_table = endings.score(position, 0).filter(|_| !may_repeat);
        let by_moves = || ranked.iter().map(|ranked| ranked.1).collect::<Option<Vec<Score>>>();
        let table_score = by_table.or_else(|| by_moves()?.into_iter().max())?;
        let score = score_under_draw_rule(table_score, 0, state);
        if score.is_none() {
            ranked.sort_by_key(|ranked| Reverse(ranked.1));
        }
        let moves_with = |matches: &dyn Fn(Option<Score>) -> bool| -> Vec<G::Move> {
            ranked.iter().filter(|ranked| matches(ranked.1)).map(|ranked| ranked.0).collect()
        };
        let mut moves = Vec::new();
        let mut line = Vec::new();
        if score.is_some() {
            moves = moves_with(&|after| after == Some(table_score));
        }
        if table_score.plies().is_some() && !moves.is_empty() {
            line = match score {
                // A draw by a rule that counts moves: the rest of the line does not matter.
                Some(Score::DRAW) => vec![moves[0]],
                _ => best_line(endings, position, moves[0], table_score, is_over),
            };
        }
        if moves.is_empty() {
            // The tables do not distinguish these moves. In a lost position all moves are kept.
            moves = moves_with(&|after| {
                table_score.is_loss() || after.and_then(Score::wdl) == table_score.wdl()
            });
        }
        let is_complete = moves.is_empty() == ranked.is_empty();
        is_complete.then_some(RootProbe {
            score: score.unwrap_or(table_score),
            is_uncertain: score.is_none(),
            moves,
            line,
        })
    }

    /// Whether a draw rule may turn the win or loss into a draw, so that only a search can decide.
    pub(super) fn is_uncertain(&self) -> bool {
        self.is_uncertain
    }

    /// Win, draw or loss.
    pub(super) fn wdl(&self) -> Option<Wdl> {
        self.score.wdl()
    }

    /// The moves to choose from.
    pub(super) fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Whether the best line is known, so that no search is needed.
    pub(super) fn has_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// Corrects the report of a search with the score, value and line from the tables. The search
    /// may have missed shorter wins and longer defences, so without distances the value is only
    /// win, draw or loss.
    pub(super) fn correct(&self, report: &mut Report<G>) {
        if self.is_uncertain {
            report.value = report.score.plies().map(Value::decided);
            return;
        }
        report.score = self.score;
        report.value = self.wdl().map(|wdl| match (report.score.plies(), wdl) {
            (Some(plies), _) => Value::decided(plies),
            (None, Wdl::Win) => Value::decided(1),
            (None, Wdl::Draw) => Value::DRAW,
            (None, Wdl::Loss) => Value::LOST,
        });
        if !self.line.is_empty() {
            report.pv.clone_from(&self.line);
        }
    }
}

/// The score by the tables of a position `ply` plies from the root, adjusted for draw rules that
/// count moves: a win that comes too late is a draw if no move that resets the count can help.
/// `None` if one might, so that only a search can decide.
pub(super) fn score_under_draw_rule<G: Searchable>(
    score: Score,
    ply: u16,
    state: &State<G>,
) -> Option<Score> {
    let Some(left) = G::plies_to_draw(&state.counters).filter(|_| score != Score::DRAW) else {
        return Some(score);
    };
    match score.plies() {
        Some(plies) if plies - ply <= left => Some(score),
        Some(_) if G::zeroing_cannot_win(&state.position) => Some(Score::DRAW),
        // Distance unknown: usually short enough.
        None if !G::is_draw_near(&state.counters) => Some(score),
        _ => None,
    }
}

/// The best line from `position`, starting with `first`, by tables with distances.
fn best_line<G: Searchable>(
    endings: &EndgameTables<G>,
    position: &G::Position,
    first: G::Move,
    score: Score,
    mut is_over: impl FnMut() -> bool,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let (mut position, mut next) = (*position, Some(first));
    // Bounded by the distance, in case the tables contradict each other.
    for _ in 0..score.plies().unwrap_or(0) {
        let Some(mv) = next else { break };
        line.push(mv);
        position = position.play(mv);
        let best = || endings.moves(&position, Metric::Dtw)?.into_iter().next();
        next = if is_over() { None } else { best().map(|best| best.mv) };
    }
    line
}
