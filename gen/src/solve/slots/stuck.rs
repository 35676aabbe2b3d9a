//! Tests whether a position has a legal move other than en passant. Only used where an en passant
//! capture may be the only move.

use super::board::{
    AxisKind, DIAGONAL_STEPS, STRAIGHT_STEPS, king_steps, knight_leaps, pawn_captures, rank, ray,
    squares, step_forward,
};
use super::fibre::Fibre;
use damka_games::Color;

/// The pieces of a position.
#[derive(Clone)]
struct Board {
    kings: [u8; 2],
    pieces: Vec<(AxisKind, Color, u8)>,
    pawns: [u64; 2],
}

/// Whether `mover` has a legal move in this cell, other than en passant.
pub(super) fn has_moves(fibre: &Fibre, mover: Color, kings: [u8; 2], cell: usize) -> bool {
    let axes = fibre.pieces().len();
    let pieces = fibre.pieces().iter().enumerate().map(|(axis, piece)| {
        (piece.kind, piece.color, (cell >> (6 * (axes - 1 - axis)) & 63) as u8)
    });
    let board = Board { kings, pieces: pieces.collect(), pawns: fibre.pawns() };
    let side = |color: Color| {
        let pieces = board.pieces.iter().filter(|piece| piece.1 == color);
        let set = pieces.fold(board.pawns[color as usize], |set, piece| set | 1 << piece.2);
        set | 1 << kings[color as usize]
    };
    let (mine, theirs) = (side(mover), side(!mover));
    let occupied = mine | theirs;
    let is_legal = |from: u8, to: u8| !board.after(mover, from, to).is_checked(mover);
    let leads = |from: u8, to: u64| squares(to & !mine).any(|to| is_legal(from, to));
    let king = kings[mover as usize];
    leads(king, king_steps(king))
        || board.pieces.iter().any(|&(kind, color, square)| {
            color == mover && leads(square, attacked(kind, square, occupied))
        })
        || squares(board.pawns[mover as usize]).any(|square| {
            let next = step_forward(mover, square);
            let is_free = |square: u8| occupied >> square & 1 == 0;
            leads(square, pawn_captures(mover, square) & theirs)
                || is_free(next) && is_legal(square, next)
                || rank(mover, square) == 1 && is_free(next) && {
                    let double = step_forward(mover, next);
                    is_free(double) && is_legal(square, double)
                }
        })
}

/// The squares that a piece attacks.
fn attacked(kind: AxisKind, square: u8, occupied: u64) -> u64 {
    let along = |steps: &[(i8, i8)]| steps.iter().fold(0, |set, &s| set | ray(square, s, occupied));
    let straight = if kind.is_straight() { along(&STRAIGHT_STEPS) } else { 0 };
    let diagonal = if kind.is_diagonal() { along(&DIAGONAL_STEPS) } else { 0 };
    let leaps = if kind == AxisKind::Knight { knight_leaps(square) } else { 0 };
    straight | diagonal | leaps
}

impl Board {
    /// The board after a move.
    fn after(&self, mover: Color, from: u8, to: u8) -> Board {
        let mut board = self.clone();
        board.pieces.retain(|piece| piece.1 == mover || piece.2 != to);
        board.pawns[!mover as usize] &= !(1 << to);
        if board.kings[mover as usize] == from {
            board.kings[mover as usize] = to;
        }
        for piece in &mut board.pieces {
            if piece.2 == from {
                piece.2 = to;
            }
        }
        if board.pawns[mover as usize] >> from & 1 != 0 {
            board.pawns[mover as usize] ^= 1 << from | 1 << to;
        }
        board
    }

    /// Whether the king of `color` is attacked.
    fn is_checked(&self, color: Color) -> bool {
        let king = self.kings[color as usize];
        let pieces = self.pieces.iter().fold(0, |set, piece| set | 1 << piece.2);
        let kings = 1 << self.kings[0] | 1 << self.kings[1];
        let occupied = pieces | kings | self.pawns[0] | self.pawns[1];
        king_steps(king) >> self.kings[!color as usize] & 1 != 0
            || pawn_captures(color, king) & self.pawns[!color as usize] != 0
            || self.pieces.iter().any(|&(kind, other, square)| {
                other != color && attacked(kind, square, occupied) >> king & 1 != 0
            })
    }
}
