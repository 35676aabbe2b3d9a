use crate::catalog::Key;
use crate::{ProbeError, Storage, Tables};
use damka_games::Position;
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;
use damka_tables::{Index, Indexable, Value};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// The maximum number of remembered values, of two bytes each: enough for all captures from tables
/// of 6 pieces in draughts.
const MOST: u64 = 1 << 26;

/// The binary logarithm of the number of recent successors: they stay in the processor's caches.
const RECENT_BITS: u32 = 11;

/// The values of positions after captures. There are few of them, each reached from many positions,
/// so each is probed once and remembered. Positions with neighbouring numbers often share
/// successors: the values of recent ones are found without computing their numbers.
pub(super) struct Successors<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    metric: Metric,
    /// A direct-mapped cache of successors.
    recent: Box<[Recent<G::Position>]>,
    remembered: Vec<Remembered<G>>,
    /// The number of values that can still be remembered.
    room: u64,
}

/// An entry of the cache of recent successors: empty, or a position and its value.
type Recent<P> = Option<(P, Value)>;

/// The values of the positions in which the side to move and its opponent have certain pieces.
struct Remembered<G> {
    key: Key,
    indices: Arc<[Index<G>]>,
    /// The place in `indices` of the one that numbers these positions.
    index: usize,
    /// For each number the value's code plus 1, or 0 if it is unknown. Empty if there is no room.
    codes: Vec<u16>,
}

impl<'a, G: Indexable, S: Storage> Successors<'a, G, S> {
    pub(super) fn new(tables: &'a Tables<G, S>, metric: Metric) -> Successors<'a, G, S> {
        let recent = vec![None; 1 << RECENT_BITS].into_boxed_slice();
        Successors { tables, metric, recent, remembered: Vec::new(), room: MOST }
    }

    /// The value of a position.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    #[inline(always)]
    pub(super) fn value(
        &mut self,
        processor: impl Processor,
        position: &G::Position,
    ) -> Result<Value, ProbeError> {
        // The high bits of the hash depend on the whole position.
        let slot = (FxBuildHasher.hash_one(position) >> (64 - RECENT_BITS)) as usize;
        match &self.recent[slot] {
            Some((recent, value)) if recent == position => Ok(*value),
            _ => {
                let value = self.look_up(processor, position)?;
                self.recent[slot] = Some((*position, value));
                Ok(value)
            }
        }
    }

    #[inline(always)]
    fn look_up(
        &mut self,
        processor: impl Processor,
        position: &G::Position,
    ) -> Result<Value, ProbeError> {
        let key = Key::of::<G>(position);
        if position.state() != 0 || key.has_empty_side() {
            return self.tables.value(position, self.metric);
        }
        let known = self.remembered.iter().position(|remembered| remembered.key == key);
        let place = known.unwrap_or_else(|| self.add(key, position));
        let Remembered { indices, index, codes, .. } = &mut self.remembered[place];
        if codes.is_empty() {
            return self.tables.value(position, self.metric);
        }
        let number = indices[*index].number_with(processor, &position.with_white_to_move());
        let code = &mut codes[number as usize];
        if *code == 0 {
            *code = probe(self.tables, position, self.metric)?.code() + 1;
        }
        Ok(Value::from_code(*code - 1))
    }

    /// Makes room for the values of positions with these pieces.
    #[cold]
    fn add(&mut self, key: Key, position: &G::Position) -> usize {
        let (indices, index) = self.tables.indices_of(position);
        let len = indices[index].len();
        let has_room = len <= self.room;
        self.room -= if has_room { len } else { 0 };
        let codes = vec![0; if has_room { len as usize } else { 0 }];
        self.remembered.push(Remembered { key, indices, index, codes });
        self.remembered.len() - 1
    }
}

#[cold]
fn probe<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    position: &G::Position,
    metric: Metric,
) -> Result<Value, ProbeError> {
    tables.value(position, metric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Russian;
    use damka_tables::processor::Baseline;
    use damka_tables::{Side, Signature};

    /// Looks up all values twice, with room for all values, for some, and for none.
    #[test]
    fn values_do_not_depend_on_remembered_ones() {
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
        let tables = Tables::open(Russian, golden);
        let index = |text| {
            let signature = Signature::parse(Russian, text).expect("a signature");
            let [mover, opponent] = signature.to_move(Side::First);
            Index::new(Russian, mover, opponent)
        };
        let indices = ["KvK", "KMvK"].map(index);
        for room in [MOST, indices[0].len(), 0] {
            let mut successors = Successors::new(&tables, Metric::Dtw);
            successors.room = room;
            for index in indices.iter().chain(&indices) {
                for position in index.positions(0..index.len()).step_by(7) {
                    for position in [position, position.flip()] {
                        let value = successors.value(Baseline, &position).expect("a value");
                        assert_eq!(value, tables.dtw(&position).expect("a value"));
                    }
                }
            }
        }
    }
}
