//! The captures found in a fibre: those in one direction, and the best of all.

use crate::solve::rows::bits::Bits;
use crate::solve::rows::frames::Frame;
use crate::solve::rows::placements::Placements;
use crate::solve::score::NONE;

/// A piece to be captured: a man, or a king in those placements that have one on the square.
#[derive(Clone, Copy)]
pub(super) struct Prey {
    pub(super) square: u8,
    pub(super) is_king: bool,
}

/// A capture by one piece in one direction, for all placements of the kings that are not captured.
#[derive(Debug, Default)]
pub(super) struct DirectionCapture<const W: usize> {
    /// The lowest score, by placement.
    pub(super) scores: Vec<u8>,
    /// Where more than one piece must be captured: placement, number of pieces, score.
    pub(super) longer: Vec<(u32, u8, u8)>,
    /// The placements in which the piece can continue capturing.
    pub(super) goes_on: Vec<Bits<W>>,
    buffer: Vec<u8>,
}

impl<const W: usize> DirectionCapture<W> {
    pub(super) fn clear(&mut self, placements: &Placements) {
        self.scores.clear();
        self.scores.resize(placements.len(), NONE);
        self.goes_on.clear();
        self.goes_on.resize(placements.blocks::<W>(), Bits::NONE);
        self.longer.clear();
    }

    /// Adds a landing square, given the score after it and whether it is occupied, by placement.
    /// Where it is occupied, the squares behind it, which were added before, can no longer be
    /// reached.
    #[inline(always)]
    pub(super) fn add(&mut self, frame: Frame<'_>, row: usize, taken: &[u8]) {
        let scores = frame.row(row, &mut self.buffer);
        for ((least, &score), &taken) in self.scores.iter_mut().zip(scores).zip(taken) {
            *least = (*least).min(score) | taken;
        }
    }

    /// Adds a landing square, given the placements in which the capture can continue from there.
    #[inline(always)]
    pub(super) fn may_go_on(&mut self, chances: &[Bits<W>], placements: &Placements, landing: u8) {
        for (block, (goes_on, &chance)) in self.goes_on.iter_mut().zip(chances).enumerate() {
            *goes_on = goes_on.or(chance).and(placements.clear(landing, block));
        }
    }

    /// Excludes the placements that occupy a square from which the piece comes or which it passes.
    #[inline(always)]
    pub(super) fn without(&mut self, taken: &[u8]) {
        for (least, &taken) in self.scores.iter_mut().zip(taken) {
            *least |= taken;
        }
        self.longer.retain(|&(placement, ..)| taken[placement as usize] == 0);
    }
}

/// The best scores of the positions after captures, from the view of the other side: a row for each
/// placement of the kings to move.
#[derive(Debug, Default)]
pub(super) struct Captures {
    /// The lowest score after one capture or, if any number of pieces may be captured, after any
    /// number.
    pub(super) scores: Vec<u8>,
    /// If the largest number of pieces must be captured: this number where it is more than one, and
    /// the lowest score after capturing it.
    pub(super) most: Vec<(u8, u8)>,
}

/// The capture of more pieces, or the lower score if the numbers are equal. Captures are given by
/// number of pieces and score.
#[inline(always)]
pub(super) fn longer(a: (u8, u8), b: (u8, u8)) -> (u8, u8) {
    match a.0.cmp(&b.0) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Equal => (a.0, a.1.min(b.1)),
        std::cmp::Ordering::Greater => a,
    }
}

impl Captures {
    /// Their size in bytes for `positions` positions.
    pub(super) const fn bytes(positions: usize, must_take_most: bool) -> usize {
        positions * (1 + if must_take_most { size_of::<(u8, u8)>() } else { 0 })
    }

    pub(super) fn clear(&mut self, len: usize, must_take_most: bool) {
        self.scores.clear();
        self.scores.resize(len, NONE);
        self.most.clear();
        if must_take_most {
            self.most.resize(len, (0, NONE));
        }
    }

    #[inline(always)]
    pub(super) fn join(&mut self, other: &Captures) {
        for (a, &b) in self.scores.iter_mut().zip(&other.scores) {
            *a = (*a).min(b);
        }
        for (a, &b) in self.most.iter_mut().zip(&other.most) {
            *a = longer(*a, b);
        }
    }
}
