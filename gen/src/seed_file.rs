//! Seed files: the scores of a solved signature that other signatures look up, so that a job need not
//! load the tables of everything that its signature leads to. `SEEDS.md` in this crate's directory
//! describes the format.

use crate::profile::{CpuScope, Phase, Profile};
use crate::seed_scores::{BUFFER, SeedError, SeedReader, SeedWriter};
use crate::solve::{Demand, DemandOf};
use crate::{GenError, Solvable};
use blake3::Hasher;
use damka_probe::Table;
use damka_system::{AtomicFile, open};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Version of the format and the contents. Incremented when scores, their order or the numbering of
/// placements change.
const VERSION: u32 = 1;

/// The maximum length of the first line, in bytes.
const MAX_HEAD: u64 = 1 << 10;

/// The path of a signature's seed file in a directory of tables.
pub(crate) fn seed_path<G: Solvable>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
) -> PathBuf {
    let name = format!("{signature}.{}.seed", metric.name());
    directory.join(signature.game().name()).join(name)
}

/// The first line of a seed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeedHead<D> {
    /// The digest of the table with the same values, in hexadecimal digits.
    pub(crate) table: String,
    /// The scores that the file holds.
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

/// Writes a signature's seed file in `directory`. `fill` writes the scores. The file gets its final
/// name when it is complete and synced. Returns its path.
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
        let mut writer = SeedWriter::begin(file.file(), &head.line(signature, metric))?;
        fill(&mut writer)?;
        writer.finish()
    };
    profile
        .time(Phase::Compress, CpuScope::Process, write)
        .and_then(|()| file.publish())
        .map_err(GenError::io("write", &path))?;
    Ok(path)
}

/// Reads the first line of a signature's seed file.
///
/// # Errors
/// Fails if it cannot be read, or is not for this signature, metric and version.
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
    let mut input = BufReader::with_capacity(BUFFER, file);
    let mut hasher = Hasher::new();
    let head = head_of(&mut input, &mut hasher, signature, metric)?;
    let mut reader = SeedReader::after_line(&mut input, hasher);
    let result = take(head, &mut reader)?;
    reader.finish()?;
    Ok(result)
}

/// Whether the directory has a seed file that matches the signature's table there and covers
/// `demand`; true if `demand` is empty.
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
