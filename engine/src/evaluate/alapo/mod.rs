mod exchange;
mod features;
mod initial_weights;
mod run;

use super::{Evaluated, Evaluator, Weights, parse_evaluator};
use crate::draws::{Counters, DrawReason};
use crate::handicap::Handicap;
use crate::level::Level;
use crate::score::WinRate;
use crate::searchable::Searchable;
use damka_games::alapo::{Alapo, Move, Position};
use damka_games::{Color, Game, Kind, MoveList, Position as _, Square};
use exchange::{GAME, exchange};
use std::sync::{Arc, OnceLock};

/// The number of kinds that slide, which come first; the others step.
const SLIDERS: usize = 3;

/// Piece values, roughly in hundredths of a fers: queen, rook, bishop, king, wazir, fers.
const PIECES: [i32; 6] = [680, 567, 351, 248, 93, 90];

impl Evaluated for Alapo {
    const FEATURES: usize = features::FEATURES;
    const MAX_PHASE: i32 = 24;

    #[inline(always)]
    fn phase(position: &Position) -> i32 {
        Color::BOTH.map(|color| position.side(color).len() as i32).iter().sum()
    }

    #[inline(always)]
    fn count_rest(position: &Position, tally: impl FnMut(usize, i32)) {
        features::count(position, tally);
    }

    fn initial_weights(self) -> Weights<Alapo> {
        initial_weights::weights()
    }

    fn evaluator(self) -> Arc<dyn Evaluator<Alapo>> {
        static EVALUATOR: OnceLock<Arc<dyn Evaluator<Alapo>>> = OnceLock::new();
        let learned = include_bytes!("../../../weights/alapo.weights");
        let load = || parse_evaluator(self, learned).expect("the built-in evaluation is valid");
        Arc::clone(EVALUATOR.get_or_init(load))
    }
}

impl Searchable for Alapo {
    const BENCH_DEPTH: u16 = 8;
    const LEVELS: [Handicap; Level::COUNT] = [
        Handicap::new(1, 512, 20, 250, 800),
        Handicap::new(1, 512, 14, 200, 1_070),
        Handicap::new(1, 512, 10, 150, 1_360),
        Handicap::new(1, 512, 8, 110, 1_650),
        Handicap::new(2, 1_000, 6, 65, 1_950),
        Handicap::new(3, 2_000, 5, 40, 2_210),
        Handicap::new(4, 4_000, 4, 26, 2_590),
        Handicap::new(6, 8_000, 4, 16, 2_790),
        Handicap::new(40, 16_000, 3, 7, 3_080),
        Handicap::none(3_400),
    ];
    const WIN_RATE: WinRate = WinRate { even: 50.0, scale: 135.0 };

    /// The evaluation of a published bot: material and mobility.
    fn baseline(position: &Position) -> i32 {
        /// The values of the kinds of piece, in their order, and of a legal move.
        const PIECES: [i32; 6] = [3000, 2000, 1000, 300, 200, 100];
        const MOVE_VALUE: i32 = 10;
        let value = |position: &Position| {
            let own = position.side(position.turn());
            let count = |kind| (own & position.kind(kind)).len() as i32;
            let pieces: i32 = Alapo::kinds().map(|kind| count(kind) * PIECES[kind.index()]).sum();
            pieces + position.count_moves() as i32 * MOVE_VALUE
        };
        value(position) - value(&position.pass())
    }

    #[inline]
    fn from_to(mv: Move) -> (Square, Square) {
        (mv.from, mv.to)
    }

    #[inline]
    fn noisy_rank(position: &Position, mv: Move) -> i32 {
        let (victim, attacker) = (value(position, mv.to), value(position, mv.from));
        let is_goal = reaches_goal(position, mv);
        if victim == 0 && !is_goal {
            return 0;
        }
        // Capturing a more valuable piece, or one of equal value, never loses.
        let exchanged = match is_goal || victim < attacker {
            true => exchange(position, mv),
            false => 0,
        };
        match exchanged < 0 {
            true => exchanged,
            // Moves that win the game first, then most valuable victim, least valuable attacker
            // (MVV-LVA).
            false => exchanged / GAME * GAME + 10 * victim - attacker / 10 + 100,
        }
    }

    /// Captures and moves to the goal. Following threats as well won fewer games.
    #[inline]
    fn noisy_moves(position: &Position) -> Option<MoveList<Move>> {
        let mut moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        moves.retain(|mv| position.is_capture(*mv) || reaches_goal(position, *mv));
        Some(moves)
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        let (turn, enemy) = (position.turn(), !position.turn());
        let open = Position::home(turn) & !position.side(enemy) & !position.attacks(turn);
        !(position.attacks(enemy) & open).is_empty()
    }

    #[inline]
    fn allows_null_move(position: &Position) -> bool {
        /// With this number of pieces or fewer, zugzwang is a risk.
        const FEW: u32 = 2;
        let turn = position.turn();
        position.side(turn).len() > FEW && !Alapo::is_threatened(position)
    }

    #[inline]
    fn null_move(position: &Position) -> Position {
        position.pass()
    }

    fn draw_reason(_: &Position, _: &Counters) -> Option<DrawReason> {
        None
    }
}

/// The kinds that step.
fn steppers() -> impl Iterator<Item = Kind> {
    Alapo::kinds().skip(SLIDERS)
}

/// The value of the piece on a square; 0 if it is empty.
#[inline]
fn value(position: &Position, square: Square) -> i32 {
    position.piece_at(square).map_or(0, |(_, kind)| PIECES[kind.index()])
}

/// Whether a move ends on the opponent's home rank.
fn reaches_goal(position: &Position, mv: Move) -> bool {
    Position::home(!position.turn()).contains(mv.to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::SquareSet;

    /// The evaluations of a position by the initial weights and by the learned ones.
    fn evaluations(position: &Position) -> [i32; 2] {
        let first: Arc<dyn Evaluator<Alapo>> = Arc::new(Alapo.initial_weights());
        [first, Alapo.evaluator()].map(|evaluator| evaluator.evaluate(position))
    }

    fn value(fen: &str) -> [i32; 2] {
        evaluations(&Alapo.parse_fen(fen).expect("a position"))
    }

    /// Whether `one` is less than `other`, both by the initial weights and by the learned ones.
    fn is_less(one: &[i32; 2], other: &[i32; 2]) -> bool {
        one.iter().zip(other).all(|(one, other)| one < other)
    }

    /// The mirror image of a position, left to right.
    fn mirrored(position: &Position) -> Position {
        let mut setup = position.setup();
        let mirror = |set: SquareSet| -> SquareSet {
            let mirror = |square| usize::from(square) / 6 * 6 + 5 - usize::from(square) % 6;
            set.into_iter().map(|square| Square::new(mirror(square) as u8)).collect()
        };
        for (color, kind, squares) in position.setup().pieces.iter() {
            setup.pieces[(color, kind)] = mirror(squares);
        }
        Alapo.assemble(&setup.pieces, setup.turn)
    }

    #[test]
    fn evaluation_is_symmetric_in_colours_and_wings() {
        let mut position = Alapo.start();
        for step in 0..40 {
            let value = evaluations(&position);
            assert_eq!(evaluations(&position.flip()), value, "{position:?}");
            assert_eq!(evaluations(&mirrored(&position)), value, "{position:?}");
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[step * 7 % moves.len()]);
        }
    }

    #[test]
    fn stronger_pieces_are_worth_more() {
        let with = |piece: char| value(&format!("1bkkb1/6/6/6/6/1{piece}KKB1 w"));
        for pieces in ["FKBRQ", "WKBRQ"] {
            assert!(pieces.chars().map(with).is_sorted_by(is_less), "{pieces}");
        }
    }

    #[test]
    fn advanced_steppers_are_worth_more() {
        for piece in ["F", "W", "K"] {
            let at = |rows: [&str; 4]| {
                let rows = rows.join("/").replace('P', piece);
                value(&format!("r5/{rows}/5R w"))
            };
            let way = [
                at(["6", "6", "2P3", "6"]),
                at(["6", "2P3", "6", "6"]),
                at(["2P3", "6", "6", "6"]),
            ];
            assert!(way.is_sorted_by(is_less), "{piece}: {way:?}");
        }
    }

    #[test]
    fn free_pieces_are_worth_more() {
        // The bishop is shut in by its own pieces, or controls long diagonals.
        let [shut, free] = ["1bqqb1/6/6/6/FF4/BK4 w", "1bqqb1/6/6/6/FB4/FK4 w"].map(value);
        assert!(is_less(&shut, &free), "{shut:?} {free:?}");
    }

    #[test]
    fn a_guarded_home_is_worth_more() {
        // The rook reaches as many squares on rank 3.
        let [away, home] = ["kkk3/6/6/3R2/6/5K w", "kkk3/6/6/6/6/3R1K w"].map(value);
        assert!(is_less(&away, &home), "{away:?} {home:?}");
    }

    #[test]
    fn an_unstoppable_piece_is_worth_much() {
        let [stopped, through] = ["6/2k3/6/W5/6/6 w", "6/5k/6/W5/6/6 w"].map(value);
        assert!(is_less(&stopped.map(|value| value + 200), &through), "{stopped:?} {through:?}");
    }
}
