use damka_probe::{Access, ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;

/// Opens a table that tells what `metric` tells: that of `metric`, or one that tells more.
///
/// # Errors
/// There is none, or it cannot be used.
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
