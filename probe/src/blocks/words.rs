//! Large memory with random access, mapped where the system can provide it page by page.

#[cfg(all(any(unix, windows), not(all(test, loom))))]
pub use crate::map::Words;
#[cfg(not(all(any(unix, windows), not(all(test, loom)))))]
pub use heap::Words;

#[cfg(not(all(any(unix, windows), not(all(test, loom)))))]
mod heap {
    use crate::blocks::sync::AtomicU64;
    use damka_system::NoMemory;
    use std::iter::repeat_with;
    use std::ops::Deref;

    /// Zeroed memory shared by threads.
    #[derive(Debug)]
    pub struct Words(Box<[AtomicU64]>);

    impl Words {
        /// `len` words.
        ///
        /// # Errors
        /// Fails if the memory cannot be allocated.
        pub fn new(len: usize) -> Result<Words, NoMemory> {
            let mut words = Vec::new();
            let failed = |_| NoMemory::AllocationFailed(len as u64 * size_of::<u64>() as u64);
            words.try_reserve_exact(len).map_err(failed)?;
            words.extend(repeat_with(|| AtomicU64::new(0)).take(len));
            Ok(Words(words.into()))
        }

        /// Does nothing: the memory has been allocated.
        pub fn claim(&self, _: usize) {}

        /// Does nothing: there is no prefetching here.
        #[inline]
        pub fn prefetch(&self, _: usize) {}
    }

    impl Deref for Words {
        type Target = [AtomicU64];

        #[inline]
        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }
}
