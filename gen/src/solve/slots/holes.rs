//! Captures by pieces and kings, which are holes.
//!
//! A hole is a cell in which a piece that has just moved stands where one of the side to move
//! stood. It is no position of the fibre; its score is that of the fibre without the one that
//! has been taken, and for those that move there it is a successor as any other. The scores of a
//! captured piece's fibre serve all that can have taken it.

use super::board::{SQUARES, squares};
use super::fibre::{Fibre, Solved, View};
use super::seeds::Seeds;
use damka_games::Color;

/// Holes whose scores come from the same fibre.
#[derive(Debug)]
pub(super) struct Holes {
    pub(super) seeds: Seeds,
    taken: Taken,
}

/// What has been taken.
#[derive(Debug)]
enum Taken {
    /// The piece of this axis, by the king of this colour or by one of the pieces of these axes:
    /// those of the fibre without it.
    Piece { axis: usize, king: Color, by: Vec<usize> },
    /// A pawn on this square, by the piece of this axis.
    Pawn { square: u8, axis: usize },
    /// A pawn on the king's square.
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
            let taken = Taken::Piece { axis, king: !mover, by: rest.axes_of(!mover).collect() };
            holes.push(Holes { seeds, taken });
        }
        for square in squares(fibre.pawns()[mover as usize]) {
            let rest = fibre.without_pawn(square);
            let view = solved.view(&rest);
            for axis in fibre.axes_of(!mover) {
                let seeds = collect(view, Some((axis, square)), cells / SQUARES);
                holes.push(Holes { seeds, taken: Taken::Pawn { square, axis } });
            }
            let seeds = Seeds::collect(slots, cells, |slot, into| {
                let kings = pairs.pair(slot);
                kings[!mover as usize] == square && view.copy(mover, kings, None, into)
            });
            holes.push(Holes { seeds, taken: Taken::ByKing });
        }
        holes
    }

    /// Calls `hole` with the cells of a slot whose score is one of a set of 64 of the seeds.
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
                Taken::Piece { axis, king, by } => {
                    let king = kings[*king as usize];
                    hole(with_digit(axes, number, *axis, king));
                    for &by in by {
                        let square = number >> (6 * (axes - 2 - by)) & (SQUARES - 1);
                        hole(with_digit(axes, number, *axis, square as u8));
                    }
                }
                Taken::Pawn { square, axis } => hole(with_digit(axes, number, *axis, *square)),
                Taken::ByKing => hole(number),
            }
        }
    }
}

/// The cell of `axes` axes that lacks this one in `number`, with its square.
#[inline(always)]
pub(super) fn with_digit(axes: usize, number: usize, axis: usize, square: u8) -> usize {
    let after = 6 * (axes - 1 - axis);
    let (high, low) = (number >> after, number & ((1 << after) - 1));
    high << (after + 6) | usize::from(square) << after | low
}
