use thiserror::Error;

/// The memory that was asked for cannot be had; all numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoMemory {
    /// There is not that much for this process.
    #[error("{} MiB of memory wanted, but there are only {}", wanted >> 20, there >> 20)]
    TooMuch {
        /// What was asked for.
        wanted: u64,
        /// What there is.
        there: u64,
    },
    /// The system does not give it.
    #[error("{} MiB of memory wanted, but the system does not give them", .0.div_ceil(1 << 20))]
    NotGiven(u64),
}
