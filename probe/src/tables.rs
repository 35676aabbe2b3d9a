use crate::blocks::Cache;
use crate::captures::{self, AtTable};
use crate::catalog::{Catalog, Entry, Key};
use crate::error::NoTable;
use crate::opened::Opened;
use crate::present::signatures;
use crate::table::{Table, indices};
use crate::visits::{TooManyCaptures, Visits};
use crate::{Access, Files};
use crate::{DefaultStorage, ProbeError, Storage};
use damka_games::{Game, Position};
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

/// How a directory of tables is probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeOptions {
    /// The memory for decoded blocks, in bytes; 64 MiB by default, 256 GiB at most. Of the
    /// address space so much is taken when the first table is opened; memory is taken as
    /// blocks are decoded, and for each of them once. Without room for a block nothing is kept.
    pub cache_bytes: u64,
    /// How files are read.
    pub access: Access,
}

impl Default for ProbeOptions {
    fn default() -> ProbeOptions {
        ProbeOptions { cache_bytes: 64 << 20, access: Access::default() }
    }
}

/// The tables of a game in a storage: a directory of files, unless it is another. They are
/// opened when they are first needed; threads may share them.
///
/// ```
/// use damka_games::{Game, Position, Russian};
/// use damka_probe::Tables;
/// use damka_tables::Wdl;
/// use damka_tables::metric::Metric;
/// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
///
/// let tables = Tables::open(Russian, directory);
/// let position = Russian.parse_fen("W:WKa1:BKg7").unwrap();
/// assert_eq!(tables.wdl(&position)?, Wdl::Win);
/// assert_eq!(tables.dtw(&position)?.plies(), Some(1));
/// let best = &tables.moves(&position, Metric::Dtw)?[0];
/// assert_eq!(position.format_move(best.mv), "a1xh8");
/// # Ok::<(), damka_probe::ProbeError>(())
/// ```
pub struct Tables<G, S: Storage = DefaultStorage> {
    game: G,
    storage: S,
    cache_bytes: u64,
    catalog: Catalog<G, S::Source>,
    /// Of all tables that are open.
    blocks: AtomicU64,
    /// Made when the first table is opened.
    cache: OnceLock<Cache>,
}

/// A legal move with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The position it leads to.
    pub position: G::Position,
    /// The result for the side that plays it; its distance counts the move.
    pub value: Value,
}

impl<G: Indexable> Tables<G> {
    /// The tables of `game` in `directory`, which need not exist yet, with a cache of 64 MiB.
    /// No file is opened yet.
    pub fn open(game: G, directory: impl Into<PathBuf>) -> Tables<G> {
        Tables::open_with(game, directory, ProbeOptions::default())
    }

    /// The tables in `directory`, probed as `options` say.
    pub fn open_with(game: G, directory: impl Into<PathBuf>, options: ProbeOptions) -> Tables<G> {
        let ProbeOptions { cache_bytes, access } = options;
        Tables::in_storage(game, Files { directory: directory.into(), access }, cache_bytes)
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.storage.directory
    }
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// The tables of `game` in `storage`, decoded blocks taking up to `cache_bytes` bytes, at
    /// most 256 GiB. Nothing is opened yet.
    pub fn in_storage(game: G, storage: S, cache_bytes: u64) -> Tables<G, S> {
        Tables {
            game,
            storage,
            cache_bytes,
            catalog: Catalog::new(game),
            blocks: AtomicU64::new(0),
            cache: OnceLock::new(),
        }
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> G {
        self.game
    }

    /// The signatures that there are tables of, under any metric, in ascending order of pieces.
    ///
    /// # Errors
    /// The storage cannot be listed. A directory that does not exist has no tables.
    pub fn signatures(&self) -> Result<Vec<Signature<G>>, ProbeError> {
        signatures(self.game, &self.storage)
    }

    /// Win, draw or loss for the side to move. Exact for every legal position. Where a WDL table
    /// is missing, the DTW table of the same pieces answers.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged, memory cannot be had, or there are
    /// [too many](crate::MAX_CAPTURES) captures. Looking ends at the first such error.
    pub fn wdl(&self, position: &G::Position) -> Result<Wdl, ProbeError> {
        Ok(self.value(position, Metric::Wdl)?.wdl())
    }

    /// The value with the distance to win. Exact for every legal position.
    ///
    /// # Errors
    /// As [`wdl`](Tables::wdl).
    pub fn dtw(&self, position: &G::Position) -> Result<Value, ProbeError> {
        self.value(position, Metric::Dtw)
    }

    /// The value under `metric`; without distances under [`Metric::Wdl`], where
    /// a win counts as a win in 1 and a loss as a loss in 0. Tables under a metric that
    /// [tells more](Metric::fallback) answer for those that are missing.
    ///
    /// # Errors
    /// As [`wdl`](Tables::wdl).
    pub fn value(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        match self.decoded(position, metric) {
            Some(value) => Ok(value),
            None => self.read(position, metric),
        }
    }

    /// Like [`value`](Tables::value), but reads nothing: `None` if the value does not follow from
    /// blocks that are decoded. Of captures no more are looked at behind the first one whose
    /// value does not follow.
    ///
    /// # Errors
    /// None so far: what is damaged counts as not decoded.
    pub fn value_if_decoded(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Option<Value>, ProbeError> {
        Ok(self.decoded(position, metric).or_else(|| self.decoded_elsewhere(position, metric)))
    }

    /// Asks the system to read what a probe of `position` would have to read, and does
    /// not wait for it. Nothing is decoded. What is decoded is brought into the processor's
    /// cache.
    ///
    /// # Errors
    /// As [`wdl`](Tables::wdl).
    pub fn prefetch(&self, position: &G::Position, metric: Metric) -> Result<(), ProbeError> {
        let asked =
            self.ask(position, metric, |metric, or| Prefetching { tables: self, metric, or });
        asked.map(drop)
    }

    /// Opens the table of `signature` under `metric`, and no other, now and not when it is first
    /// probed, so that no probe takes as long as that: the header is read, and the signature's
    /// index is made, which may take milliseconds and takes memory. No value is read.
    ///
    /// # Errors
    /// The table is missing or damaged, or memory cannot be had.
    pub fn preload(&self, signature: &Signature<G>, metric: Metric) -> Result<(), ProbeError> {
        let half = self.catalog.first(signature);
        self.opened(&half.entry, metric).map(drop)
    }

    /// Opens the table of `signature` under `metric` by itself: it is not kept, and none is kept
    /// open for probes.
    ///
    /// # Errors
    /// The table is missing or damaged.
    pub fn open_table(
        &self,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G, S::Source>, ProbeError> {
        Table::open_in(&self.storage, signature, metric)
    }

    /// The table of `signature` that answers questions under `metric`: of that metric or, if it is
    /// missing, of one that tells more. Opened if it was not yet.
    ///
    /// # Errors
    /// The table is missing or damaged, or memory cannot be had.
    pub(crate) fn table(
        &self,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<&Table<G, S::Source>, ProbeError> {
        let half = self.catalog.first(signature);
        let mut opened = self.opened(&half.entry, metric);
        for &other in metric.derived_from() {
            if !matches!(opened, Err(ProbeError::Missing { .. })) {
                break;
            }
            let replaced = self.opened(&half.entry, other);
            if !matches!(replaced, Err(ProbeError::Missing { .. })) {
                opened = replaced;
            }
        }
        Ok(&opened?.table)
    }

    /// The indices of a position's signature, made if they were not yet, and which of them numbers
    /// the position.
    pub(crate) fn indices_of(&self, position: &G::Position) -> (Arc<[Index<G>]>, usize) {
        let turn = position.turn();
        let half = self.catalog.get([turn, !turn].map(|color| position.material(color)));
        let Entry { signature, indices: made, .. } = &*half.entry;
        let indices = Arc::clone(made.get_or_init(|| indices(signature)));
        let index = (half.side as usize).min(indices.len() - 1);
        (indices, index)
    }

    /// Takes the memory for decoded blocks now, as much as the tables that are open so far can
    /// need. Without this, it comes from the system in the middle of probes, 2 MiB at once:
    /// usually in a fraction of a millisecond, on some virtual machines in five.
    pub fn claim_cache(&self) {
        if let Some(cache) = self.cache.get() {
            cache.claim(self.blocks.load(Relaxed));
        }
    }

    /// Decodes the whole table of `signature` into memory, beside the cache, where it
    /// stays. Returns the bytes that it takes there: a quarter of a byte for each
    /// position under [`Metric::Wdl`], one or two under [`Metric::Dtw`].
    ///
    /// # Errors
    /// The table is missing or damaged, or there is not that much memory.
    pub fn pin(&self, signature: &Signature<G>, metric: Metric) -> Result<u64, ProbeError> {
        let half = self.catalog.first(signature);
        self.opened(&half.entry, metric)?.pin()
    }

    /// All legal moves with their results, best first: quick wins, slow wins,
    /// draws, slow losses, quick losses.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let mut ranked = Vec::new();
        for mv in position.moves() {
            let after = position.play(mv);
            let value = self.value(&after, metric)?.before_move();
            ranked.push(RankedMove { mv, position: after, value });
        }
        ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.value));
        Ok(ranked)
    }

    /// Best play to the end: the winner takes the shortest way, the loser the
    /// longest. Empty for a draw, which has no end.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    pub fn line(&self, position: &G::Position) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let mut line: Vec<RankedMove<G>> = Vec::new();
        // Exactly as long as its value says, whatever the tables hold.
        for _ in 0..self.dtw(position)?.plies().unwrap_or(0) {
            let position = line.last().map_or(*position, |last| last.position);
            let Some(best) = self.moves(&position, Metric::Dtw)?.into_iter().next() else {
                break;
            };
            line.push(best);
        }
        Ok(line)
    }

    /// The value if it follows from blocks of tables of `metric` that are decoded: all that most
    /// probes do.
    #[inline]
    fn decoded(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        let at_table = Decoded { tables: self, metric, or: None };
        captures::value(&at_table, position, metric, &mut Visits::new()).ok()
    }

    /// The value if it follows from decoded blocks of tables that tell more than `metric`, and of
    /// those of `metric` where there are no others.
    #[cold]
    fn decoded_elsewhere(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        metric.derived_from().iter().find_map(|&other| {
            let at_table = Decoded { tables: self, metric: other, or: Some(metric) };
            let value = captures::value(&at_table, position, other, &mut Visits::new()).ok()?;
            Some(value.reduced_to(metric))
        })
    }

    /// The value where it does not follow from decoded blocks of tables of `metric`, or a table is
    /// damaged.
    #[cold]
    fn read(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        match self.decoded_elsewhere(position, metric) {
            Some(value) => Ok(value),
            None => self.ask(position, metric, |metric, or| Reading { tables: self, metric, or }),
        }
    }

    /// Asks tables of `metric`, and where one is missing once more those that tell more, and those
    /// of `metric` where there are no others. Each time `at_table` is given the metric to ask for
    /// and the one to ask for instead.
    fn ask<T: AtTable<G, Error = ProbeError>>(
        &self,
        position: &G::Position,
        metric: Metric,
        at_table: impl Fn(Metric, Option<Metric>) -> T,
    ) -> Result<Value, ProbeError> {
        let visits = &mut Visits::new();
        let missing = match captures::value(&at_table(metric, None), position, metric, visits) {
            Err(error @ ProbeError::Missing { .. }) => error,
            answer => return answer,
        };
        for &other in metric.derived_from() {
            let visits = &mut Visits::new();
            match captures::value(&at_table(other, Some(metric)), position, other, visits) {
                Err(ProbeError::Missing { .. }) => {}
                // Where tables of `metric` were used, a distance has no meaning.
                answer => return Ok(answer?.reduced_to(metric)),
            }
        }
        Err(missing)
    }

    /// The table of `metric`, or of `or` where that is missing, that has the position, in which no
    /// side is without pieces; and which of the table's sides is to move.
    fn opened_for(
        &self,
        position: &G::Position,
        metric: Metric,
        or: Option<Metric>,
    ) -> Result<(&Opened<G, S::Source>, Side), ProbeError> {
        let turn = position.turn();
        let sides = [turn, !turn].map(|color| position.material(color));
        let (signature, _) = Signature::new(self.game, sides[0], sides[1]);
        // What no table has is not kept in mind: there is no end to it.
        if !signature.can_have_table() {
            return Err(ProbeError::too_many_pieces(&signature));
        }
        let half = self.catalog.get(sides);
        Ok((self.opened_or(&half.entry, metric, or)?, half.side))
    }

    /// The table of `metric`, or of `or` where that is missing.
    fn opened_or<'a>(
        &self,
        entry: &'a Entry<G, S::Source>,
        metric: Metric,
        or: Option<Metric>,
    ) -> Result<&'a Opened<G, S::Source>, ProbeError> {
        match (self.opened(entry, metric), or) {
            (Err(missing @ ProbeError::Missing { .. }), Some(or)) => {
                self.opened(entry, or).map_err(|error| match error {
                    ProbeError::Missing { .. } => missing,
                    error => error,
                })
            }
            (opened, _) => opened,
        }
    }

    /// The cache, made if it was not yet.
    fn cache(&self) -> Result<&Cache, ProbeError> {
        if let Some(cache) = self.cache.get() {
            return Ok(cache);
        }
        let cache = Cache::new(self.cache_bytes)?;
        Ok(self.cache.get_or_init(|| cache))
    }

    /// The table, opened if it was not yet.
    fn opened<'a>(
        &self,
        entry: &'a Entry<G, S::Source>,
        metric: Metric,
    ) -> Result<&'a Opened<G, S::Source>, ProbeError> {
        let slot = &entry.tables[metric as usize];
        if let Some(opened) = slot.get() {
            return Ok(opened);
        }
        let signature = entry.signature;
        let indices = || Arc::clone(entry.indices.get_or_init(|| indices(&signature)));
        let table = Table::in_storage(&self.storage, signature, metric, indices)?;
        table.advise_random();
        self.cache()?;
        let opened = Opened::new(table)?;
        Ok(slot.get_or_init(|| {
            self.blocks.fetch_add(opened.table.header().blocks(), Relaxed);
            opened
        }))
    }
}

/// Values of blocks that are decoded: nothing is opened or read.
struct Decoded<'a, G, S: Storage> {
    tables: &'a Tables<G, S>,
    /// That of the tables.
    metric: Metric,
    /// That of tables which answer where one of `metric` is missing.
    or: Option<Metric>,
}

/// A value does not follow from what is decoded.
struct NotDecoded;

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
    fn value(
        &self,
        processor: impl Processor,
        position: &G::Position,
        key: Key,
    ) -> Result<Value, NotDecoded> {
        let Decoded { tables, metric, or } = *self;
        let half = tables.catalog.find(key).ok_or(NotDecoded)?;
        let table = |metric: Metric| half.entry.tables[metric as usize].get();
        let opened = table(metric).or_else(|| table(or?)).ok_or(NotDecoded)?;
        let table = &opened.table;
        let index = table.side_index(half.side);
        let number = index.number_with(processor, &position.with_white_to_move());
        let (block, place) = table.locate(half.side, number);
        let cache = tables.cache.get().ok_or(NotDecoded)?;
        opened.decoded(cache, block, place).ok_or(NotDecoded)
    }
}

/// Values of blocks that are read and decoded where they are not yet.
struct Reading<'a, G, S: Storage> {
    tables: &'a Tables<G, S>,
    /// That of the tables.
    metric: Metric,
    /// That of tables which answer where one of `metric` is missing.
    or: Option<Metric>,
}

impl<G: Indexable, S: Storage> AtTable<G> for Reading<'_, G, S> {
    type Error = ProbeError;

    fn value(
        &self,
        _: impl Processor,
        position: &G::Position,
        _: Key,
    ) -> Result<Value, ProbeError> {
        let (opened, side) = self.tables.opened_for(position, self.metric, self.or)?;
        let (block, place) = opened.locate(side, position);
        Ok(opened.decode(self.tables.cache()?, block, place)?.reduced_to(self.metric))
    }
}

/// No values: the system is asked to read what they are in.
struct Prefetching<'a, G, S: Storage> {
    tables: &'a Tables<G, S>,
    /// That of the tables.
    metric: Metric,
    /// That of tables which answer where one of `metric` is missing.
    or: Option<Metric>,
}

impl<G: Indexable, S: Storage> AtTable<G> for Prefetching<'_, G, S> {
    type Error = ProbeError;

    // What matters is not known yet.
    const LEAVES_OUT: bool = false;

    fn value(
        &self,
        _: impl Processor,
        position: &G::Position,
        _: Key,
    ) -> Result<Value, ProbeError> {
        let (opened, side) = self.tables.opened_for(position, self.metric, self.or)?;
        let (block, place) = opened.locate(side, position);
        opened.prefetch(self.tables.cache()?, block, place)?;
        // Not known yet: whatever else captures lead to is looked at too.
        Ok(Value::DRAW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Russian;

    /// Of captures that lead to millions of positions none is looked at behind the first one
    /// whose table is missing.
    #[test]
    fn looking_ends_at_the_first_table_that_is_missing() {
        const MANY: &str = "W:WK4,K28,K9,K27,K22,K8,K26,K32,K14,K15,K1,K30\
                            :BK6,K13,K12,K5,K19,K3,K20,K25,K31";
        let tables = Tables::open(Russian, "no such directory");
        let position = Russian.parse_fen(MANY).expect("a position");
        for metric in Metric::ALL {
            let visits = &mut Visits::new();
            let reading = Reading { tables: &tables, metric, or: None };
            let error = captures::value(&reading, &position, metric, visits).expect_err("no table");
            assert!(error.is_missing(), "{error}");
            assert!(visits.taken() < 100, "{}", visits.taken());
            let visits = &mut Visits::new();
            let decoded = Decoded { tables: &tables, metric, or: None };
            assert!(captures::value(&decoded, &position, metric, visits).is_err());
            assert!(visits.taken() < 100, "{}", visits.taken());
            assert!(tables.prefetch(&position, metric).expect_err("no table").is_missing());
        }
    }

    /// Of two kings one is taken, of the other a table tells; or both are.
    #[test]
    fn captures_are_followed_to_so_many_positions_and_no_more() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
        let position = Russian.parse_fen("W:WKa1:BKc3,Kh2").expect("a position");
        assert!(position.captures_only());
        let tables = Tables::open(Russian, golden);
        let metric = Metric::Wdl;
        let few = || Visits::of(2);
        let reading = Reading { tables: &tables, metric, or: None };
        let error = captures::value(&reading, &position, metric, &mut few()).expect_err("too many");
        assert!(matches!(error, ProbeError::TooManyCaptures), "{error}");
        let prefetching = Prefetching { tables: &tables, metric, or: None };
        let prefetched = captures::value(&prefetching, &position, metric, &mut few());
        let error = prefetched.expect_err("too many");
        assert!(matches!(error, ProbeError::TooManyCaptures), "{error}");
        let value = tables.value(&position, metric).expect("a value");
        assert_eq!(tables.decoded(&position, metric), Some(value));
        let decoded = Decoded { tables: &tables, metric, or: None };
        assert!(captures::value(&decoded, &position, metric, &mut few()).is_err());
    }
}
