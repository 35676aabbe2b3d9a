//! Synchronization primitives of the standard library, or of loom when the cache is checked with
//! it.

#[cfg(not(all(test, loom)))]
mod real {
    pub(crate) use std::sync::atomic::{AtomicU64, AtomicUsize, fence};
    pub(crate) use std::sync::{Arc, Mutex, MutexGuard};

    /// A word that is always zero.
    #[inline(always)]
    pub(crate) fn zero() -> &'static AtomicU64 {
        static ZERO: AtomicU64 = AtomicU64::new(0);
        &ZERO
    }
}

#[cfg(all(test, loom))]
mod model {
    pub(crate) use loom::sync::atomic::{AtomicU64, AtomicUsize, fence};
    pub(crate) use loom::sync::{Arc, Mutex, MutexGuard};

    loom::lazy_static! {
        static ref ZERO: AtomicU64 = AtomicU64::new(0);
    }

    pub(crate) fn zero() -> &'static AtomicU64 {
        &ZERO
    }
}

#[cfg(all(test, loom))]
pub(crate) use model::*;
#[cfg(not(all(test, loom)))]
pub(crate) use real::*;
