use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;
use std::path::PathBuf;

/// The name of the table of `signature` under `metric`: `<game>/<signature>.<metric>`.
pub fn table_name<G: Indexable>(signature: &Signature<G>, metric: Metric) -> String {
    format!("{}/{signature}.{}", signature.game().name(), metric.name())
}

/// Where the table of `signature` under `metric` is in a directory of tables:
/// `<directory>/<game>/<signature>.<metric>`.
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
