//! Processes one signature after the other, for building and for rehearsing.

use crate::job::Job;
use crate::manifest::Digests;
use crate::profile::{CpuScope, Phase, Profile};
use crate::request::Request;
use crate::solve::{
    Context, FramesOf, JournalOptions, Method, Part, ScratchFiles, Setting, Solution, Solvable,
    SolvedSignatures,
};
use crate::users::{OutsideUsers, Users};
use crate::{Event, GenError, Progress};
use damka_system::file_name;
use damka_tables::metric::Metric;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Solves a list of jobs.
pub(crate) struct Runner<'a, G> {
    /// The jobs, each after everything that it leads to.
    pub(crate) jobs: &'a [Job<G>],
    /// The [stages](crate::Plan::stages) of the work.
    pub(crate) stages: &'a [Range<usize>],
    /// The signatures in other processes that look up what the jobs solve.
    pub(crate) outside_users: &'a OutsideUsers<G>,
    /// The directories with tables and seed files, in the order in which they are searched.
    pub(crate) directories: &'a [&'a Path],
    pub(crate) request: &'a Request<'a>,
    /// Where large arrays go; `None` keeps them in memory.
    pub(crate) scratch: Option<&'a ScratchFiles>,
    /// The part of each signature that is solved. Only whole signatures are journalled and report
    /// progress while they are solved.
    pub(crate) part: Part,
}

impl<G: Solvable> Runner<'_, G> {
    /// Solves the jobs. `finish` receives each [solved](Solved) job, with a [`Track`] to which it
    /// reports the tables that it writes, and returns the size of its files in bytes. Returns the
    /// total size.
    ///
    /// # Errors
    /// Fails if the run is interrupted, a table is missing or damaged, a distance is too long,
    /// there is not enough memory or disk space, or `finish` fails.
    pub(crate) fn run(
        &self,
        game: G,
        finish: impl Fn(&Job<G>, &Solved<G>, &Profile, &Track<'_>) -> Result<u64, GenError>,
    ) -> Result<u64, GenError> {
        let Runner { jobs, request, scratch, outside_users, directories, .. } = *self;
        let Request { options, progress, stop, .. } = request;
        let metric = Metric::to_solve(&options.metrics);
        let instructions = options.instructions;
        let shared = Default::default();
        let setting = Setting { game, metric, instructions, scratch, shared, stop };
        let mut solved = SolvedSignatures::new(directories, setting, *progress);
        let mut track = Track::new(jobs, *progress);
        let mut all_bytes = 0;
        for (number, job) in jobs.iter().enumerate() {
            if let Some(stage) = self.stages.iter().find(|stage| stage.start == number) {
                solved.begin(Users::new(jobs, stage, outside_users.inputs(), outside_users));
            }
            let signature = job.signature.to_string();
            progress.event(Event::Started { signature: signature.clone() });
            solved.retain(number)?;
            let profile = Profile::default();
            let (of_job, positions) = self.solve(number, &mut solved, &profile, &track)?;
            let bytes = finish(job, &of_job, &profile, &track)?;
            solved.insert(&job.signature, of_job.frames);
            all_bytes += bytes;
            track.finished(job);
            let planned = match self.part {
                Part::All => job.seconds(1),
                Part::MenOn(_) => job.solving() * positions as f64 / job.positions.max(1) as f64,
            };
            progress.event(Event::Finished {
                signature,
                positions,
                bytes,
                times: profile.times(),
                planned: Duration::from_secs_f64(planned),
            });
        }
        Ok(all_bytes)
    }

    /// Loads the successors of a job and solves it. Also returns the number of positions solved.
    fn solve(
        &self,
        number: usize,
        solved: &mut SolvedSignatures<'_, G>,
        profile: &Profile,
        track: &Track<'_>,
    ) -> Result<(Solved<G>, u64), GenError> {
        let Runner { jobs, request, part, .. } = *self;
        let Request { directory, options, progress, .. } = request;
        let job = &jobs[number];
        if job.is_present() && G::Method::LOADING.is_some() {
            let load = || solved.remake_frames(&job.signature, number);
            let frames = profile.time(Phase::Load, CpuScope::Process, load)?;
            let inputs = solved.inputs(&job.signature)?;
            return Ok((Solved { solution: None, frames, inputs }, 0));
        }
        let successors = profile
            .time(Phase::Load, CpuScope::Process, || solved.successors(&job.signature, number))?;
        let users = solved.users(&job.signature, number);
        let is_whole = matches!(part, Part::All);
        let done = AtomicU64::new(0);
        let on_progress = |positions| {
            let done = done.fetch_add(positions, Ordering::Relaxed) + positions;
            if is_whole {
                track.solved(job, done.min(job.positions));
            }
        };
        let on_dropped = |path: &Path, why: &str| {
            let message = format!("the journal {} cannot be used: {why}", file_name(path));
            progress.event(Event::JournalDropped { path: path.to_owned(), message });
        };
        // A partial solution is not written, so its inputs need no digests.
        let inputs = match is_whole {
            true => solved.inputs(&job.signature)?,
            false => Digests::new(),
        };
        let is_long = job.seconds(rayon::current_num_threads()) >= options.checkpoint.as_secs_f64();
        let journal = match is_whole && is_long {
            true => Some(JournalOptions {
                directory,
                interval: options.checkpoint,
                origin: solved.origin(&job.signature)?,
                on_dropped: &on_dropped,
            }),
            false => None,
        };
        let context = Context {
            setting: solved.setting(),
            successors: &successors,
            users: &users,
            journal,
            part,
            profile,
            on_progress: &on_progress,
        };
        let (solution, frames) = G::Method::solve(job.signature, &context)?;
        let positions = if is_whole { job.positions } else { done.into_inner() };
        Ok((Solved { solution: Some(solution), frames, inputs }, positions))
    }
}

/// A job that has been solved.
pub(crate) struct Solved<G: Solvable> {
    /// The values to write; `None` if the frames were loaded from existing tables.
    pub(crate) solution: Option<Solution<G>>,
    /// The scores that others look up.
    pub(crate) frames: FramesOf<G>,
    /// The digests of the tables whose values were looked up, by signature.
    pub(crate) inputs: Digests,
}

/// Reports the progress of the work.
pub(crate) struct Track<'a> {
    progress: &'a dyn Progress,
    /// Positions in total, and of finished signatures.
    total: u64,
    before: u64,
    /// Planned processor time in seconds, in total and of finished signatures.
    work: f64,
    work_before: f64,
}

impl<'a> Track<'a> {
    fn new<G: Solvable>(jobs: &[Job<G>], progress: &'a dyn Progress) -> Track<'a> {
        let total = jobs.iter().map(|job| job.positions).sum();
        let work = jobs.iter().map(|job| job.seconds(1)).sum();
        Track { progress, total, before: 0, work, work_before: 0.0 }
    }

    /// Reports that this many positions of a signature have been solved.
    fn solved<G: Solvable>(&self, job: &Job<G>, positions: u64) {
        let share = positions as f64 / job.positions.max(1) as f64;
        self.report(job, positions, job.solving() * share);
    }

    /// Reports that all positions have been solved and this many tables have been written.
    pub(crate) fn wrote<G: Solvable>(&self, job: &Job<G>, tables: usize) {
        let share = tables as f64 / job.metrics.len() as f64;
        self.report(job, job.positions, job.solving() + job.writing() * share);
    }

    fn finished<G: Solvable>(&mut self, job: &Job<G>) {
        self.report(job, job.positions, job.seconds(1));
        self.before += job.positions;
        self.work_before += job.seconds(1);
    }

    fn report<G: Solvable>(&self, job: &Job<G>, signature_done: u64, work: f64) {
        self.progress.event(Event::Advanced {
            done: self.before + signature_done,
            total: self.total,
            signature_share: Some(work / job.seconds(1).max(f64::MIN_POSITIVE)),
            share: (self.work_before + work) / self.work.max(f64::MIN_POSITIVE),
        });
    }
}
