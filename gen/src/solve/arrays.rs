//! Large byte arrays, in memory or in a memory-mapped scratch file.

#![allow(unsafe_code)]

use super::footprint::Footprint;
use crate::GenError;
use damka_system::{NoMemory, reserve, resident_memory};
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Smaller arrays (in bytes) stay in memory even if there is a scratch directory.
const MIN_MAPPED_BYTES: u64 = 1 << 24;

/// An array of bytes, initially all 0.
pub(super) enum LargeArray {
    Memory(MmapMut),
    File(Arc<MmapRaw>),
}

impl fmt::Debug for LargeArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl LargeArray {
    /// Space for an array of `bytes` bytes; `spill` means that there is a scratch directory.
    pub(super) fn footprint(bytes: u64, spill: bool) -> Footprint {
        match spill && bytes >= MIN_MAPPED_BYTES {
            true => Footprint { memory: 0, scratch: bytes },
            false => Footprint { memory: bytes, scratch: 0 },
        }
    }

    /// Allocates `len` bytes; in a scratch file if `scratch` is given and the array is large. The
    /// file is unnamed, so the system removes it when the process ends, however it ends.
    ///
    /// # Errors
    /// Fails if the system refuses the memory, the disk is full, or the file cannot be mapped.
    pub(super) fn new(len: usize, scratch: Option<&ScratchFiles>) -> Result<LargeArray, GenError> {
        match scratch.filter(|_| len as u64 >= MIN_MAPPED_BYTES) {
            // Pages that are never written take no memory, and a refused allocation is an error,
            // not an abort.
            None => MmapMut::map_anon(len)
                .map(LargeArray::Memory)
                .map_err(|_| NoMemory::AllocationFailed(len as u64).into()),
            Some(scratch) => LargeArray::in_file(len, scratch)
                .map_err(GenError::io("keep large arrays in", &scratch.directory)),
        }
    }

    fn in_file(len: usize, scratch: &ScratchFiles) -> io::Result<LargeArray> {
        let file = tempfile::tempfile_in(&scratch.directory)?;
        // Allocate all blocks now: a write through the map must not find the disk full.
        reserve(&file, len as u64)?;
        let map = Arc::new(MmapOptions::new().len(len).map_raw(&file)?);
        let mut maps = scratch.maps.lock().unwrap_or_else(|lock| lock.into_inner());
        maps.retain(|map| map.strong_count() > 0);
        maps.push(Arc::downgrade(&map));
        Ok(LargeArray::File(map))
    }
}

impl Deref for LargeArray {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            LargeArray::Memory(bytes) => bytes,
            // SAFETY: the map is as long as it says and holds plain bytes. Its file has no name and
            // no other process has it open, so it cannot be changed or truncated from outside. It
            // is written only through `deref_mut`, which borrows this array exclusively. The
            // watcher does not access the contents.
            LargeArray::File(map) => unsafe { std::slice::from_raw_parts(map.as_ptr(), map.len()) },
        }
    }
}

impl DerefMut for LargeArray {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            LargeArray::Memory(bytes) => bytes,
            LargeArray::File(map) => {
                // SAFETY: as above. The only other holders of the map are the scratch directory and
                // its watcher, which do not access the contents.
                unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr(), map.len()) }
            }
        }
    }
}

/// Scratch files for large arrays when memory is short. Touched pages of a map stay in memory as
/// long as the system has no better use for them; a watcher thread releases them whenever the
/// process comes close to its memory limit.
pub(crate) struct ScratchFiles {
    directory: PathBuf,
    maps: Arc<Mutex<Vec<Weak<MmapRaw>>>>,
    /// Dropping this ends the watcher.
    end: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

/// Interval between checks of memory use. In this time two threads touch about 50 MB.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl ScratchFiles {
    /// Scratch files in `directory`, for a process that may use `memory` bytes.
    pub(crate) fn new(directory: &Path, memory: u64) -> ScratchFiles {
        let maps: Arc<Mutex<Vec<Weak<MmapRaw>>>> = Arc::default();
        let (end, ended) = mpsc::channel();
        let watched = Arc::clone(&maps);
        let watch = move || {
            while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if resident_memory().is_some_and(|resident| resident > memory - memory / 16) {
                    release_pages(&watched.lock().unwrap_or_else(|lock| lock.into_inner()));
                }
            }
        };
        ScratchFiles {
            directory: directory.to_owned(),
            maps,
            end: Some(end),
            // If no thread can be started, the system alone decides what stays in memory.
            watcher: thread::Builder::new().spawn(watch).ok(),
        }
    }
}

impl Drop for ScratchFiles {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(watcher) = self.watcher.take() {
            // The watcher does not panic, and an error could not be handled here.
            let _ = watcher.join();
        }
    }
}

/// Releases the resident pages of maps.
fn release_pages(maps: &[Weak<MmapRaw>]) {
    for map in maps.iter().filter_map(Weak::upgrade) {
        // SAFETY: these are shared maps of files: written data stays in the file and is read back
        // from there. Failure is harmless: the pages stay resident.
        #[cfg(unix)]
        let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        // Windows releases the pages by itself when memory is short.
        #[cfg(not(unix))]
        drop(map);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_array_can_be_kept_in_a_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let scratch = ScratchFiles::new(directory.path(), u64::MAX);
        let mut array = LargeArray::new(MIN_MAPPED_BYTES as usize, Some(&scratch)).expect("a file");
        assert!(matches!(array, LargeArray::File(_)));
        array[MIN_MAPPED_BYTES as usize - 1] = 7;
        assert_eq!((array[0], array[MIN_MAPPED_BYTES as usize - 1]), (0, 7));
        // Nothing would be left behind even if this process were killed now.
        assert_eq!(std::fs::read_dir(&directory).expect("a directory").count(), 0);
        let small = LargeArray::new(10, Some(&scratch)).expect("memory");
        assert!(matches!(small, LargeArray::Memory(_)));
        assert_eq!(LargeArray::new(0, None).expect("memory").len(), 0);
    }

    #[test]
    fn a_failed_allocation_reports_the_amount() {
        let error = LargeArray::new(1 << 60, None).expect_err("an exbibyte");
        assert!(error.to_string().contains("1099511627776 MiB"), "{error}");
    }

    #[test]
    fn released_pages_keep_their_contents() {
        let directory = tempfile::tempdir().expect("a directory");
        // Any memory use is above a limit of 0, so the watcher releases pages at every check.
        let scratch = ScratchFiles::new(directory.path(), 0);
        let mut array = LargeArray::new(MIN_MAPPED_BYTES as usize, Some(&scratch)).expect("a file");
        let value = |offset: usize| (offset / 4096 % 251) as u8;
        for offset in (0..array.len()).step_by(4096) {
            array[offset] = value(offset);
        }
        thread::sleep(2 * POLL_INTERVAL);
        assert!((0..array.len()).step_by(4096).all(|offset| array[offset] == value(offset)));
    }
}
