#[cfg(unix)]
use crate::ProbeError;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
#[cfg(unix)]
use std::io;
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
    let path = directory.join(game.name());
    let files = match std::fs::read_dir(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(|error| ProbeError::Io { path: path.clone(), error })?,
    };
    let mut found = Vec::new();
    for file in files {
        let name = file.map_err(|error| ProbeError::Io { path: path.clone(), error })?.file_name();
        let name = name.to_string_lossy();
        let Some((stem, ending)) = name.split_once('.') else { continue };
        let signature = Signature::parse(game, stem).ok();
        let named = signature
            .filter(|signature| signature.can_have_table() && signature.to_string() == stem);
        if Metric::ALL.into_iter().any(|metric| metric.name() == ending) {
            found.extend(named);
        }
    }
    found.sort_by_key(|signature| (signature.pieces(), *signature));
    found.dedup();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_understands_what_names_a_directory() {
        for (directory, option) in [
            ("", ""),
            ("/var/lib/damka", " --tables /var/lib/damka"),
            ("my tables", " --tables 'my tables'"),
            ("it's $HOME", r" --tables 'it'\''s $HOME'"),
        ] {
            assert_eq!(tables_option(Path::new(directory)), option);
        }
    }
}
