//! The only unsafe code of this crate: mapping files, and large memory with random access and
//! prefetching.
#![allow(unsafe_code)]
#![cfg_attr(all(test, loom), allow(dead_code))]

use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Range;

#[cfg(any(unix, windows))]
pub use words::Words;

/// Maps a whole file for reading.
///
/// The map is sound as long as the file is not changed in place. damka never does this: it writes
/// tables under another name and renames them, so an open map keeps the old file. If a table is
/// truncated while in use, the process is killed by SIGBUS, as with every memory map. Changed bytes
/// are detected by the checksum of their block.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: tables are not changed in place, see above; all their bytes are
    // checked before they are used.
    unsafe { MmapOptions::new().map(file) }
}

/// Tells the system that a map is read at random places, so that it reads nothing ahead. A hint;
/// does nothing outside of Unix.
pub(crate) fn advise_random(map: &Mmap) {
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    #[cfg(not(unix))]
    let _ = map;
}

/// Tells the system that these bytes of a map will soon be read. A hint; does nothing outside of
/// Unix.
pub(crate) fn advise_will_need(map: &Mmap, bytes: Range<u64>) {
    let len = bytes.end.saturating_sub(bytes.start);
    #[cfg(unix)]
    if len > 0 {
        let _ = map.advise_range(memmap2::Advice::WillNeed, bytes.start as usize, len as usize);
    }
    #[cfg(not(unix))]
    let _ = (map, len);
}

#[cfg(any(unix, windows))]
mod words {
    use damka_system::NoMemory;
    use damka_tables::processor::prefetch;
    use memmap2::{MmapOptions, MmapRaw};
    use std::ops::Deref;
    use std::sync::atomic::AtomicU64;

    /// Zeroed memory shared by threads. The system provides it page by page when first written, in
    /// huge pages if possible, which halves the time of a random access.
    #[derive(Debug)]
    pub struct Words {
        map: MmapRaw,
        len: usize,
    }

    impl Words {
        /// `len` words.
        ///
        /// # Errors
        /// Fails if the memory cannot be allocated.
        pub fn new(len: usize) -> Result<Words, NoMemory> {
            let bytes = len.saturating_mul(size_of::<u64>());
            // An empty map is not possible.
            let map = MmapOptions::new().len(bytes.max(1)).no_reserve_swap().map_anon();
            let map = map.map_err(|_| NoMemory::AllocationFailed(bytes as u64))?;
            let map = MmapRaw::from(map);
            // A hint: failure does not matter.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Words { map, len })
        }

        /// Asks the system to provide the memory of the first `len` words now.
        ///
        /// # Panics
        /// If `len` is out of range.
        pub fn claim(&self, len: usize) {
            assert!(len <= self.len, "{len} of {} words", self.len);
            // A hint: failure does not matter.
            #[cfg(target_os = "linux")]
            let _ =
                self.map.advise_range(memmap2::Advice::PopulateWrite, 0, len * size_of::<u64>());
        }

        /// Prefetches a word, if the processor supports it.
        ///
        /// # Panics
        /// If the index is out of range.
        #[inline]
        pub fn prefetch(&self, word: usize) {
            prefetch(&self[word]);
        }
    }

    impl Deref for Words {
        type Target = [AtomicU64];

        #[inline]
        fn deref(&self) -> &[AtomicU64] {
            // SAFETY: the map has room for `len` words, begins at a page and lives as long
            // as `self`. Its bytes are zeros at first, any bytes are a word, and they are
            // reached as these atomic words only.
            unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
        }
    }
}
