//! Looks up many positions. Positions whose values do not follow from decoded blocks are sorted by
//! block first, so each block is decoded about once, however small the cache is.

use crate::captures::{self, AtTable};
use crate::catalog::Key;
use crate::error::NoTable;
use crate::visits::{TooManyCaptures, Visits};
use crate::{ProbeError, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;
use damka_tables::{Indexable, Value};
use std::ops::ControlFlow;

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// Looks up `len` positions. `position` returns the position with a given number, 0 to
    /// `len - 1`. It is called up to twice for each number, because positions are not kept. Calls
    /// `found` with each number and its value until `found` returns `Break`: first with values that
    /// follow from decoded blocks, then with the others, block by block. If `position` fails,
    /// `found` gets its error.
    pub fn values<E: From<ProbeError>>(
        &self,
        len: usize,
        metric: Metric,
        position: impl Fn(usize) -> Result<G::Position, E>,
        mut found: impl FnMut(usize, Result<Value, E>) -> ControlFlow<()>,
    ) {
        let mut rest = Vec::new();
        for number in 0..len {
            let value = match position(number) {
                Ok(position) => match self.decoded(&position, metric) {
                    Some(value) => Ok(value),
                    None => {
                        rest.push((self.place(&position, metric), number));
                        continue;
                    }
                },
                Err(error) => Err(error),
            };
            if found(number, value).is_break() {
                return;
            }
        }
        rest.sort_unstable();
        for (_, number) in rest {
            let value = position(number).and_then(|position| Ok(self.value(&position, metric)?));
            if found(number, value).is_break() {
                return;
            }
        }
    }

    /// The block of the first stored value that the look-up of a position reads.
    fn place(&self, position: &G::Position, metric: Metric) -> TableBlock {
        let locating = Locating { tables: self, metric };
        match captures::value(&locating, position, metric, &mut Visits::new()) {
            Err(Found::At(place)) => place,
            // The look-up will fail, or the value follows from the moves alone.
            Err(Found::Nothing) | Ok(_) => TableBlock::default(),
        }
    }
}

/// A block of an open table. Blocks of the same table are next to each other in the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct TableBlock {
    /// The materials of the side to move and its opponent.
    key: u64,
    block: u64,
}

/// Finds the first block that the look-up of a position reads. Decodes nothing.
struct Locating<'a, G, S: Storage> {
    tables: &'a Tables<G, S>,
    metric: Metric,
}

/// Why the look-up ended: it reached a block, or it reads none.
enum Found {
    At(TableBlock),
    Nothing,
}

impl From<TooManyCaptures> for Found {
    fn from(_: TooManyCaptures) -> Found {
        Found::Nothing
    }
}

impl From<NoTable> for Found {
    fn from(_: NoTable) -> Found {
        Found::Nothing
    }
}

impl<G: Indexable, S: Storage> AtTable<G> for Locating<'_, G, S> {
    type Error = Found;

    fn value(
        &self,
        _: impl Processor,
        position: &G::Position,
        key: Key,
    ) -> Result<Option<Value>, Found> {
        let fallback = self.metric.derived_from().first().copied();
        match self.tables.opened_for(position, self.metric, fallback) {
            Err(_) => Err(Found::Nothing),
            // The table leaves out this side to move: the look-up goes on with the positions after
            // moves.
            Ok((opened, side)) if !opened.table.holds(side) => Ok(None),
            Ok((opened, side)) => {
                let block = opened.locate(side, position).0;
                Err(Found::At(TableBlock { key: key.bits(), block }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Game, Russian};
    use std::ops::ControlFlow::Continue;

    /// A batch under WDL decodes blocks of the WDL table even if the DTW table's are decoded.
    #[test]
    fn a_batch_decodes_the_blocks_of_its_metric() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
        let tables = Tables::open(Russian, golden);
        let position = Russian.parse_fen("W:WKa1:Bb8").expect("a position");
        let value = tables.dtw(&position).expect("a table");
        assert_eq!(tables.decoded(&position, Metric::Wdl), None);
        let mut values = Vec::new();
        tables.values::<ProbeError>(
            1,
            Metric::Wdl,
            |_| Ok(position),
            |_, found| {
                values.push(found.expect("a table"));
                Continue(())
            },
        );
        assert_eq!(values, [value.reduced_to(Metric::Wdl)]);
        assert_eq!(tables.decoded(&position, Metric::Wdl), Some(values[0]));
    }
}
