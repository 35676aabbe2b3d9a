use crate::GenError;
use crate::dense::dense_bytes;
use crate::needs::Needs;
use damka_probe::{ProbeError, Table};
use damka_tables::format::Metric;
use damka_tables::{Index, Layout, Signature};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The time of one core for a position, in nanoseconds. Measured with `gen russian
/// 5`: 490 with a core to itself, 640 on a busy machine.
const NANOSECONDS: f64 = 600.0;
/// The size of a position on disk, in bits. Measured with `gen russian 5`: 0.21 and
/// 1.13.
const BITS: [(Metric, f64); 2] = [(Metric::Wdl, 0.22), (Metric::Dtw, 1.2)];

/// Which tables have to be made, in what order, at what cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to work on, in an order in which everything that one leads
    /// to comes before it.
    pub jobs: Vec<Job<G>>,
    /// How many signatures need no work.
    pub present: usize,
    /// Tables that exist but are damaged, and will be built again.
    pub damaged: Vec<ProbeError>,
}

/// The work on one signature.
#[derive(Debug)]
pub struct Job<G> {
    /// The signature.
    pub signature: Signature<G>,
    /// The tables to write.
    pub metrics: Vec<Metric>,
    /// The number of positions, both sides to move, symmetric ones counted once.
    pub positions: u64,
    /// Every signature that play can lead to.
    pub needs: BTreeSet<Signature<G>>,
    /// The memory needed while it is worked on, in bytes.
    pub memory: u64,
}

impl<G: Layout> Job<G> {
    /// The time it may take on this many threads, in seconds: an estimate.
    pub fn seconds(&self, threads: usize) -> f64 {
        self.positions as f64 * NANOSECONDS / 1e9 / threads.max(1) as f64
    }
}

impl<G: Layout> Plan<G> {
    /// Plans the tables of `signatures` and of everything they lead to, as far
    /// as `directory` does not hold them yet. Existing tables are read to see
    /// whether they are sound.
    ///
    /// # Errors
    /// An existing table cannot be read.
    pub fn new(
        signatures: &[Signature<G>],
        metrics: &[Metric],
        directory: &Path,
    ) -> Result<Plan<G>, GenError> {
        let needs = Needs::new(signatures);
        let mut plan = Plan { jobs: Vec::new(), present: 0, damaged: Vec::new() };
        for signature in needs.in_order() {
            let mut missing = Vec::new();
            for &metric in metrics {
                match Table::open(directory, signature, metric).and_then(|table| table.check()) {
                    Ok(()) => {}
                    Err(ProbeError::Missing { .. }) => missing.push(metric),
                    // What a newer program made is not ours to replace.
                    Err(newer) if newer.is_unknown_version() => return Err(newer.into()),
                    Err(damaged @ ProbeError::Damaged { .. }) => {
                        missing.push(metric);
                        plan.damaged.push(damaged);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            if missing.is_empty() {
                plan.present += 1;
                continue;
            }
            plan.jobs.push(Job {
                signature,
                metrics: missing,
                positions: positions(&signature),
                needs: needs.of(&signature).clone(),
                memory: 0,
            });
        }
        plan.estimate_memory();
        Ok(plan)
    }

    /// Works out what each job has in memory: the values of its own signature, of
    /// those it leads to, and of finished ones that a later job leads to.
    fn estimate_memory(&mut self) {
        let last_use = self.last_use();
        let sizes: HashMap<Signature<G>, u64> = last_use
            .keys()
            .map(|signature| (*signature, dense_bytes(positions(signature))))
            .collect();
        let mut kept: BTreeSet<Signature<G>> = BTreeSet::new();
        for (place, job) in self.jobs.iter_mut().enumerate() {
            kept.extend(&job.needs);
            kept.retain(|signature| last_use[signature] >= place);
            let values: u64 = kept.iter().map(|signature| sizes[signature]).sum();
            // While solving, a count of open moves stands beside each value.
            job.memory = values + job.positions * 4 + FIXED_BYTES;
            kept.extend(last_use.contains_key(&job.signature).then_some(job.signature));
        }
    }

    /// The last job, by its place, that leads to each signature that one leads to.
    pub(crate) fn last_use(&self) -> HashMap<Signature<G>, usize> {
        let uses = self.jobs.iter().enumerate();
        uses.flat_map(|(place, job)| job.needs.iter().map(move |needed| (*needed, place))).collect()
    }

    /// Positions to solve, both sides to move.
    pub fn positions(&self) -> u64 {
        self.jobs.iter().map(|job| job.positions).sum()
    }

    /// The job that needs most memory.
    pub fn largest(&self) -> Option<&Job<G>> {
        self.jobs.iter().max_by_key(|job| job.memory)
    }

    /// The space that the files will need, in bytes: an estimate.
    pub fn disk(&self) -> u64 {
        let bits =
            |metric: &Metric| BITS.iter().find(|(m, _)| m == metric).map_or(0.0, |(_, b)| *b);
        let job = |job: &Job<G>| job.metrics.iter().map(bits).sum::<f64>() * job.positions as f64;
        (self.jobs.iter().map(job).sum::<f64>() / 8.0) as u64
    }

    /// The time it may take on this many threads, in seconds: an estimate.
    pub fn seconds(&self, threads: usize) -> f64 {
        self.positions() as f64 * NANOSECONDS / 1e9 / threads.max(1) as f64
    }
}

/// The program itself, its buffers and blocks being compressed.
const FIXED_BYTES: u64 = 48 << 20;

/// The number of positions of a signature, both sides to move.
pub(crate) fn positions<G: Layout>(signature: &Signature<G>) -> u64 {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::<G>::new(mover, opponent).len()
        })
        .sum()
}
