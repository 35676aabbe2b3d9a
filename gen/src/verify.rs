use crate::dense::{Difference, best};
use crate::needs::Needs;
use crate::{Dense, Event, GenError, Library, Progress, Stop};
use damka_games::Game;
use damka_probe::{ProbeError, Table};
use damka_tables::format::{Metric, Summary};
use damka_tables::{Layout, Side, Signature, Value};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many values are checked between two looks at whether to stop.
const CHUNK: usize = 1 << 14;

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
        /// How many values are wrong.
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
    /// The table, or one it leads to, is missing, damaged or cannot be read.
    Unusable(ProbeError),
}

/// Checks tables in `directory`: every checksum, and every value against those
/// of its successors, found with the forward move generator only.
///
/// With distances this is a proof: a win in d has a successor lost in d - 1 and
/// none lost sooner, all successors of a loss in d are won, the slowest in d - 1,
/// and a draw has no lost successor but a drawn one. Positions in which only
/// captures are legal are worked out first, from fewer pieces, the same way.
///
/// # Errors
/// It was interrupted, or threads could not be started. What is wrong with the
/// tables is no error but a [`Finding`].
pub fn verify<G: Layout>(
    signatures: &[Signature<G>],
    directory: &Path,
    threads: usize,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Verification, GenError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let total = signatures.iter().map(crate::plan::positions).sum();
    let done = AtomicU64::new(0);
    let verifier = Verifier { directory, progress, stop, total, done };
    // What is loaded for one signature serves those that lead to it.
    let needs = Needs::new(signatures);
    let order = needs.in_order().into_iter().filter(|signature| signatures.contains(signature));
    let order: Vec<Signature<G>> = order.collect();
    pool.install(|| {
        let mut verification = Verification::default();
        let mut libraries = Metric::ALL.map(|metric| Library::new(directory, metric));
        for (place, &signature) in order.iter().enumerate() {
            let later = &order[place..];
            for library in &mut libraries {
                library.retain(|known| later.iter().any(|l| needs.of(l).contains(known)));
            }
            progress.event(Event::Started { signature: signature.to_string() });
            match verifier.signature(signature, &mut libraries, &mut verification) {
                Err(GenError::Probe(error)) => verification.findings.push(Finding::Unusable(error)),
                result => result?,
            }
        }
        Ok(verification)
    })
}

struct Verifier<'a> {
    directory: &'a Path,
    progress: &'a dyn Progress,
    stop: &'a Stop,
    /// Positions to check in all, and those checked.
    total: u64,
    done: AtomicU64,
}

impl Verifier<'_> {
    /// Checks the tables of one signature: values against successors under the
    /// stronger metric there is, and the other metric against these.
    fn signature<G: Layout>(
        &self,
        signature: Signature<G>,
        libraries: &mut [Library<G>; 2],
        verification: &mut Verification,
    ) -> Result<(), GenError> {
        let mut tables = Vec::new();
        let mut missing = None;
        for metric in [Metric::Dtw, Metric::Wdl] {
            match Table::open(self.directory, signature, metric) {
                Ok(table) => tables.push(table),
                Err(error) if error.is_missing() => missing = Some(error),
                Err(error) => return Err(error.into()),
            }
        }
        let Some(best) = tables.first() else {
            return missing.map_or(Ok(()), |error| Err(error.into()));
        };
        let library = &mut libraries[best.header().metric() as usize];
        for exit in signature.exits() {
            library.load(&exit)?;
        }
        let dense = Dense::load(best, library)?;
        for table in &tables {
            table.check()?;
            let (name, metric) = (signature.to_string(), table.header().metric());
            if let Some(first) = dense.differences(table)? {
                let wrong = Finding::wrong::<G>(&signature, metric, &dense, first);
                verification.findings.push(wrong);
            } else if !has_digest_of(table, &dense) {
                verification.findings.push(Finding::Digest { signature: name.clone(), metric });
            }
            if table_summaries(table) != dense.summaries(metric) {
                verification.findings.push(Finding::Counts { signature: name, metric });
            }
        }
        let wrong = self.successors(&dense, best.header().metric(), library)?;
        verification.findings.extend(wrong);
        verification.tables += tables.len();
        let summaries = signature.sides().iter().map(|&side| best.header().summary(side));
        verification.positions += summaries.map(Summary::positions).sum::<u64>();
        library.insert(dense);
        Ok(())
    }

    /// Checks every value that the table holds against the successors.
    fn successors<G: Layout>(
        &self,
        dense: &Dense<G>,
        metric: Metric,
        library: &Library<G>,
    ) -> Result<Option<Finding>, GenError> {
        let signature = *dense.signature();
        let value = |after: &G::Position| match Signature::<G>::of(after) {
            (same, side) if same == signature => dense.value(after, side),
            _ => library.value(after),
        };
        let mut found: Option<Difference> = None;
        for (half, &side) in dense.halves().iter().zip(signature.sides()) {
            let chunks = half.values.par_chunks(CHUNK).enumerate();
            let wrong = chunks.map(|(chunk, values)| {
                if self.stop.is_requested() {
                    return Err(GenError::Interrupted);
                }
                let wrong = (chunk * CHUNK..).zip(values).filter_map(|(number, &stored)| {
                    if half.captures_only[number] {
                        return None;
                    }
                    let position = half.index.position(number as u64);
                    let derived = best::<G>(&position, value);
                    let derived = match metric {
                        Metric::Wdl => Value::without_distance(derived.wdl()),
                        Metric::Dtw => derived,
                    };
                    (derived != stored).then_some((number, stored, derived))
                });
                let wrong: Vec<_> = wrong.collect();
                let positions = values.len() as u64;
                let done = self.done.fetch_add(positions, Ordering::Relaxed) + positions;
                self.progress.event(Event::Advanced { done, total: self.total });
                Ok(wrong)
            });
            let wrong: Vec<_> = wrong.collect::<Result<_, _>>()?;
            for (number, stored, value) in wrong.into_iter().flatten() {
                let first = Difference { count: 0, side, number: number as u64, stored, value };
                found.get_or_insert(first).count += 1;
            }
        }
        Ok(found.map(|first| Finding::wrong(&signature, metric, dense, first)))
    }
}

impl Finding {
    /// Values that are not what they should be, given the first one.
    fn wrong<G: Layout>(
        signature: &Signature<G>,
        metric: Metric,
        dense: &Dense<G>,
        first: Difference,
    ) -> Finding {
        let position = dense.halves()[first.side as usize].index.position(first.number);
        Finding::Wrong {
            signature: signature.to_string(),
            metric,
            count: first.count,
            fen: G::fen(&shown::<G>(&position, first.side)),
            stored: first.stored,
            derived: first.value,
        }
    }
}

/// Whether the digest in a table's header is that of these values.
fn has_digest_of<G: Layout>(table: &Table<G>, dense: &Dense<G>) -> bool {
    let halves = dense.halves().iter();
    let stored: Vec<_> = halves.map(|half| half.stored(0..half.values.len())).collect();
    table.check_digest(stored.iter().map(Vec::as_slice)).is_ok()
}

/// A position of the index, White to move, with the colours that the signature
/// gives the sides.
fn shown<G: Game>(position: &G::Position, side: Side) -> G::Position {
    match side {
        Side::First => *position,
        Side::Second => G::flip(position),
    }
}

fn table_summaries<G: Layout>(table: &Table<G>) -> Vec<Summary> {
    let sides = table.signature().sides().iter();
    sides.map(|&side| *table.header().summary(side)).collect()
}
