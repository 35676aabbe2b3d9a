use damka_probe::ProbeError;
use damka_system::Size;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why tables could not be generated or verified. Finished tables stay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenError {
    /// Somebody asked to stop.
    #[error("interrupted; what is finished is kept")]
    Interrupted,
    /// The work does not fit into the memory that was allowed.
    #[error("{signature} needs {} of memory, but only {} are allowed", Size(*.needed), Size(*.allowed))]
    Memory {
        /// The signature that needs most.
        signature: String,
        /// What it needs, in bytes.
        needed: u64,
        /// What is allowed, in bytes.
        allowed: u64,
    },
    /// The system does not give the memory for a large array, in bytes.
    #[error("the system does not give {} MiB of memory", .0.div_ceil(1 << 20))]
    NoMemory(u64),
    /// The tables do not fit on the disk.
    #[error(
        "the tables need about {}, but {} has only {} free",
        Size(*.needed), directory.display(), Size(*.free)
    )]
    Disk {
        /// Where the tables should go.
        directory: PathBuf,
        /// What they need, in bytes.
        needed: u64,
        /// What is free, in bytes.
        free: u64,
    },
    /// A file or directory could not be written.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Best play takes longer than the solver can count.
    #[error(
        "{signature} has a win in more than {longest} plies, more than distances are solved \
         for; where a game is solved without distances, WDL tables alone can be built"
    )]
    TooLong {
        /// The signature.
        signature: String,
        /// The longest distance that can be solved, in plies.
        longest: u16,
    },
    /// No man comes so far.
    #[error("no man comes {steps} steps without being promoted")]
    TooFar {
        /// The steps.
        steps: u32,
    },
    /// A table that has just been written reads back differently.
    #[error("{} does not read back as it was written: is the disk failing?", path.display())]
    ReadBack {
        /// The file.
        path: PathBuf,
    },
    /// Some positions were not counted, or twice.
    #[error(
        "{signature} was solved wrongly: {counted} positions where there are {placements}; \
         nothing of it was kept. Is the memory failing?"
    )]
    Counts {
        /// The signature.
        signature: String,
        /// How many positions were counted.
        counted: u64,
        /// How many there are.
        placements: u64,
    },
    /// A table that is needed could not be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl GenError {
    /// Wraps an I/O error with what was tried on which path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> GenError {
        let path = path.into();
        move |error| GenError::Io { action, path, error }
    }
}
