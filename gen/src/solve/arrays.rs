//! Large arrays of bytes: in memory, or in a scratch file that is mapped into it.

#![allow(unsafe_code)]

use super::footprint::Footprint;
use crate::GenError;
use damka_system::{reserve, resident_memory};
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Arrays of fewer bytes stay in memory.
const LEAST: u64 = 1 << 28;

/// An array of bytes, all 0 at first.
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
    /// What an array of `bytes` bytes takes; `spill` says that there is a scratch directory.
    pub(super) fn footprint(bytes: u64, spill: bool) -> Footprint {
        match spill && bytes >= LEAST {
            true => Footprint { memory: 0, scratch: bytes },
            false => Footprint { memory: bytes, scratch: 0 },
        }
    }

    /// `len` bytes; in a file if there is a scratch directory and they are many. The
    /// file has no name: it is gone when nobody uses it any more, whatever happens.
    ///
    /// # Errors
    /// The system does not give the memory; there is no room on the disk, or the file
    /// cannot be mapped.
    pub(super) fn new(len: usize, scratch: Option<&ScratchFiles>) -> Result<LargeArray, GenError> {
        match scratch.filter(|_| len as u64 >= LEAST) {
            // Pages that nobody writes to take no memory; and what cannot be had is an error.
            None => MmapMut::map_anon(len)
                .map(LargeArray::Memory)
                .map_err(|_| GenError::NoMemory(len as u64)),
            Some(scratch) => LargeArray::in_file(len, scratch)
                .map_err(GenError::io("keep large arrays in", &scratch.directory)),
        }
    }

    fn in_file(len: usize, scratch: &ScratchFiles) -> io::Result<LargeArray> {
        let file = tempfile::tempfile_in(&scratch.directory)?;
        // All of it now: writing to a map must not find the disk full.
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
            // SAFETY: the map is as long as it says, and holds bytes. Its file has no
            // name and is held by nobody else, so nobody can change or shorten it; it
            // is written to through `deref_mut` only, which borrows this array alone.
            // The watcher does not touch what is in it.
            LargeArray::File(map) => unsafe { std::slice::from_raw_parts(map.as_ptr(), map.len()) },
        }
    }
}

impl DerefMut for LargeArray {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            LargeArray::Memory(bytes) => bytes,
            LargeArray::File(map) => {
                // SAFETY: as above; and the only other ones that hold the map are the
                // scratch directory and its watcher, which do not touch what is in it.
                unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr(), map.len()) }
            }
        }
    }
}

/// Where large arrays go when memory is short. What has been touched of a map stays
/// in memory, as far as the system has nothing better to do with it; a watcher gives
/// it back whenever the process comes near to the memory that it may use.
pub(crate) struct ScratchFiles {
    directory: PathBuf,
    maps: Arc<Mutex<Vec<Weak<MmapRaw>>>>,
    /// Ends the watcher when it is dropped.
    end: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

/// How often the watcher looks: in this time two threads touch some 50 MB.
const INTERVAL: Duration = Duration::from_millis(20);

impl ScratchFiles {
    /// Scratch files in `directory`, for a process that may use `memory` bytes.
    pub(crate) fn new(directory: &Path, memory: u64) -> ScratchFiles {
        let maps: Arc<Mutex<Vec<Weak<MmapRaw>>>> = Arc::default();
        let (end, ended) = mpsc::channel();
        let watched = Arc::clone(&maps);
        let watcher = thread::spawn(move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if resident_memory().is_some_and(|resident| resident > memory - memory / 16) {
                    give_back(&watched.lock().unwrap_or_else(|lock| lock.into_inner()));
                }
            }
        });
        ScratchFiles {
            directory: directory.to_owned(),
            maps,
            end: Some(end),
            watcher: Some(watcher),
        }
    }
}

impl Drop for ScratchFiles {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(watcher) = self.watcher.take() {
            // It does not panic, and there would be nothing to do about it.
            let _ = watcher.join();
        }
    }
}

/// Gives the memory of maps back.
fn give_back(maps: &[Weak<MmapRaw>]) {
    for map in maps.iter().filter_map(Weak::upgrade) {
        // SAFETY: these are shared maps of files: what was written stays in the file,
        // and is read back from there. A system that will not do it is left alone.
        #[cfg(unix)]
        let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        // Windows takes the memory back by itself when it is short.
        #[cfg(not(unix))]
        drop(map);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_serves_as_memory() {
        let directory = tempfile::tempdir().expect("a directory");
        let scratch = ScratchFiles::new(directory.path(), u64::MAX);
        let mut array = LargeArray::new(LEAST as usize, Some(&scratch)).expect("a file");
        assert!(matches!(array, LargeArray::File(_)));
        array[LEAST as usize - 1] = 7;
        assert_eq!((array[0], array[LEAST as usize - 1]), (0, 7));
        // Nothing is left behind, even if this process should be killed now.
        assert_eq!(std::fs::read_dir(&directory).expect("a directory").count(), 0);
        let small = LargeArray::new(10, Some(&scratch)).expect("memory");
        assert!(matches!(small, LargeArray::Memory(_)));
        assert_eq!(LargeArray::new(0, None).expect("memory").len(), 0);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error_with_the_amount() {
        let error = LargeArray::new(1 << 60, None).expect_err("an exbibyte");
        assert!(error.to_string().contains("1099511627776 MiB"), "{error}");
    }

    #[test]
    fn memory_that_is_given_back_keeps_what_was_written() {
        let directory = tempfile::tempdir().expect("a directory");
        // All memory is too much: the watcher never rests.
        let scratch = ScratchFiles::new(directory.path(), 0);
        let mut array = LargeArray::new(LEAST as usize, Some(&scratch)).expect("a file");
        let value = |offset: usize| (offset / 4096 % 251) as u8;
        for offset in (0..array.len()).step_by(4096) {
            array[offset] = value(offset);
        }
        thread::sleep(2 * INTERVAL);
        assert!((0..array.len()).step_by(4096).all(|offset| array[offset] == value(offset)));
    }
}
