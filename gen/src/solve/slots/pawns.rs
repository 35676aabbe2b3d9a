//! Pawn moves: steps, captures and promotions. A fibre has few of them, and each leads from whole
//! slots to whole slots of a solved fibre, so the best of them is found byte by byte.

use super::board::{AxisKind, SQUARES, pawn_captures, rank, squares, step_forward};
use super::fibre::{Fibre, Piece, Solved, View};
use super::frames::position_at;
use super::seeds::Seeds;
use crate::solve::score::{DRAW, NONE, SLOWEST_WIN, before_move};
use damka_games::{Color, Position as _};

/// The scores of the best pawn moves of a fibre.
#[derive(Debug)]
pub(super) struct Exits {
    pub(super) seeds: Seeds,
    /// The slots and cells in which the best exit is a loss in
    /// [`SLOWEST_LOSS`](crate::solve::score::SLOWEST_LOSS) plies, which has no score of its own;
    /// `seeds` has a draw there.
    pub(super) unscored_losses: Vec<(usize, usize)>,
}

/// A move of a pawn, from all slots of a fibre.
#[derive(Debug)]
pub(super) struct PawnMove {
    /// The fibre after the move.
    pub(super) to: Fibre,
    /// For a promotion: the axis in `to` of the new piece, and its square.
    promoted: Option<(usize, u8)>,
    /// For a capture of a piece: the axis of that piece in the origin fibre, and its square.
    taken: Option<(usize, u8)>,
    /// For a double step: the square passed over.
    passed: Option<u8>,
    /// The fibres after each en passant reply to a double step.
    pub(super) replies: Vec<Fibre>,
}

impl PawnMove {
    /// The pawn moves of one side.
    pub(super) fn all(fibre: &Fibre, mover: Color) -> Vec<PawnMove> {
        let mut moves = Vec::new();
        let pawns = fibre.pawns();
        for from in squares(pawns[mover as usize]) {
            let rest = fibre.without_pawn(from);
            let next = step_forward(mover, from);
            if fibre.all_pawns() >> next & 1 == 0 {
                arrive(&mut moves, &rest, mover, next, None);
                let double = (rank(mover, from) == 1).then(|| step_forward(mover, next));
                let is_free = |square: &u8| fibre.all_pawns() >> square & 1 == 0;
                if let Some(double) = double.filter(is_free) {
                    let to = rest.with_pawn(mover, double);
                    let beside = pawn_captures(mover, next) & pawns[!mover as usize];
                    let reply =
                        |pawn| to.without_pawn(double).without_pawn(pawn).with_pawn(!mover, next);
                    let replies = squares(beside).map(reply).collect();
                    let passed = Some(next);
                    moves.push(PawnMove { to, promoted: None, taken: None, passed, replies });
                }
            }
            for square in squares(pawn_captures(mover, from) & !pawns[mover as usize]) {
                if pawns[!mover as usize] >> square & 1 != 0 {
                    arrive(&mut moves, &rest.without_pawn(square), mover, square, None);
                    continue;
                }
                for axis in fibre.axes_of(!mover) {
                    let rest = rest.without_piece(axis);
                    arrive(&mut moves, &rest, mover, square, Some((axis, square)));
                }
            }
        }
        moves
    }

    /// The exits of a fibre with `mover` to move: the best pawn move of each position, or `None` if
    /// there are no pawn moves. Unspecified in cells that are not positions.
    pub(super) fn exits(fibre: &Fibre, mover: Color, solved: &impl Solved) -> Option<Exits> {
        PawnMove::best(&PawnMove::all(fibre, mover), fibre, mover, solved)
    }

    /// Like [`exits`](PawnMove::exits), but only for captures by pawns and promotions.
    pub(super) fn conversions(fibre: &Fibre, mover: Color, solved: &impl Solved) -> Option<Seeds> {
        let mut moves = PawnMove::all(fibre, mover);
        let men = fibre.all_pawns().count_ones();
        moves.retain(|mv| mv.taken.is_some() || mv.to.all_pawns().count_ones() < men);
        PawnMove::best(&moves, fibre, mover, solved).map(|exits| exits.seeds)
    }

    /// The scores of the best of some pawn moves; `None` if there are none.
    fn best(
        moves: &[PawnMove],
        fibre: &Fibre,
        mover: Color,
        solved: &impl Solved,
    ) -> Option<Exits> {
        if moves.is_empty() {
            return None;
        }
        let found: Vec<(&PawnMove, View<'_>, Vec<View<'_>>)> = moves
            .iter()
            .map(|mv| {
                let replies = mv.replies.iter().map(|reply| solved.view(reply));
                (mv, solved.view(&mv.to), replies.collect())
            })
            .collect();
        let (pairs, cells) = (fibre.pairs(), fibre.cells());
        let mut scores = vec![NONE; cells];
        let mut buffer = vec![NONE; cells];
        let mut unscored_losses = Vec::new();
        let seeds = Seeds::collect(pairs.len(), cells, |slot, best| {
            let kings = pairs.pair(slot);
            let mut any = false;
            for (mv, to, replies) in &found {
                let len = if mv.taken.is_some() { cells / SQUARES } else { cells };
                let scores = &mut scores[..len];
                if mv.passed.is_some_and(|passed| kings.contains(&passed))
                    || !to.copy(!mover, kings, mv.promoted, scores)
                {
                    continue;
                }
                for reply in replies {
                    mv.reply(reply, mover, kings, scores, &mut buffer);
                }
                if let Some(passed) = mv.passed {
                    clear_passed_square(fibre.pieces().len(), passed, scores);
                }
                any = true;
                mv.put_least(fibre.pieces().len(), scores, best);
            }
            for (cell, score) in best.iter_mut().enumerate() {
                if *score == SLOWEST_WIN {
                    unscored_losses.push((slot, cell));
                }
                *score = if *score == NONE { NONE } else { before_move(*score) };
            }
            any
        });
        Some(Exits { seeds, unscored_losses })
    }

    /// Sets each cell of `best` to the minimum of itself and `scores`.
    fn put_least(&self, axes: usize, scores: &[u8], best: &mut [u8]) {
        let least = |best: &mut [u8], scores: &[u8]| {
            best.iter_mut().zip(scores).for_each(|(best, &score)| *best = score.min(*best));
        };
        let Some((axis, square)) = self.taken else { return least(best, scores) };
        let stride = SQUARES.pow((axes - 1 - axis) as u32);
        let blocks = best.chunks_exact_mut(SQUARES * stride).zip(scores.chunks_exact(stride));
        for (best, scores) in blocks {
            least(&mut best[usize::from(square) * stride..][..stride], scores);
        }
    }

    /// Takes an en passant reply into account: the opponent has one more move than `scores`, the
    /// scores after the double step, assume.
    fn reply(
        &self,
        reply: &View<'_>,
        mover: Color,
        kings: [u8; 2],
        scores: &mut [u8],
        buffer: &mut [u8],
    ) {
        if !reply.copy(mover, kings, None, buffer) {
            return;
        }
        for (cell, (score, &taken)) in scores.iter_mut().zip(&*buffer).enumerate() {
            if *score == NONE || taken == NONE {
                continue;
            }
            let taken = before_move(taken);
            // A draw may be a stalemate that the en passant capture resolves.
            if taken > *score
                || *score == DRAW && position_at(&self.to, !mover, kings, cell).count_moves() == 0
            {
                *score = taken;
            }
        }
    }
}

/// Adds the moves with which a pawn arrives on a square, including promotions.
fn arrive(
    moves: &mut Vec<PawnMove>,
    rest: &Fibre,
    mover: Color,
    square: u8,
    taken: Option<(usize, u8)>,
) {
    let mut add = |to: Fibre, promoted| {
        moves.push(PawnMove { to, promoted, taken, passed: None, replies: Vec::new() });
    };
    if rank(mover, square) < 7 {
        return add(rest.with_pawn(mover, square), None);
    }
    for kind in AxisKind::ALL {
        let (to, axis) = rest.with_piece(Piece { kind, color: mover });
        add(to, Some((axis, square)));
    }
}

/// Clears the cells in which a piece stands on the passed square.
fn clear_passed_square(axes: usize, passed: u8, scores: &mut [u8]) {
    for axis in 0..axes {
        let stride = SQUARES.pow(axis as u32);
        for block in scores.chunks_exact_mut(SQUARES * stride) {
            block[usize::from(passed) * stride..][..stride].fill(NONE);
        }
    }
}
