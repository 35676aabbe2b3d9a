//! The work of one of several processes that build the same set of tables.

use crate::build::{announce, check_resources, done, scratch_files, write_all};
use crate::job::Job;
use crate::locks::lock_signatures;
use crate::manifest::{Digests, Manifest};
use crate::needs::Needs;
use crate::needs::direct_successors;
use crate::parallel;
use crate::plan::manifest_of;
use crate::profile::Profile;
use crate::request::Request;
use crate::run::{Runner, Solved};
use crate::seed_file::{self, SeedHead, has_seed};
use crate::solve::{Demand as _, DemandOf, Method, Part};
use crate::users::OutsideUsers;
use crate::{GenError, Plan, Solvable};
use damka_probe::Table;
use damka_system::create_directories;
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

/// The signatures that one process builds, with its inputs: usually one signature, or several that
/// take little time.
#[derive(Debug)]
pub struct Share<G> {
    /// The work on each signature, in order. A job without [metrics](Job::metrics) writes a seed file
    /// only.
    pub jobs: Vec<Job<G>>,
    /// The signatures that the jobs look up. Their tables or seed files must exist.
    pub inputs: BTreeSet<Signature<G>>,
    /// The inputs that other shares build.
    pub after: BTreeSet<Signature<G>>,
}

/// The maximum time of a share with several signatures, in seconds of processor time. Small
/// signatures share a process because starting a process takes time, too.
const SHARE_SECONDS: f64 = 3.0;

/// The maximum fraction of all work in such a share, so that several processes have work.
const SHARE_OF_ALL: f64 = 1.0 / 32.0;

impl<G: Solvable> Share<G> {
    /// The memory needed, in bytes.
    pub fn memory(&self) -> u64 {
        self.jobs.iter().map(|job| job.memory).max().unwrap_or(0)
    }

    /// The disk space needed during the work besides tables and seed files, in bytes.
    pub fn scratch(&self) -> u64 {
        self.jobs.iter().map(|job| job.scratch).max().unwrap_or(0)
    }

    /// The estimated time on this many threads, in seconds.
    pub fn seconds(&self, threads: usize) -> f64 {
        self.jobs.iter().map(|job| job.seconds(threads)).sum()
    }

    /// The number of positions, both sides to move.
    pub fn positions(&self) -> u64 {
        self.jobs.iter().map(|job| job.positions).sum()
    }

    /// The estimated size of the tables to write, in bytes.
    pub fn disk(&self) -> u64 {
        self.jobs.iter().map(Job::disk).sum()
    }

    /// The signatures.
    pub fn signatures(&self) -> impl Iterator<Item = Signature<G>> {
        self.jobs.iter().map(|job| job.signature)
    }
}

/// Plans the work of several processes; see [`shares`](crate::shares()).
pub fn shares<G: Solvable>(
    signatures: &[Signature<G>],
    request: &Request<'_>,
) -> Result<Vec<Share<G>>, GenError> {
    let Request { directory, options, .. } = request;
    let needs = Needs::new(signatures);
    let outside_users = OutsideUsers::in_set(&needs);
    let metric = Metric::to_solve(&options.metrics);
    let (mut plan, manifest) = (Plan::default(), manifest_of(signatures, directory));
    let mut left: BTreeMap<Signature<G>, Vec<Metric>> = BTreeMap::new();
    for signature in needs.in_order().into_iter().rev() {
        let missing = plan.missing(signature, request, &manifest)?;
        // Only signatures still to be built look up values.
        let mut users = outside_users.of(&signature);
        users.retain(|user| left.contains_key(user));
        let demand = G::Method::demand(signature.materials(), &users);
        if !missing.is_empty() || !has_seed(directory, &signature, metric, &demand) {
            left.insert(signature, missing);
        }
    }
    let mut jobs: Vec<(usize, Job<G>)> = Vec::new();
    let mut depths: BTreeMap<Signature<G>, usize> = BTreeMap::new();
    for signature in needs.in_order() {
        let Some(metrics) = left.remove(&signature) else { continue };
        let job = Job::new(signature, metrics);
        // Greater than the depth of everything that the signature leads to, so signatures of the same
        // depth do not lead to each other.
        let below = job.needs.iter().filter_map(|needed| depths.get(needed)).max();
        let depth = below.map_or(0, |depth| depth + 1);
        depths.insert(signature, depth);
        jobs.push((depth, job));
    }
    jobs.sort_by_key(|(depth, _)| *depth);
    let all: f64 = jobs.iter().map(|(_, job)| job.seconds(1)).sum();
    let limit = SHARE_SECONDS.min(all * SHARE_OF_ALL);
    let mut groups: Vec<Vec<Job<G>>> = Vec::new();
    let (mut seconds, mut depth_before) = (0.0, 0);
    for (depth, job) in jobs {
        seconds += job.seconds(1);
        // The first share may span several depths, because it needs no other share.
        let joins = seconds <= limit && (depth == depth_before || groups.len() == 1);
        match groups.last_mut() {
            Some(group) if joins => group.push(job),
            _ => {
                seconds = job.seconds(1);
                groups.push(vec![job]);
            }
        }
        depth_before = depth;
    }
    let built: BTreeSet<Signature<G>> = groups.iter().flatten().map(|job| job.signature).collect();
    let share = |jobs: Vec<Job<G>>| {
        let mut plan = Plan { jobs, ..Plan::default() };
        plan.estimate_memory(options, &outside_users);
        let inputs = inputs_of(&plan.jobs);
        let after = inputs.intersection(&built).copied().collect();
        Share { jobs: plan.jobs, inputs, after }
    };
    Ok(groups.into_iter().map(share).collect())
}

/// The signatures that jobs look up and do not solve themselves.
fn inputs_of<G: Solvable>(jobs: &[Job<G>]) -> BTreeSet<Signature<G>> {
    let mut inputs: BTreeSet<Signature<G>> =
        jobs.iter().flat_map(|job| job.needs.iter().copied()).collect();
    jobs.iter().for_each(|job| {
        inputs.remove(&job.signature);
    });
    inputs
}

/// Does the work of one process; see [`build_share`](crate::build_share()).
pub fn build_share<G: Solvable>(
    set: Option<&[Signature<G>]>,
    only: &[Signature<G>],
    inputs: &Path,
    request: &Request<'_>,
) -> Result<(), GenError> {
    let Request { directory, options, progress, stop } = request;
    let Some(game) = only.first().map(Signature::game) else { return Ok(()) };
    let started = Instant::now();
    let pool = options.thread_pool()?;
    let of_game = directory.join(game.name());
    create_directories(&of_game).map_err(GenError::io("create", &of_game))?;
    let mut signatures = Needs::new(only).in_order();
    signatures.retain(|signature| only.contains(signature));
    let _locks = lock_signatures(game, &signatures, &of_game, *progress, stop)?;
    let outside_users = set.map_or(OutsideUsers::Any, |set| OutsideUsers::in_set(&Needs::new(set)));
    let metric = Metric::to_solve(&options.metrics);
    let demand = |signature: &Signature<G>| {
        G::Method::demand(signature.materials(), &outside_users.of(signature))
    };
    parallel::install(&pool, || {
        let elsewhere = Some(inputs).filter(|inputs| inputs != directory);
        let directories: Vec<&Path> = std::iter::once(*directory).chain(elsewhere).collect();
        // Another process may have built the tables while this one waited for the locks.
        let (mut plan, manifest) = (Plan::default(), Manifest::read(game, directory));
        for signature in signatures {
            let mut metrics = plan.missing(signature, request, &manifest)?;
            let made_from = manifest.inputs(&signature, metric);
            if metrics.is_empty() && is_stale(&signature, &made_from, &directories, metric) {
                metrics.clone_from(&options.metrics);
            }
            let is_done =
                metrics.is_empty() && has_seed(directory, &signature, metric, &demand(&signature));
            match is_done {
                true => plan.present.push(signature),
                false => plan.jobs.push(Job::new(signature, metrics)),
            }
        }
        plan.estimate_memory(options, &outside_users);
        check_inputs(&plan.jobs, &directories, metric)?;
        announce(&plan, &pool, *progress);
        check_resources(&plan, directory, options)?;
        let scratch = scratch_files(game, &plan, request);
        let (jobs, stages, part) = (&plan.jobs, &plan.stages(&outside_users), Part::All);
        let (directories, outside_users, scratch) =
            (&directories[..], &outside_users, scratch.as_ref());
        let runner = Runner { jobs, stages, outside_users, directories, request, scratch, part };
        let bytes = runner.run(game, |job, solved, profile, track| {
            let bytes = write_all(job, solved, request, profile, track)?;
            let demand = demand(&job.signature);
            Ok(bytes + write_seed(&job.signature, solved, &demand, request, profile)?)
        })?;
        progress.event(done(&plan, bytes, &of_game, started));
        Ok(())
    })
}

/// Writes the seed file of a signature whose table exists, unless `demand` is empty. Returns the size
/// of the file in bytes.
fn write_seed<G: Solvable>(
    signature: &Signature<G>,
    solved: &Solved<G>,
    demand: &DemandOf<G>,
    request: &Request<'_>,
    profile: &Profile,
) -> Result<u64, GenError> {
    let Request { directory, options, .. } = request;
    if demand.is_nothing() {
        return Ok(0);
    }
    let metric = Metric::to_solve(&options.metrics);
    let table = Table::open(directory, *signature, metric)?.header().digest_hex();
    let head = SeedHead { table, held: demand.clone() };
    let path = seed_file::write(directory, signature, metric, &head, profile, |seed| {
        G::Method::save(&solved.frames, signature.materials(), demand, seed)
    })?;
    Ok(path.metadata().map_err(GenError::io("read", &path))?.len())
}

/// Whether a signature's tables were made from inputs (by digest) other than those present now.
fn is_stale<G: Solvable>(
    signature: &Signature<G>,
    made_from: &Digests,
    directories: &[&Path],
    metric: Metric,
) -> bool {
    let now = |needed: &Signature<G>| {
        let tables = directories.iter().filter_map(|d| Table::open(d, *needed, metric).ok());
        tables.map(|table| table.header().digest_hex()).next()
    };
    direct_successors(signature).iter().any(|needed| {
        let before = made_from.get(&needed.to_string());
        before.is_some_and(|before| now(needed).is_some_and(|now| now != *before))
    })
}

/// Checks that everything the jobs look up exists, as tables or as seed files.
fn check_inputs<G: Solvable>(
    jobs: &[Job<G>],
    directories: &[&Path],
    metric: Metric,
) -> Result<(), GenError> {
    let mut missing: Vec<Signature<G>> = Vec::new();
    'inputs: for needed in inputs_of(jobs) {
        for directory in directories {
            let seed = seed_file::seed_path(directory, &needed, metric);
            match Table::open(directory, needed, metric) {
                Err(error) if error.is_missing() && !seed.exists() => {}
                Err(error) if !error.is_missing() && !seed.exists() => return Err(error.into()),
                _ => continue 'inputs,
            }
        }
        missing.push(needed);
    }
    missing.sort_by_key(|signature| signature.pieces());
    let missing: Vec<String> = missing.iter().map(Signature::to_string).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => {
            let directory = directories[directories.len() - 1].to_owned();
            Err(GenError::MissingInputs { missing, directory })
        }
    }
}
