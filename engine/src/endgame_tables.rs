use crate::score::Score;
use damka_games::{Color, Game, Position};
use damka_probe::{ProbeError, RankedMove, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature, Value, Wdl};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The endgame tables for searches: opened in advance and listed by signature, as a search cannot
/// afford to look for files or to open them. Engines may share them.
pub struct EndgameTables<G: Game> {
    tables: Arc<dyn TableSource<G>>,
    /// The signatures that have a table, with or without distances.
    signatures: FxHashSet<Signature<G>>,
    /// The greatest number of pieces of any signature.
    pieces: u32,
    errors: Mutex<Errors>,
}

/// Errors of tables that are damaged or cannot be read.
#[derive(Default)]
struct Errors {
    /// Errors not yet returned by [`EndgameTables::take_errors`].
    unreported: Vec<ProbeError>,
    /// Files with an error, whether returned or not.
    files: FxHashSet<PathBuf>,
}

impl Errors {
    /// Keeps the first error of each file. Ignores all errors except damaged and unreadable tables.
    /// A missing table is not an error.
    fn add(&mut self, error: ProbeError) {
        if !matches!(error, ProbeError::Damaged { .. } | ProbeError::Io { .. }) {
            return;
        }
        if error.path().is_none_or(|path| self.files.insert(path.to_owned())) {
            self.unreported.push(error);
        }
    }
}

/// The probes of `Tables` that a search needs, for any storage.
trait TableSource<G: Game>: Send + Sync {
    /// [`Tables::value`]
    fn value(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError>;

    /// Like [`Tables::value_if_decoded`], but `None` on any error.
    fn value_if_decoded(&self, position: &G::Position, metric: Metric) -> Option<Value>;

    /// [`Tables::moves`]
    fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Vec<RankedMove<G>>, ProbeError>;
}

impl<G: Indexable, S: Storage<Source: Send + Sync> + Send + Sync> TableSource<G> for Tables<G, S> {
    fn value(&self, position: &G::Position, metric: Metric) -> Result<Value, ProbeError> {
        Tables::value(self, position, metric)
    }

    fn value_if_decoded(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        Tables::value_if_decoded(self, position, metric).ok().flatten()
    }

    fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Result<Vec<RankedMove<G>>, ProbeError> {
        Tables::moves(self, position, metric)
    }
}

impl<G: Indexable> EndgameTables<G> {
    /// Opens all tables in parallel and claims the memory of the block cache, so that no search has
    /// to wait for either. Opening a table takes up to a few milliseconds, and its index stays in
    /// memory. Tables added later are not used. Searches ignore damaged tables;
    /// [`take_errors`](EndgameTables::take_errors) reports them.
    ///
    /// # Errors
    /// The storage cannot be listed, or memory cannot be allocated.
    pub fn new<S>(tables: Arc<Tables<G, S>>) -> Result<EndgameTables<G>, ProbeError>
    where
        S: Storage<Source: Send + Sync> + Send + Sync + 'static,
    {
        let listed = tables.signatures()?;
        let found = Mutex::new((FxHashSet::default(), Vec::new()));
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        in_parallel(listed.len(), &|number| {
            let signature = listed[number];
            for metric in Metric::ALL {
                match tables.preload(&signature, metric) {
                    Ok(()) => {
                        lock().0.insert(signature);
                    }
                    Err(error) if error.is_missing() => {}
                    Err(error) => lock().1.push(error),
                }
            }
        });
        let (signatures, mut failed) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_memory = |error: &ProbeError| matches!(error, ProbeError::Memory(_));
        if let Some(place) = failed.iter().position(is_memory) {
            return Err(failed.swap_remove(place));
        }
        tables.claim_cache();
        let pieces = signatures.iter().map(Signature::pieces).max().unwrap_or(0);
        failed.sort_by_cached_key(ProbeError::to_string);
        let mut errors = Errors::default();
        failed.into_iter().for_each(|error| errors.add(error));
        Ok(EndgameTables { tables, signatures, pieces, errors: Mutex::new(errors) })
    }

    /// Errors of tables that are damaged or cannot be read, found since the last call: one for each
    /// file. A damaged header is found when the tables are opened, other damage when a search reads it.
    pub fn take_errors(&self) -> Vec<ProbeError> {
        std::mem::take(&mut self.errors().unreported)
    }

    fn errors(&self) -> MutexGuard<'_, Errors> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a probe; `None` on an error, which is kept for `take_errors`.
    fn found<T>(&self, found: Result<T, ProbeError>) -> Option<T> {
        found.map_err(|error| self.errors().add(error)).ok()
    }

    /// All legal moves, ranked under `metric`; `None` if the tables do not have them all.
    pub(crate) fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Option<Vec<RankedMove<G>>> {
        self.found(self.tables.moves(position, metric))
    }

    /// Whether there is a table for the signature of the position.
    #[inline]
    pub(crate) fn has(&self, position: &G::Position) -> bool {
        let [white, black] = piece_counts::<G>(position);
        white + black <= self.pieces
            && white > 0
            && black > 0
            && self.signatures.contains(&Signature::of(position).0)
    }

    /// Win, draw or loss for the side to move, if the blocks needed are in the cache.
    #[inline]
    pub(crate) fn wdl_if_decoded(&self, position: &G::Position) -> Option<Wdl> {
        self.tables.value_if_decoded(position, Metric::Wdl).map(Value::wdl)
    }

    /// Like `wdl_if_decoded`, but reads and decodes the blocks that are not in the cache. `None` if
    /// a table is missing or damaged.
    pub(crate) fn wdl(&self, position: &G::Position) -> Option<Wdl> {
        let value = |metric| self.found(self.tables.value(position, metric));
        value(Metric::Wdl).or_else(|| value(Metric::Dtw)).map(Value::wdl)
    }

    /// The score of a position `ply` plies from the root for the side to move, with its distance if
    /// there are tables with distances.
    pub(crate) fn score(&self, position: &G::Position, ply: u16) -> Option<Score> {
        let has_both = Color::BOTH.iter().all(|&color| !position.side(color).is_empty());
        if has_both && !position.captures_only() && !self.has(position) {
            // Its value does not follow from other tables. `Tables` would look for the file.
            return None;
        }
        let value = |metric| self.found(self.tables.value(position, metric));
        match value(Metric::Dtw) {
            Some(value) => Some(Score::of_value(value, ply)),
            None => value(Metric::Wdl).map(|value| Score::of_wdl(value.wdl(), ply)),
        }
    }
}

/// Calls `work` with each number below `len`, on all processors.
fn in_parallel(len: usize, work: &(dyn Fn(usize) + Sync)) {
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| (0..len).into_par_iter().for_each(work)),
        // No memory for threads: use this one.
        Err(_) => (0..len).for_each(work),
    }
}

/// The numbers of pieces of White and Black.
#[inline]
pub(crate) fn piece_counts<G: Game>(position: &G::Position) -> [u32; 2] {
    Color::BOTH.map(|color| position.side(color).len())
}
