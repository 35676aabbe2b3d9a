//! Tables are checked by an independent road: with the forward move generator
//! only, by nothing that the solver uses.

mod digests;
mod draw;
mod sample;
mod successors;
mod whole;

pub use digests::{DigestList, DigestListError, TableDigest};
pub use sample::Sample;

use crate::{Event, GenError, Progress, Stop};
use damka_games::{Game, Position};
use damka_probe::{Access, ProbeError, Table};
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature, Value};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What tables are held against.
#[derive(Clone, Copy, Debug)]
pub enum Check<'a, G> {
    /// Every checksum is checked, and every value against those of its successors, found with
    /// the forward move generator only. Tables are loaded whole, with all that they lead to.
    ///
    /// With distances this is a proof: a win in d has a successor lost in d - 1 and
    /// none lost sooner, all successors of a loss in d are won, the slowest in d - 1,
    /// and a draw has no lost successor but a drawn one.
    Whole,
    /// Some of the values are checked in the same way, but no table is loaded: successors are
    /// looked up in the compressed tables, so that these may be greater than the memory.
    ///
    /// The sample is drawn from all tables in proportion to their sizes, no position twice;
    /// symmetric ones count once. Checked are header and directory of the tables drawn from,
    /// and the checksums of all blocks that are read, but neither counts nor digests.
    Sample(Sample),
    /// Every checksum is checked, and whether the values that a table holds are those of a
    /// list. Tables that only one of the two has are findings. A table that passes is as right
    /// as the list is.
    Digests(&'a DigestList<G>),
}

/// Checks tables, see [`verify`](crate::verify()).
pub(crate) fn verify<G: Indexable>(
    signatures: &[Signature<G>],
    directory: &Path,
    access: Access,
    check: Check<'_, G>,
    threads: usize,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Verification, GenError> {
    match check {
        Check::Whole => whole::verify(signatures, directory, access, threads, progress, stop),
        Check::Sample(sample) => {
            sample::verify(signatures, directory, access, sample, threads, progress, stop)
        }
        Check::Digests(list) => {
            digests::verify(signatures, directory, access, list, threads, progress, stop)
        }
    }
}

/// What a verification found.
#[derive(Debug, Default)]
pub struct Verification {
    /// How many positions were checked, both sides to move.
    pub positions: u64,
    /// How many tables were checked.
    pub tables: usize,
    /// Everything that is wrong; empty if the tables are right.
    pub findings: Vec<Finding>,
}

/// Something wrong with a table.
#[derive(Debug)]
pub enum Finding {
    /// Values do not follow from those of their successors, or those of the WDL
    /// table from the DTW table.
    Wrong {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
        /// How many of the values checked are wrong.
        count: u64,
        /// The first position that has a wrong value.
        fen: String,
        /// What the table says there.
        stored: Value,
        /// What follows from the successors.
        derived: Value,
    },
    /// The counts in the header are not those of the values.
    Counts {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The digest in the header is not that of the values.
    Digest {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The digest in the header is not that of the list.
    Unlike {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The list has no such table.
    Unlisted {
        /// The table.
        signature: String,
        /// Its metric.
        metric: Metric,
    },
    /// The table, or one it leads to, is missing, damaged or cannot be read.
    Unusable(ProbeError),
}

/// The tables of a signature that there are, the one with distances first.
///
/// # Errors
/// There is none, or one cannot be used.
fn open_all<G: Indexable>(
    directory: &Path,
    signature: Signature<G>,
    access: Access,
) -> Result<Vec<Arc<Table<G>>>, ProbeError> {
    let mut tables = Vec::new();
    let mut missing = None;
    for metric in [Metric::Dtw, Metric::Wdl] {
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

/// The values of the block that begins with this number.
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

/// Values of a table that are not what they should be.
#[derive(Clone, Copy, Default)]
struct Wrong {
    count: u64,
    first: Option<Difference>,
}

/// A value that is not what it should be.
#[derive(Clone, Copy)]
struct Difference {
    side: Side,
    number: u64,
    stored: Value,
    derived: Value,
}

impl Wrong {
    /// Takes note of a value if it is wrong.
    #[inline]
    fn compare(&mut self, side: Side, number: u64, stored: Value, derived: Value) {
        if stored != derived {
            self.count += 1;
            self.first.get_or_insert(Difference { side, number, stored, derived });
        }
    }

    /// These and others of the same table.
    fn and(self, other: Wrong) -> Wrong {
        let first = self.first.into_iter().chain(other.first);
        Wrong {
            count: self.count + other.count,
            first: first.min_by_key(|first| (first.side, first.number)),
        }
    }

    /// What to tell about `table`.
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

/// A position of the index, White to move, with the colours that the signature
/// gives the sides.
fn shown<G: Game>(position: &G::Position, side: Side) -> G::Position {
    match side {
        Side::First => *position,
        Side::Second => position.flip(),
    }
}

/// How far the work is, and whether somebody wants it to stop.
struct Pace<'a> {
    progress: &'a dyn Progress,
    stop: &'a Stop,
    /// Positions to check in all, and those checked.
    total: u64,
    done: AtomicU64,
}

impl Pace<'_> {
    /// Tells that `positions` more have been checked.
    fn advance(&self, positions: u64) {
        let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
        let (total, share) = (self.total, done as f64 / self.total.max(1) as f64);
        self.progress.event(Event::Advanced { done, total, signature_share: None, share });
    }

    /// # Errors
    /// Somebody wants the work to stop.
    fn go_on(&self) -> Result<(), GenError> {
        match self.stop.is_requested() {
            true => Err(GenError::Interrupted),
            false => Ok(()),
        }
    }
}
