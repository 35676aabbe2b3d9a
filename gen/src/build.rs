use crate::fibre::{Keeping, Means, Part, Scratch, Stock, journal, solve};
use crate::plan::last_use;
use crate::profile::{Phase, Profile, Who};
use crate::write::{is_unfinished, write};
use crate::{Event, GenError, Instructions, Job, Plan, Progress, Solvable, Stop};
use damka_system::{create_directories, is_own, memory, open_own};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which tables to write for each signature.
    pub metrics: Vec<Metric>,
    /// The number of threads; 0 for one per processor.
    pub threads: usize,
    /// The memory that may be used, in bytes; `None` for all the machine has.
    pub memory: Option<u64>,
    /// How often unfinished work on a signature is saved; zero for after every
    /// round. Nothing is saved of signatures that should take less.
    pub checkpoint: Duration,
    /// The instructions to use; all give the same tables.
    pub instructions: Instructions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            metrics: Metric::ALL.to_vec(),
            threads: 0,
            memory: None,
            checkpoint: Duration::from_secs(20),
            instructions: Instructions::best(),
        }
    }
}

/// Builds tables, see [`build`](crate::build()).
pub(crate) fn build<G: Solvable>(
    signatures: &[Signature<G>],
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    let Some(game) = signatures.first().map(Signature::game) else { return Ok(()) };
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let place = directory.join(game.name());
    create_directories(&place).map_err(GenError::io("create", &place))?;
    let lock = match lock(game, &place, progress, stop) {
        // It is missed only if there is something to be written.
        Err(error) if is_read_only(&error) => Err(error),
        lock => Ok(lock?),
    };
    pool.install(|| {
        let plan = Plan::new(
            signatures,
            &options.metrics,
            pool.current_num_threads(),
            options.memory.unwrap_or_else(memory),
            directory,
        )?;
        announce(&plan, &pool, progress);
        let mut bytes = 0;
        match lock {
            Err(error) if !plan.jobs.is_empty() => return Err(error),
            Err(_) => {}
            Ok(_) => {
                // A run may have been killed after it finished a signature's last table.
                plan.present
                    .iter()
                    .try_for_each(|signature| remove_journal(signature, directory))?;
                check_means(&plan, directory, options)?;
                bytes = carry_out(game, &plan, directory, options, progress, stop)?;
            }
        }
        progress.event(Event::Done {
            signatures: plan.jobs.len(),
            tables: plan.jobs.iter().map(|job| job.metrics.len()).sum(),
            positions: plan.positions(),
            bytes,
            directory: place.clone(),
            elapsed: started.elapsed(),
        });
        Ok(())
    })
}

/// Whether an error says that nothing may be written where it was tried.
fn is_read_only(error: &GenError) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match error {
        GenError::Io { error, .. } => {
            matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
        }
        _ => false,
    }
}

/// Makes sure that nobody else generates in the same place, and removes what
/// killed runs left behind.
fn lock<G: Solvable>(
    game: G,
    place: &Path,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<File, GenError> {
    let path = place.join(".lock");
    let lock = open_own(&path).map_err(GenError::io("lock", &path))?;
    let mut waiting = false;
    loop {
        match lock.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(GenError::io("lock", &path)(error)),
            Err(TryLockError::WouldBlock) if stop.is_requested() => {
                return Err(GenError::Interrupted);
            }
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut waiting, true) {
                    progress.event(Event::Waiting);
                }
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    for entry in fs::read_dir(place).map_err(GenError::io("read", place))? {
        let path = entry.map_err(GenError::io("read", place))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_unfinished(game, &name) && is_own(&path) {
            fs::remove_file(&path).map_err(GenError::io("remove", &path))?;
        }
    }
    Ok(lock)
}

fn announce<G: Solvable>(plan: &Plan<G>, pool: &rayon::ThreadPool, progress: &dyn Progress) {
    for damaged in &plan.damaged {
        progress.event(Event::Damaged { message: damaged.to_string() });
    }
    progress.event(Event::Planned {
        signatures: plan.jobs.len(),
        present: plan.present.len(),
        positions: plan.positions(),
        memory: plan.largest().map_or(0, |job| job.memory),
        disk: plan.disk(),
        scratch: plan.scratch(),
        seconds: plan.seconds(pool.current_num_threads()),
    });
}

/// Checks that there is enough memory and disk.
fn check_means<G: Solvable>(
    plan: &Plan<G>,
    directory: &Path,
    options: &Options,
) -> Result<(), GenError> {
    const MIB: u64 = 1 << 20;
    let allowed = options.memory.unwrap_or_else(memory);
    if let Some(job) = plan.largest().filter(|job| job.memory > allowed) {
        return Err(GenError::Memory {
            signature: job.signature.to_string(),
            needed: job.memory.div_ceil(MIB),
            allowed: allowed / MIB,
        });
    }
    let space = rustix::fs::statvfs(directory);
    let space = space.map_err(|e| GenError::io("look at", directory)(e.into()))?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    let needed = plan.disk() + plan.scratch();
    if needed > free {
        let (needed, free) = (needed.div_ceil(MIB), free / MIB);
        return Err(GenError::Disk { directory: directory.to_owned(), needed, free });
    }
    Ok(())
}

/// Solves and writes, one signature after the other. Returns the bytes of all files.
fn carry_out<G: Solvable>(
    game: G,
    plan: &Plan<G>,
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<u64, GenError> {
    let metric = Metric::strongest(&options.metrics);
    let place = directory.join(game.name());
    let allowed = options.memory.unwrap_or_else(memory);
    let scratch = plan.spills.then(|| Scratch::new(&place, allowed));
    let scratch = scratch.as_ref();
    let mut stock = Stock::new(game, directory, metric, options.instructions, scratch);
    let last_use = last_use(&plan.jobs);
    let mut track = Track::new(plan, progress);
    let mut all_bytes = 0;
    for (place, job) in plan.jobs.iter().enumerate() {
        progress.event(Event::Started { signature: job.signature.to_string() });
        stock.retain(|known| last_use.get(known).is_some_and(|&last| last >= place));
        let profile = Profile::default();
        let shelf = profile.time(Phase::Load, Who::All, || stock.shelf(&job.signature))?;
        let solved = AtomicU64::new(0);
        let advanced = |positions| {
            let solved = solved.fetch_add(positions, Ordering::Relaxed) + positions;
            track.solved(job, solved.min(job.positions));
        };
        let dropped = |path: &Path, why: &str| {
            let message = format!("the journal {} cannot be used: {why}", path.display());
            progress.event(Event::Dropped { message });
        };
        let is_long = job.seconds(rayon::current_num_threads()) >= options.checkpoint.as_secs_f64();
        let journal = match is_long {
            true => Some(Keeping {
                directory,
                interval: options.checkpoint,
                origin: stock.origin(&job.signature)?,
                dropped: &dropped,
            }),
            false => None,
        };
        let means = Means {
            metric,
            instructions: options.instructions,
            shelf: &shelf,
            crews: stock.crews(),
            scratch,
            journal,
            part: Part::All,
            profile: &profile,
            stop,
            advanced: &advanced,
        };
        let (solution, frames) = solve(job.signature, &means)?;
        drop(shelf);
        if let Err(error) = solution.check_counts() {
            // Whatever it was, it is not gone on with.
            remove_journal(&job.signature, directory)?;
            return Err(error);
        }
        let mut bytes = 0;
        for (written, &metric) in job.metrics.iter().enumerate() {
            track.wrote(job, written);
            bytes += write(&solution, metric, directory, &profile)?;
        }
        remove_journal(&job.signature, directory)?;
        stock.insert(frames);
        track.finished(job);
        all_bytes += bytes;
        let signature = job.signature.to_string();
        progress.event(Event::Finished {
            signature,
            positions: job.positions,
            bytes,
            times: profile.times(),
            planned: Duration::from_secs_f64(job.seconds(1)),
        });
    }
    Ok(all_bytes)
}

/// Tells how far the work has come.
struct Track<'a> {
    progress: &'a dyn Progress,
    /// Positions in all, and of finished signatures.
    total: u64,
    before: u64,
    /// The same in seconds of processor time, by the plan.
    work: f64,
    work_before: f64,
}

impl<'a> Track<'a> {
    fn new<G: Solvable>(plan: &Plan<G>, progress: &'a dyn Progress) -> Track<'a> {
        let work = plan.seconds(1);
        Track { progress, total: plan.positions(), before: 0, work, work_before: 0.0 }
    }

    /// So many positions of a signature have been solved.
    fn solved<G: Solvable>(&self, job: &Job<G>, positions: u64) {
        let share = positions as f64 / job.positions.max(1) as f64;
        self.tell(job, positions, job.solving() * share);
    }

    /// All have been solved, and so many of the tables have been written.
    fn wrote<G: Solvable>(&self, job: &Job<G>, tables: usize) {
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

fn remove_journal<G: Solvable>(signature: &Signature<G>, directory: &Path) -> Result<(), GenError> {
    journal::remove(directory, signature).map_err(GenError::io("remove the journal in", directory))
}
