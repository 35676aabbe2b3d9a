use super::arrays::{LargeArray, ScratchFiles};
use super::counts::Counts;
use super::footprint::{Footprint, MemoryOptions};
use super::score::{MAX_PLIES, SLOWEST_LOSS};
use crate::GenError;
use damka_games::Color;
use damka_tables::metric::{Histogram, Longest, Metric, PackedValues, Packing, Summary};
use damka_tables::{Index, Indexable, Side, Signature};
use std::ops::Range;

/// The values of a signature as tables store them: in index order, with forced positions as
/// don't-cares.
#[derive(Debug)]
pub struct Solution<G> {
    signature: Signature<G>,
    packing: Packing,
    sides: Vec<SideValues>,
}

/// The values with one side to move.
#[derive(Debug)]
struct SideValues {
    /// Packed as in a table of the metric, with don't-cares marked; `None` if that table does not
    /// [hold](Indexable::holds_side) this side.
    packed: Option<LargeArray>,
    /// Values without distances, where they do not follow from `packed`: a table with distances may
    /// store different values than one without.
    wdl: Option<LargeArray>,
    len: u64,
    /// Counts over all positions.
    counts: Counts,
    /// Placements that are not legal positions; symmetric ones are counted individually.
    illegal: u64,
}

/// Values of consecutive numbers, [packed](super::score::pack).
#[derive(Debug)]
pub(super) struct Packed {
    /// `None` if tables of the metric do not store them.
    pub(super) values: Option<Vec<u8>>,
    /// Values without distances, where they do not follow from `values`.
    pub(super) wdl: Option<Vec<u8>>,
}

impl<G: Indexable> Solution<G> {
    /// Memory for the values of `positions` positions, all sides to move together.
    pub(super) fn footprint(
        signature: &Signature<G>,
        positions: u64,
        options: MemoryOptions,
    ) -> Footprint {
        Self::packed_footprint(signature, positions, options.metric, options.spill)
    }

    /// Memory for separate values without distances, where they do not follow from those with
    /// distances.
    pub(super) fn wdl_footprint(
        signature: &Signature<G>,
        positions: u64,
        options: MemoryOptions,
    ) -> Footprint {
        match options.metric.has_distances() {
            false => Footprint::default(),
            true => Self::packed_footprint(signature, positions, Metric::Wdl, options.spill),
        }
    }

    fn packed_footprint(
        signature: &Signature<G>,
        positions: u64,
        metric: Metric,
        spill: bool,
    ) -> Footprint {
        let sides = signature.sides().iter();
        let held = sides.clone().filter(|&&side| G::holds_side(signature, metric, side));
        let positions = positions.div_ceil(sides.len() as u64);
        let bytes = Packing::of(metric, MAX_PLIES).bytes(positions) as u64;
        held.map(|_| LargeArray::footprint(bytes, spill)).sum()
    }

    /// Allocates the values; `len` is the number of positions for each side to move that the
    /// signature distinguishes. Large arrays go to `scratch`, if given.
    ///
    /// # Errors
    /// Fails if there is not enough room in memory or in `scratch`.
    pub(super) fn new(
        signature: Signature<G>,
        metric: Metric,
        len: &[u64],
        scratch: Option<&ScratchFiles>,
    ) -> Result<Solution<G>, GenError> {
        let packing = Packing::of(metric, MAX_PLIES);
        let side = |(&side, &len): (&Side, &u64)| {
            let array = || LargeArray::new(packing.bytes(len), scratch);
            let packed = G::holds_side(&signature, metric, side).then(array).transpose()?;
            Ok(SideValues { packed, wdl: None, len, counts: Counts::default(), illegal: 0 })
        };
        let sides = signature.sides().iter().zip(len).map(side);
        let sides = sides.collect::<Result<_, GenError>>()?;
        Ok(Solution { signature, packing, sides })
    }

    /// Also allocates values without distances that do not follow from those with distances. Does
    /// nothing if the metric has no distances.
    ///
    /// # Errors
    /// Fails if there is not enough room in memory or in `scratch`.
    pub(super) fn with_wdl_apart(
        mut self,
        scratch: Option<&ScratchFiles>,
    ) -> Result<Solution<G>, GenError> {
        if self.packing != Packing::TwoBits {
            for side in &mut self.sides {
                let bytes = Packing::TwoBits.bytes(side.len);
                side.wdl = Some(LargeArray::new(bytes, scratch)?);
            }
        }
        Ok(self)
    }

    /// Stores values from number `start`, for all metrics.
    pub(super) fn put_all(&mut self, mover: Color, start: u64, packed: &Packed) {
        if let Some(values) = &packed.values {
            self.put(mover, start, values);
        }
        let side = &mut self.sides[mover as usize];
        if let (Some(array), Some(wdl)) = (&mut side.wdl, &packed.wdl) {
            put(Packing::TwoBits, array, start, wdl);
        }
    }

    /// Stores values from number `start`, in the [packing](super::score::pack) of the table.
    pub(super) fn put(&mut self, mover: Color, start: u64, packed: &[u8]) {
        if let Some(array) = &mut self.sides[mover as usize].packed {
            put(self.packing, array, start, packed);
        }
    }

    /// Records a loss in [`SLOWEST_LOSS`] plies at a number where a draw is stored so far. The table
    /// without distances gets the loss. A table with distances cannot store it, and must not hold
    /// this side to move.
    pub(super) fn put_slowest_loss(&mut self, mover: Color, number: u64) {
        let side = &mut self.sides[mover as usize];
        let is_wdl = self.packing == Packing::TwoBits;
        let wdl = if is_wdl { side.packed.as_mut() } else { side.wdl.as_mut() };
        if let Some(wdl) = wdl {
            wdl[(number / 4) as usize] &= !(3 << (2 * (number % 4)));
        }
        let longest = Longest { plies: SLOWEST_LOSS, number };
        self.count(mover, &Counts { longest_loss: Some(longest), ..Counts::default() });
    }

    /// Resets all values and counts to 0.
    pub(super) fn clear(&mut self) {
        for side in &mut self.sides {
            for array in [&mut side.packed, &mut side.wdl].into_iter().flatten() {
                array.fill(0);
            }
            side.counts = Counts::default();
            side.illegal = 0;
        }
    }

    /// Adds to the counts of a side to move.
    pub(super) fn count(&mut self, mover: Color, counts: &Counts) {
        self.sides[mover as usize].counts.add(counts);
    }

    /// Adds to the number of placements with a side to move that are not legal positions.
    pub(super) fn count_illegal(&mut self, mover: Color, placements: u64) {
        self.sides[mover as usize].illegal += placements;
    }

    /// The signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// The number of positions for each side to move.
    pub fn len(&self) -> Vec<u64> {
        self.sides.iter().map(|side| side.len).collect()
    }

    /// The values of `numbers` for the table of `metric`; forced positions are don't-cares.
    ///
    /// # Panics
    /// If `numbers` is out of range or its start is not at a byte boundary.
    pub fn values(&self, side: Side, metric: Metric, numbers: Range<u64>) -> PackedValues<'_> {
        let side = &self.sides[side as usize];
        let (packing, packed) = match &side.wdl {
            Some(wdl) if !metric.has_distances() => (Packing::TwoBits, Some(wdl)),
            _ => (self.packing, side.packed.as_ref()),
        };
        assert!(
            numbers.start.is_multiple_of(packing.per_bytes(1)),
            "the range does not start at a byte"
        );
        let len = (numbers.end - numbers.start) as usize;
        let Some(packed) = packed else { return PackedValues::dont_cares(packing, len) };
        let bytes = packing.bytes(numbers.start)..packing.bytes(numbers.end);
        PackedValues::new(packing, len, &packed[bytes]).reduced_to(metric)
    }

    /// Counts over all positions, symmetric ones counted individually, as in the header of a table
    /// of this metric.
    pub fn summaries(&self, metric: Metric) -> Vec<Summary> {
        self.sides.iter().map(|side| side.counts.summary().reduced_to(metric)).collect()
    }

    /// The number of positions of each value for each side to move, symmetric ones counted
    /// individually, as at the end of a table of this metric; empty if the metric has no distances.
    pub fn histograms(&self, metric: Metric) -> Vec<Histogram> {
        let sides = self.sides.iter().filter(|_| metric.has_distances());
        sides.map(|side| side.counts.histogram.clone()).collect()
    }

    /// Checks that every placement has been counted exactly once.
    ///
    /// # Errors
    /// Fails if the counts do not add up.
    pub(crate) fn check_counts(&self) -> Result<(), GenError> {
        for (&side, summary) in self.signature.sides().iter().zip(self.summaries(Metric::Wdl)) {
            let [mover, opponent] = self.signature.to_move(side);
            let counted = summary.positions() + self.sides[side as usize].illegal;
            let placements = Index::<G>::placements(&mover, &opponent);
            if counted != placements {
                let signature = self.signature.to_string();
                return Err(GenError::Counts { signature, counted, placements });
            }
        }
        Ok(())
    }

    /// The longest distance that a table stores, in plies.
    pub fn longest(&self) -> u16 {
        let is_held = |side: &&Side| G::holds_side(&self.signature, Metric::Dtw, **side);
        let held = self.signature.sides().iter().filter(is_held);
        let counts = held.map(|&side| &self.sides[side as usize].counts);
        let longest = counts.flat_map(|counts| [counts.longest_win, counts.longest_loss]);
        longest.flatten().map(|longest| longest.plies).max().unwrap_or(0)
    }
}

/// Stores packed values from number `start` by OR.
fn put(packing: Packing, array: &mut LargeArray, start: u64, packed: &[u8]) {
    let first = (start / packing.per_bytes(1)) as usize;
    // Adjacent runs share the bytes at their ends.
    for (stored, packed) in array[first..][..packed.len()].iter_mut().zip(packed) {
        *stored |= packed;
    }
}
