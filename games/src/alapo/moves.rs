//! Moves and un-moves.

use super::geometry::{KINDS, reached};
use super::position::{Move, Position};
use crate::{MoveList, PositionList, bits};

pub(super) fn moves(position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    each_piece(position, |from, reached| {
        moves.extend(bits(reached).map(|to| Move { from, to }));
    });
    moves
}

pub(super) fn count(position: &Position) -> u64 {
    let mut count = 0;
    each_piece(position, |_, reached| count += u64::from(reached.count_ones()));
    count
}

/// Calls `visit` with the square of each piece of the side to move and the
/// squares it may legally go to.
#[inline]
fn each_piece(position: &Position, mut visit: impl FnMut(u8, u64)) {
    let mine = position.side(position.turn());
    let occupied = position.occupied();
    let targets = match position.invaders() {
        0 => !mine,
        invaders => invaders,
    };
    for kind in 0..KINDS {
        for from in bits(mine & position.kind(kind)) {
            visit(from, reached(kind, from, occupied) & targets);
        }
    }
}

pub(super) fn unmoves(position: &Position) -> PositionList<Position> {
    let mut list = PositionList::new();
    let mover = !position.turn();
    let goal = Position::home(position.turn());
    // A piece of the other side on the mover's home rank stood there before the
    // move as well, and then nothing but taking it was legal.
    if position.side(position.turn()) & Position::home(mover) != 0 {
        return list;
    }
    // A piece on its goal rank has arrived just now: it is the one that moved.
    let on_goal = position.side(mover) & goal;
    let moved = match on_goal.count_ones() {
        0 => position.side(mover),
        1 => on_goal,
        _ => return list,
    };
    let occupied = position.occupied();
    let sources = !(occupied | goal);
    for kind in 0..KINDS {
        for to in bits(moved & position.kind(kind)) {
            // All pieces move backwards as they move forwards.
            for from in bits(reached(kind, to, occupied) & sources) {
                list.push(position.unplay(kind, Move { from, to }));
            }
        }
    }
    list
}
