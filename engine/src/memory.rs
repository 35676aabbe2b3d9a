use sysinfo::{MemoryRefreshKind, RefreshKind, System};
use thiserror::Error;

/// The memory that was asked for cannot be had; all numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoMemory {
    /// The machine has not that much.
    #[error("{} MiB of memory wanted, but there are only {}", wanted >> 20, there >> 20)]
    TooMuch {
        /// What was asked for.
        wanted: u64,
        /// What the machine has.
        there: u64,
    },
    /// The system does not give it.
    #[error("{} MiB of memory wanted, but the system does not give them", .0 >> 20)]
    NotGiven(u64),
}

/// Checks that the machine has so many bytes of memory at all.
///
/// # Errors
/// It has not.
pub fn check_memory(wanted: u64) -> Result<(), NoMemory> {
    let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    // Where the system does not tell, it is tried.
    let there = System::new_with_specifics(kinds).map_or(u64::MAX, |system| system.total_memory());
    if wanted <= there { Ok(()) } else { Err(NoMemory::TooMuch { wanted, there }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_machine_has_all_memory() {
        assert_eq!(check_memory(1), Ok(()));
        let error = check_memory(u64::MAX).expect_err("16 EiB");
        assert!(error.to_string().starts_with("17592186044415 MiB of memory wanted"), "{error}");
    }
}
