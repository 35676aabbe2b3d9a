use damka_probe::{Access, ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;

/// Opens a table with the information of `metric`: the table of `metric` itself, or one of a
/// stronger metric.
///
/// # Errors
/// Fails if there is no such table or it cannot be used.
pub(crate) fn open_for<G: Indexable>(
    directory: &Path,
    signature: Signature<G>,
    metric: Metric,
    access: Access,
) -> Result<Table<G>, ProbeError> {
    let open = |metric| Table::open_with(directory, signature, metric, access);
    match (open(metric), metric.fallback()) {
        (Err(error), Some(other)) if error.is_missing() => open(other).map_err(|_| error),
        (table, _) => table,
    }
}
