use crate::competitor::{Choice, Competitor};
use damka_engine::{Clock, Control, History, Limits, Playable, Score, TimeControl};
use damka_games::{Color, Position};
use damka_protocols::Fault;

/// The baseline: a simple player that never changes, against which the engine is measured.
///
/// It runs iterative deepening with plain alpha-beta, and extends positions in which only captures are
/// legal. Moves are not ordered, except that the best root move of each depth comes first in the next.
/// The evaluation is [`Searchable::baseline`]: material only in draughts (a man is worth 1, a king 2) and
/// in chess (a pawn 1, a knight or bishop 3, a rook 5, a queen 9); in Alapo that of a published bot,
/// material (1, 2, 3, 10, 20 and 30 from the weakest kind to the strongest) and mobility. It uses no
/// tables, no repetition detection and no transposition table.
///
/// [`Searchable::baseline`]: damka_engine::Searchable::baseline
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    limits: Limits,
}

impl Baseline {
    /// A baseline that searches each move within these limits.
    pub fn new(limits: Limits) -> Baseline {
        Baseline { limits }
    }
}

impl<G: Playable> Competitor<G> for Baseline {
    fn begin(&mut self, _: &History<G>, _: Color, _: u64, _: &Control) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        let limits = Limits { clock, ..self.limits };
        let mut search = Search {
            clock: Clock::start(&limits, control),
            nodes: 0,
            most: limits.nodes.unwrap_or(u64::MAX),
        };
        let mut moves = game.position().moves();
        let Some(&mv) = moves.first() else { return Ok(None) };
        let mut choice = Choice { mv, score: Score::DRAW, depth: 0 };
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let Some((mv, score)) = search.root::<G>(game.position(), &moves, depth) else {
                break;
            };
            choice = Choice { mv, score, depth };
            if score.is_win() || score.is_loss() || search.clock.is_late(1.0) {
                break;
            }
            // The next depth starts with the best move.
            if let Some(place) = moves.iter().position(|&other| other == mv) {
                moves[..=place].rotate_right(1);
            }
        }
        Ok(Some(choice))
    }
}

/// The greatest depth of a search, in plies.
const MAX_DEPTH: u16 = 100;

/// The number of positions between two checks of the clock.
const CHECK_INTERVAL: u64 = 1 << 9;

struct Search<'a> {
    clock: Clock<'a>,
    nodes: u64,
    most: u64,
}

impl Search<'_> {
    /// The best move and its score; `None` if a limit was reached.
    fn root<G: Playable>(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        depth: u16,
    ) -> Option<(G::Move, Score)> {
        let mut best = None;
        let mut alpha = -Score::INFINITE;
        for &mv in moves {
            let after = position.play(mv);
            let score = -self.negamax::<G>(&after, depth - 1, -Score::INFINITE, -alpha, 1)?;
            if score > alpha {
                alpha = score;
                best = Some((mv, score));
            }
        }
        best
    }

    /// The score for the side to move; `None` if a limit was reached.
    fn negamax<G: Playable>(
        &mut self,
        position: &G::Position,
        depth: u16,
        mut alpha: Score,
        beta: Score,
        ply: u16,
    ) -> Option<Score> {
        self.nodes += 1;
        if self.nodes > self.most
            || self.nodes.is_multiple_of(CHECK_INTERVAL) && self.clock.is_over()
        {
            return None;
        }
        let moves = position.moves();
        if moves.is_empty() {
            // Distances count from the root: if even, the side to move at the root has lost.
            return Some(match (position.loses_when_stuck(), ply.is_multiple_of(2)) {
                (true, true) => Score::decided(ply),
                (true, false) => -Score::decided(ply),
                (false, _) => Score::DRAW,
            });
        }
        if depth == 0 && !position.captures_only() {
            return Some(Score::evaluation(G::baseline(position)));
        }
        let mut best = -Score::INFINITE;
        for mv in moves {
            let after = position.play(mv);
            let depth = depth.saturating_sub(1);
            let score = -self.negamax::<G>(&after, depth, -beta, -alpha, ply + 1)?;
            best = best.max(score);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_engine::Searchable;
    use damka_games::{Alapo, Draughts, Game, Russian};

    fn choice(game: Draughts, fen: &str, limits: Limits) -> Choice<Draughts> {
        let game = History::new(game.parse_fen(fen).expect("a position"));
        let found = Baseline::new(limits).choose(&game, None, &Control::default());
        found.expect("no fault").expect("a move")
    }

    #[test]
    fn finds_captures_and_wins() {
        let found = choice(Russian, "W:WKa1:Bg7", Limits::depth(3));
        assert_eq!(found.score, Score::decided(1));
        let found = choice(Russian, "W:Wc3,e3:Bd4,h8", Limits::depth(1));
        assert_eq!(found.score, Score::evaluation(100));
    }

    #[test]
    fn counts_material() {
        assert_eq!(Draughts::baseline(&Russian.start()), 0);
        let position = Russian.parse_fen("B:WKa1,c1:Bb8").expect("a position");
        assert_eq!(Draughts::baseline(&position), -200);
        let position = Alapo.parse_fen("6/q5/6/6/6/FR4 w").expect("a position");
        // A fers and a rook have 1 and 9 moves, the queen has 15.
        assert_eq!(Alapo::baseline(&position), 100 + 2_000 - 3_000 + 10 * (1 + 9 - 15));
        assert_eq!(Alapo::baseline(&Alapo.start()), 0);
    }

    /// Distances of forced wins agree with `solve`, an independent search.
    #[test]
    fn agrees_with_the_plain_solver() {
        let fen = "W:WKa1,Kc1,Ke1:BKh8";
        let position = Russian.parse_fen(fen).expect("a position");
        let found = choice(Russian, fen, Limits::depth(5));
        match damka_engine::solve::<Draughts>(&position, 5) {
            damka_engine::Outcome::Win(plies) => {
                assert_eq!(found.score.plies(), Some(plies as u16))
            }
            outcome => assert!(!found.score.is_win(), "{outcome:?}"),
        }
    }

    #[test]
    fn stops_at_the_node_limit() {
        let game = History::<Draughts>::new(Russian.start());
        let mut baseline = Baseline::new(Limits::nodes(3000));
        let found = baseline.choose(&game, None, &Control::default()).expect("no fault");
        let depth = found.expect("a move").depth;
        assert!((3..9).contains(&depth), "{found:?}");
        let stopped = Control::default();
        stopped.stop();
        let mut endless = Baseline::new(Limits::default());
        assert!(endless.choose(&game, None, &stopped).is_ok_and(|found| found.is_some()));
    }
}
