//! What threads share: of the standard library or, where all that they may do is tried, of
//! loom.

#[cfg(not(all(test, loom)))]
mod real {
    pub(crate) use crate::map::Words;
    pub(crate) use std::sync::atomic::{AtomicU64, AtomicUsize, fence};
    pub(crate) use std::sync::{Arc, Mutex, MutexGuard};

    /// A word that stays zero.
    #[inline(always)]
    pub(crate) fn zero() -> &'static AtomicU64 {
        static ZERO: AtomicU64 = AtomicU64::new(0);
        &ZERO
    }
}

#[cfg(all(test, loom))]
mod model {
    use damka_system::NoMemory;
    pub(crate) use loom::sync::atomic::{AtomicU64, AtomicUsize, fence};
    pub(crate) use loom::sync::{Arc, Mutex, MutexGuard};
    use std::iter::repeat_with;
    use std::ops::Deref;

    loom::lazy_static! {
        static ref ZERO: AtomicU64 = AtomicU64::new(0);
    }

    pub(crate) fn zero() -> &'static AtomicU64 {
        &ZERO
    }

    /// Words that are no map.
    #[derive(Debug)]
    pub(crate) struct Words(Box<[AtomicU64]>);

    impl Words {
        pub(crate) fn new(len: usize) -> Result<Words, NoMemory> {
            Ok(Words(repeat_with(|| AtomicU64::new(0)).take(len).collect()))
        }

        pub(crate) fn claim(&self, _: usize) {}

        pub(crate) fn prefetch(&self, _: usize) {}
    }

    impl Deref for Words {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }
}

#[cfg(all(test, loom))]
pub(crate) use model::*;
#[cfg(not(all(test, loom)))]
pub(crate) use real::*;
