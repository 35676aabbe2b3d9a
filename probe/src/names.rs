#[cfg(unix)]
use crate::{Access, Files};
use crate::{ProbeError, Storage};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;

/// The name of the table of `signature` under `metric`: `<game>/<signature>.<metric>`.
pub fn table_name<G: Indexable>(signature: &Signature<G>, metric: Metric) -> String {
    format!("{}/{signature}.{}", signature.game().name(), metric.name())
}

/// Where the table of `signature` under `metric` is in a directory of tables:
/// `<directory>/<game>/<signature>.<metric>`.
#[cfg(unix)]
pub fn table_path<G: Indexable>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
) -> PathBuf {
    directory.join(table_name(signature, metric))
}

/// What is added to a command that is told to people so that it is about a directory of tables, as a
/// shell understands it: ` --tables DIR`. Nothing where there is no name, as for tables in memory.
pub fn tables_option(directory: &Path) -> String {
    let name = directory.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    match name.chars().all(is_plain) {
        true if name.is_empty() => String::new(),
        true => format!(" --tables {name}"),
        false => format!(" --tables '{}'", name.replace('\'', r"'\''")),
    }
}

/// The signatures of `game` that have a table, of any metric, in a directory of tables, in
/// ascending order of pieces. Files with other names are passed over, as are those of
/// more pieces than a table has.
///
/// # Errors
/// The directory cannot be read. One that does not exist has no tables.
#[cfg(unix)]
pub fn list_tables<G: Indexable>(
    game: G,
    directory: &Path,
) -> Result<Vec<Signature<G>>, ProbeError> {
    let files = Files { directory: directory.to_owned(), access: Access::default() };
    signatures(game, &files)
}

/// The signatures of `game` that have a table, of any metric, in a storage, in ascending order
/// of pieces.
///
/// # Errors
/// The storage cannot be listed.
pub(crate) fn signatures<G: Indexable>(
    game: G,
    storage: &impl Storage,
) -> Result<Vec<Signature<G>>, ProbeError> {
    let names = storage
        .list(game.name())
        .map_err(|error| ProbeError::Io { path: storage.path(game.name()), error })?;
    let mut found = Vec::new();
    for name in names {
        let Some((stem, ending)) = name.split_once('.') else { continue };
        let signature = Signature::parse(game, stem).ok();
        let named = signature
            .filter(|signature| signature.can_have_table() && signature.to_string() == stem);
        if ending.parse::<Metric>().is_ok() {
            found.extend(named);
        }
    }
    found.sort_by_key(|signature| (signature.pieces(), *signature));
    found.dedup();
    Ok(found)
}
