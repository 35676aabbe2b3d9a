use crate::{GenError, Phase};
use damka_tables::metric::Metric;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An event during the generation or verification of tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The plan is complete.
    Planned {
        /// The number of signatures for which tables must be built.
        signatures: usize,
        /// The number of signatures that already have all tables.
        present: usize,
        /// The number of positions to process, both sides to move.
        positions: u64,
        /// The memory needed, in bytes.
        memory: u64,
        /// The size of the files to write, in bytes.
        disk: u64,
        /// The maximum additional disk space needed during generation, in bytes.
        scratch: u64,
        /// The estimated time, in seconds.
        seconds: f64,
    },
    /// Another process is generating in the same directory; this one waits for it.
    Waiting {
        /// The signature that both are to build; `None` if one of them locks the whole directory.
        signature: Option<String>,
    },
    /// An existing table is damaged and will be rebuilt.
    Damaged {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A journal of unfinished work cannot be used. It has been dropped, and its signature is
    /// solved from the start.
    JournalDropped {
        /// Its file.
        path: PathBuf,
        /// Which journal, and why.
        message: String,
    },
    /// A seed file cannot be used. Its contents are made again from tables.
    SeedDropped {
        /// Its file.
        path: PathBuf,
        /// Which seed file, and why.
        message: String,
    },
    /// Work on a signature starts.
    Started {
        /// The signature.
        signature: String,
    },
    /// Work has advanced.
    Advanced {
        /// The positions done so far, of all signatures.
        done: u64,
        /// All positions of the plan.
        total: u64,
        /// The fraction of the current signature that is done, from 0 to 1; `None` if work does not
        /// proceed by signature.
        signature_share: Option<f64>,
        /// The fraction of all work that is done, from 0 to 1, weighted by the time planned for
        /// each signature.
        share: f64,
    },
    /// A signature is finished.
    Finished {
        /// The signature.
        signature: String,
        /// Its positions, both sides to move.
        positions: u64,
        /// The size of the files written for it, in bytes.
        bytes: u64,
        /// The processor time of each phase, summed over all threads, in the order of
        /// [`Phase::ALL`](crate::Phase::ALL).
        times: [Duration; Phase::ALL.len()],
        /// The processor time that the plan estimated.
        planned: Duration,
    },
    /// A table has been [halved](crate::Options::half).
    Halved {
        /// The signature.
        signature: String,
        /// The metric of the table.
        metric: Metric,
        /// The size of the file before, in bytes.
        before: u64,
        /// The size of the file now, in bytes.
        bytes: u64,
    },
    /// All requested tables exist.
    Done {
        /// The number of signatures built.
        signatures: usize,
        /// The number of tables written.
        tables: usize,
        /// The positions of these signatures, both sides to move.
        positions: u64,
        /// The size of the files written, in bytes.
        bytes: u64,
        /// The directory of the files.
        directory: PathBuf,
        /// The elapsed time.
        elapsed: Duration,
    },
}

/// A receiver of events.
pub trait Progress: Sync {
    /// Handles an event. Called from any thread, a few times a second.
    fn event(&self, event: Event);
}

/// Ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn event(&self, _: Event) {}
}

/// A request to stop, shared by all clones. Can be set from a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Requests a stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop has been requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Checks whether a stop has been requested; called regularly in long work.
    ///
    /// # Errors
    /// Fails with [`GenError::Interrupted`] if a stop has been requested.
    pub(crate) fn check(&self) -> Result<(), GenError> {
        match self.is_requested() {
            true => Err(GenError::Interrupted),
            false => Ok(()),
        }
    }
}
