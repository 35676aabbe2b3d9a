use crate::job::{Job, positions};
use crate::manifest::Manifest;
use crate::needs::Needs;
use crate::open::open_for;
use crate::seed_file::has_seed;
use crate::seed_scores::SEED_BYTES;
use crate::solve::{self, Footprint, MemoryOptions, Method, Solvable};
use crate::users::{Inputs, KeptFrames, OutsideUsers, Users};
use crate::{GenError, Options, Request, write};
use damka_probe::{Access, ProbeError, Table};
use damka_system::memory;
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

/// The memory of the program itself, in bytes: the resident part of its code, and allocations other
/// than the arrays of a signature.
const PROGRAM_BYTES: u64 = 18 << 20;

/// The tables to build, their order and their cost.
#[derive(Debug)]
pub struct Plan<G> {
    /// The signatures to process, each after everything that it leads to.
    pub jobs: Vec<Job<G>>,
    /// The signatures that have all tables. If tables cannot be loaded (in chess), those whose values
    /// other jobs need are also in `jobs`, to be solved again.
    pub present: Vec<Signature<G>>,
    /// Existing tables that are damaged and will be rebuilt.
    pub damaged: Vec<ProbeError>,
    /// Whether large arrays are kept in scratch files because there is too little memory.
    pub spills: bool,
}

impl<G> Default for Plan<G> {
    fn default() -> Plan<G> {
        let (jobs, present, damaged) = Default::default();
        Plan { jobs, present, damaged, spills: false }
    }
}

impl<G: Solvable> Plan<G> {
    /// Makes the plan; see [`plan`](crate::plan()).
    #[doc(hidden)]
    pub fn new(signatures: &[Signature<G>], request: &Request<'_>) -> Result<Plan<G>, GenError> {
        let needs = Needs::new(signatures);
        let mut plan = Plan::default();
        let manifest = manifest_of(signatures, request.directory);
        for signature in needs.in_order() {
            let missing = plan.missing(signature, request, &manifest)?;
            if missing.is_empty() {
                plan.present.push(signature);
            }
            plan.jobs.push(Job::new(signature, missing));
        }
        if G::Method::LOADING.is_some() {
            plan.build_halves_again(&needs, request)?;
        }
        // A signature that has its tables is solved again if others need its values, but tables
        // cannot be loaded and no seed file has these values.
        let outside_users = OutsideUsers::in_set(&needs);
        let metric = Metric::to_solve(&request.options.metrics);
        let mut left: BTreeSet<Signature<G>> = BTreeSet::new();
        for job in plan.jobs.iter().rev() {
            let users: Vec<Signature<G>> = outside_users.of(&job.signature);
            let users: Vec<_> = users.into_iter().filter(|user| left.contains(user)).collect();
            let lacks_seed = || {
                let demand = G::Method::demand(job.signature.materials(), &users);
                !has_seed(request.directory, &job.signature, metric, &demand)
            };
            if !job.is_present() || G::Method::LOADING.is_none() && lacks_seed() {
                left.insert(job.signature);
            }
        }
        plan.jobs.retain(|job| left.contains(&job.signature));
        plan.estimate_memory(&request.options, &OutsideUsers::None);
        Ok(plan)
    }

    /// Plans to build complete tables where others need them and only half tables exist, which
    /// cannot be loaded.
    ///
    /// # Errors
    /// Fails if an existing table cannot be read.
    fn build_halves_again(
        &mut self,
        needs: &Needs<G>,
        request: &Request<'_>,
    ) -> Result<(), GenError> {
        let Request { directory, options, .. } = request;
        let to_build = self.jobs.iter().filter(|job| !job.is_present());
        let needed = to_build.flat_map(|job| needs.of(&job.signature));
        let needed: BTreeSet<Signature<G>> = needed.copied().collect();
        let solved = Metric::to_solve(&options.metrics);
        for job in self.jobs.iter_mut().filter(|job| job.is_present()) {
            let is_half = |metric: Metric| -> Result<bool, GenError> {
                let table = open_for(directory, job.signature, metric, Access::default())?;
                Ok(table.header().left_out().is_some())
            };
            if needed.contains(&job.signature) && is_half(solved)? {
                job.metrics.clone_from(&options.metrics);
            }
        }
        let jobs = &self.jobs;
        let is_present =
            |one: &Signature<G>| jobs.iter().any(|job| job.signature == *one && job.is_present());
        self.present.retain(is_present);
        Ok(())
    }

    /// The metrics whose tables of a signature are missing or damaged. Damaged tables are added to
    /// `damaged`.
    ///
    /// # Errors
    /// Fails if an existing table cannot be read.
    pub(crate) fn missing(
        &mut self,
        signature: Signature<G>,
        request: &Request<'_>,
        manifest: &Manifest,
    ) -> Result<Vec<Metric>, GenError> {
        let Request { directory, options, .. } = request;
        let mut missing = Vec::new();
        for &metric in &options.metrics {
            let is_known = |table: &Table<G>| !options.recheck && manifest.vouches_for(table);
            let table = Table::open(directory, signature, metric);
            match table.and_then(|table| if is_known(&table) { Ok(()) } else { table.check() }) {
                Ok(()) => {}
                Err(ProbeError::Missing { .. }) => missing.push(metric),
                // Do not replace tables made by a newer program.
                Err(newer) if newer.is_unknown_version() => return Err(newer.into()),
                Err(damaged @ ProbeError::Damaged { .. }) => {
                    missing.push(metric);
                    self.damaged.push(damaged);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(missing)
    }

    /// Estimates the memory of each job. If a job needs too much, estimates all again with scratch
    /// files. `outside_users` are the users of the jobs' signatures in other processes.
    pub(crate) fn estimate_memory(&mut self, options: &Options, outside_users: &OutsideUsers<G>) {
        let metric = Metric::to_solve(&options.metrics);
        let (threads, allowed) = (options.thread_count(), options.memory.unwrap_or_else(memory));
        let with = |spill| MemoryOptions { metric, threads, spill };
        self.spills = false;
        if !self.fits(with(false), outside_users, allowed) {
            self.spills = true;
            self.fits(with(true), outside_users, u64::MAX);
        }
    }

    /// Estimates the memory of each job, up to the first that needs more than `allowed`. Returns
    /// whether all jobs fit.
    ///
    /// A job needs memory for solving it, and for the frames of the signatures that it or a later
    /// job leads to. Where some of these frames have to be loaded from tables first, it also needs
    /// memory for everything that they lead to.
    fn fits(
        &mut self,
        options: MemoryOptions,
        outside_users: &OutsideUsers<G>,
        allowed: u64,
    ) -> bool {
        let mut kept = KeptFrames::new(self.jobs.len(), options);
        let (stages, inputs) = (self.stages(outside_users), outside_users.inputs());
        // Only one seed file is read or written at a time.
        let seeds = match inputs {
            Inputs::Tables => Footprint::default(),
            Inputs::Seeds => Footprint::of(SEED_BYTES as usize),
        };
        let signatures: Vec<Signature<G>> = self.jobs.iter().map(|job| job.signature).collect();
        let needs = Needs::new(&signatures);
        let counts: HashMap<Signature<G>, u64> =
            self.jobs.iter().map(|job| (job.signature, job.positions)).collect();
        for number in 0..self.jobs.len() {
            if let Some(stage) = stages.iter().find(|stage| stage.start == number) {
                kept.begin(Users::new(&self.jobs, stage, inputs, outside_users));
            }
            let job = &mut self.jobs[number];
            let mut loading = Footprint::default();
            for needed in &job.needs {
                if !kept.add(*needed, number) {
                    continue;
                }
                if inputs == Inputs::Seeds {
                    loading = seeds;
                    continue;
                }
                needs.of(needed).iter().for_each(|&signature| {
                    kept.add(signature, number);
                });
                let one = G::Method::LOADING.map(|l| l.footprint);
                let known = counts.get(needed).copied();
                let positions = known.unwrap_or_else(|| positions(needed));
                let one = one.map(|of| of(needed, positions, options));
                let exchanged = solve::exchanged_footprint(needed, options);
                loading = loading.max(one.unwrap_or_default() + exchanged);
            }
            let users = kept.users.from(&job.signature, number);
            let solving = G::Method::footprint(&job.signature, job.positions, &users, options);
            let all = kept.sum
                + solve::exchanged_footprint(&job.signature, options)
                + loading.max(solving)
                + write::footprint(job.positions, options).max(seeds);
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

    /// The stages of the work, as ranges of jobs. Nothing is kept in memory from one stage to the
    /// next: what a stage looks up and does not solve itself is loaded from tables. If there is
    /// enough memory, or tables cannot be loaded, there is one stage; otherwise there is one for
    /// each combination of the two sides' numbers of pieces.
    pub(crate) fn stages(&self, outside_users: &OutsideUsers<G>) -> Vec<Range<usize>> {
        let of = |job: &Job<G>| job.signature.materials().map(|side| side.total());
        let is_one = outside_users.inputs() == Inputs::Seeds || G::Method::LOADING.is_none();
        if !self.spills || is_one {
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

    /// The maximum additional disk space needed at any time, in bytes.
    pub fn scratch(&self) -> u64 {
        self.jobs.iter().map(|job| job.scratch).max().unwrap_or(0)
    }

    /// The estimated time on this many threads, in seconds.
    pub fn seconds(&self, threads: usize) -> f64 {
        // `sum` of an empty iterator would be negative zero.
        self.jobs.iter().fold(0.0, |seconds, job| seconds + job.seconds(threads))
    }
}

/// The manifest of the game of these signatures; empty if there are none.
pub(crate) fn manifest_of<G: Solvable>(signatures: &[Signature<G>], directory: &Path) -> Manifest {
    signatures.first().map_or_else(Manifest::default, |one| Manifest::read(one.game(), directory))
}
