//! Stamps: what is known of a signature's files, so that they need not be read again to learn that they are
//! sound. A stamp is a small text beside them, `.KKMvK.stamp`:
//!
//! ```text
//! damka stamp 1
//! file KKMvK.wdl 23111 1764092532041277113 <digest>
//! input KKvK.wdl <digest>
//! ```
//!
//! A line for each table has its length in bytes, the time of its last change in nanoseconds since 1970,
//! and the digest of its values; a line for each signature that one move leads to has the digest of the
//! table whose values were looked up. What another program has changed since, or a stamp that cannot be
//! read, is not trusted: the tables are read again.

use crate::Solvable;
use damka_probe::{Table, table_path};
use damka_system::{AtomicFile, read_whole};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const FIRST_LINE: &str = "damka stamp 1";

/// A file that was changed so shortly before its stamp was written may have been changed again without
/// another time of change.
const TICK: Duration = Duration::from_millis(20);

/// What is known of the files of a signature.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Length, time of change and digest of tables, by their names.
    files: BTreeMap<String, (u64, u128, String)>,
    /// The digests of the tables whose values were looked up, by their names.
    pub(crate) inputs: BTreeMap<String, String>,
    /// When the stamp was written; `None` if it has not been.
    written: Option<SystemTime>,
}

/// The path of the stamp of a signature in a directory of tables.
fn path<G: Solvable>(directory: &Path, signature: &Signature<G>) -> PathBuf {
    directory.join(signature.game().name()).join(format!(".{signature}.stamp"))
}

/// The name of a table.
pub(crate) fn name_of<G: Solvable>(signature: &Signature<G>, metric: Metric) -> String {
    format!("{signature}.{}", metric.name())
}

/// The length of a file, and the time of its last change.
fn state_of(path: &Path) -> Option<(u64, SystemTime)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn nanoseconds(time: SystemTime) -> u128 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

impl Stamp {
    /// The stamp of a signature in a directory of tables; empty if there is none that can be read.
    pub(crate) fn read<G: Solvable>(directory: &Path, signature: &Signature<G>) -> Stamp {
        let path = path(directory, signature);
        let text = read_whole(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let written = state_of(&path).map(|(_, modified)| modified);
        let stamp = text.and_then(|text| Stamp::parse(&text)).unwrap_or_default();
        Stamp { written, ..stamp }
    }

    fn parse(text: &str) -> Option<Stamp> {
        let mut stamp = Stamp::default();
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return None;
        }
        for line in lines {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["file", name, len, changed, digest] => {
                    let file = (len.parse().ok()?, changed.parse().ok()?, digest.to_owned());
                    stamp.files.insert(name.to_owned(), file);
                }
                ["input", name, digest] => {
                    stamp.inputs.insert(name.to_owned(), digest.to_owned());
                }
                _ => return None,
            }
        }
        Some(stamp)
    }

    /// A stamp for the tables of a signature under these metrics, which are sound; those that are not
    /// there are left out.
    pub(crate) fn of<G: Solvable>(
        directory: &Path,
        signature: &Signature<G>,
        metrics: &[Metric],
        inputs: BTreeMap<String, String>,
    ) -> Stamp {
        let mut stamp = Stamp { inputs, ..Stamp::default() };
        for &metric in metrics {
            let state = state_of(&table_path(directory, signature, metric));
            let table = Table::open(directory, *signature, metric);
            if let (Some((len, changed)), Ok(table)) = (state, table) {
                let file = (len, nanoseconds(changed), table.header().digest_hex());
                stamp.files.insert(name_of(signature, metric), file);
            }
        }
        stamp
    }

    /// Whether this one, of tables that are there, is to replace `old`.
    pub(crate) fn adds_to(&self, old: &Stamp) -> bool {
        let is_known = |(name, file)| old.files.get(name) == Some(file);
        !self.files.iter().all(is_known)
    }

    /// Writes the stamp. Nothing depends on it, so it is not synced.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub(crate) fn write<G: Solvable>(
        &self,
        directory: &Path,
        signature: &Signature<G>,
    ) -> io::Result<()> {
        let mut text = format!("{FIRST_LINE}\n");
        for (name, (len, changed, digest)) in &self.files {
            text += &format!("file {name} {len} {changed} {digest}\n");
        }
        for (name, digest) in &self.inputs {
            text += &format!("input {name} {digest}\n");
        }
        let file = AtomicFile::create(&path(directory, signature))?;
        file.file().write_all(text.as_bytes())?;
        file.publish_unsynced()
    }

    /// Whether an open table is known to be sound: it has not changed since it was written or read whole.
    pub(crate) fn vouches_for<G: Solvable>(&self, table: &Table<G>) -> bool {
        let name = name_of(table.signature(), table.header().metric());
        let Some((len, changed, digest)) = self.files.get(&name) else { return false };
        let Some((now, modified)) = state_of(table.path()) else { return false };
        let is_later = |written: SystemTime| written >= modified + TICK;
        *len == now
            && *changed == nanoseconds(modified)
            && *digest == table.header().digest_hex()
            && self.written.is_some_and(is_later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_stamps_are_refused() {
        let line = "file KvK.wdl 5 6 abc";
        assert!(Stamp::parse(&format!("{FIRST_LINE}\n{line}\n")).is_some());
        for text in ["", "damka stamp 2\n", line, "damka stamp 1\nfile KvK.wdl x 6 abc\n"] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
        assert_eq!(Stamp::parse("damka stamp 1\nfile KvK.wdl 5 6\n"), None);
    }
}
