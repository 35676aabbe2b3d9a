//! Work on one signature after the other, for whatever purpose.

use crate::plan::{Job, Users};
use crate::profile::{Phase, Profile, Who};
use crate::solve::{
    Context, JournalOptions, Method, Part, ScratchFiles, Setting, Solution, Solvable,
    SolvedSignatures,
};
use crate::{Event, GenError, Options, Progress, Stop};
use damka_tables::metric::Metric;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What is done with some jobs.
pub(crate) struct Runner<'a, G> {
    /// In an order in which everything that one leads to comes before it.
    pub(crate) jobs: &'a [Job<G>],
    /// The directory of tables.
    pub(crate) directory: &'a Path,
    pub(crate) options: &'a Options,
    /// Where large arrays go, if not into memory.
    pub(crate) scratch: Option<&'a ScratchFiles>,
    /// What is solved of each signature. Unfinished work on all of it is kept in a journal, and
    /// progress is told as it goes on.
    pub(crate) part: Part,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) stop: &'a Stop,
}

impl<G: Solvable> Runner<'_, G> {
    /// Solves the jobs. Each solution is given to `finish`, with whom to tell what has been
    /// written of it; it returns the bytes of the files. Returns the bytes of all.
    ///
    /// # Errors
    /// It was interrupted, a table is missing or damaged, a distance is too long, memory or disk
    /// failed, or `finish` did.
    pub(crate) fn run(
        &self,
        game: G,
        finish: impl Fn(&Job<G>, &Solution<G>, &Profile, &Track<'_>) -> Result<u64, GenError>,
    ) -> Result<u64, GenError> {
        let Runner { jobs, directory, options, scratch, stop, .. } = *self;
        let metric = Metric::strongest(&options.metrics);
        let instructions = options.instructions;
        let shared = Default::default();
        let setting = Setting { game, metric, instructions, scratch, shared, stop };
        let mut solved = SolvedSignatures::new(directory, setting, Users::new(jobs));
        let mut track = Track::new(jobs, self.progress);
        let mut all_bytes = 0;
        for (number, job) in jobs.iter().enumerate() {
            let signature = job.signature.to_string();
            self.progress.event(Event::Started { signature: signature.clone() });
            solved.retain(number);
            let profile = Profile::default();
            let (solution, positions) = self.solve(number, &mut solved, &profile, &track)?;
            let bytes = finish(job, &solution, &profile, &track)?;
            all_bytes += bytes;
            track.finished(job);
            let planned = match self.part {
                Part::All => job.seconds(1),
                Part::MenOn(_) => job.solving() * positions as f64 / job.positions.max(1) as f64,
            };
            self.progress.event(Event::Finished {
                signature,
                positions,
                bytes,
                times: profile.times(),
                planned: Duration::from_secs_f64(planned),
            });
        }
        Ok(all_bytes)
    }

    /// Solves a job, with what its signature leads to loaded, and adds it to what is solved.
    /// Returns the solution, and how many positions were solved.
    fn solve(
        &self,
        number: usize,
        solved: &mut SolvedSignatures<'_, G>,
        profile: &Profile,
        track: &Track<'_>,
    ) -> Result<(Solution<G>, u64), GenError> {
        let Runner { jobs, directory, options, part, progress, .. } = *self;
        let job = &jobs[number];
        let successors =
            profile.time(Phase::Load, Who::All, || solved.successors(&job.signature, number))?;
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
            let message = format!("the journal {} cannot be used: {why}", path.display());
            progress.event(Event::Dropped { message });
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
        solved.insert(&job.signature, frames);
        let positions = if is_whole { job.positions } else { done.into_inner() };
        Ok((solution, positions))
    }
}

/// Tells how far the work has come.
pub(crate) struct Track<'a> {
    progress: &'a dyn Progress,
    /// Positions in all, and of finished signatures.
    total: u64,
    before: u64,
    /// Seconds of processor time by the plan, in all and of finished signatures.
    work: f64,
    work_before: f64,
}

impl<'a> Track<'a> {
    fn new<G: Solvable>(jobs: &[Job<G>], progress: &'a dyn Progress) -> Track<'a> {
        let total = jobs.iter().map(|job| job.positions).sum();
        let work = jobs.iter().map(|job| job.seconds(1)).sum();
        Track { progress, total, before: 0, work, work_before: 0.0 }
    }

    /// This many positions of a signature have been solved.
    fn solved<G: Solvable>(&self, job: &Job<G>, positions: u64) {
        let share = positions as f64 / job.positions.max(1) as f64;
        self.tell(job, positions, job.solving() * share);
    }

    /// All positions have been solved, and this many of the tables have been written.
    pub(crate) fn wrote<G: Solvable>(&self, job: &Job<G>, tables: usize) {
        let share = tables as f64 / job.metrics.len() as f64;
        self.tell(job, job.positions, job.solving() + job.writing() * share);
    }

    fn finished<G: Solvable>(&mut self, job: &Job<G>) {
        self.tell(job, job.positions, job.seconds(1));
        self.before += job.positions;
        self.work_before += job.seconds(1);
    }

    fn tell<G: Solvable>(&self, job: &Job<G>, signature_done: u64, work: f64) {
        self.progress.event(Event::Advanced {
            done: self.before + signature_done,
            total: self.total,
            signature_share: Some(work / job.seconds(1).max(f64::MIN_POSITIVE)),
            share: (self.work_before + work) / self.work.max(f64::MIN_POSITIVE),
        });
    }
}
