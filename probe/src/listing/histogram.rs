use super::STEP;
use super::values::{self, Values};
use crate::{ProbeError, Storage, Tables};
use damka_tables::metric::{Histogram, Metric};
use damka_tables::{Indexable, Side, Signature};
use std::ops::ControlFlow;

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// The number of positions of `signature` with `side` to move of each value, symmetric ones
    /// counted individually, if the table holds it.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged.
    pub fn stored_histogram(
        &self,
        signature: &Signature<G>,
        side: Side,
    ) -> Result<Option<Histogram>, ProbeError> {
        self.table(signature, Metric::Dtw)?.histogram(side)
    }

    /// Counts the positions of `signature` with `side` to move by value, symmetric ones
    /// individually. Looks at every position, unless the table
    /// [holds the counts](Tables::stored_histogram). Meanwhile calls `progress` every few
    /// milliseconds with the number of index numbers done and in total; `None` if it returns `Break`.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub fn histogram(
        &self,
        signature: &Signature<G>,
        side: Side,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<Histogram>, ProbeError> {
        if let Some(histogram) = self.stored_histogram(signature, side)? {
            return Ok(Some(histogram));
        }
        let mut values = Values::open(self, signature, Metric::Dtw)?;
        let (index, len) = (values.index(side), values.len(side));
        let [mover, opponent] = signature.to_move(side);
        let has_copies = !G::symmetries(&mover, &opponent).is_empty();
        let mut histogram = Histogram::default();
        for first in (0..len).step_by(STEP as usize) {
            let numbers = first..(first + STEP).min(len);
            if progress(first, len).is_break() {
                return Ok(None);
            }
            for numbers in values::batches(numbers) {
                for (number, _, value) in values.batch(side, numbers)? {
                    let weight = if has_copies { index.weight(number) } else { 1 };
                    histogram.add(value, weight);
                }
            }
        }
        Ok(Some(histogram))
    }
}
