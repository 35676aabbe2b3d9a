//! The scores of captures and promotions. A table need not store a value that one of them reaches,
//! because a probe looks at these moves anyway.

use super::board::{SQUARES, king_steps, squares};
use super::fibre::{Fibre, Solved, View};
use super::frames::kind_of;
use super::holes::with_digit;
use super::pawns::PawnMove;
use super::reach::squares_at;
use crate::parallel;
use crate::solve::score::{NONE, before_move};
use damka_games::chess::Position;
use damka_games::{Color, Square, SquareSet};

/// Slots per parallel task: some slots have few cells.
const SLOTS: usize = 16;

/// The score of the best capture or promotion in each cell with `mover` to move, en passant
/// excluded; NONE if there is none. Unspecified in cells that are not positions.
pub(super) fn conversions(fibre: &Fibre, mover: Color, solved: &(impl Solved + Sync)) -> Vec<u8> {
    let (pairs, cells) = (fibre.pairs(), fibre.cells());
    let captures = Captures::all(fibre, mover, solved);
    let by_pawns = PawnMove::conversions(fibre, mover, solved);
    let mut scores = vec![NONE; pairs.len() * cells];
    let tasks = scores.chunks_mut(cells * SLOTS).enumerate();
    parallel::map(tasks, |(task, scores)| {
        let mut buffer = vec![NONE; cells];
        for (slot, best) in (task * SLOTS..).zip(scores.chunks_mut(cells)) {
            for captures in &captures {
                captures.put_least(pairs.pair(slot), &mut buffer, best);
            }
            for best in best.iter_mut().filter(|best| **best != NONE) {
                *best = before_move(*best);
            }
            let by_pawns = by_pawns.iter().flat_map(|seeds| seeds.slot(slot));
            for (best, &score) in best.iter_mut().zip(by_pawns) {
                *best = match (*best, score) {
                    (NONE, _) => score,
                    (_, NONE) => *best,
                    _ => score.max(*best),
                };
            }
        }
    });
    scores
}

/// The captures of one piece or pawn by pieces and the king.
struct Captures<'a> {
    fibre: &'a Fibre,
    mover: Color,
    taken: Captured,
    /// The fibre without it.
    rest: View<'a>,
    /// The axes, in `rest`, of the pieces that may capture it.
    by: Vec<usize>,
}

/// What is captured.
enum Captured {
    /// The piece of this axis.
    Piece(usize),
    /// The pawn on this square.
    Pawn(u8),
}

impl<'a> Captures<'a> {
    /// All captures by `mover` in a fibre.
    fn all(fibre: &'a Fibre, mover: Color, solved: &'a impl Solved) -> Vec<Captures<'a>> {
        let captures = |rest: Fibre, taken| {
            let by = rest.axes_of(mover).collect();
            Captures { fibre, mover, taken, rest: solved.view(&rest), by }
        };
        let pieces = fibre.axes_of(!mover);
        let pieces = pieces.map(|axis| captures(fibre.without_piece(axis), Captured::Piece(axis)));
        let pawns = squares(fibre.pawns()[!mover as usize]);
        let pawns =
            pawns.map(|square| captures(fibre.without_pawn(square), Captured::Pawn(square)));
        pieces.chain(pawns).collect()
    }

    /// Sets each cell of `best` to the minimum of itself and the scores after these captures in a
    /// slot.
    fn put_least(&self, kings: [u8; 2], buffer: &mut [u8], best: &mut [u8]) {
        match self.taken {
            Captured::Piece(taken) => self.put_pieces(taken, kings, buffer, best),
            Captured::Pawn(square) => self.put_pawns(square, kings, buffer, best),
        }
    }

    /// [`put_least`](Captures::put_least) if a piece is captured.
    fn put_pieces(&self, taken: usize, kings: [u8; 2], buffer: &mut [u8], best: &mut [u8]) {
        let &Captures { fibre, mover, rest, .. } = self;
        let axes = fibre.pieces().len();
        let buffer = &mut buffer[..best.len() / SQUARES];
        if rest.copy(!mover, kings, None, buffer) {
            for &by in &self.by {
                let kind = kind_of(fibre.pieces()[if by < taken { by } else { by + 1 }]);
                let shift = 6 * (axes - 2 - by);
                for (cell, &score) in buffer.iter().enumerate().filter(|(_, score)| **score != NONE)
                {
                    let square = (cell >> shift & (SQUARES - 1)) as u8;
                    let occupied = self.occupied(kings) | squares_at(axes - 1, cell);
                    for from in self.origins(kind, square, occupied & !(1 << square)) {
                        let cell = cell & !((SQUARES - 1) << shift) | usize::from(from) << shift;
                        let best = &mut best[with_digit(axes, cell, taken, square)];
                        *best = score.min(*best);
                    }
                }
            }
        }
        let stride = SQUARES.pow((axes - 1 - taken) as u32);
        for (square, kings) in self.king_moves(kings) {
            if !rest.copy(!mover, kings, None, buffer) {
                continue;
            }
            let blocks = best.chunks_exact_mut(SQUARES * stride).zip(buffer.chunks_exact(stride));
            for (best, scores) in blocks {
                put_least(scores, &mut best[usize::from(square) * stride..][..stride]);
            }
        }
    }

    /// [`put_least`](Captures::put_least) if a pawn is captured.
    fn put_pawns(&self, taken: u8, kings: [u8; 2], buffer: &mut [u8], best: &mut [u8]) {
        let &Captures { fibre, mover, rest, .. } = self;
        let axes = fibre.pieces().len();
        for &by in &self.by {
            let buffer = &mut buffer[..best.len() / SQUARES];
            if !rest.copy(!mover, kings, Some((by, taken)), buffer) {
                continue;
            }
            let kind = kind_of(fibre.pieces()[by]);
            for (cell, &score) in buffer.iter().enumerate().filter(|(_, score)| **score != NONE) {
                let occupied = self.occupied(kings) | squares_at(axes - 1, cell);
                for from in self.origins(kind, taken, occupied) {
                    let best = &mut best[with_digit(axes, cell, by, from)];
                    *best = score.min(*best);
                }
            }
        }
        for (square, kings) in self.king_moves(kings) {
            if square == taken && rest.copy(!mover, kings, None, buffer) {
                put_least(buffer, best);
            }
        }
    }

    /// The squares of kings and pawns.
    fn occupied(&self, [white, black]: [u8; 2]) -> u64 {
        self.fibre.all_pawns() | 1 << white | 1 << black
    }

    /// The squares from which a piece can have moved to `to`.
    fn origins(
        &self,
        kind: damka_games::Kind,
        to: u8,
        occupied: u64,
    ) -> impl Iterator<Item = u8> + use<> {
        let reach = Position::reach(kind, Square::new(to), SquareSet::new(occupied));
        squares(reach.bits() & !occupied)
    }

    /// The squares that the mover's king can reach, with the squares of both kings after the move.
    fn king_moves(&self, kings: [u8; 2]) -> impl Iterator<Item = (u8, [u8; 2])> + use<> {
        let mover = self.mover as usize;
        squares(king_steps(kings[mover])).map(move |square| {
            let mut kings = kings;
            kings[mover] = square;
            (square, kings)
        })
    }
}

fn put_least(scores: &[u8], best: &mut [u8]) {
    best.iter_mut().zip(scores).for_each(|(best, &score)| *best = score.min(*best));
}
