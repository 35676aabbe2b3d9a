//! The only unsafe code of the workspace: mapping a table's file into memory.
#![allow(unsafe_code)]

use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;

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
