use super::STEP;
use super::values::{self, Values};
use crate::{ProbeError, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};
use std::ops::ControlFlow;

/// The number of positions of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The number of draws.
    pub draws: u64,
    /// The number of wins or losses by distance in plies, from 0: odd distances are wins of the
    /// side to move, even ones losses. The last entry is not 0.
    pub decided: Vec<u64>,
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// Counts the positions of `signature` with `side` to move by value, symmetric ones
    /// individually. Calls `progress` every few milliseconds with the number of index numbers done
    /// and in total; `None` if it breaks.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub fn histogram(
        &self,
        signature: &Signature<G>,
        side: Side,
        mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<Histogram>, ProbeError> {
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
                    histogram.count(value, weight);
                }
            }
        }
        Ok(Some(histogram))
    }
}

impl Histogram {
    #[inline]
    fn count(&mut self, value: Value, positions: u64) {
        let Some(plies) = value.plies().map(usize::from) else {
            self.draws += positions;
            return;
        };
        if self.decided.len() <= plies {
            self.decided.resize(plies + 1, 0);
        }
        self.decided[plies] += positions;
    }
}
