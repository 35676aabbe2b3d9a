//! Seed files: the scores of a solved signature that other signatures look up, so that a job can begin
//! without the tables of everything below it. `SEEDS.md` beside this crate describes the format.

use crate::parallel;
use crate::profile::{CpuScope, Phase, Profile};
use crate::solve::{Demand, DemandOf};
use crate::{GenError, Solvable};
use blake3::Hasher;
use damka_probe::Table;
use damka_system::{AtomicFile, open};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Version of the format and the contents. Incremented when scores, their order or the numbering of
/// placements change.
const VERSION: u32 = 1;

/// The length of a chunk before it is compressed, in bytes; the last one may be shorter.
const CHUNK: usize = 1 << 20;

/// The number of chunks that are compressed or decompressed at the same time.
const BATCH: usize = 16;

/// A fast level: files are read once or a few times.
const ZSTD_LEVEL: i32 = 1;

/// The longest first line, in bytes.
const MAX_HEAD: u64 = 1 << 10;

/// Memory for reading or writing a seed file, in bytes.
pub(crate) const SEED_BYTES: u64 = 3 * (BATCH * CHUNK) as u64;

/// The path of a signature's seed file in a directory of tables.
pub(crate) fn seed_path<G: Solvable>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
) -> PathBuf {
    let name = format!("{signature}.{}.seed", metric.name());
    directory.join(signature.game().name()).join(name)
}

/// Why a seed file cannot be used.
#[derive(Debug, Error)]
pub enum SeedError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Values that are needed are missing.
    #[error("it does not have all values that are needed")]
    TooLittle,
    /// It is damaged, or belongs to something else.
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

/// The first line of a seed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeedHead<D> {
    /// The digest of the table with the same values, in hexadecimal digits.
    pub(crate) table: String,
    /// What the file holds.
    pub(crate) held: D,
}

/// The part of the first line that does not depend on the values.
fn identity<G: Solvable>(signature: &Signature<G>, metric: Metric) -> String {
    let game = signature.game();
    let (name, rules, index) = (game.name(), game.rules_version(), G::INDEX_VERSION);
    format!("damka seed {VERSION} {name} {rules} {index} {signature} {}", metric.name())
}

impl<D: Demand> SeedHead<D> {
    fn line<G: Solvable>(&self, signature: &Signature<G>, metric: Metric) -> String {
        format!("{} {} {}\n", identity(signature, metric), self.table, self.held)
    }

    fn parse<G: Solvable>(
        line: &str,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<Self, SeedError> {
        let rest = line.strip_prefix(&identity(signature, metric)).ok_or(SeedError::Unusable(
            "it was made by another version, or for another signature or metric",
        ))?;
        let mut words = rest.split_ascii_whitespace();
        let (table, held) = (words.next(), words.next());
        let held = held.and_then(D::parse).filter(|_| words.next().is_none());
        let (Some(table), Some(held)) = (table, held) else {
            return Err(SeedError::Unusable("its first line is damaged"));
        };
        Ok(SeedHead { table: table.to_owned(), held })
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

impl SeedWriter<'_> {
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

    /// Compresses and writes what has been collected.
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

    /// Writes the rest and the digest.
    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.put(&[0; 8])?;
        let digest = self.hasher.finalize();
        self.out.write_all(digest.as_bytes())?;
        self.out.flush()
    }
}

/// Writes a signature's seed file in `directory`. `fill` writes the scores. The file gets its name when it
/// is complete and synced. Returns its path.
///
/// # Errors
/// Fails if it cannot be written.
pub(crate) fn write<G: Solvable, D: Demand>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
    head: &SeedHead<D>,
    profile: &Profile,
    fill: impl FnOnce(&mut SeedWriter<'_>) -> io::Result<()> + Send,
) -> Result<PathBuf, GenError> {
    let path = seed_path(directory, signature, metric);
    let file = AtomicFile::create(&path).map_err(GenError::io("create", &path))?;
    let write = || {
        let out = BufWriter::with_capacity(1 << 20, file.file());
        let mut writer = SeedWriter { out, hasher: Hasher::new(), chunks: Vec::new() };
        writer.put(head.line(signature, metric).as_bytes())?;
        fill(&mut writer)?;
        writer.finish()
    };
    profile
        .time(Phase::Compress, CpuScope::Process, write)
        .and_then(|()| file.publish())
        .map_err(GenError::io("write", &path))?;
    Ok(path)
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

impl SeedReader<'_> {
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
            return Err(SeedError::Unusable("it holds less than it should"));
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
    fn finish(mut self) -> Result<(), SeedError> {
        if !self.chunks.is_empty() || !self.ended && self.lengths()? != [0, 0] {
            return Err(SeedError::Unusable("it holds more than it should"));
        }
        let expected = self.hasher.finalize();
        let digest = self.take(blake3::OUT_LEN)?;
        let is_at_end = self.input.fill_buf()?.is_empty();
        if is_at_end && digest == expected.as_bytes() { Ok(()) } else { Err(DAMAGED) }
    }
}

/// Reads the first line of a signature's seed file.
///
/// # Errors
/// Fails if it cannot be read, or belongs to something else.
pub(crate) fn read_head<G: Solvable, D: Demand>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
) -> Result<SeedHead<D>, SeedError> {
    let mut input = BufReader::new(open(&seed_path(directory, signature, metric))?);
    head_of(&mut input, &mut Hasher::new(), signature, metric)
}

fn head_of<G: Solvable, D: Demand>(
    input: &mut impl BufRead,
    hasher: &mut Hasher,
    signature: &Signature<G>,
    metric: Metric,
) -> Result<SeedHead<D>, SeedError> {
    let mut line = Vec::new();
    input.take(MAX_HEAD).read_until(b'\n', &mut line)?;
    hasher.update(&line);
    let line = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
    SeedHead::parse(line.ok_or(SeedError::Unusable("it has no first line"))?, signature, metric)
}

/// Reads a signature's seed file. `take` receives the parsed first line and a reader, with which it
/// reads the scores. Its result is returned only if the whole file is sound.
///
/// # Errors
/// Fails if the file cannot be read, is damaged, or `take` fails.
pub(crate) fn read<G: Solvable, D: Demand, R>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
    take: impl FnOnce(SeedHead<D>, &mut SeedReader<'_>) -> Result<R, SeedError>,
) -> Result<R, SeedError> {
    let file = open(&seed_path(directory, signature, metric))?;
    let mut input = BufReader::with_capacity(1 << 20, file);
    let mut hasher = Hasher::new();
    let head = head_of(&mut input, &mut hasher, signature, metric)?;
    let chunks = VecDeque::new();
    let mut reader = SeedReader { input: &mut input, hasher, chunks, read: 0, ended: false };
    let result = take(head, &mut reader)?;
    reader.finish()?;
    Ok(result)
}

/// Whether the directory has a seed file that matches the signature's table there and covers
/// `demand`; true if nothing is in demand.
pub(crate) fn has_seed<G: Solvable>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
    demand: &DemandOf<G>,
) -> bool {
    let is_of_table = |head: SeedHead<DemandOf<G>>| {
        let table = Table::open(directory, *signature, metric);
        head.held.covers(demand) && table.is_ok_and(|t| t.header().digest_hex() == head.table)
    };
    demand.is_nothing() || read_head(directory, signature, metric).is_ok_and(is_of_table)
}
