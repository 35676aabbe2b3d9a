use damka_games::{Color, Game};
use damka_probe::{ProbeError, Tables, list_tables};
use damka_tables::format::Metric;
use damka_tables::{Layout, Signature, Wdl};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Tables, and which of them there are: a search cannot afford to look for files, or to open
/// them. Engines may share them.
pub struct Endings<G: Game> {
    tables: Arc<Tables<G>>,
    /// Those that tell win, draw or loss.
    signatures: FxHashSet<Signature<G>>,
    /// The most pieces of any.
    pieces: u32,
}

impl<G: Layout> Endings<G> {
    /// Opens all tables that there are, on all processors: each takes up to some
    /// milliseconds, and as much memory as its index. The memory for their blocks is taken
    /// as well, so that no search has to wait for any of this. Tables that come later are not
    /// used, and a damaged one is as good as none.
    ///
    /// # Errors
    /// Their directory cannot be read.
    pub fn new(tables: Arc<Tables<G>>) -> Result<Endings<G>, ProbeError> {
        let there = list_tables::<G>(tables.directory())?;
        let is_open = |signature: &Signature<G>| {
            // Only the root of a search asks for distances, and does without them.
            let _ = tables.preload(signature, Metric::Dtw);
            tables.preload(signature, Metric::Wdl).is_ok()
        };
        let signatures: FxHashSet<_> = there.into_par_iter().filter(is_open).collect();
        tables.claim_cache();
        let pieces = signatures.iter().map(Signature::pieces).max().unwrap_or(0);
        Ok(Endings { tables, signatures, pieces })
    }

    /// The tables.
    pub fn tables(&self) -> &Tables<G> {
        &self.tables
    }

    /// Whether there is a table that has the position.
    #[inline]
    pub(crate) fn has(&self, position: &G::Position) -> bool {
        let count = |color| -> u32 {
            (0..G::KINDS.len()).map(|kind| G::pieces(position, color, kind).count_ones()).sum()
        };
        let [white, black] = Color::BOTH.map(count);
        white + black <= self.pieces
            && white > 0
            && black > 0
            && self.signatures.contains(&Signature::of(position).0)
    }

    /// Win, draw or loss for the side to move, if that follows from blocks that are decoded.
    #[inline]
    pub(crate) fn decoded(&self, position: &G::Position) -> Option<Wdl> {
        let value = self.tables.value_if_decoded(position, Metric::Wdl);
        value.ok().flatten().map(|value| value.wdl())
    }

    /// The same with what has to be read and decoded for it, if there are tables. What is
    /// damaged is as good as missing.
    pub(crate) fn wdl(&self, position: &G::Position) -> Option<Wdl> {
        self.tables.wdl(position).ok()
    }
}
