use thiserror::Error;

/// Memory could not be allocated; all numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoMemory {
    /// More than this process may use.
    #[error(
        "{} MiB of memory requested, but there are only {} MiB",
        requested >> 20,
        available >> 20
    )]
    ExceedsMemory {
        /// The amount requested.
        requested: u64,
        /// The amount available to the process.
        available: u64,
    },
    /// The system refused to allocate this amount.
    #[error("cannot allocate {} MiB of memory", .0.div_ceil(1 << 20))]
    AllocationFailed(u64),
}
