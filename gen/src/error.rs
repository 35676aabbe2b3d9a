use damka_probe::ProbeError;
use damka_system::{NoMemory, Size, file_name};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why tables could not be generated or verified. Finished tables are kept.
///
/// The text names files but not their directories, so that a server can show it to its users; the
/// field `path` has the whole path.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GenError {
    /// A stop was requested.
    #[error("interrupted")]
    Interrupted,
    /// The work needs more memory than is allowed.
    #[error("{signature} needs {} of memory, but only {} are allowed", Size(*.needed), Size(*.allowed))]
    Memory {
        /// The signature that needs most.
        signature: String,
        /// The memory that it needs, in bytes.
        needed: u64,
        /// The memory that is allowed, in bytes.
        allowed: u64,
    },
    /// A large array could not be allocated.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// The tables, or the files that are needed while they are built, do not fit on the disk.
    #[error(
        "the tables need about {}, and scratch files and journals at most {} while they are built, \
         but the disk has only {} free",
        Size(*.tables), Size(*.scratch), Size(*.free)
    )]
    Disk {
        /// The directory for the tables.
        directory: PathBuf,
        /// The space for the tables, in bytes.
        tables: u64,
        /// The space for scratch files and journals, in bytes.
        scratch: u64,
        /// The free space, in bytes.
        free: u64,
    },
    /// An operation on a file or directory failed.
    #[error("cannot {action} {}: {error}", file_name(path))]
    Io {
        /// The operation, as a verb.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// Signatures that are looked up have not been built.
    #[error("not built yet, neither as tables nor as seed files: {}", .missing.join(", "))]
    MissingInputs {
        /// The signatures that have neither a table nor a seed file.
        missing: Vec<String>,
        /// The directory of tables in which they were looked for.
        directory: PathBuf,
    },
    /// Best play takes longer than the solver can represent.
    #[error(
        "{signature} has a win in more than {longest} plies, the longest distance that can be solved"
    )]
    TooLong {
        /// The signature.
        signature: String,
        /// The longest distance that can be solved, in plies.
        longest: u16,
    },
    /// No man can advance this far.
    #[error("no man can advance {steps} steps without promoting")]
    AdvanceTooFar {
        /// The number of steps.
        steps: u32,
    },
    /// A table that was just written reads back differently.
    #[error("{} does not hold what was written to it; the disk may be failing", file_name(path))]
    ReadBack {
        /// The file.
        path: PathBuf,
    },
    /// Positions were missed or counted twice.
    #[error(
        "{signature} was solved incorrectly: counted {counted} positions instead of \
         {placements}; the result was discarded. The memory may be failing"
    )]
    Counts {
        /// The signature.
        signature: String,
        /// The number of positions counted.
        counted: u64,
        /// The number of positions that exist.
        placements: u64,
    },
    /// A required table could not be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl GenError {
    /// The file or directory that the error concerns, if any.
    pub fn path(&self) -> Option<&Path> {
        match self {
            GenError::Io { path, .. } | GenError::ReadBack { path } => Some(path),
            GenError::Disk { directory, .. } => Some(directory),
            GenError::Probe(error) => error.path(),
            _ => None,
        }
    }

    /// Wraps an I/O error with the operation and its path.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> GenError {
        let path = path.into();
        move |error| GenError::Io { action, path, error }
    }
}
