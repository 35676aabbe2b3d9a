//! Verifies tables by an independent method: with the forward move generator only, without any code
//! of the solver.

mod digests;
mod draw;
mod sample;
mod successors;
mod whole;

pub use digests::{DigestList, DigestListError, TableDigest};
pub use sample::Sample;

use crate::request::Request;
use crate::{Event, GenError, Progress, Stop};
use damka_games::{Game, Position};
use damka_probe::{Access, ProbeError, Table};
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What tables are checked against.
#[derive(Clone, Copy, Debug)]
pub enum Check<'a, G> {
    /// Checks every checksum, and every value against those of its successors, found with the
    /// forward move generator only. Tables are loaded whole, with everything they lead to.
    ///
    /// With distances this is a proof: a win in d has a successor that is lost in d - 1 and none
    /// that is lost sooner; all successors of a loss in d are won, the slowest in d - 1; a draw has
    /// no lost successor and at least one drawn one, unless it is a stalemate.
    Whole,
    /// Checks a sample of the values in the same way, but loads no tables: successors are looked up
    /// in the compressed tables, so these may be larger than memory.
    ///
    /// The sample is drawn from all tables in proportion to their sizes, without repetition;
    /// symmetric positions count once. Also checks the header and directory of the sampled tables
    /// and the checksums of all blocks read, but not counts and digests.
    Sample(Sample),
    /// Compares each table with a list of digests: first the digest in its header, and if that
    /// agrees, also all checksums and values. A table that only the list or only the directory has
    /// is reported as a finding. A complete table that passes is as correct as the list. If a table
    /// leaves out a side, only its checksums and the digest in its header are checked.
    Digests(&'a DigestList<G>),
}

/// Checks tables; see [`verify`](crate::verify()).
pub fn verify<G: Indexable>(
    signatures: &[Signature<G>],
    check: Check<'_, G>,
    request: &Request<'_>,
) -> Result<Verification, GenError> {
    let pool = request.options.thread_pool()?;
    match check {
        Check::Whole => whole::verify(signatures, &pool, request),
        Check::Sample(sample) => sample::verify(signatures, sample, &pool, request),
        Check::Digests(list) => digests::verify(signatures, list, &pool, request),
    }
}

/// The result of a verification.
#[derive(Debug, Default)]
pub struct Verification {
    /// The number of positions checked, both sides to move. Symmetric positions are counted once, as are
    /// positions with values in several tables.
    pub positions: u64,
    /// The number of tables checked.
    pub tables: usize,
    /// All problems found; empty if the tables are correct.
    pub findings: Vec<Finding>,
}

/// A problem with a table.
#[derive(Debug)]
pub enum Finding {
    /// Values do not follow from those of their successors, or those of the WDL table do not follow
    /// from the DTW table.
    Wrong {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
        /// The number of wrong values among those checked.
        count: u64,
        /// The first position with a wrong value.
        fen: String,
        /// The value in the table.
        stored: Value,
        /// The value that follows from the successors.
        derived: Value,
    },
    /// The counts in the header do not match the values.
    Counts {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The histogram of the file does not match the values.
    Histogram {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The digest in the header does not match the values.
    Digest {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The digest in the header differs from that of the list.
    DigestMismatch {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The list does not contain the table.
    Unlisted {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The table, or one it leads to, is missing, damaged or unreadable.
    Unusable(ProbeError),
}

/// Opens the existing tables of a signature, each after those that it can be derived from.
///
/// # Errors
/// Fails if there are none or one cannot be used.
fn open_all<G: Indexable>(
    directory: &Path,
    signature: Signature<G>,
    access: Access,
) -> Result<Vec<Arc<Table<G>>>, ProbeError> {
    let mut tables = Vec::new();
    let mut missing = None;
    let mut metrics = Metric::ALL;
    metrics.sort_by_key(|metric| metric.derived_from().len());
    for metric in metrics {
        match Table::open_with(directory, signature, metric, access) {
            Ok(table) => tables.push(Arc::new(table)),
            Err(error) if error.is_missing() => missing = Some(error),
            Err(error) => return Err(error),
        }
    }
    match missing {
        Some(error) if tables.is_empty() => Err(error),
        _ => Ok(tables),
    }
}

/// The values of the block that starts with number `first`.
fn block_from<G: Indexable>(
    table: &Table<G>,
    side: Side,
    first: u64,
) -> Result<Vec<Value>, GenError> {
    let (number, _) = table.locate(side, first);
    let mut decoder = Decoder::new().map_err(GenError::io("read", table.path()))?;
    let mut block = Vec::new();
    table.read_block(&mut decoder, number, &mut block)?;
    let len = (table.side_index(side).len() - first).min(table.header().block_positions());
    let values = (0..len).map(|offset| table.value(number, &block, offset as usize));
    Ok(values.collect::<Result<_, ProbeError>>()?)
}

/// The wrong values of a table.
#[derive(Clone, Copy, Default)]
struct Wrong {
    count: u64,
    first: Option<Difference>,
}

/// A wrong value.
#[derive(Clone, Copy)]
struct Difference {
    side: Side,
    number: u64,
    stored: Value,
    derived: Value,
}

impl Wrong {
    /// Records a value if it is wrong.
    #[inline]
    fn compare(&mut self, side: Side, number: u64, stored: Value, derived: Value) {
        if stored != derived {
            self.count += 1;
            self.first.get_or_insert(Difference { side, number, stored, derived });
        }
    }

    /// Combines the wrong values of two parts of a table.
    fn and(self, other: Wrong) -> Wrong {
        let first = self.first.into_iter().chain(other.first);
        Wrong {
            count: self.count + other.count,
            first: first.min_by_key(|first| (first.side, first.number)),
        }
    }

    /// The finding about `table`; `None` if no value is wrong.
    fn finding<G: Indexable>(self, table: &Table<G>) -> Option<Finding> {
        let Difference { side, number, stored, derived } = self.first?;
        let position = table.side_index(side).position(number);
        Some(Finding::Wrong {
            signature: table.signature().to_string(),
            metric: table.header().metric(),
            count: self.count,
            fen: shown::<G>(&position, side).fen(),
            stored,
            derived,
        })
    }
}

/// Converts a position of the index, in which White is to move, to the colours of the signature.
fn shown<G: Game>(position: &G::Position, side: Side) -> G::Position {
    match side {
        Side::First => *position,
        Side::Second => position.flip(),
    }
}

/// Reports the progress of a verification, and checks whether to stop.
struct Monitor<'a> {
    progress: &'a dyn Progress,
    stop: &'a Stop,
    /// The number of positions to check, and of those checked.
    total: u64,
    done: AtomicU64,
}

impl<'a> Monitor<'a> {
    fn new(request: &'a Request<'_>, total: u64) -> Monitor<'a> {
        let Request { progress, stop, .. } = request;
        Monitor { progress: *progress, stop, total, done: AtomicU64::new(0) }
    }

    /// Reports that `positions` more positions have been checked.
    fn advance(&self, positions: u64) {
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        let (total, share) = (self.total, done as f64 / self.total.max(1) as f64);
        self.progress.event(Event::Advanced { done, total, signature_share: None, share });
    }
}
