use damka_games::{Color, Game};
use damka_probe::{ProbeError, Tables, list_tables};
use damka_tables::{Layout, Signature, Wdl};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Tables, and which there are: a search cannot afford to look for files.
pub(super) struct Served<G: Game> {
    tables: Arc<Tables<G>>,
    signatures: FxHashSet<Signature<G>>,
    /// The most pieces of any.
    pieces: u32,
}

impl<G: Layout> Served<G> {
    /// Looks which tables there are.
    ///
    /// # Errors
    /// Their directory cannot be read.
    pub(super) fn new(tables: Arc<Tables<G>>) -> Result<Served<G>, ProbeError> {
        let signatures = list_tables::<G>(tables.directory())?;
        let pieces = signatures.iter().map(Signature::pieces).max().unwrap_or(0);
        Ok(Served { tables, signatures: signatures.into_iter().collect(), pieces })
    }

    /// The tables.
    pub(super) fn tables(&self) -> &Tables<G> {
        &self.tables
    }

    /// Win, draw or loss for the side to move, if there is a table.
    #[inline]
    pub(super) fn wdl(&self, position: &G::Position) -> Option<Wdl> {
        let count = |color| -> u32 {
            (0..G::KINDS.len()).map(|kind| G::pieces(position, color, kind).count_ones()).sum()
        };
        let [white, black] = Color::BOTH.map(count);
        if white + black > self.pieces || white == 0 || black == 0 {
            return None;
        }
        let (signature, _) = Signature::of(position);
        // A damaged table is as good as none.
        self.signatures.contains(&signature).then(|| self.tables.wdl(position).ok()).flatten()
    }
}
