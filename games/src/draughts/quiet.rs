use super::capture::Captures;
use super::geometry::{DIRECTIONS, Direction, bits};
use super::position::last_row;
use super::rules::Variant;
use super::{Move, Position};
use crate::{Color, MoveList, PositionList};

/// Whether `d` is forward for men of `color`.
#[inline]
fn forward(color: Color, d: Direction) -> bool {
    d.is_up() == (color == Color::White)
}

/// The squares that a king on `square` can slide to in direction `d`.
#[inline]
fn king_reach<V: Variant>(square: u8, d: Direction, occupied: u32) -> u32 {
    match V::RULES.flying_kings {
        true => d.slide_word(square, occupied),
        false => d.step_word(1 << square) & !occupied,
    }
}

/// All quiet moves, even if the rules require a capture.
pub(super) fn moves<V: Variant>(position: &Position) -> MoveList<Move> {
    let mut list = MoveList::new();
    let occupied = position.occupied();
    let mover = position.mover();
    for d in DIRECTIONS {
        if forward(position.turn, d) {
            let targets = d.step_word(mover & !position.kings) & !occupied;
            for to in bits(targets.into()) {
                let from = d.opposite().step_word(1 << to).trailing_zeros() as u8;
                let king = last_row(position.turn) & 1 << to != 0;
                list.push(Move { from, to, king, captured: 0 });
            }
        }
    }
    for from in bits((mover & position.kings).into()) {
        for d in DIRECTIONS {
            for to in bits(king_reach::<V>(from, d, occupied).into()) {
                list.push(Move { from, to, king: true, captured: 0 });
            }
        }
    }
    list
}

/// The number of quiet moves, even if the rules require a capture.
pub(super) fn count<V: Variant>(position: &Position) -> u32 {
    let occupied = position.occupied();
    let mover = position.mover();
    let men = mover & !position.kings;
    let kings = mover & position.kings;
    let [left, right] = match position.turn {
        Color::White => [Direction::UpLeft, Direction::UpRight],
        Color::Black => [Direction::DownLeft, Direction::DownRight],
    };
    // Counts both words at once, because counting bits is slow without an instruction for it.
    let [left, right] = [left, right].map(|d| u64::from(d.step_word(men) & !occupied));
    let men_moves = (left << 32 | right).count_ones();
    let king_moves = bits(kings.into()).map(|from| {
        let reaches = DIRECTIONS.map(|d| king_reach::<V>(from, d, occupied));
        reaches.into_iter().fold(0, |a, b| a | b).count_ones()
    });
    men_moves + king_moves.sum::<u32>()
}

/// All legal positions from which a quiet move leads to `position`.
pub(super) fn unmoves<V: Variant>(position: &Position) -> PositionList<Position> {
    let mut list = PositionList::new();
    let color = !position.turn;
    let occupied = position.occupied();
    let moved = position.sides[color as usize];
    let mut add = |from: u8, to: u8, king: bool| {
        let mut before = *position;
        let change = 1 << from | 1 << to;
        before.sides[color as usize] ^= change;
        before.kings = before.kings & !change | u32::from(king) << from;
        before.turn = color;
        if !Captures::<V>::of(&before).any() {
            list.push(before);
        }
    };
    // Men that have stepped, and kings that may just have been promoted.
    let promoted = moved & position.kings & last_row(color);
    for to in bits((moved & !position.kings | promoted).into()) {
        for d in DIRECTIONS {
            if !forward(color, d) {
                for from in bits((d.step_word(1 << to) & !occupied).into()) {
                    add(from, to, false);
                }
            }
        }
    }
    for to in bits((moved & position.kings).into()) {
        for d in DIRECTIONS {
            for from in bits(king_reach::<V>(to, d, occupied).into()) {
                add(from, to, true);
            }
        }
    }
    list
}
