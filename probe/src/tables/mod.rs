//! The tables of a game, and look-ups of values in them.

mod lookup;

use crate::block_cache::BlockCache;
use crate::blocks::Cache;
use crate::captures::{self, AtTable};
use crate::catalog::{Catalog, Entry, Key};
use crate::opened::Opened;
use crate::present::signatures;
use crate::table::{Table, indices};
use crate::visits::Visits;
use crate::{Access, DefaultStorage, Files, Pending, ProbeError, Storage};
use damka_games::{Game, Position};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};
use lookup::{Decoded, Prefetching, Reading};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Options for probing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeOptions {
    /// The size of the cache of decoded blocks in bytes: 64 MiB by default, at most 256 GiB.
    /// Address space is reserved when the first table is opened; memory is used as blocks are
    /// decoded. If there is no room for even one block, nothing is cached.
    pub cache_bytes: u64,
    /// How files are read.
    pub access: Access,
}

impl Default for ProbeOptions {
    fn default() -> ProbeOptions {
        ProbeOptions { cache_bytes: 64 << 20, access: Access::default() }
    }
}

/// The tables of a game in a storage, by default a directory of files. Tables are opened when first
/// needed. Can be shared by threads.
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
    catalog: Catalog<G, S::Source>,
    /// The number of blocks of all open tables.
    blocks: AtomicU64,
    cache: BlockCache,
}

/// A legal move with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedMove<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The position after the move.
    pub position: G::Position,
    /// The value for the side that plays it; the distance includes the move.
    pub value: Value,
}

impl<G: Indexable> Tables<G> {
    /// The tables of `game` in `directory`, which need not exist, with a cache of 64 MiB. Opens no
    /// file.
    pub fn open(game: G, directory: impl Into<PathBuf>) -> Tables<G> {
        Tables::open_with(game, directory, ProbeOptions::default())
    }

    /// Like [`open`](Tables::open), with options.
    pub fn open_with(game: G, directory: impl Into<PathBuf>, options: ProbeOptions) -> Tables<G> {
        let ProbeOptions { cache_bytes, access } = options;
        Tables::in_storage(game, Files::new(directory, access), cache_bytes)
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.storage.directory
    }
}

impl<G: Indexable, S: Storage> Tables<G, S> {
    /// The tables of `game` in `storage`, with a cache of `cache_bytes` bytes, at most 256 GiB.
    /// Opens no file.
    pub fn in_storage(game: G, storage: S, cache_bytes: u64) -> Tables<G, S> {
        Tables::with_cache(game, storage, BlockCache::new(cache_bytes))
    }

    /// The tables of `game` in `storage`, with a cache that others may share. Opens no file.
    pub fn with_cache(game: G, storage: S, cache: BlockCache) -> Tables<G, S> {
        let (catalog, blocks) = (Catalog::new(game), AtomicU64::new(0));
        Tables { game, storage, catalog, blocks, cache }
    }

    /// The game.
    #[inline]
    pub fn game(&self) -> G {
        self.game
    }

    /// The signatures that have a table of any metric, by ascending number of pieces.
    ///
    /// # Errors
    /// Fails if the storage cannot be listed. A directory that does not exist has no tables.
    pub fn signatures(&self) -> Result<Vec<Signature<G>>, ProbeError> {
        signatures(self.game, &self.storage)
    }

    /// Win, draw or loss for the side to move. Exact for every legal position. A missing WDL table
    /// is replaced by the DTW table of the same pieces.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged, memory cannot be allocated, or there are
    /// [too many](crate::MAX_CAPTURES) captures. The look-up ends at the first error.
    pub fn wdl(&self, position: &G::Position) -> Result<Wdl, ProbeError> {
        Ok(self.value(position, Metric::Wdl)?.wdl())
    }

    /// The value with the distance to win. Exact for every legal position.
    ///
    /// # Errors
    /// Like [`wdl`](Tables::wdl).
    pub fn dtw(&self, position: &G::Position) -> Result<Value, ProbeError> {
        self.value(position, Metric::Dtw)
    }

    /// The value under `metric`. Under a metric without distances a win is a win in 1 and a loss a
    /// loss in 0. Missing tables are replaced by those that the metric can be [derived
    /// from](Metric::derived_from).
    ///
    /// # Errors
    /// Like [`wdl`](Tables::wdl).
    pub fn value(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        match self.decoded(position, metric) {
            Some(value) => Ok(value),
            None => self.read(position, metric),
        }
    }

    /// Like [`value`](Tables::value), but reads nothing: `None` if the value does not follow from
    /// decoded blocks. The look-up ends at the first capture whose value does not.
    ///
    /// # Errors
    /// None at present: damaged blocks are treated as not decoded.
    pub fn value_if_decoded(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Option<Value>, ProbeError> {
        Ok(self.decoded(position, metric).or_else(|| self.decoded_elsewhere(position, metric)))
    }

    /// Asks the system to read what a probe of `position` would read, without waiting. Decodes
    /// nothing. Blocks that are already decoded are prefetched into the processor's cache.
    ///
    /// # Errors
    /// Like [`wdl`](Tables::wdl).
    pub fn prefetch(&self, position: &G::Position, metric: Metric) -> Result<(), ProbeError> {
        let decoded = self.ask(position, metric, |metric, fallback| Prefetching {
            tables: self,
            metric,
            fallback,
        });
        decoded.map(drop)
    }

    /// Opens the table of `signature` under `metric`, and no other, so that the first probe need
    /// not: reads the header and creates the signature's index, which takes memory and possibly
    /// milliseconds. Reads no values.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged, or memory cannot be allocated.
    pub fn preload(&self, signature: &Signature<G>, metric: Metric) -> Result<(), ProbeError> {
        let found = self.catalog.first(signature);
        self.opened(&found.entry, metric).map(drop)
    }

    /// Opens the table of `signature` under `metric` for the caller; probes do not use it.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged.
    pub fn open_table(
        &self,
        signature: Signature<G>,
        metric: Metric,
    ) -> Result<Table<G, S::Source>, ProbeError> {
        Table::open_in(&self.storage, signature, metric)
    }

    /// The table of `signature` under `metric` or, if it is missing, one that the metric can be
    /// derived from. Opened if necessary.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged, or memory cannot be allocated.
    pub(crate) fn table(
        &self,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<&Table<G, S::Source>, ProbeError> {
        let found = self.catalog.first(signature);
        let mut opened = self.opened(&found.entry, metric);
        for &other in metric.derived_from() {
            if !matches!(opened, Err(ProbeError::Missing { .. })) {
                break;
            }
            let replaced = self.opened(&found.entry, other);
            if !matches!(replaced, Err(ProbeError::Missing { .. })) {
                opened = replaced;
            }
        }
        Ok(&opened?.table)
    }

    /// The indices of a position's signature, created if necessary, and the place of the one that
    /// numbers the position.
    pub(crate) fn indices_of(&self, position: &G::Position) -> (Arc<[Index<G>]>, usize) {
        let turn = position.turn();
        let found = self.catalog.get([turn, !turn].map(|color| position.material(color)));
        let Entry { signature, indices: made, .. } = &*found.entry;
        let indices = Arc::clone(made.get_or_init(|| indices(signature)));
        let index = (found.side as usize).min(indices.len() - 1);
        (indices, index)
    }

    /// Allocates the memory for all decoded blocks of the open tables now, as far as the cache has
    /// room. Otherwise the system provides it during probes, 2 MiB at a time, which usually takes a
    /// fraction of a millisecond, on some virtual machines five.
    pub fn claim_cache(&self) {
        if let Some(cache) = self.cache.get() {
            cache.claim(self.blocks.load(Relaxed));
        }
    }

    /// Decodes the whole table of `signature` and keeps it in memory, outside of the cache, as long
    /// as these tables are open. Returns its size in memory, in bytes: a quarter of a byte per
    /// position under [`Metric::Wdl`], one or two under [`Metric::Dtw`].
    ///
    /// # Errors
    /// Fails if the table is missing or damaged, or memory cannot be allocated.
    pub fn pin(&self, signature: &Signature<G>, metric: Metric) -> Result<u64, ProbeError> {
        let found = self.catalog.first(signature);
        self.opened(&found.entry, metric)?.pin()
    }

    /// All legal moves with their results, best first: quick wins, slow wins,
    /// draws, slow losses, quick losses.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let (mut ranked, mut pending) = (Vec::new(), Pending::new());
        for mv in position.moves() {
            let after = position.play(mv);
            if let Some(value) = pending.or_later(self.value(&after, metric))? {
                ranked.push(RankedMove { mv, position: after, value: value.before_move() });
            }
        }
        pending.finish()?;
        // Sorting is large code, which is compiled once for all games: only values and places are sorted.
        let values = ranked.iter().map(|ranked| Reverse(ranked.value));
        let mut order: Vec<(Reverse<Value>, usize)> = values.zip(0..).collect();
        order.sort_unstable();
        Ok(order.into_iter().map(|(_, place)| ranked[place].clone()).collect())
    }

    /// Best play to the end of the game: the winner plays the shortest way, the loser the longest.
    /// Empty for a draw. A position that no table can have, such as one with castling rights, has a line if
    /// tables have the positions after its moves.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub fn line(&self, position: &G::Position) -> Result<Vec<RankedMove<G>>, ProbeError> {
        let mut line: Vec<RankedMove<G>> = Vec::new();
        // The values limit the length, so that the loop ends even if the tables are wrong.
        let mut most = match self.dtw(position) {
            Err(ProbeError::NoTable(_)) => u16::MAX,
            value => value?.plies().unwrap_or(0),
        };
        while most > 0 {
            let position = line.last().map_or(*position, |last| last.position);
            let best = self.moves(&position, Metric::Dtw)?.into_iter().next();
            let plies = best.as_ref().and_then(|best| best.value.plies());
            let (Some(best), Some(plies)) = (best, plies) else { break };
            line.push(best);
            most = most.min(plies) - 1;
        }
        Ok(line)
    }

    /// The value if it follows from decoded blocks of tables of `metric`, the usual case.
    #[inline]
    pub(crate) fn decoded(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        let at_table = Decoded { tables: self, metric, fallback: None };
        captures::value(&at_table, position, metric, &mut Visits::new()).ok()
    }

    /// The value if it follows from decoded blocks of tables that the metric can be derived from,
    /// and of tables of `metric` where these are missing.
    #[cold]
    fn decoded_elsewhere(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        metric.derived_from().iter().find_map(|&other| {
            let at_table = Decoded { tables: self, metric: other, fallback: Some(metric) };
            let value = captures::value(&at_table, position, other, &mut Visits::new()).ok()?;
            Some(value.reduced_to(metric))
        })
    }

    /// The value if it does not follow from decoded blocks of tables of `metric`.
    #[cold]
    fn read(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        // If the table of `metric` is open, reading its block once is quicker than looking in other
        // tables each time.
        let found = self.catalog.find(Key::of::<G>(position));
        let is_open = found.is_some_and(|it| it.entry.tables[metric as usize].get().is_some());
        let elsewhere = if is_open { None } else { self.decoded_elsewhere(position, metric) };
        match elsewhere {
            Some(value) => Ok(value),
            None => {
                let read = |goes_on| {
                    let at_table =
                        |metric, fallback| Reading { tables: self, metric, fallback, goes_on };
                    self.ask(position, metric, at_table)
                };
                let value = read(false);
                if value.as_ref().is_err_and(ProbeError::is_pending) {
                    // The storage has learned of the first bytes that are needed. This look-up
                    // requests the rest.
                    let _ = read(true);
                }
                value
            }
        }
    }

    /// Looks up a position in tables of `metric`. If one is missing, repeats the look-up in tables
    /// that the metric can be derived from, replaced by those of `metric` where they are missing.
    /// `at_table` receives the metric to use and its replacement.
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

    /// The table of a position, of `metric` or, if it is missing, of `fallback`; and which of the table's
    /// sides is to move. Both sides must have pieces.
    pub(crate) fn opened_for(
        &self,
        position: &G::Position,
        metric: Metric,
        fallback: Option<Metric>,
    ) -> Result<(&Opened<G, S::Source>, Side), ProbeError> {
        let turn = position.turn();
        let sides = [turn, !turn].map(|color| position.material(color));
        let (signature, _) = Signature::new(self.game, sides[0], sides[1]);
        // Signatures that cannot have a table are not added to the catalog, which would grow
        // without limit.
        if !signature.can_have_table() {
            return Err(ProbeError::too_many_pieces(&signature));
        }
        let found = self.catalog.get(sides);
        Ok((self.opened_or(&found.entry, metric, fallback)?, found.side))
    }

    /// The table of `metric` or, if it is missing, of `fallback`.
    fn opened_or<'a>(
        &self,
        entry: &'a Entry<G, S::Source>,
        metric: Metric,
        fallback: Option<Metric>,
    ) -> Result<&'a Opened<G, S::Source>, ProbeError> {
        match (self.opened(entry, metric), fallback) {
            (Err(missing @ ProbeError::Missing { .. }), Some(fallback)) => {
                self.opened(entry, fallback).map_err(|error| match error {
                    ProbeError::Missing { .. } => missing,
                    error => error,
                })
            }
            (opened, _) => opened,
        }
    }

    /// The cache, created if necessary.
    fn cache(&self) -> Result<&Cache, ProbeError> {
        Ok(self.cache.get_or_create()?)
    }

    /// The table, opened if necessary.
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
