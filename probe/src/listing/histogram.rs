use super::STEP;
use super::values::{self, Values};
use crate::{ProbeError, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};

/// How many positions there are of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// How many are drawn.
    pub draws: u64,
    /// How many are decided in 0, 1, 2... plies: odd numbers are wins of the side to move, even
    /// ones losses. The last is not 0.
    pub decided: Vec<u64>,
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// How many positions of `signature` with `side` to move there are of each value. All of
    /// them are looked at; symmetric ones count one by one. Every few milliseconds `progress` is
    /// called with the numbers done and the numbers in all.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn histogram(
        &self,
        signature: &Signature<G>,
        side: Side,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Histogram, ProbeError> {
        let mut values = Values::open(self, signature, Metric::Dtw)?;
        let (index, len) = (values.index(side), values.len(side));
        let [mover, opponent] = signature.to_move(side);
        let has_copies = !G::symmetries(&mover, &opponent).is_empty();
        let mut histogram = Histogram::default();
        for first in (0..len).step_by(STEP as usize) {
            let numbers = first..(first + STEP).min(len);
            progress(first, len);
            for numbers in values::batches(numbers) {
                for (number, _, value) in values.batch(side, numbers)? {
                    let weight = if has_copies { index.weight(number) } else { 1 };
                    histogram.count(value, weight);
                }
            }
        }
        Ok(histogram)
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
