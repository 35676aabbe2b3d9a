//! The manifest of a game's directory: a record of sound tables, so that they need not be read
//! again to check them. It is a text file, `.manifest`, to which each process adds lines:
//!
//! ```text
//! KKvM.wdl 723 1764092532041277113 1764092532093100542 <digest> KvM=<digest> KKvK=<digest>
//! ```
//!
//! A line has the name of a table, its length in bytes, the time of its last change and the time when
//! the line was written, both in nanoseconds since 1970, the digest of its values, and the digests of
//! the tables whose values were looked up for it. If a table has several lines, the last one is valid.
//! A line that cannot be parsed, or whose table has changed since, is ignored: the table is read again.

use crate::{GenError, Solvable};
use damka_probe::{Table, table_path};
use damka_system::{final_name_of, open_own_file, read_whole, write_atomically};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Timestamp granularity, in ns: a table modified this shortly before its line was written may have
/// been modified again unnoticed.
const TICK: u128 = 20_000_000;

/// The digests of tables, by signatures.
pub(crate) type Digests = BTreeMap<String, String>;

/// The lines of a manifest, by the names of the tables.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    tables: BTreeMap<String, Entry>,
    lines: usize,
}

/// The line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    len: u64,
    modified: u128,
    recorded: u128,
    digest: String,
    inputs: Digests,
}

/// The name of a table.
fn name_of<G: Solvable>(signature: &Signature<G>, metric: Metric) -> String {
    format!("{signature}.{}", metric.name())
}

/// The name of the file.
const NAME: &str = ".manifest";

fn path<G: Solvable>(game: G, directory: &Path) -> PathBuf {
    directory.join(game.name()).join(NAME)
}

/// Whether this is the name of the temporary file of a manifest, which a killed process leaves behind.
pub(crate) fn is_unfinished(name: &str) -> bool {
    final_name_of(name) == Some(NAME)
}

fn nanoseconds(time: SystemTime) -> u128 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

/// The length of a file, and the time of its last change.
fn state_of(path: &Path) -> io::Result<(u64, u128)> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.len(), nanoseconds(metadata.modified()?)))
}

impl Entry {
    fn line(&self, name: &str) -> String {
        let Entry { len, modified, recorded, digest, inputs } = self;
        let mut line = format!("{name} {len} {modified} {recorded} {digest}");
        inputs.iter().for_each(|(signature, digest)| line += &format!(" {signature}={digest}"));
        line + "\n"
    }

    /// The name and the entry of a line.
    fn parse(line: &str) -> Option<(String, Entry)> {
        let mut words = line.split(' ');
        let name = words.next()?.to_owned();
        let (len, modified) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let recorded = words.next()?.parse().ok()?;
        let digest = words.next().filter(|digest| !digest.is_empty())?.to_owned();
        let input = |word: &str| {
            word.split_once('=').map(|(signature, digest)| (signature.into(), digest.into()))
        };
        let inputs = words.map(input).collect::<Option<_>>()?;
        Some((name, Entry { len, modified, recorded, digest, inputs }))
    }
}

impl Manifest {
    /// The manifest of a game in a directory of tables; empty if there is none that can be read.
    pub(crate) fn read<G: Solvable>(game: G, directory: &Path) -> Manifest {
        let bytes = read_whole(&path(game, directory)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let tables = text.lines().filter_map(Entry::parse).collect();
        Manifest { tables, lines: text.lines().count() }
    }

    /// Whether an open table is known to be sound: it has not changed since it was written or read whole.
    pub(crate) fn vouches_for<G: Solvable>(&self, table: &Table<G>) -> bool {
        let entry = self.tables.get(&name_of(table.signature(), table.header().metric()));
        let state = state_of(table.path());
        let (Some(entry), Ok((len, modified))) = (entry, state) else { return false };
        (entry.len, entry.modified) == (len, modified)
            && entry.recorded >= modified + TICK
            && entry.digest == table.header().digest_hex()
    }

    /// The digests of the tables whose values were looked up for a table; empty if not known.
    pub(crate) fn inputs<G: Solvable>(&self, signature: &Signature<G>, metric: Metric) -> Digests {
        let entry = self.tables.get(&name_of(signature, metric));
        entry.map(|entry| entry.inputs.clone()).unwrap_or_default()
    }

    /// Removes the lines that cannot be parsed or that a later line of the same table replaces. No
    /// other process may use the directory.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub(crate) fn compact<G: Solvable>(game: G, directory: &Path) -> Result<(), GenError> {
        let manifest = Manifest::read(game, directory);
        if manifest.lines == manifest.tables.len() {
            return Ok(());
        }
        let lines = manifest.tables.iter().map(|(name, entry)| entry.line(name));
        let (path, text) = (path(game, directory), lines.collect::<String>());
        write_atomically(&path, text.as_bytes()).map_err(GenError::io("write", &path))
    }
}

/// Records that the existing tables of a signature under these metrics are sound, and what they
/// were made from.
///
/// # Errors
/// Fails if a table or the manifest cannot be read, or the manifest cannot be written.
pub(crate) fn record<G: Solvable>(
    directory: &Path,
    signature: &Signature<G>,
    metrics: &[Metric],
    inputs: &Digests,
) -> Result<(), GenError> {
    let mut lines = String::new();
    for &metric in metrics {
        let path = table_path(directory, signature, metric);
        let (len, modified) = state_of(&path).map_err(GenError::io("read", &path))?;
        let table = Table::open(directory, *signature, metric)?;
        let recorded = nanoseconds(SystemTime::now());
        let (digest, inputs) = (table.header().digest_hex(), inputs.clone());
        let entry = Entry { len, modified, recorded, digest, inputs };
        lines += &entry.line(&name_of(signature, metric));
    }
    let path = path(signature.game(), directory);
    let mut append = || {
        let mut file = open_own_file(&path)?;
        // Other processes may be adding lines.
        file.lock()?;
        let end = file.seek(SeekFrom::End(0))?;
        if end > 0 {
            // A process may have been killed while it wrote a line.
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                lines.insert(0, '\n');
            }
        }
        file.write_all(lines.as_bytes())
    };
    append().map_err(GenError::io("write", &path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let inputs = Digests::from([("KvK".to_owned(), "cd".to_owned())]);
        let entry = Entry { len: 5, modified: 6, recorded: 7, digest: "ab".to_owned(), inputs };
        let line = entry.line("KKvK.wdl");
        assert_eq!(line, "KKvK.wdl 5 6 7 ab KvK=cd\n");
        assert_eq!(Entry::parse(line.trim_end()), Some(("KKvK.wdl".to_owned(), entry)));
    }

    #[test]
    fn malformed_lines_are_skipped() {
        for text in ["", "KvK.wdl", "KvK.wdl 5 6 7", "KvK.wdl x 6 7 ab", "KvK.wdl 5 6 7 ab KvK"] {
            assert_eq!(Entry::parse(text), None, "{text}");
        }
    }
}
