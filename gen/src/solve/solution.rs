use super::arrays::{LargeArray, ScratchFiles};
use super::footprint::{Footprint, MemoryOptions};
use super::score::{LONGEST, SLOWEST_LOSS};
use crate::GenError;
use damka_games::Color;
use damka_tables::metric::{Longest, Metric, PackedValues, Packing, Summary};
use damka_tables::{Index, Indexable, Side, Signature};
use std::ops::Range;

/// The values of a signature as tables hold them: in order of their numbers,
/// without those of positions where only captures are legal.
#[derive(Debug)]
pub struct Solution<G> {
    signature: Signature<G>,
    packing: Packing,
    sides: Vec<SideValues>,
}

/// One side to move.
#[derive(Debug)]
struct SideValues {
    /// As in the table under the metric, don't-cares marked; none if that does not
    /// [hold](Indexable::is_held) them.
    packed: Option<LargeArray>,
    /// The same without distances, where that does not follow: a table with distances may hold
    /// other values than one without.
    wdl: Option<LargeArray>,
    len: u64,
    /// All positions, symmetric ones counted each.
    summary: Summary,
    /// The placements that are no positions, symmetric ones counted each.
    illegal: u64,
}

/// Values that follow each other, [packed](super::score::pack).
#[derive(Debug)]
pub(super) struct Packed {
    /// None if tables of the metric do not hold them.
    pub(super) values: Option<Vec<u8>>,
    /// The same without distances, where that does not follow.
    pub(super) wdl: Option<Vec<u8>>,
}

impl<G: Indexable> Solution<G> {
    /// What the values of `positions` positions, all sides to move, take.
    pub(super) fn footprint(
        signature: &Signature<G>,
        positions: u64,
        options: MemoryOptions,
    ) -> Footprint {
        Self::packed_footprint(signature, positions, options.metric, options.spill)
    }

    /// What those without distances take, where they do not follow.
    pub(super) fn wdl_footprint(
        signature: &Signature<G>,
        positions: u64,
        options: MemoryOptions,
    ) -> Footprint {
        match options.metric {
            Metric::Wdl => Footprint::default(),
            Metric::Dtw => Self::packed_footprint(signature, positions, Metric::Wdl, options.spill),
        }
    }

    fn packed_footprint(
        signature: &Signature<G>,
        positions: u64,
        metric: Metric,
        spill: bool,
    ) -> Footprint {
        let sides = signature.sides().iter();
        let held = sides.clone().filter(|&&side| G::is_held(signature, metric, side));
        let positions = positions.div_ceil(sides.len() as u64);
        let bytes = Packing::of(metric, LONGEST).bytes(positions) as u64;
        held.map(|_| LargeArray::footprint(bytes, spill)).sum()
    }

    /// Room for the values of `len` numbers for each side to move that the
    /// signature tells apart; in `scratch` if there is one and they are many.
    ///
    /// # Errors
    /// There is no room, in memory or in `scratch`.
    pub(super) fn new(
        signature: Signature<G>,
        metric: Metric,
        len: &[u64],
        scratch: Option<&ScratchFiles>,
    ) -> Result<Solution<G>, GenError> {
        let packing = Packing::of(metric, LONGEST);
        let side = |(&side, &len): (&Side, &u64)| {
            let array = || LargeArray::new(packing.bytes(len), scratch);
            let packed = G::is_held(&signature, metric, side).then(array).transpose()?;
            Ok(SideValues { packed, wdl: None, len, summary: Summary::default(), illegal: 0 })
        };
        let sides = signature.sides().iter().zip(len).map(side);
        let sides = sides.collect::<Result<_, GenError>>()?;
        Ok(Solution { signature, packing, sides })
    }

    /// Makes room for values without distances that do not follow from those with them, if that
    /// is what these have.
    ///
    /// # Errors
    /// There is no room, in memory or in `scratch`.
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

    /// Fills in values from number `start`, all metrics of them.
    pub(super) fn put_all(&mut self, mover: Color, start: u64, packed: &Packed) {
        if let Some(values) = &packed.values {
            self.put(mover, start, values);
        }
        let side = &mut self.sides[mover as usize];
        if let (Some(array), Some(wdl)) = (&mut side.wdl, &packed.wdl) {
            put(Packing::TwoBits, array, start, wdl);
        }
    }

    /// Fills in values that a table holds from number `start`, [packed](super::score::pack).
    pub(super) fn put(&mut self, mover: Color, start: u64, packed: &[u8]) {
        if let Some(array) = &mut self.sides[mover as usize].packed {
            put(self.packing, array, start, packed);
        }
    }

    /// Takes in a loss in [`SLOWEST_LOSS`] plies where a draw has been put, and where no table with
    /// distances has any.
    pub(super) fn put_slowest_loss(&mut self, mover: Color, number: u64) {
        let side = &mut self.sides[mover as usize];
        let is_wdl = self.packing == Packing::TwoBits;
        let wdl = if is_wdl { side.packed.as_mut() } else { side.wdl.as_mut() };
        if let Some(wdl) = wdl {
            wdl[(number / 4) as usize] &= !(3 << (2 * (number % 4)));
        }
        let longest = Longest { plies: SLOWEST_LOSS, number };
        let summary = Summary { longest_loss: Some(longest), ..Summary::default() };
        self.count(mover, summary);
    }

    /// Forgets all values.
    pub(super) fn clear(&mut self) {
        for side in &mut self.sides {
            for array in [&mut side.packed, &mut side.wdl].into_iter().flatten() {
                array.fill(0);
            }
            side.summary = Summary::default();
            side.illegal = 0;
        }
    }

    /// Adds to the counts of a side to move.
    pub(super) fn count(&mut self, mover: Color, summary: Summary) {
        let all = &mut self.sides[mover as usize].summary;
        *all = all.and(summary);
    }

    /// Adds to the placements with a side to move that are no positions.
    pub(super) fn count_illegal(&mut self, mover: Color, placements: u64) {
        self.sides[mover as usize].illegal += placements;
    }

    /// Replaces how many positions there are by those of all images.
    pub(super) fn count_images(&mut self, mover: Color, images: &Summary) {
        let &Summary { wins, draws, losses, .. } = images;
        let all = &mut self.sides[mover as usize].summary;
        *all = Summary { wins, draws, losses, ..*all };
    }

    /// The signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// How many numbers there are for each side to move.
    pub fn len(&self) -> Vec<u64> {
        self.sides.iter().map(|side| side.len).collect()
    }

    /// The values with these numbers for the table under `metric`: those of positions
    /// with nothing but captures are don't-cares.
    ///
    /// # Panics
    /// If there are no such numbers, or the first one is not that of a byte.
    pub fn values(&self, side: Side, metric: Metric, numbers: Range<u64>) -> PackedValues<'_> {
        let side = &self.sides[side as usize];
        let (packing, packed) = match (metric, &side.wdl) {
            (Metric::Wdl, Some(wdl)) => (Packing::TwoBits, Some(wdl)),
            _ => (self.packing, side.packed.as_ref()),
        };
        assert!(numbers.start.is_multiple_of(packing.per_bytes(1)), "in the midst of a byte");
        let len = (numbers.end - numbers.start) as usize;
        let Some(packed) = packed else { return PackedValues::dont_cares(packing, len) };
        let bytes = packing.bytes(numbers.start)..packing.bytes(numbers.end);
        PackedValues::new(packing, len, &packed[bytes]).under(metric)
    }

    /// Counts over all positions, symmetric ones counted each, as a table of this
    /// metric has them in its header.
    pub fn summaries(&self, metric: Metric) -> Vec<Summary> {
        self.sides.iter().map(|side| side.summary.under(metric)).collect()
    }

    /// Checks that the counts add up: that every placement has been counted, and once.
    ///
    /// # Errors
    /// They do not.
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

    /// The longest distance that a table holds, in plies.
    pub fn longest(&self) -> u16 {
        let is_held = |side: &&Side| G::is_held(&self.signature, Metric::Dtw, **side);
        let held = self.signature.sides().iter().filter(is_held);
        let summaries = held.map(|&side| self.sides[side as usize].summary);
        let longest = summaries.flat_map(|summary| [summary.longest_win, summary.longest_loss]);
        longest.flatten().map(|longest| longest.plies).max().unwrap_or(0)
    }
}

/// Fills in packed values from number `start`.
fn put(packing: Packing, array: &mut LargeArray, start: u64, packed: &[u8]) {
    let first = (start / packing.per_bytes(1)) as usize;
    // Runs share the bytes at their ends.
    for (stored, packed) in array[first..][..packed.len()].iter_mut().zip(packed) {
        *stored |= packed;
    }
}
