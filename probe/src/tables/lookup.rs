//! The three ways in which a position is looked up in its table: in decoded blocks only, by reading what is
//! needed, and by asking the system to read ahead.

use super::Tables;
use crate::captures::AtTable;
use crate::catalog::Key;
use crate::error::NoTable;
use crate::opened::Opened;
use crate::visits::TooManyCaptures;
use crate::{ProbeError, Storage};
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;
use damka_tables::{Indexable, Value};

/// Looks up values in decoded blocks. Opens and reads nothing.
pub(super) struct Decoded<'a, G, S: Storage> {
    pub(super) tables: &'a Tables<G, S>,
    /// The metric of the tables.
    pub(super) metric: Metric,
    /// The metric of the tables that replace missing ones.
    pub(super) fallback: Option<Metric>,
}

/// The value does not follow from decoded blocks.
pub(super) struct NotDecoded;

impl From<TooManyCaptures> for NotDecoded {
    fn from(_: TooManyCaptures) -> NotDecoded {
        NotDecoded
    }
}

impl From<NoTable> for NotDecoded {
    fn from(_: NoTable) -> NotDecoded {
        NotDecoded
    }
}

impl<G: Indexable, S: Storage> AtTable<G> for Decoded<'_, G, S> {
    type Error = NotDecoded;

    #[inline(always)]
    fn fallback_metric(&self) -> Option<Metric> {
        self.fallback
    }

    #[inline(always)]
    fn value(
        &self,
        processor: impl Processor,
        position: &G::Position,
        key: Key,
    ) -> Result<Option<Value>, NotDecoded> {
        let Decoded { tables, metric, fallback } = *self;
        let found = tables.catalog.find(key).ok_or(NotDecoded)?;
        let table = |metric: Metric| found.entry.tables[metric as usize].get();
        let holds = |opened: &&Opened<G, S::Source>| opened.table.holds(found.side);
        let (own, other) = (table(metric), fallback.and_then(table));
        own.or(other).ok_or(NotDecoded)?;
        // Prefer a table that holds this side: its block is read once, but all moves would be
        // looked up each time.
        let Some(opened) = own.filter(holds).or_else(|| other.filter(holds)) else {
            return Ok(None);
        };
        let table = &opened.table;
        let index = table.side_index(found.side);
        let number = index.number_with(processor, &position.with_white_to_move());
        let (block, place) = table.locate(found.side, number);
        let cache = tables.cache.get().ok_or(NotDecoded)?;
        opened.decoded(cache, block, place).map(Some).ok_or(NotDecoded)
    }
}

/// Looks up values in blocks, which are read and decoded if necessary.
pub(super) struct Reading<'a, G, S: Storage> {
    pub(super) tables: &'a Tables<G, S>,
    /// The metric of the tables.
    pub(super) metric: Metric,
    /// The metric of the tables that replace missing ones.
    pub(super) fallback: Option<Metric>,
    /// Whether the look-up continues past pending bytes, to request all others that it needs. Its
    /// value is meaningless then.
    pub(super) goes_on: bool,
}

impl<G: Indexable, S: Storage> AtTable<G> for Reading<'_, G, S> {
    type Error = ProbeError;

    #[inline(always)]
    fn fallback_metric(&self) -> Option<Metric> {
        self.fallback
    }

    #[inline(always)]
    fn prunes(&self) -> bool {
        !self.goes_on
    }

    fn value(
        &self,
        _: impl Processor,
        position: &G::Position,
        _: Key,
    ) -> Result<Option<Value>, ProbeError> {
        let read = || {
            let (opened, side) = self.tables.opened_for(position, self.metric, self.fallback)?;
            if !opened.table.holds(side) {
                return Ok(None);
            }
            let (block, place) = opened.locate(side, position);
            let value = opened.decode(self.tables.cache()?, block, place)?;
            Ok(Some(value.reduced_to(self.metric)))
        };
        match read() {
            Err(error) if self.goes_on && ProbeError::is_pending(&error) => Ok(Some(Value::DRAW)),
            value => value,
        }
    }
}

/// Asks the system to read blocks instead of looking up values.
pub(super) struct Prefetching<'a, G, S: Storage> {
    pub(super) tables: &'a Tables<G, S>,
    /// The metric of the tables.
    pub(super) metric: Metric,
    /// The metric of the tables that replace missing ones.
    pub(super) fallback: Option<Metric>,
}

impl<G: Indexable, S: Storage> AtTable<G> for Prefetching<'_, G, S> {
    type Error = ProbeError;

    #[inline(always)]
    fn fallback_metric(&self) -> Option<Metric> {
        self.fallback
    }

    // The window is unknown, because there are no values.
    #[inline(always)]
    fn prunes(&self) -> bool {
        false
    }

    fn value(
        &self,
        _: impl Processor,
        position: &G::Position,
        _: Key,
    ) -> Result<Option<Value>, ProbeError> {
        let (opened, side) = self.tables.opened_for(position, self.metric, self.fallback)?;
        if !opened.table.holds(side) {
            return Ok(None);
        }
        let (block, place) = opened.locate(side, position);
        opened.prefetch(self.tables.cache()?, block, place)?;
        // There is no value yet, so all other captures are followed.
        Ok(Some(Value::DRAW))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captures;
    use crate::visits::Visits;
    use damka_games::{Chess, Game, Russian};
    use std::path::Path;

    /// If captures lead to millions of positions, the look-up ends at the first missing table.
    #[test]
    fn a_look_up_ends_at_the_first_missing_table() {
        const MANY: &str = "W:WK4,K28,K9,K27,K22,K8,K26,K32,K14,K15,K1,K30\
                            :BK6,K13,K12,K5,K19,K3,K20,K25,K31";
        let tables = Tables::open(Russian, "no such directory");
        let position = Russian.parse_fen(MANY).expect("a position");
        for metric in Metric::ALL {
            let visits = &mut Visits::new();
            let reading = Reading { tables: &tables, metric, fallback: None, goes_on: false };
            let error = captures::value(&reading, &position, metric, visits).expect_err("no table");
            assert!(error.is_missing(), "{error}");
            assert!(visits.taken() < 100, "{}", visits.taken());
            let visits = &mut Visits::new();
            let decoded = Decoded { tables: &tables, metric, fallback: None };
            assert!(captures::value(&decoded, &position, metric, visits).is_err());
            assert!(visits.taken() < 100, "{}", visits.taken());
            assert!(tables.prefetch(&position, metric).expect_err("no table").is_missing());
        }
    }

    /// If the WDL table holds a value, its block is decoded, instead of looking at all moves in
    /// every probe, even if the values after the moves are decoded and no table with distances
    /// holds this value.
    #[test]
    fn a_block_is_decoded_even_if_its_values_follow_from_moves() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
        let tables = Tables::open(Chess, golden);
        let position = Chess.parse_fen("8/8/2K5/8/8/8/1k5p/8 w - -").expect("a position");
        for mv in position.moves() {
            tables.wdl(&position.play(mv)).expect("a value");
        }
        let value = tables.value(&position, Metric::Wdl).expect("a value");
        assert_eq!(tables.decoded(&position, Metric::Wdl), Some(value));
    }

    /// White captures one king or both; a golden table holds the position after one.
    #[test]
    fn captures_are_followed_up_to_a_limit() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
        let position = Russian.parse_fen("W:WKa1:BKc3,Kh2").expect("a position");
        assert!(position.captures_only());
        let tables = Tables::open(Russian, golden);
        let metric = Metric::Wdl;
        let few = || Visits::of(2);
        let reading = Reading { tables: &tables, metric, fallback: None, goes_on: false };
        let error = captures::value(&reading, &position, metric, &mut few()).expect_err("too many");
        assert!(matches!(error, ProbeError::TooManyCaptures), "{error}");
        let prefetching = Prefetching { tables: &tables, metric, fallback: None };
        let prefetched = captures::value(&prefetching, &position, metric, &mut few());
        let error = prefetched.expect_err("too many");
        assert!(matches!(error, ProbeError::TooManyCaptures), "{error}");
        let value = tables.value(&position, metric).expect("a value");
        assert_eq!(tables.decoded(&position, metric), Some(value));
        let decoded = Decoded { tables: &tables, metric, fallback: None };
        assert!(captures::value(&decoded, &position, metric, &mut few()).is_err());
    }
}
