//! The board, and the squares that pieces reach.

use crate::grid::{self, SlidingAttacks, lines, union};
use crate::{Kind, Square, SquareSet};

/// Squares along one side of the board.
pub(super) const SIZE: usize = 6;
/// Squares of the board.
pub(super) const SQUARES: usize = SIZE * SIZE;

/// The kinds of piece. Two are named after fairy chess pieces: a wazir steps straight, a fers
/// diagonally.
pub(super) const QUEEN: Kind = Kind::new(0);
pub(super) const ROOK: Kind = Kind::new(1);
pub(super) const BISHOP: Kind = Kind::new(2);
pub(super) const KING: Kind = Kind::new(3);
pub(super) const WAZIR: Kind = Kind::new(4);
pub(super) const FERS: Kind = Kind::new(5);

/// The squares that a piece reaches in each direction on an empty board, near to far.
pub(super) fn rays(kind: Kind, square: Square) -> Vec<Vec<Square>> {
    const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    let directions = match kind {
        ROOK | WAZIR => STRAIGHT.to_vec(),
        BISHOP | FERS => DIAGONAL.to_vec(),
        _ => [STRAIGHT, DIAGONAL].concat(),
    };
    let reach = if [QUEEN, ROOK, BISHOP].contains(&kind) { SIZE } else { 1 };
    grid::rays::<SIZE>(&directions, reach, square)
}

/// The squares that a piece of `kind` on `square` attacks, including the first occupied square of
/// each line.
#[inline]
pub(super) fn reached(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
    let (square, occupied) = (usize::from(square), occupied.bits());
    SquareSet::new(match kind {
        QUEEN => SLIDING.straight(square, occupied) | SLIDING.diagonal(square, occupied),
        ROOK => SLIDING.straight(square, occupied),
        BISHOP => SLIDING.diagonal(square, occupied),
        KING => STRAIGHT_STEPS[square] | DIAGONAL_STEPS[square],
        WAZIR => STRAIGHT_STEPS[square],
        FERS => DIAGONAL_STEPS[square],
        _ => 0,
    })
}

static SLIDING: SlidingAttacks<SIZE> = SlidingAttacks::new();
static STRAIGHT_STEPS: [u64; 64] = union([lines::<SIZE>(1, 0, 1), lines::<SIZE>(0, 1, 1)]);
static DIAGONAL_STEPS: [u64; 64] = union([lines::<SIZE>(1, 1, 1), lines::<SIZE>(1, -1, 1)]);
