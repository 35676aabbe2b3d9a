mod distance;
mod exchange;
mod features;
mod initial_weights;
mod lone_king;
mod pawns;
mod search;

use super::{Evaluated, Evaluator, Weights, parse_evaluator};
use damka_games::Chess;
use damka_games::chess::{BISHOP, KNIGHT, Position, QUEEN, ROOK};
use std::sync::{Arc, OnceLock};

impl Evaluated for Chess {
    const FEATURES: usize = features::FEATURES;
    const MAX_PHASE: i32 = 24;

    /// The pieces of both sides: a knight or a bishop counts 1, a rook 2, a queen 4.
    #[inline(always)]
    fn phase(position: &Position) -> i32 {
        let count = |kind| position.kind(kind).len() as i32;
        let pieces = count(KNIGHT) + count(BISHOP) + 2 * count(ROOK) + 4 * count(QUEEN);
        pieces.min(Self::MAX_PHASE)
    }

    #[inline(always)]
    fn structure_key(position: &Position) -> Option<u64> {
        Some(features::structure_key(position))
    }

    #[inline(always)]
    fn count_structure(position: &Position, tally: impl FnMut(usize, i32)) {
        features::count_structure(position, tally);
    }

    #[inline(always)]
    fn count_rest(position: &Position, tally: impl FnMut(usize, i32)) {
        features::count_rest(position, tally);
    }

    fn initial_weights(self) -> Weights<Chess> {
        initial_weights::weights()
    }

    fn evaluator(self) -> Arc<dyn Evaluator<Chess>> {
        static EVALUATOR: OnceLock<Arc<dyn Evaluator<Chess>>> = OnceLock::new();
        let learned = include_bytes!("../../../weights/chess.weights");
        let load = || parse_evaluator(self, learned).expect("the built-in evaluation is valid");
        Arc::clone(EVALUATOR.get_or_init(load))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Position as _, Random, Square, SquareSet};

    fn position(fen: &str) -> Position {
        Chess.parse_fen(fen).expect(fen)
    }

    /// The evaluations of a position by the initial weights and by the learned ones.
    fn evaluation(fen: &str) -> [i32; 2] {
        let first: Arc<dyn Evaluator<Chess>> = Arc::new(Chess.initial_weights());
        [first, Chess.evaluator()].map(|evaluator| evaluator.evaluate(&position(fen)))
    }

    /// Whether `one` is better than `other`, both by the initial weights and by the learned ones.
    fn is_better(one: [i32; 2], other: [i32; 2]) -> bool {
        one.into_iter().zip(other).all(|(one, other)| one > other)
    }

    /// The mirror image of a position, left to right, without castling rights.
    fn mirrored(position: &Position) -> Position {
        let mut setup = position.setup();
        let mirror = |set: SquareSet| -> SquareSet {
            set.into_iter().map(|square| Square::new(square.index() ^ 7)).collect()
        };
        for (color, kind, squares) in position.setup().pieces.iter() {
            setup.pieces[(color, kind)] = mirror(squares);
        }
        Chess.assemble(&setup.pieces, setup.turn)
    }

    #[test]
    fn evaluation_is_symmetric_in_colours_and_wings() {
        let weights = Chess.initial_weights();
        let mut random = Random::new(1);
        let mut known = weights.for_thread();
        for _ in 0..20 {
            let mut position = Chess.start();
            while let Some(mv) = random.pick(&position.moves()) {
                position = position.play(mv);
                let value = known.evaluate(&position, 0);
                for other in [position, position.flip(), mirrored(&position)] {
                    let same = weights.evaluate(&other);
                    assert_eq!(same, value, "{} {}", position.fen(), other.fen());
                }
                let pieces = position.occupied().len();
                if pieces < 5 {
                    break;
                }
            }
        }
    }

    #[test]
    fn more_material_is_worth_more() {
        let with = |piece: char| {
            evaluation(&format!("r3k2r/pppp1ppp/4p3/8/4{piece}3/8/PPPP1PPP/R3K2R w - -"))
        };
        for pieces in ["PNRQ", "PBRQ"] {
            let evaluation = pieces.chars().map(with);
            assert!(evaluation.is_sorted_by(|a, b| is_better(*b, *a)), "{pieces}");
        }
        let start = evaluation("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
        assert!(start.into_iter().all(|evaluation| evaluation.abs() < 30), "{start:?}");
    }

    /// By textbook knowledge, the first of two positions is better.
    #[test]
    fn evaluation_agrees_with_textbooks() {
        let better = [
            // Knights belong in the middle.
            ("4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - -", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - -"),
            // Rooks belong on open files.
            ("4k3/pp3ppp/8/8/8/8/PP3PPP/2R1K3 w - -", "4k3/pp3ppp/8/8/8/8/PP3PPP/R3K3 w - -"),
            // A castled king behind its pawns is safe.
            (
                "r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQ1RK1 w - -",
                "r1bq1rk1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKR2 w - -",
            ),
            // In the endgame the king belongs in the middle.
            ("8/1p3kp1/8/8/3K4/8/1P4P1/8 w - -", "8/1p3kp1/8/8/8/8/1P4P1/K7 w - -"),
            // Passed pawns should be pushed.
            ("7k/6pp/2P5/8/8/8/8/7K w - -", "7k/6pp/8/8/2P5/8/8/7K w - -"),
            // The king cannot catch this pawn.
            ("8/7k/8/2P5/8/8/p7/K7 w - -", "8/3k4/8/2P5/8/8/p7/K7 w - -"),
            // Two bishops are better than bishop and knight.
            ("1n2kb2/8/pp6/8/8/PP6/8/2B1KB2 w - -", "1n2kb2/8/pp6/8/8/PP6/8/2B1KN2 w - -"),
        ];
        for (one, other) in better {
            let both = [one, other].map(evaluation);
            assert!(is_better(both[0], both[1]), "{one}, {other}: {both:?}");
        }
    }

    #[test]
    fn the_phase_follows_the_pieces() {
        let phase = |fen| Chess::phase(&position(fen));
        assert_eq!(phase("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), 24);
        assert_eq!(phase("4k3/p7/8/8/8/8/P7/4K3 w - -"), 0);
        assert_eq!(phase("QQQQQQ1k/8/8/8/8/8/8/7K b - -"), 24, "no more than at the start");
    }
}
