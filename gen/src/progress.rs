use crate::Phase;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What happens while tables are generated or verified.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The work is known.
    Planned {
        /// How many tables' signatures have to be worked on.
        signatures: usize,
        /// How many are there already.
        present: usize,
        /// How many positions have to be worked on, both sides to move.
        positions: u64,
        /// The memory that will be needed, in bytes.
        memory: u64,
        /// The space that the files will need, in bytes.
        disk: u64,
        /// The space that is needed besides while tables are built, at most, in bytes.
        scratch: u64,
        /// The time it may take, in seconds.
        seconds: f64,
    },
    /// Another process is generating in the same directory; this one waits.
    Waiting,
    /// A table that exists is damaged and will be built again.
    Damaged {
        /// What is wrong with it.
        message: String,
    },
    /// A journal of unfinished work cannot be used: it has been dropped, and the work on its
    /// signature begins anew.
    Dropped {
        /// Which one, and why.
        message: String,
    },
    /// Work on a signature begins.
    Started {
        /// The signature.
        signature: String,
    },
    /// Work goes on.
    Advanced {
        /// The positions done so far, of all signatures.
        done: u64,
        /// All positions of the plan.
        total: u64,
        /// The share of the signature being worked on that is done, from 0 to 1;
        /// `None` where the work does not go by signatures.
        signature_share: Option<f64>,
        /// The share of all work that is done, from 0 to 1, by the time that the
        /// plan gives each signature.
        share: f64,
    },
    /// A signature is done.
    Finished {
        /// The signature.
        signature: String,
        /// Its positions, both sides to move.
        positions: u64,
        /// The bytes of the files written for it.
        bytes: u64,
        /// The time of each phase, all threads together, in the order of
        /// [`Phase::ALL`](crate::Phase::ALL).
        times: [Duration; Phase::ALL.len()],
        /// The processor time that the plan gave it.
        planned: Duration,
    },
    /// All tables that were asked for are there.
    Done {
        /// How many signatures were worked on.
        signatures: usize,
        /// How many tables were written.
        tables: usize,
        /// The positions of these signatures, both sides to move.
        positions: u64,
        /// The bytes of the files.
        bytes: u64,
        /// Where they are.
        directory: PathBuf,
        /// How long it took.
        elapsed: Duration,
    },
}

/// Somebody who wants to know what happens.
pub trait Progress: Sync {
    /// Something happened. Called from any thread, a few times a second.
    fn event(&self, event: Event);
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _: Event) {}
}

/// A wish to stop, which may come from a signal handler. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks to stop soon.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
