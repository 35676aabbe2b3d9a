mod exchange;

use crate::draws::{Counters, DrawReason};
use crate::playable::Playable;
use damka_games::alapo::{Alapo, Move, Position};
use damka_games::{Color, Game};
use exchange::{GAME, exchange};

/// What pieces are worth, in hundredths of a fers: queen, rook, bishop, king, wazir, fers.
const PIECES: [i32; 6] = [760, 480, 330, 260, 140, 100];

/// A square of the goal rank that a piece reaches and no enemy does: a win, unless the
/// other side is faster.
const OPEN_GOAL: i32 = 60;
/// A square of the own home rank that nobody guards.
const UNGUARDED: i32 = -12;
/// For each square that pieces reach.
const REACH: i32 = 5;
/// For each row that a piece that steps has come.
const ADVANCE: i32 = 6;
const TEMPO: i32 = 10;

/// The kinds that step, as indices into the game's list.
const STEPPERS: std::ops::Range<usize> = 3..6;

impl Playable for Alapo {
    const NULL_MOVE: bool = true;

    fn evaluate(position: &Position) -> i32 {
        let reached = Color::BOTH.map(|color| position.attacks(color));
        let worth = |color: Color| {
            let (own, enemy) = (reached[color as usize], reached[!color as usize]);
            let count = |set: u64| set.count_ones() as i32;
            let mut worth = count(own) * REACH;
            for (kind, piece) in PIECES.iter().enumerate() {
                worth += count(position.side(color) & position.kind(kind)) * piece;
            }
            for kind in STEPPERS {
                for row in 1..6 {
                    let rank = match color {
                        Color::White => 0b11_1111 << (6 * row),
                        Color::Black => 0b11_1111 << (6 * (5 - row)),
                    };
                    let here = position.side(color) & position.kind(kind) & rank;
                    worth += count(here) * row * ADVANCE;
                }
            }
            worth += count(own & Position::home(!color) & !enemy) * OPEN_GOAL;
            worth + count(Position::home(color) & !own) * UNGUARDED
        };
        let turn = position.turn();
        worth(turn) - worth(!turn) + TEMPO
    }

    fn plainly(position: &Position) -> i32 {
        /// What a published bot takes pieces, in the order above, and a move to be worth.
        const PIECES: [i32; 6] = [3000, 2000, 1000, 300, 200, 100];
        const MOVE: i32 = 10;
        let worth = |position: &Position| {
            let own = position.side(position.turn());
            let count = |kind| (own & position.kind(kind)).count_ones() as i32;
            let pieces: i32 = (0..PIECES.len()).map(|kind| count(kind) * PIECES[kind]).sum();
            pieces + Alapo::count_moves(position) as i32 * MOVE
        };
        worth(position) - worth(&Alapo::pass(position))
    }

    #[inline]
    fn ends(mv: Move) -> (u8, u8) {
        (mv.from, mv.to)
    }

    #[inline]
    fn gain(position: &Position, mv: Move) -> i32 {
        let worth = |square| position.at(square).map_or(0, |(_, kind)| PIECES[kind]);
        let (victim, attacker) = (worth(mv.to), worth(mv.from));
        let is_goal = reaches_goal(position, mv);
        if victim == 0 && !is_goal {
            return 0;
        }
        // Who captures something better than itself need not count on.
        let exchanged = match is_goal || victim < attacker {
            true => exchange(position, mv),
            false => 0,
        };
        match exchanged < 0 {
            true => exchanged,
            // A won game first, then the most valuable victim, and of several attackers
            // the least valuable.
            false => exchanged / GAME * GAME + 10 * victim - attacker / 10 + 100,
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
        let mut position = Alapo::start();
        for step in 0..40 {
            let flipped = Alapo::flip(&position);
            assert_eq!(Alapo::evaluate(&position), Alapo::evaluate(&flipped), "{position:?}");
            let moves = Alapo::moves(&position);
            if moves.is_empty() {
                break;
            }
            position = Alapo::play(&position, moves[step * 7 % moves.len()]);
        }
    }
}
