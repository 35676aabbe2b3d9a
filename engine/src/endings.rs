use damka_games::{Color, Game};
use damka_probe::{ProbeError, Tables, list_tables};
use damka_tables::{Layout, Signature, Wdl};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tables, and which of them there are: a search cannot afford to look for files. Engines
/// may share them.
pub struct Endings<G: Game> {
    tables: Arc<Tables<G>>,
    /// Those there are, and whether they have been asked.
    signatures: FxHashMap<Signature<G>, AtomicBool>,
    /// The most pieces of any.
    pieces: u32,
}

impl<G: Layout> Endings<G> {
    /// Looks which tables there are. Those that come later are not used.
    ///
    /// # Errors
    /// Their directory cannot be read.
    pub fn new(tables: Arc<Tables<G>>) -> Result<Endings<G>, ProbeError> {
        let signatures = list_tables::<G>(tables.directory())?;
        let pieces = signatures.iter().map(Signature::pieces).max().unwrap_or(0);
        let signatures = signatures.into_iter().map(|signature| (signature, AtomicBool::default()));
        Ok(Endings { tables, signatures: signatures.collect(), pieces })
    }

    /// The tables.
    pub fn tables(&self) -> &Tables<G> {
        &self.tables
    }

    /// Win, draw or loss for the side to move, if there is a table, and whether that was
    /// asked for the first time: then it is opened, which takes long.
    #[inline]
    pub(crate) fn wdl(&self, position: &G::Position) -> Option<(Wdl, bool)> {
        let count = |color| -> u32 {
            (0..G::KINDS.len()).map(|kind| G::pieces(position, color, kind).count_ones()).sum()
        };
        let [white, black] = Color::BOTH.map(count);
        if white + black > self.pieces || white == 0 || black == 0 {
            return None;
        }
        let (signature, _) = Signature::of(position);
        let asked = self.signatures.get(&signature)?;
        let is_first = !asked.load(Ordering::Relaxed) && !asked.swap(true, Ordering::Relaxed);
        // A damaged table is as good as none.
        Some((self.tables.wdl(position).ok()?, is_first))
    }
}
