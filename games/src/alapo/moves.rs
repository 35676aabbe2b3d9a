//! Moves and un-moves.

use super::geometry::reached;
use super::position::{Move, Position};
use crate::{Alapo, Game, MoveList, Position as _, PositionList, Square, SquareSet};

pub(super) fn moves(position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    each_piece(position, |from, reached| {
        moves.extend(reached.into_iter().map(|to| Move { from, to }));
    });
    moves
}

pub(super) fn count(position: &Position) -> u64 {
    let mut count = 0;
    each_piece(position, |_, reached| count += u64::from(reached.len()));
    count
}

/// Calls `visit` with the square of each piece of the side to move and the squares to which it may
/// move.
#[inline]
fn each_piece(position: &Position, mut visit: impl FnMut(Square, SquareSet)) {
    let mine = position.side(position.turn());
    let occupied = position.occupied();
    let invaders = position.invaders();
    let targets = if invaders.is_empty() { !mine } else { invaders };
    for kind in Alapo::kinds() {
        for from in mine & position.kind(kind) {
            visit(from, reached(kind, from, occupied) & targets);
        }
    }
}

pub(super) fn unmoves(position: &Position) -> PositionList<Position> {
    let mut list = PositionList::new();
    let mover = !position.turn();
    let goal = Position::home(position.turn());
    // A piece of the other side on the mover's home rank was already there before the last move. So
    // only its capture was legal, and there is no quiet move to take back.
    if !(position.side(position.turn()) & Position::home(mover)).is_empty() {
        return list;
    }
    // A piece on its goal rank has just arrived, so it is the one that moved.
    let on_goal = position.side(mover) & goal;
    let moved = match on_goal.len() {
        0 => position.side(mover),
        1 => on_goal,
        _ => return list,
    };
    let occupied = position.occupied();
    let sources = !(occupied | goal);
    for kind in Alapo::kinds() {
        for to in moved & position.kind(kind) {
            // All pieces move backwards as they move forwards.
            for from in reached(kind, to, occupied) & sources {
                list.push(position.unplay(kind, Move { from, to }));
            }
        }
    }
    list
}
