use crate::score::Score;
use damka_games::{Color, Game, Position};
use damka_probe::{ProbeError, RankedMove, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature, Value, Wdl};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Tables, and which of them there are: a search cannot afford to look for files, or to open
/// them. Engines may share them.
pub struct Endings<G: Game> {
    tables: Arc<dyn Asked<G>>,
    /// Those that there are a table of, with distances or without.
    signatures: FxHashSet<Signature<G>>,
    /// The most pieces of any.
    pieces: u32,
    /// Why tables that are there are not used.
    refused: Vec<ProbeError>,
}

/// Tables in any storage, as a search asks them.
trait Asked<G: Game>: Send + Sync {
    /// As [`Tables::value`].
    fn value(&self, position: &G::Position, metric: Metric) -> Option<Value>;

    /// As [`Tables::value_if_decoded`].
    fn decoded(&self, position: &G::Position, metric: Metric) -> Option<Value>;

    /// As [`Tables::moves`].
    fn moves(&self, position: &G::Position, metric: Metric) -> Option<Vec<RankedMove<G>>>;
}

impl<G: Indexable, S: Storage<Source: Send + Sync> + Send + Sync> Asked<G> for Tables<G, S> {
    fn value(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        Tables::value(self, position, metric).ok()
    }

    fn decoded(&self, position: &G::Position, metric: Metric) -> Option<Value> {
        self.value_if_decoded(position, metric).ok().flatten()
    }

    fn moves(&self, position: &G::Position, metric: Metric) -> Option<Vec<RankedMove<G>>> {
        Tables::moves(self, position, metric).ok()
    }
}

impl<G: Indexable> Endings<G> {
    /// Opens all tables that there are, on all processors: each takes up to some
    /// milliseconds, and as much memory as its index. The memory for their blocks is taken
    /// as well, so that no search has to wait for any of this. Tables that come later are not
    /// used, and a damaged one is as good as none, but [told](Endings::refused).
    ///
    /// # Errors
    /// Their storage cannot be listed, or memory cannot be had.
    pub fn new<S>(tables: Arc<Tables<G, S>>) -> Result<Endings<G>, ProbeError>
    where
        S: Storage<Source: Send + Sync> + Send + Sync + 'static,
    {
        let there = tables.signatures()?;
        let refused = Mutex::new(Vec::new());
        let open = |signature: Signature<G>| {
            let mut is_open = false;
            for metric in Metric::ALL {
                match tables.preload(&signature, metric) {
                    Ok(()) => is_open = true,
                    Err(error @ ProbeError::Memory(_)) => return Some(Err(error)),
                    Err(error) if error.is_missing() => {}
                    Err(error) => {
                        refused.lock().unwrap_or_else(PoisonError::into_inner).push(error)
                    }
                }
            }
            is_open.then_some(Ok(signature))
        };
        let signatures: Result<FxHashSet<_>, _> = match ThreadPoolBuilder::new().build() {
            Ok(pool) => pool.install(|| there.into_par_iter().filter_map(open).collect()),
            // Without memory for more threads one has to do.
            Err(_) => there.into_iter().filter_map(open).collect(),
        };
        let signatures = signatures?;
        tables.claim_cache();
        let pieces = signatures.iter().map(Signature::pieces).max().unwrap_or(0);
        let mut refused = refused.into_inner().unwrap_or_else(PoisonError::into_inner);
        refused.sort_by_cached_key(ProbeError::to_string);
        Ok(Endings { tables, signatures, pieces, refused })
    }

    /// Why tables that are there are not used: they are damaged, or cannot be read. What is damaged
    /// behind their heads is not known before it is read.
    pub fn refused(&self) -> &[ProbeError] {
        &self.refused
    }

    /// All legal moves, ranked by tables under `metric`, if there are tables that have them.
    pub(crate) fn moves(
        &self,
        position: &G::Position,
        metric: Metric,
    ) -> Option<Vec<RankedMove<G>>> {
        self.tables.moves(position, metric)
    }

    /// Whether there is a table that has the position.
    #[inline]
    pub(crate) fn has(&self, position: &G::Position) -> bool {
        let [white, black] = count::<G>(position);
        white + black <= self.pieces
            && white > 0
            && black > 0
            && self.signatures.contains(&Signature::of(position).0)
    }

    /// Win, draw or loss for the side to move, if that follows from blocks that are decoded.
    #[inline]
    pub(crate) fn decoded(&self, position: &G::Position) -> Option<Wdl> {
        self.tables.decoded(position, Metric::Wdl).map(Value::wdl)
    }

    /// Win, draw or loss for the side to move, read and decoded where needed. A damaged table
    /// counts as missing.
    pub(crate) fn wdl(&self, position: &G::Position) -> Option<Wdl> {
        let value = |metric| self.tables.value(position, metric);
        value(Metric::Wdl).or_else(|| value(Metric::Dtw)).map(Value::wdl)
    }

    /// What a position `ply` plies from the root is worth to the side to move, with the
    /// distance if there are tables that have it.
    pub(crate) fn score(&self, position: &G::Position, ply: u16) -> Option<Score> {
        let value = |metric| self.tables.value(position, metric);
        match value(Metric::Dtw) {
            Some(value) => Some(Score::of_value(value, ply)),
            None => value(Metric::Wdl).map(|value| Score::of_wdl(value.wdl(), ply)),
        }
    }
}

/// How many pieces White and Black have.
#[inline]
pub(crate) fn count<G: Game>(position: &G::Position) -> [u32; 2] {
    Color::BOTH.map(|color| position.side(color).len())
}
