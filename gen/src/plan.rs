use crate::GenError;
use crate::needs::{Needs, after_one_move};
use crate::solve::{self, Footprint, MemoryOptions, Method, Solvable};
use crate::write;
use damka_games::Material;
use damka_probe::{ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::collections::BTreeSet;
use std::collections::hash_map::{Entry, HashMap};
use std::path::Path;

/// The memory that the program itself takes, in bytes.
const PROGRAM: u64 = 12 << 20;

/// Which tables have to be made, in what order, at what cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to work on, in an order in which everything that one leads
    /// to comes before it.
    pub jobs: Vec<Job<G>>,
    /// The signatures that need no work.
    pub present: Vec<Signature<G>>,
    /// Tables that exist but are damaged, and will be built again.
    pub damaged: Vec<ProbeError>,
    /// Large arrays are kept in scratch files, because there is too little memory.
    pub spills: bool,
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
    /// The signatures that one move leads to.
    pub needs: BTreeSet<Signature<G>>,
    /// The memory needed while it is worked on, in bytes.
    pub memory: u64,
    /// The disk needed while it is worked on, in bytes, besides the files made: for
    /// scratch files and the journal.
    pub scratch: u64,
}

impl<G: Solvable> Job<G> {
    /// What it has in memory is worked out when it is known what comes before it.
    pub(crate) fn new(signature: Signature<G>, metrics: Vec<Metric>) -> Job<G> {
        Job {
            signature,
            metrics,
            positions: positions(&signature),
            needs: direct(&signature),
            memory: 0,
            scratch: 0,
        }
    }
}

impl<G: Solvable> Plan<G> {
    /// Plans the tables of `signatures` and of everything they lead to, as far
    /// as `directory` does not hold them yet, for work on `threads` threads with
    /// `memory` bytes. Existing tables are read to see whether they are sound.
    ///
    /// # Errors
    /// An existing table cannot be read.
    pub fn new(
        signatures: &[Signature<G>],
        metrics: &[Metric],
        threads: usize,
        memory: u64,
        directory: &Path,
    ) -> Result<Plan<G>, GenError> {
        let needs = Needs::new(signatures);
        let mut plan =
            Plan { jobs: Vec::new(), present: Vec::new(), damaged: Vec::new(), spills: false };
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
                plan.present.push(signature);
                continue;
            }
            plan.jobs.push(Job::new(signature, missing));
        }
        for spill in [false, true] {
            plan.spills = spill;
            let metric = Metric::strongest(metrics);
            plan.estimate_memory(&needs, MemoryOptions { metric, threads, spill });
            if plan.largest().is_none_or(|job| job.memory <= memory) {
                break;
            }
        }
        Ok(plan)
    }

    /// Works out what each job has in memory: what it is solved with, and the frames
    /// of the signatures it leads to, of those that a later job leads to, and, where
    /// some have to be loaded first, of everything that these lead to.
    fn estimate_memory(&mut self, needs: &Needs<G>, options: MemoryOptions) {
        let mut kept = Kept {
            options,
            last_use: last_use(&self.jobs),
            footprints: HashMap::new(),
            leaving: vec![Vec::new(); self.jobs.len()],
            sum: Footprint::default(),
        };
        for (number, job) in self.jobs.iter_mut().enumerate() {
            let mut loading = Footprint::default();
            for needed in &job.needs {
                if kept.add(*needed, number) {
                    needs.of(needed).iter().for_each(|&signature| {
                        kept.add(signature, number);
                    });
                    let one = G::Method::loading_footprint(needed, positions(needed), options)
                        + solve::turned_footprint(needed, options);
                    loading = loading.max(one);
                }
            }
            let solving = G::Method::footprint(&job.signature, job.positions, options);
            let all = kept.sum
                + solve::turned_footprint(&job.signature, options)
                + loading.max(solving)
                + write::footprint(job.positions, options);
            job.memory = PROGRAM + all.memory;
            job.scratch = all.scratch + job.journal(options.metric);
            kept.add(job.signature, number);
            kept.leave(number);
        }
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
        self.jobs.iter().map(Job::disk).sum()
    }

    /// The most space that is needed besides at any time, in bytes.
    pub fn scratch(&self) -> u64 {
        self.jobs.iter().map(|job| job.scratch).max().unwrap_or(0)
    }

    /// The time it may take on this many threads, in seconds: an estimate.
    pub fn seconds(&self, threads: usize) -> f64 {
        // A sum of nothing would be a negative zero.
        self.jobs.iter().fold(0.0, |seconds, job| seconds + job.seconds(threads))
    }
}

/// The last of some jobs, by its number, that leads to each signature that one leads to.
pub(crate) fn last_use<G: Indexable>(jobs: &[Job<G>]) -> HashMap<Signature<G>, usize> {
    let uses = jobs.iter().enumerate();
    uses.flat_map(|(number, job)| job.needs.iter().map(move |needed| (*needed, number))).collect()
}

/// The frames that are kept from one job to the next. There may be thousands, so that only
/// those are looked at that come or leave.
struct Kept<G> {
    options: MemoryOptions,
    /// The last job that leads to each signature.
    last_use: HashMap<Signature<G>, usize>,
    footprints: HashMap<Signature<G>, Footprint>,
    /// What is needed no more, after each job.
    leaving: Vec<Vec<Signature<G>>>,
    /// What all of them take.
    sum: Footprint,
}

impl<G: Solvable> Kept<G> {
    /// Keeps the frames of a signature from the job with this number on; returns whether they
    /// were not there.
    fn add(&mut self, signature: Signature<G>, job: usize) -> bool {
        let Entry::Vacant(entry) = self.footprints.entry(signature) else { return false };
        let (game, materials) = (signature.game(), signature.materials());
        let footprint = *entry.insert(G::Method::frames_footprint(game, materials, self.options));
        self.sum = self.sum + footprint;
        let last = self.last_use.get(&signature).map_or(job, |&last| last.max(job));
        self.leaving[last].push(signature);
        true
    }

    /// Gives away what no job behind the one with this number leads to.
    fn leave(&mut self, job: usize) {
        for signature in std::mem::take(&mut self.leaving[job]) {
            let footprint = self.footprints.remove(&signature).unwrap_or_default();
            self.sum = self.sum - footprint;
        }
    }
}

/// The signatures that one move leads to, as far as both sides have pieces.
fn direct<G: Indexable>(signature: &Signature<G>) -> BTreeSet<Signature<G>> {
    let successors = after_one_move::<G>(signature.materials()).into_iter();
    let other = successors.map(|[a, b]: [Material; 2]| Signature::new(signature.game(), a, b).0);
    other.filter(|other| other != signature).collect()
}

/// The number of positions of a signature, both sides to move.
pub(crate) fn positions<G: Indexable>(signature: &Signature<G>) -> u64 {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::<G>::count(&mover, &opponent)
        })
        .sum()
}
