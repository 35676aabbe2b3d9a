//! Large arrays of bytes: in memory, or in a scratch file that is mapped into it.

#![allow(unsafe_code)]

use memmap2::MmapMut;
use rustix::fs::{FallocateFlags, fallocate};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::Path;

/// Arrays of fewer bytes stay in memory.
pub(super) const LEAST: u64 = 1 << 28;

/// An array of bytes, all 0 at first.
#[derive(Debug)]
pub(super) enum Cells {
    Memory(Vec<u8>),
    File(MmapMut),
}

impl Cells {
    /// `len` bytes; in a file in `scratch` if there is one and they are many. The
    /// file has no name: it is gone when nobody uses it any more, whatever happens.
    ///
    /// # Errors
    /// There is no room on the disk, or the file cannot be mapped.
    pub(super) fn new(len: usize, scratch: Option<&Path>) -> io::Result<Cells> {
        let Some(directory) = scratch.filter(|_| len as u64 >= LEAST) else {
            return Ok(Cells::Memory(vec![0; len]));
        };
        let file = tempfile::tempfile_in(directory)?;
        // All of it now: writing to a map must not find the disk full.
        fallocate(&file, FallocateFlags::empty(), 0, len as u64)?;
        // SAFETY: the file has no name and is held by nobody else, so nobody can
        // change or shorten it while it is mapped.
        Ok(Cells::File(unsafe { MmapMut::map_mut(&file)? }))
    }
}

impl Deref for Cells {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Cells::Memory(bytes) => bytes,
            Cells::File(map) => map,
        }
    }
}

impl DerefMut for Cells {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Cells::Memory(bytes) => bytes,
            Cells::File(map) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_serves_as_memory() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut cells = Cells::new(LEAST as usize, Some(directory.path())).expect("a file");
        assert!(matches!(cells, Cells::File(_)));
        cells[LEAST as usize - 1] = 7;
        assert_eq!((cells[0], cells[LEAST as usize - 1]), (0, 7));
        // Nothing is left behind, even if this process should be killed now.
        assert_eq!(std::fs::read_dir(&directory).expect("a directory").count(), 0);
        let small = Cells::new(10, Some(directory.path())).expect("memory");
        assert!(matches!(small, Cells::Memory(_)));
    }
}
