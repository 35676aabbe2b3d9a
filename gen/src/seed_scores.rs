//! The scores in a seed file: compressed chunks, followed by a digest.

use crate::{GenError, parallel};
use blake3::Hasher;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Read, Write};
use thiserror::Error;

/// The length of a chunk before it is compressed, in bytes; the last one may be shorter.
const CHUNK: usize = 1 << 20;

/// The number of chunks that are compressed or decompressed at the same time.
const BATCH: usize = 16;

/// A fast level: files are read once or a few times.
const ZSTD_LEVEL: i32 = 1;

/// The buffer of an open seed file, in bytes.
pub(crate) const BUFFER: usize = 1 << 20;

/// Memory for reading or writing a seed file, in bytes.
pub(crate) const SEED_BYTES: u64 = 3 * (BATCH * CHUNK) as u64;

/// Why a seed file cannot be used.
#[derive(Debug, Error)]
pub enum SeedError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Values that are needed are missing.
    #[error("it lacks required values")]
    TooLittle,
    /// It is damaged, or was made for another table or by another version.
    #[error("{0}")]
    Unusable(&'static str),
    /// Memory ran out.
    #[error(transparent)]
    Gen(#[from] GenError),
}

impl SeedError {
    /// Whether there is no such file.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, SeedError::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Writes the scores of a seed file, in chunks.
#[derive(Debug)]
pub struct SeedWriter<'a> {
    out: BufWriter<&'a File>,
    hasher: Hasher,
    /// Chunks not written yet; all but the last are full.
    chunks: Vec<Vec<u8>>,
}

impl<'a> SeedWriter<'a> {
    /// Begins a file with its first line.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(crate) fn begin(file: &'a File, line: &str) -> io::Result<SeedWriter<'a>> {
        let out = BufWriter::with_capacity(BUFFER, file);
        let mut writer = SeedWriter { out, hasher: Hasher::new(), chunks: Vec::new() };
        writer.put(line.as_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.out.write_all(bytes)
    }

    /// Appends scores.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(crate) fn write(&mut self, mut scores: &[u8]) -> io::Result<()> {
        while !scores.is_empty() {
            if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
                if self.chunks.len() == BATCH {
                    self.flush()?;
                }
                self.chunks.push(Vec::with_capacity(CHUNK.min(scores.len())));
            }
            let Some(chunk) = self.chunks.last_mut() else { unreachable!("one was pushed") };
            let (now, later) = scores.split_at(scores.len().min(CHUNK - chunk.len()));
            chunk.extend_from_slice(now);
            scores = later;
        }
        Ok(())
    }

    /// Compresses and writes the collected chunks.
    fn flush(&mut self) -> io::Result<()> {
        let compress = |plain: Vec<u8>| {
            let data = zstd::bulk::compress(&plain, ZSTD_LEVEL)?;
            Ok::<_, io::Error>((plain.len(), data))
        };
        for (len, data) in parallel::try_map(std::mem::take(&mut self.chunks), compress)? {
            self.put(&(data.len() as u32).to_le_bytes())?;
            self.put(&(len as u32).to_le_bytes())?;
            self.put(&data)?;
        }
        Ok(())
    }

    /// Writes the remaining chunks and the digest.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.put(&[0; 8])?;
        let digest = self.hasher.finalize();
        self.out.write_all(digest.as_bytes())?;
        self.out.flush()
    }
}

/// Reads the scores of a seed file. They must not be used before the file is known to be
/// [sound](SeedReader::finish).
pub struct SeedReader<'a> {
    input: &'a mut dyn BufRead,
    hasher: Hasher,
    /// Decompressed chunks, and how much of the first one has been read.
    chunks: VecDeque<Vec<u8>>,
    read: usize,
    /// Whether the mark after the last chunk has been read.
    ended: bool,
}

const DAMAGED: SeedError = SeedError::Unusable("it is damaged");

impl<'a> SeedReader<'a> {
    /// A reader of what follows the first line, which has been added to `hasher` already.
    pub(crate) fn after_line(input: &'a mut dyn BufRead, hasher: Hasher) -> SeedReader<'a> {
        SeedReader { input, hasher, chunks: VecDeque::new(), read: 0, ended: false }
    }

    /// Reads bytes of the file.
    fn take(&mut self, len: usize) -> Result<Vec<u8>, SeedError> {
        let mut bytes = Vec::with_capacity(len);
        (&mut self.input).take(len as u64).read_to_end(&mut bytes)?;
        if bytes.len() < len {
            return Err(SeedError::Unusable("it is incomplete"));
        }
        self.hasher.update(&bytes);
        Ok(bytes)
    }

    /// The compressed and the uncompressed length of the next chunk, in bytes.
    fn lengths(&mut self) -> Result<[usize; 2], SeedError> {
        let bytes = self.take(8)?;
        let length = |bytes: &[u8]| bytes.iter().rev().fold(0, |len, &b| len << 8 | usize::from(b));
        Ok([length(&bytes[..4]), length(&bytes[4..])])
    }

    /// Reads and decompresses the next chunks.
    fn fetch(&mut self) -> Result<(), SeedError> {
        let mut data = Vec::new();
        while data.len() < BATCH && !self.ended {
            let [compressed, plain] = self.lengths()?;
            if [compressed, plain] == [0, 0] {
                self.ended = true;
                break;
            }
            if plain == 0 || plain > CHUNK || compressed > zstd::zstd_safe::compress_bound(CHUNK) {
                return Err(DAMAGED);
            }
            data.push((self.take(compressed)?, plain));
        }
        if data.is_empty() {
            return Err(SeedError::Unusable("it ends before the last score"));
        }
        let decompress = |(data, len): (Vec<u8>, usize)| {
            let plain = zstd::bulk::decompress(&data, len).ok();
            plain.filter(|plain| plain.len() == len).ok_or(DAMAGED)
        };
        self.chunks = parallel::try_map(data, decompress)?.into();
        self.read = 0;
        Ok(())
    }

    /// Reads the next scores, as many as `scores` has room for.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is damaged, or has no more scores.
    pub(crate) fn read(&mut self, mut scores: &mut [u8]) -> Result<(), SeedError> {
        while !scores.is_empty() {
            let Some(chunk) = self.chunks.front() else {
                self.fetch()?;
                continue;
            };
            let left = &chunk[self.read..];
            let len = left.len().min(scores.len());
            let (now, later) = scores.split_at_mut(len);
            now.copy_from_slice(&left[..len]);
            scores = later;
            self.read += len;
            if self.read == chunk.len() {
                self.chunks.pop_front();
                self.read = 0;
            }
        }
        Ok(())
    }

    /// Checks that everything has been read and that the digest matches.
    ///
    /// # Errors
    /// Fails if something is left, the digest differs, or the file cannot be read.
    pub(crate) fn finish(mut self) -> Result<(), SeedError> {
        if !self.chunks.is_empty() || !self.ended && self.lengths()? != [0, 0] {
            return Err(SeedError::Unusable("data follows the last score"));
        }
        let expected = self.hasher.finalize();
        let digest = self.take(blake3::OUT_LEN)?;
        let is_at_end = self.input.fill_buf()?.is_empty();
        if is_at_end && digest == expected.as_bytes() { Ok(()) } else { Err(DAMAGED) }
    }
}
