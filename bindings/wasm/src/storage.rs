//! Storage of tables: in chunks, or in whole files. One type for both, as the code for tables is compiled
//! for each type of storage.

use crate::parts::Parts;
use crate::ranges::{RangedFile, RangedFiles};
use damka::Storage;
use damka::chunks::{ChunkSource, ChunkedTables};
use damka::tables::format::Source;
use std::io;

/// A storage from which parts are fetched.
pub(crate) enum Fetched {
    Chunks(ChunkedTables<Parts>),
    Files(RangedFiles),
}

/// The bytes of one of its tables.
pub(crate) enum FetchedBytes {
    Chunks(ChunkSource<Parts>),
    File(RangedFile),
}

impl Storage for Fetched {
    type Source = FetchedBytes;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        match self {
            Fetched::Chunks(chunks) => chunks.list(game),
            Fetched::Files(files) => files.list(game),
        }
    }

    fn open(&self, name: &str) -> io::Result<FetchedBytes> {
        match self {
            Fetched::Chunks(chunks) => chunks.open(name).map(FetchedBytes::Chunks),
            Fetched::Files(files) => files.open(name).map(FetchedBytes::File),
        }
    }
}

impl Source for FetchedBytes {
    fn size(&self) -> u64 {
        match self {
            FetchedBytes::Chunks(bytes) => bytes.size(),
            FetchedBytes::File(bytes) => bytes.size(),
        }
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self {
            FetchedBytes::Chunks(bytes) => bytes.read(offset, len, buffer),
            FetchedBytes::File(bytes) => bytes.read(offset, len, buffer),
        }
    }
}
