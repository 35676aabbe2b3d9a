//! The only unsafe code of this crate: mapping a table's file into memory, and memory
//! that is looked at here and there, fetched ahead.
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
/// The map is sound as long as nobody changes the file in place. damka never
/// does: it writes tables under another name and renames them, so that an open
/// map keeps the old file. Somebody who truncates a table while it is in use
/// makes the process fail with SIGBUS, as with every memory map; bytes that
/// change are noticed by the checksum of the block they are read from.
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

/// Tells the system that these bytes of a map are read soon. A hint; does nothing outside of Unix.
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

    /// Zeros that threads share, in memory of their own: the system gives it page by page
    /// as it is first written to, in large pages if it can, which halves the time that
    /// looking at a random place takes.
    #[derive(Debug)]
    pub struct Words {
        map: MmapRaw,
        len: usize,
    }

    impl Words {
        /// `len` words.
        ///
        /// # Errors
        /// There is not that much memory.
        pub fn new(len: usize) -> Result<Words, NoMemory> {
            let bytes = len.saturating_mul(size_of::<u64>());
            // A map of no bytes is not possible.
            let map = MmapOptions::new().len(bytes.max(1)).no_reserve_swap().map_anon();
            let map = map.map_err(|_| NoMemory::AllocationFailed(bytes as u64))?;
            let map = MmapRaw::from(map);
            // Only a wish.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Words { map, len })
        }

        /// Has the system give the memory of the first `len` words now, if it can be told so.
        ///
        /// # Panics
        /// If there are not so many.
        pub fn claim(&self, len: usize) {
            assert!(len <= self.len, "{len} of {} words", self.len);
            // Only a wish.
            #[cfg(target_os = "linux")]
            let _ =
                self.map.advise_range(memmap2::Advice::PopulateWrite, 0, len * size_of::<u64>());
        }

        /// Has the processor fetch a word that may soon be read, if it can be told so.
        ///
        /// # Panics
        /// If there is no such word.
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
