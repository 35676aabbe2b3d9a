use crate::Dense;
use damka_probe::{ProbeError, Table};
use damka_tables::format::Metric;
use damka_tables::{Layout, Signature, Value};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// The finished signatures that the one being worked on leads to, in memory.
#[derive(Debug)]
pub struct Library<G> {
    directory: PathBuf,
    metric: Metric,
    known: FxHashMap<Signature<G>, Dense<G>>,
}

impl<G: Layout> Library<G> {
    /// An empty library that loads tables of `metric` from `directory`.
    pub fn new(directory: &Path, metric: Metric) -> Library<G> {
        Library { directory: directory.to_owned(), metric, known: FxHashMap::default() }
    }

    /// Adds a signature.
    pub fn insert(&mut self, dense: Dense<G>) {
        self.known.insert(*dense.signature(), dense);
    }

    /// Loads a table unless it is known, and first everything it leads to.
    ///
    /// # Errors
    /// One of the tables is missing or damaged.
    pub fn load(&mut self, signature: &Signature<G>) -> Result<(), ProbeError> {
        if self.known.contains_key(signature) {
            return Ok(());
        }
        for exit in signature.exits() {
            self.load(&exit)?;
        }
        // A DTW table also knows who wins.
        let table = match Table::open(&self.directory, *signature, self.metric) {
            Err(error) if error.is_missing() && self.metric == Metric::Wdl => {
                Table::open(&self.directory, *signature, Metric::Dtw).map_err(|_| error)
            }
            table => table,
        }?;
        let dense = Dense::load(&table, self)?;
        self.insert(dense);
        Ok(())
    }

    /// Forgets everything but what `keep` wants.
    pub fn retain(&mut self, keep: impl Fn(&Signature<G>) -> bool) {
        self.known.retain(|signature, _| keep(signature));
    }

    /// The value of a position of a known signature, or without opponent.
    ///
    /// # Panics
    /// If the signature is not known.
    #[inline]
    pub fn value(&self, position: &G::Position) -> Value {
        let (signature, side) = Signature::<G>::of(position);
        match self.known.get(&signature) {
            Some(dense) => dense.value(position, side),
            // The side to move has lost its last piece.
            None if signature.materials()[1].total() == 0 => Value::LOST,
            None => panic!("{} {signature} is not in the library", G::NAME),
        }
    }
}
