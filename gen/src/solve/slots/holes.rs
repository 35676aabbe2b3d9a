//! Captures by pieces and kings, represented as holes.
//!
//! A hole is a cell in which a piece that has just moved stands on the square of an enemy piece. It
//! is not a position of the fibre. Its score is that of the position in the fibre without the captured
//! piece, and for the side that moves there it is a successor like any other. The scores of that fibre
//! are the same whichever piece has captured.

use super::board::{SQUARES, squares};
use super::fibre::{Fibre, Solved, View};
use super::seeds::Seeds;
use damka_games::Color;

/// Holes whose scores come from the same fibre.
#[derive(Debug)]
pub(super) struct Holes {
    pub(super) seeds: Seeds,
    taken: Captured,
}

/// What was captured, and by which pieces.
#[derive(Debug)]
enum Captured {
    /// The piece of this axis, captured by the king of this colour or by one of the pieces of the
    /// axes `by`, which are numbered in the fibre without the captured piece.
    Piece { axis: usize, king: Color, by: Vec<usize> },
    /// A pawn on this square, captured by the piece of this axis.
    Pawn { square: u8, axis: usize },
    /// A pawn on the king's square, captured by the king.
    ByKing,
}

impl Holes {
    /// The holes of a fibre with `mover` to move.
    pub(super) fn of(fibre: &Fibre, mover: Color, solved: &impl Solved) -> Vec<Holes> {
        let pairs = fibre.pairs();
        let (slots, cells) = (pairs.len(), fibre.cells());
        let collect = |view: View<'_>, fixed, len| {
            Seeds::collect(slots, len, |slot, into| view.copy(mover, pairs.pair(slot), fixed, into))
        };
        let mut holes = Vec::new();
        for axis in fibre.axes_of(mover) {
            let rest = fibre.without_piece(axis);
            let seeds = collect(solved.view(&rest), None, cells / SQUARES);
            let taken = Captured::Piece { axis, king: !mover, by: rest.axes_of(!mover).collect() };
            holes.push(Holes { seeds, taken });
        }
        for square in squares(fibre.pawns()[mover as usize]) {
            let rest = fibre.without_pawn(square);
            let view = solved.view(&rest);
            for axis in fibre.axes_of(!mover) {
                let seeds = collect(view, Some((axis, square)), cells / SQUARES);
                holes.push(Holes { seeds, taken: Captured::Pawn { square, axis } });
            }
            let seeds = Seeds::collect(slots, cells, |slot, into| {
                let kings = pairs.pair(slot);
                kings[!mover as usize] == square && view.copy(mover, kings, None, into)
            });
            holes.push(Holes { seeds, taken: Captured::ByKing });
        }
        holes
    }

    /// Calls `hole` with each cell of a slot that has the score of a seed in `set`, which is a set
    /// within the given block of 64 seeds.
    #[inline(always)]
    pub(super) fn cells(
        &self,
        axes: usize,
        kings: [u8; 2],
        block: usize,
        set: u64,
        mut hole: impl FnMut(usize),
    ) {
        for bit in squares(set) {
            let number = block * SQUARES + usize::from(bit);
            match &self.taken {
                Captured::Piece { axis, king, by } => {
                    let king = kings[*king as usize];
                    hole(with_digit(axes, number, *axis, king));
                    for &by in by {
                        let square = number >> (6 * (axes - 2 - by)) & (SQUARES - 1);
                        hole(with_digit(axes, number, *axis, square as u8));
                    }
                }
                Captured::Pawn { square, axis } => hole(with_digit(axes, number, *axis, *square)),
                Captured::ByKing => hole(number),
            }
        }
    }
}

/// Inserts `square` as the digit of `axis` into `number`, a cell without that axis; `axes` is the
/// number of axes of the result.
#[inline(always)]
pub(super) fn with_digit(axes: usize, number: usize, axis: usize, square: u8) -> usize {
    let after = 6 * (axes - 1 - axis);
    let (high, low) = (number >> after, number & ((1 << after) - 1));
    high << (after + 6) | usize::from(square) << after | low
}
