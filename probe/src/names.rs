use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::{Path, PathBuf};

/// The name of the table of `signature` under `metric`: `<game>/<signature>.<metric>`.
pub fn table_name<G: Indexable>(signature: &Signature<G>, metric: Metric) -> String {
    format!("{}/{signature}.{}", signature.game().name(), metric.name())
}

/// The path of the table of `signature` under `metric` in a directory of tables:
/// `<directory>/<game>/<signature>.<metric>`.
pub fn table_path<G: Indexable>(
    directory: &Path,
    signature: &Signature<G>,
    metric: Metric,
) -> PathBuf {
    directory.join(table_name(signature, metric))
}
