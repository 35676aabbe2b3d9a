use damka_probe::{Access, ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;

/// Opens a table with the information of `metric`: the table of `metric` itself, or one that it can
/// be derived from.
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
    match open(metric) {
        Err(error) if error.is_missing() => {
            let others = metric.derived_from().iter().map(|&other| open(other));
            others.filter_map(Result::ok).next().ok_or(error)
        }
        table => table,
    }
}
