//! The board, and the squares that pieces reach.

use super::{BISHOP, KING, KNIGHT, QUEEN, ROOK};
use crate::grid::{self, SlidingAttacks, file, lines, rank, union};
use crate::{Color, Kind, Square, SquareSet};

/// Squares along one side of the board.
pub(super) const SIZE: usize = 8;

/// The ranks on which no pawn ever stands.
pub const RANKS_1_AND_8: SquareSet = SquareSet::new(0xFF00_0000_0000_00FF);
const FILE_A: SquareSet = file::<SIZE>(0);
const FILE_H: SquareSet = file::<SIZE>(SIZE - 1);

static SLIDING: SlidingAttacks<SIZE> = SlidingAttacks::new();
static KING_STEPS: [u64; 64] = union([
    lines::<SIZE>(1, 0, 1),
    lines::<SIZE>(0, 1, 1),
    lines::<SIZE>(1, 1, 1),
    lines::<SIZE>(1, -1, 1),
]);
static KNIGHT_LEAPS: [u64; 64] = union([
    lines::<SIZE>(1, 2, 1),
    lines::<SIZE>(2, 1, 1),
    lines::<SIZE>(2, -1, 1),
    lines::<SIZE>(1, -2, 1),
]);
static BETWEEN: [[u64; 64]; 64] = between_table();

/// All squares of the rank and the file of a square.
#[inline(always)]
pub(super) fn straight_lines(square: Square) -> SquareSet {
    SquareSet::new(SLIDING.straight_lines(square.into()))
}

/// All squares of the diagonals of a square, without itself.
#[inline(always)]
pub(super) fn diagonal_lines(square: Square) -> SquareSet {
    SquareSet::new(SLIDING.diagonal_lines(square.into()))
}

/// The squares that a rook attacks, including the first occupied square of each direction.
#[inline(always)]
pub(super) fn straight(square: Square, occupied: SquareSet) -> SquareSet {
    SquareSet::new(SLIDING.straight(square.into(), occupied.bits()))
}

/// The squares that a bishop attacks, including the first occupied square of each direction.
#[inline(always)]
pub(super) fn diagonal(square: Square, occupied: SquareSet) -> SquareSet {
    SquareSet::new(SLIDING.diagonal(square.into(), occupied.bits()))
}

/// The squares that a king attacks.
#[inline(always)]
pub(super) fn king_steps(square: Square) -> SquareSet {
    SquareSet::new(KING_STEPS[usize::from(square)])
}

/// The squares that a knight attacks.
#[inline(always)]
pub(super) fn knight_leaps(square: Square) -> SquareSet {
    SquareSet::new(KNIGHT_LEAPS[usize::from(square)])
}

/// The squares that a piece other than a pawn attacks, including the first occupied square of each
/// direction.
#[inline(always)]
pub(super) fn reached(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
    match kind {
        KING => king_steps(square),
        QUEEN => straight(square, occupied) | diagonal(square, occupied),
        ROOK => straight(square, occupied),
        BISHOP => diagonal(square, occupied),
        KNIGHT => knight_leaps(square),
        _ => SquareSet::EMPTY,
    }
}

/// The squares between two squares on the same rank, file or diagonal; otherwise empty.
#[inline]
pub(super) fn between(one: Square, other: Square) -> SquareSet {
    SquareSet::new(BETWEEN[usize::from(one)][usize::from(other)])
}

/// A step forward, as a difference of square indices.
#[inline]
pub(super) const fn forward(color: Color) -> i8 {
    // Branchless: the colour is unpredictable.
    SIZE as i8 * (1 - 2 * color as i8)
}

/// The square whose index is greater by `by`, modulo 64.
#[inline]
pub(super) const fn moved(square: Square, by: i8) -> Square {
    Square::new(square.index().wrapping_add_signed(by) & 63)
}

/// The squares whose indices are greater by `by`. Squares that leave the board reappear at the
/// other end, where pawns never stand.
#[inline]
pub(super) const fn shifted(squares: SquareSet, by: i8) -> SquareSet {
    SquareSet::new(squares.bits().rotate_left(by as u32 & 63))
}

/// The two directions in which pawns capture, as differences of square indices, with the squares
/// attacked in each.
#[inline]
pub(super) fn pawn_captures(color: Color, pawns: SquareSet) -> [(i8, SquareSet); 2] {
    let (left, right) = (forward(color) - 1, forward(color) + 1);
    [(left, shifted(pawns, left) & !FILE_H), (right, shifted(pawns, right) & !FILE_A)]
}

/// The squares that pawns attack.
#[inline]
pub(super) fn pawn_attacks(color: Color, pawns: SquareSet) -> SquareSet {
    let [(_, left), (_, right)] = pawn_captures(color, pawns);
    left | right
}

/// The rank that pawns of `color` reach by a single step from their initial rank.
#[inline]
pub(super) const fn third_rank(color: Color) -> SquareSet {
    rank::<SIZE>(match color {
        Color::White => 2,
        Color::Black => 5,
    })
}

/// The rank on which pawns of `color` are promoted.
#[inline]
pub(super) const fn last_rank(color: Color) -> SquareSet {
    rank::<SIZE>(match color {
        Color::White => 7,
        Color::Black => 0,
    })
}

/// The squares that a piece reaches in each direction on an empty board, near to far.
pub(super) fn rays(kind: Kind, square: Square) -> Vec<Vec<Square>> {
    const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    const LEAPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let (directions, reach) = match kind {
        KING => ([STRAIGHT, DIAGONAL].concat(), 1),
        QUEEN => ([STRAIGHT, DIAGONAL].concat(), SIZE),
        ROOK => (STRAIGHT.to_vec(), SIZE),
        BISHOP => (DIAGONAL.to_vec(), SIZE),
        KNIGHT => (LEAPS.to_vec(), 1),
        _ => (Vec::new(), 0),
    };
    grid::rays::<SIZE>(&directions, reach, square)
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut one = 0;
    while one < 64 {
        let mut direction = 0;
        while direction < 4 {
            // The squares between are those passed so far.
            let (files, rows) = [(1, 0), (0, 1), (1, 1), (1, -1)][direction];
            let (mut file, mut row) = (one % 8 + files, one / 8 + rows);
            let mut passed = 0;
            while 0 <= row && row < 8 && file < 8 {
                let other = 8 * row + file;
                table[one as usize][other as usize] = passed;
                table[other as usize][one as usize] = passed;
                passed |= 1 << other;
                (file, row) = (file + files, row + rows);
            }
            direction += 1;
        }
        one += 1;
    }
    table
}
