//! The compression of weights in the files of feature weights and of networks.

use crate::file::{FileError, FileKind};
use std::io;

/// Most weights are 0 or close to it and compress well.
const ZSTD_LEVEL: i32 = 19;

/// Compresses the bytes of weights.
///
/// # Errors
/// Compression fails for lack of memory.
pub(super) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, ZSTD_LEVEL)
}

/// The `len` bytes that were packed in a file of this kind.
///
/// # Errors
/// The data cannot be decompressed, or does not have `len` bytes.
pub(super) fn unpack(kind: &FileKind, packed: &[u8], len: usize) -> Result<Vec<u8>, FileError> {
    let bytes = zstd::bulk::decompress(packed, len).ok().filter(|bytes| bytes.len() == len);
    bytes.ok_or_else(|| kind.damaged("the number of weights is wrong"))
}
