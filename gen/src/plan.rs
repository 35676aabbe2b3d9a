use crate::GenError;
use crate::needs::{Needs, after_one_move};
use crate::solve::{self, Footprint, MemoryOptions, Method, Solvable};
use crate::write;
use damka_games::Material;
use damka_probe::{ProbeError, Table};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// The memory of the program itself, in bytes.
const PROGRAM_BYTES: u64 = 12 << 20;

/// The tables to build, their order and their cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to process, each after everything that it leads to.
    pub jobs: Vec<Job<G>>,
    /// The signatures that have all tables. In games whose solver does not read tables (chess),
    /// those of them that others lead to are jobs as well, to be solved again.
    pub present: Vec<Signature<G>>,
    /// Existing tables that are damaged and will be rebuilt.
    pub damaged: Vec<ProbeError>,
    /// Large arrays are kept in scratch files, because there is too little memory.
    pub spills: bool,
}

/// The work on one signature.
#[derive(Debug)]
pub struct Job<G> {
    /// The signature.
    pub signature: Signature<G>,
    /// The tables to write; empty if the signature is only solved again.
    pub metrics: Vec<Metric>,
    /// The number of positions, both sides to move; symmetric ones are counted once.
    pub positions: u64,
    /// The signatures that one move leads to.
    pub needs: BTreeSet<Signature<G>>,
    /// The memory needed during the work, in bytes.
    pub memory: u64,
    /// The disk space needed during the work besides the tables, in bytes: for scratch files and
    /// the journal.
    pub scratch: u64,
}

impl<G: Solvable> Job<G> {
    /// A job whose memory is not estimated yet; that depends on the preceding jobs.
    pub(crate) fn new(signature: Signature<G>, metrics: Vec<Metric>) -> Job<G> {
        Job {
            signature,
            metrics,
            positions: positions(&signature),
            needs: direct_successors(&signature),
            memory: 0,
            scratch: 0,
        }
    }

    /// Whether all tables exist, so that the signature is solved again only for the sake of others.
    pub fn is_present(&self) -> bool {
        self.metrics.is_empty()
    }
}

impl<G: Solvable> Plan<G> {
    /// The work of [`plan`](crate::plan()).
    #[doc(hidden)]
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
                    // Do not replace tables made by a newer program.
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
        let mut solved_again: BTreeSet<Signature<G>> = BTreeSet::new();
        if G::Method::LOADING.is_none() {
            let built = plan.jobs.iter().filter(|job| !job.is_present());
            solved_again.extend(built.flat_map(|job| needs.of(&job.signature)));
        }
        plan.jobs.retain(|job| !job.is_present() || solved_again.contains(&job.signature));
        let metric = Metric::to_solve(metrics);
        let options = |spill| MemoryOptions { metric, threads, spill };
        plan.spills = !plan.estimate_memory(&needs, options(false), memory);
        if plan.spills {
            plan.estimate_memory(&needs, options(true), u64::MAX);
        }
        Ok(plan)
    }

    /// Estimates the memory of each job: for solving it, for the frames of the signatures it leads
    /// to and of those that a later job leads to, and, where some have to be loaded first, for
    /// everything that these lead to. Ends with the first job that needs more than `allowed`; returns
    /// whether there is none.
    fn estimate_memory(&mut self, needs: &Needs<G>, options: MemoryOptions, allowed: u64) -> bool {
        let mut kept = KeptFrames {
            options,
            users: Users::default(),
            footprints: HashMap::new(),
            released_after: vec![Vec::new(); self.jobs.len()],
            sum: Footprint::default(),
        };
        let stages = self.stages();
        let counts: HashMap<Signature<G>, u64> =
            self.jobs.iter().map(|job| (job.signature, job.positions)).collect();
        for number in 0..self.jobs.len() {
            if let Some(stage) = stages.iter().find(|stage| stage.start == number) {
                kept.begin(&self.jobs, stage);
            }
            let job = &mut self.jobs[number];
            let mut loading = Footprint::default();
            for needed in &job.needs {
                if kept.add(*needed, number) {
                    needs.of(needed).iter().for_each(|&signature| {
                        kept.add(signature, number);
                    });
                    let one = G::Method::LOADING.map(|l| l.footprint);
                    let known = counts.get(needed).copied();
                    let positions = known.unwrap_or_else(|| positions(needed));
                    let one = one.map(|of| of(needed, positions, options));
                    let turned = solve::turned_footprint(needed, options);
                    loading = loading.max(one.unwrap_or_default() + turned);
                }
            }
            let users = kept.users.from(&job.signature, number);
            let solving = G::Method::footprint(&job.signature, job.positions, &users, options);
            let all = kept.sum
                + solve::turned_footprint(&job.signature, options)
                + loading.max(solving)
                + write::footprint(job.positions, options);
            job.memory = PROGRAM_BYTES + all.memory;
            job.scratch = all.scratch + job.journal(options.metric);
            if job.memory > allowed {
                return false;
            }
            kept.add(job.signature, number);
            kept.release(number, &job.needs);
        }
        true
    }

    /// The stages of the work, as ranges of jobs. Nothing is kept in memory from one to the next: what a
    /// stage looks up and has not solved is loaded from tables. If there is enough memory, or tables
    /// cannot be loaded, there is one stage; otherwise one for each pair of numbers of pieces.
    pub(crate) fn stages(&self) -> Vec<Range<usize>> {
        let of = |job: &Job<G>| job.signature.materials().map(|side| side.total());
        if !self.spills || G::Method::LOADING.is_none() {
            return std::iter::once(0..self.jobs.len()).collect();
        }
        let mut stages: Vec<Range<usize>> = Vec::new();
        for (number, job) in self.jobs.iter().enumerate() {
            match stages.last_mut() {
                Some(stage) if of(&self.jobs[stage.start]) == of(job) => stage.end += 1,
                _ => stages.push(number..number + 1),
            }
        }
        stages
    }

    /// The jobs that write tables.
    pub fn to_build(&self) -> impl Iterator<Item = &Job<G>> {
        self.jobs.iter().filter(|job| !job.is_present())
    }

    /// The positions of the tables to write, both sides to move.
    pub fn positions(&self) -> u64 {
        self.to_build().map(|job| job.positions).sum()
    }

    /// The job that needs the most memory.
    pub fn largest(&self) -> Option<&Job<G>> {
        self.jobs.iter().max_by_key(|job| job.memory)
    }

    /// The estimated size of the files to write, in bytes.
    pub fn disk(&self) -> u64 {
        self.jobs.iter().map(Job::disk).sum()
    }

    /// The maximum of additional disk space needed at any time, in bytes.
    pub fn scratch(&self) -> u64 {
        self.jobs.iter().map(|job| job.scratch).max().unwrap_or(0)
    }

    /// The estimated time on this many threads, in seconds.
    pub fn seconds(&self, threads: usize) -> f64 {
        // `sum` of an empty iterator would be negative zero.
        self.jobs.iter().fold(0.0, |seconds, job| seconds + job.seconds(threads))
    }
}

/// The signatures of a stage that lead to each required signature. They determine which parts of its
/// frames are kept while others are solved.
#[derive(Debug)]
pub(crate) struct Users<G> {
    /// The jobs that use a signature, in ascending order of their numbers.
    jobs: HashMap<Signature<G>, Vec<(usize, Signature<G>)>>,
    /// Signatures that need no work but may have to be loaded for a job.
    present: HashMap<Signature<G>, Vec<Signature<G>>>,
    /// The signatures that the stage solves.
    scheduled: HashSet<Signature<G>>,
    /// The number of the last job of the stage.
    last: usize,
}

impl<G> Default for Users<G> {
    fn default() -> Users<G> {
        let (jobs, present, scheduled) = Default::default();
        Users { jobs, present, scheduled, last: 0 }
    }
}

impl<G: Indexable> Users<G> {
    /// The users in a stage, which is a range of `jobs`.
    pub(crate) fn new(jobs: &[Job<G>], stage: &Range<usize>) -> Users<G> {
        let (first, jobs) = (stage.start, &jobs[stage.clone()]);
        let scheduled = jobs.iter().map(|job| job.signature).collect();
        let last = stage.end.saturating_sub(1);
        let mut users = Users { scheduled, last, ..Users::default() };
        for (number, job) in (first..).zip(jobs) {
            for needed in &job.needs {
                users.jobs.entry(*needed).or_default().push((number, job.signature));
            }
        }
        // Everything that the jobs lead to, each once.
        let mut seen: HashSet<Signature<G>> = users.scheduled.clone();
        let mut next: Vec<Signature<G>> = Vec::new();
        let new = |signature: &Signature<G>| seen.insert(*signature);
        next.extend(jobs.iter().flat_map(|job| &job.needs).copied().filter(new));
        while let Some(present) = next.pop() {
            for needed in direct_successors(&present) {
                if seen.insert(needed) {
                    next.push(needed);
                }
                users.present.entry(needed).or_default().push(present);
            }
        }
        users
    }

    /// The number of the last job for which a signature's frames are kept.
    pub(crate) fn last(&self, signature: &Signature<G>) -> Option<usize> {
        // A signature solved here is not loaded again when a present signature that uses it is
        // loaded.
        if self.scheduled.contains(signature) && self.present.contains_key(signature) {
            return Some(self.last);
        }
        Some(self.jobs.get(signature)?.last()?.0)
    }

    /// The users of a signature: the jobs with this number or later, and the signatures that may be
    /// loaded for them.
    pub(crate) fn from(&self, signature: &Signature<G>, job: usize) -> Vec<Signature<G>> {
        let jobs = self.jobs.get(signature).into_iter().flatten();
        let jobs = jobs.filter(|(number, _)| *number >= job).map(|&(_, user)| user);
        jobs.chain(self.present.get(signature).into_iter().flatten().copied()).collect()
    }
}

/// The frames kept from one job to the next. There may be thousands, so only those that are added,
/// changed or dropped are processed.
struct KeptFrames<G> {
    options: MemoryOptions,
    users: Users<G>,
    footprints: HashMap<Signature<G>, Footprint>,
    /// For each job, the signatures that are no longer needed after it.
    released_after: Vec<Vec<Signature<G>>>,
    /// The sum of all footprints.
    sum: Footprint,
}

impl<G: Solvable> KeptFrames<G> {
    /// Begins a stage, a range of `jobs`: nothing is kept from before.
    fn begin(&mut self, jobs: &[Job<G>], stage: &Range<usize>) {
        self.users = Users::new(jobs, stage);
        self.footprints.clear();
        self.sum = Footprint::default();
    }

    /// Memory for the parts of a signature's frames that the job with this number and later ones
    /// use.
    fn footprint(&self, signature: &Signature<G>, job: usize) -> Footprint {
        let users = self.users.from(signature, job);
        G::Method::frames_footprint(signature.game(), signature.materials(), &users, self.options)
    }

    /// Keeps the frames of a signature from the job with this number on. Returns false if they were
    /// already kept.
    fn add(&mut self, signature: Signature<G>, job: usize) -> bool {
        if self.footprints.contains_key(&signature) {
            return false;
        }
        let footprint = self.footprint(&signature, job);
        self.footprints.insert(signature, footprint);
        self.sum = self.sum + footprint;
        let last = self.users.last(&signature).map_or(job, |last| last.max(job));
        self.released_after[last].push(signature);
        true
    }

    /// Drops what no job after the one with number `job`, which leads to `needed`, uses.
    fn release(&mut self, job: usize, needed: &BTreeSet<Signature<G>>) {
        for signature in std::mem::take(&mut self.released_after[job]) {
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

/// The signatures that one move leads to, excluding those in which a side has no pieces.
fn direct_successors<G: Indexable>(signature: &Signature<G>) -> BTreeSet<Signature<G>> {
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
