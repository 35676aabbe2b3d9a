use crate::GenError;
use crate::needs::{Needs, after_one_move};
use crate::solve::{self, Footprint, MemoryOptions, Method, Solvable};
use crate::write;
use damka_games::Material;
use damka_probe::{ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// The memory that the program itself takes, in bytes.
const PROGRAM: u64 = 12 << 20;

/// Which tables have to be made, in what order, at what cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to work on, in an order in which everything that one leads
    /// to comes before it.
    pub jobs: Vec<Job<G>>,
    /// The signatures that have all tables. In games whose solver does not read tables, chess,
    /// those that others lead to are jobs nevertheless: to be solved again.
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
    /// The tables to write; none of what is solved again.
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

    /// Whether all tables are there, so that the signature is solved again for others alone.
    pub fn is_present(&self) -> bool {
        self.metrics.is_empty()
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
            }
            plan.jobs.push(Job::new(signature, missing));
        }
        let mut again: BTreeSet<Signature<G>> = BTreeSet::new();
        if G::Method::LOADING.is_none() {
            let built = plan.jobs.iter().filter(|job| !job.is_present());
            again.extend(built.flat_map(|job| needs.of(&job.signature)));
        }
        plan.jobs.retain(|job| !job.is_present() || again.contains(&job.signature));
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
            users: Users::new(&self.jobs),
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
                    let one = G::Method::LOADING.map(|l| l.footprint);
                    let one = one.map(|of| of(needed, positions(needed), options));
                    let turned = solve::turned_footprint(needed, options);
                    loading = loading.max(one.unwrap_or_default() + turned);
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
            kept.leave(number, &job.needs);
        }
    }

    /// The jobs that write tables.
    pub fn to_build(&self) -> impl Iterator<Item = &Job<G>> {
        self.jobs.iter().filter(|job| !job.is_present())
    }

    /// Positions of tables to write, both sides to move.
    pub fn positions(&self) -> u64 {
        self.to_build().map(|job| job.positions).sum()
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

/// Which signatures lead to each that is needed: what is kept of one while others are solved is
/// what these ask for.
#[derive(Debug)]
pub(crate) struct Users<G> {
    /// The jobs, by their numbers in ascending order.
    jobs: HashMap<Signature<G>, Vec<(usize, Signature<G>)>>,
    /// Those that need no work, but may have to be loaded for a job.
    present: HashMap<Signature<G>, Vec<Signature<G>>>,
    to_do: HashSet<Signature<G>>,
}

impl<G: Indexable> Users<G> {
    pub(crate) fn new(jobs: &[Job<G>]) -> Users<G> {
        let to_do = jobs.iter().map(|job| job.signature).collect();
        let mut users = Users { jobs: HashMap::new(), present: HashMap::new(), to_do };
        for (number, job) in jobs.iter().enumerate() {
            for needed in &job.needs {
                users.jobs.entry(*needed).or_default().push((number, job.signature));
            }
        }
        let signatures: Vec<Signature<G>> = jobs.iter().map(|job| job.signature).collect();
        let mut all = Needs::new(&signatures).in_order();
        all.retain(|signature| !users.to_do.contains(signature));
        for present in all {
            for needed in direct(&present) {
                users.present.entry(needed).or_default().push(present);
            }
        }
        users
    }

    /// The number of the last job for which a signature is kept.
    pub(crate) fn last(&self, signature: &Signature<G>) -> Option<usize> {
        // What is solved here is not loaded again for one that is loaded.
        if self.to_do.contains(signature) && self.present.contains_key(signature) {
            return Some(self.to_do.len() - 1);
        }
        Some(self.jobs.get(signature)?.last()?.0)
    }

    /// What leads to a signature: jobs from the one with this number on, and what may be loaded
    /// for them.
    pub(crate) fn from(&self, signature: &Signature<G>, job: usize) -> Vec<Signature<G>> {
        let jobs = self.jobs.get(signature).into_iter().flatten();
        let jobs = jobs.filter(|(number, _)| *number >= job).map(|&(_, user)| user);
        jobs.chain(self.present.get(signature).into_iter().flatten().copied()).collect()
    }
}

/// The frames that are kept from one job to the next. There may be thousands, so that only
/// those are looked at that come, change or leave.
struct Kept<G> {
    options: MemoryOptions,
    users: Users<G>,
    footprints: HashMap<Signature<G>, Footprint>,
    /// What is needed no more, after each job.
    leaving: Vec<Vec<Signature<G>>>,
    /// What all of them take.
    sum: Footprint,
}

impl<G: Solvable> Kept<G> {
    /// What is kept of a signature for the job with this number and those behind it.
    fn footprint(&self, signature: &Signature<G>, job: usize) -> Footprint {
        let users = self.users.from(signature, job);
        G::Method::frames_footprint(signature.game(), signature.materials(), &users, self.options)
    }

    /// Keeps the frames of a signature from the job with this number on; returns whether they
    /// were not there.
    fn add(&mut self, signature: Signature<G>, job: usize) -> bool {
        if self.footprints.contains_key(&signature) {
            return false;
        }
        let footprint = self.footprint(&signature, job);
        self.footprints.insert(signature, footprint);
        self.sum = self.sum + footprint;
        let last = self.users.last(&signature).map_or(job, |last| last.max(job));
        self.leaving[last].push(signature);
        true
    }

    /// Gives away what no job behind the one with this number, which led to `needed`, asks for.
    fn leave(&mut self, job: usize, needed: &BTreeSet<Signature<G>>) {
        for signature in std::mem::take(&mut self.leaving[job]) {
            let footprint = self.footprints.remove(&signature).unwrap_or_default();
            self.sum = self.sum - footprint;
        }
        for signature in needed {
            if !self.footprints.contains_key(signature) {
                continue;
            }
            let footprint = self.footprint(signature, job + 1);
            if let Some(old) = self.footprints.insert(*signature, footprint) {
                self.sum = self.sum - old + footprint;
            }
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
