use super::{Evaluated, Weights};
use crate::draws::{Counters, DrawReason};
use crate::playable::Playable;
use damka_games::alapo::{Alapo, Move, Position};
use damka_games::{Color, Game};
use std::sync::Arc;

/// What pieces are worth, in hundredths of a fers: queen, rook, bishop, king, wazir, fers.
const PIECES: [i32; 6] = [760, 480, 330, 260, 140, 100];

/// For each square that pieces reach.
const REACH: usize = PIECES.len();
/// For each row that a piece that steps has come.
const ADVANCE: usize = REACH + 1;
/// A square of the goal rank that a piece reaches and no enemy does: a win, unless the
/// other side is faster.
const OPEN_GOAL: usize = ADVANCE + 1;
/// A square of the own home rank that nobody guards.
const UNGUARDED: usize = OPEN_GOAL + 1;
const TEMPO: usize = UNGUARDED + 1;

/// The kinds that step, as indices into the game's list.
const STEPPERS: std::ops::Range<usize> = 3..6;

impl Evaluated for Alapo {
    const FEATURES: usize = TEMPO + 1;
    const STAGES: i32 = 24;

    #[inline]
    fn stage(position: &Position) -> i32 {
        Color::BOTH.map(|color| position.side(color).count_ones() as i32).iter().sum()
    }

    #[inline]
    fn count(position: &Position, mut tally: impl FnMut(usize, i32)) {
        let reached = Color::BOTH.map(|color| position.attacks(color));
        let turn = position.turn();
        for (color, times) in [(turn, 1), (!turn, -1)] {
            let (own, enemy) = (reached[color as usize], reached[!color as usize]);
            let mut count = |feature, set: u64, each: i32| {
                tally(feature, times * each * set.count_ones() as i32);
            };
            count(REACH, own, 1);
            for kind in 0..PIECES.len() {
                count(kind, position.side(color) & position.kind(kind), 1);
            }
            for kind in STEPPERS {
                for row in 1..6 {
                    let rank = match color {
                        Color::White => 0b11_1111 << (6 * row),
                        Color::Black => 0b11_1111 << (6 * (5 - row)),
                    };
                    count(ADVANCE, position.side(color) & position.kind(kind) & rank, row);
                }
            }
            count(OPEN_GOAL, own & Position::home(!color) & !enemy, 1);
            count(UNGUARDED, Position::home(color) & !own, 1);
        }
        tally(TEMPO, 1);
    }

    fn first_weights() -> Weights<Alapo> {
        let mut weights = Weights::zero();
        let pieces = PIECES.into_iter().enumerate();
        let others = [(REACH, 5), (ADVANCE, 6), (OPEN_GOAL, 60), (UNGUARDED, -12), (TEMPO, 10)];
        for (feature, hundredths) in pieces.chain(others) {
            weights.set(feature, [hundredths as f32; 2]);
        }
        weights
    }

    fn weights() -> Arc<Weights<Alapo>> {
        Arc::new(Alapo::first_weights())
    }
}

impl Playable for Alapo {
    const NULL_MOVE: bool = true;

    #[inline]
    fn ends(mv: Move) -> (u8, u8) {
        (mv.from, mv.to)
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> i32 {
        let worth = |square| position.at(square).map_or(0, |(_, kind)| PIECES[kind]);
        let goal = if reaches_goal(position, mv) { 2000 } else { 0 };
        match worth(mv.to) {
            0 => goal,
            // The most valuable victim first, and of several the least valuable attacker.
            victim => goal + 10 * victim - worth(mv.from) / 10,
        }
    }

    #[inline]
    fn is_loud(position: &Position, mv: Move) -> bool {
        Self::is_capture(position, mv) || reaches_goal(position, mv)
    }

    #[inline]
    fn is_threatened(position: &Position) -> bool {
        let (turn, enemy) = (position.turn(), !position.turn());
        let open = Position::home(turn) & !position.side(enemy) & !position.attacks(turn);
        position.attacks(enemy) & open != 0
    }

    #[inline]
    fn pass(position: &Position) -> Position {
        Alapo::pass(position)
    }

    fn drawn(_: &Position, _: &Counters) -> Option<DrawReason> {
        None
    }
}

/// Whether a move ends on the other side's home rank.
fn reaches_goal(position: &Position, mv: Move) -> bool {
    Position::home(!position.turn()) >> mv.to & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_alike() {
        let weights = Alapo::weights();
        let mut position = Alapo::start();
        for step in 0..40 {
            let flipped = Alapo::flip(&position);
            assert_eq!(weights.evaluate(&position), weights.evaluate(&flipped), "{position:?}");
            let moves = Alapo::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = Alapo::play(&position, moves[step * 7 % moves.len()]);
        }
    }
}
