use super::fold::Fold;
use super::odometer::Odometer;
use super::shape::{Indexable, Symmetry};
use super::slice::{Lead, RankedSlice, RankedStep, taken};
use super::subset::Subset;
use crate::processor::{Baseline, Processor};
use bitvec::bitvec;
use std::sync::Arc;

/// Extends a slice of a symmetric board so that placements that are images of each other share a
/// number. The slice itself is passed to each call.
#[derive(Debug)]
pub(super) struct FoldedSlice {
    /// The classes of the lead.
    fold: Arc<Fold>,
    /// For each class whose representative is not plain, in order: its first number, relative to
    /// the slice, and the ranks of the counted placements of the other steps.
    symmetric: Vec<(u64, Subset)>,
    len: u64,
}

impl FoldedSlice {
    /// Folds a slice by the symmetries of its lead.
    pub(super) fn new<G: Indexable>(
        slice: &RankedSlice,
        symmetries: &'static [Symmetry],
    ) -> FoldedSlice {
        let fold = Fold::shared::<G>(slice, symmetries);
        let mut len = u64::from(fold.plain()) * slice.rest;
        let mut symmetric = Vec::new();
        for class in fold.plain()..fold.classes() {
            let lead = fold.representative(class);
            let mut odometer = Odometer::new::<G>(slice, lead, 0);
            // Marks images of earlier placements.
            let mut is_image = bitvec![0; slice.rest as usize];
            let is_first = |rest| {
                if rest > 0 {
                    odometer.advance::<G>(Baseline);
                }
                let is_first = !is_image[rest as usize];
                if is_first {
                    for map in fold.stabilizer(class) {
                        let image = |step: &RankedStep| map(step.of(odometer.pieces()));
                        is_image
                            .set(slice.rank_rest::<G>(Baseline, taken(lead), image) as usize, true);
                    }
                }
                is_first
            };
            let rests = Subset::new(slice.rest, is_first);
            let first = len;
            len += rests.len();
            symmetric.push((first, rests));
        }
        FoldedSlice { fold, symmetric, len }
    }

    /// How many numbers the slice has.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Whether the lead of this number (relative to the slice) is plain, so that every placement of
    /// the other steps has a number.
    #[inline]
    pub(super) fn is_plain(&self, slice: &RankedSlice, number: u64) -> bool {
        number < u64::from(self.fold.plain()) * slice.rest
    }

    /// The number, relative to the slice, of the placement with these pieces.
    #[inline(always)]
    pub(super) fn number<G: Indexable>(
        &self,
        processor: impl Processor,
        slice: &RankedSlice,
        pieces: impl Fn(&RankedStep) -> u64 + Copy,
    ) -> u64 {
        let lead = slice.lead(pieces);
        let (class, images) = self.fold.class(lead);
        // The squares of the representative. They are computed, because the representative itself
        // is less likely to be in the processor's cache.
        let taken = images.of(taken(lead));
        let moved = |step: &RankedStep| images.of(pieces(step));
        let rest = slice.rank_rest::<G>(processor, taken, moved);
        let Some(symmetric) = class.checked_sub(self.fold.plain()) else {
            return u64::from(class) * slice.rest + rest;
        };
        let image = |map: Symmetry| slice.rank_rest::<G>(processor, taken, |step| map(moved(step)));
        let least = self.fold.stabilizer(class).map(image).fold(rest, u64::min);
        let (first, rests) = &self.symmetric[symmetric as usize];
        first + rests.below(least)
    }

    /// The lead, and the rank of the other steps.
    #[inline]
    pub(super) fn placement(&self, slice: &RankedSlice, number: u64) -> (Lead, u64) {
        if self.is_plain(slice, number) {
            let class = (number / slice.rest) as u32;
            return (self.fold.representative(class), number % slice.rest);
        }
        let symmetric = self.symmetric.partition_point(|(first, _)| *first <= number) - 1;
        let (first, rests) = &self.symmetric[symmetric];
        let class = self.fold.plain() + symmetric as u32;
        (self.fold.representative(class), rests.at(number - first))
    }

    /// The number of placements that share a number, which is relative to the slice.
    pub(super) fn weight<G: Indexable>(&self, slice: &RankedSlice, number: u64) -> u64 {
        let images = self.fold.order();
        let (lead, rest) = self.placement(slice, number);
        if self.is_plain(slice, number) {
            // Images of the rest under the lead's stabilizer have numbers of their own.
            let (class, _) = self.fold.class(lead);
            return images / (1 + self.fold.stabilizer(class).count() as u64);
        }
        let placed = slice.unrank_rest::<G>(rest, lead);
        let (class, _) = self.fold.class(lead);
        let same = self.fold.stabilizer(class).filter(|map| {
            let image = |step: &RankedStep| map(step.of(&placed));
            slice.rank_rest::<G>(Baseline, taken(lead), image) == rest
        });
        images / (1 + same.count() as u64)
    }
}
