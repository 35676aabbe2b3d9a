use crate::fibre::{Exactness, Means, Stock, journal, solve};
use crate::profile::{Phase, Profile, Who};
use crate::write::{TEMPORARY, write};
use crate::{Event, GenError, Instructions, Plan, Progress, Solvable, Stop};
use damka_tables::Signature;
use damka_tables::format::Metric;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

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

/// Builds the tables of `signatures`, and of everything they lead to, in
/// `directory`. Tables that are there and sound are kept; a table appears when
/// it is complete, so that running again after any interruption goes on.
///
/// # Errors
/// It was interrupted, or memory, disk or a table failed. Finished tables stay.
pub fn build<G: Solvable>(
    signatures: &[Signature<G>],
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let place = directory.join(G::NAME);
    fs::create_dir_all(&place).map_err(GenError::io("create", &place))?;
    let _lock = lock(&place, progress, stop)?;
    pool.install(|| {
        let plan = Plan::new(signatures, &options.metrics, pool.current_num_threads(), directory)?;
        announce(&plan, &pool, progress);
        // A run may have been killed after it finished a signature's last table.
        plan.present.iter().try_for_each(|signature| remove_journal(signature, directory))?;
        check_means(&plan, directory, options)?;
        carry_out(plan, directory, options, progress, stop)
    })
}

/// Makes sure that nobody else generates in the same place, and removes what
/// killed runs left behind.
fn lock(place: &Path, progress: &dyn Progress, stop: &Stop) -> Result<File, GenError> {
    let path = place.join(".lock");
    let lock = File::create(&path).map_err(GenError::io("create", &path))?;
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
        if name.starts_with('.') && name.ends_with(TEMPORARY) {
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
    let allowed = options.memory.unwrap_or_else(|| {
        let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
        let system = sysinfo::RefreshKind::nothing().with_memory(memory);
        // Where the system does not tell, the work is tried.
        sysinfo::System::new_with_specifics(system).map_or(u64::MAX, |s| s.total_memory())
    });
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
    if plan.disk() > free {
        let (needed, free) = (plan.disk().div_ceil(MIB), free / MIB);
        return Err(GenError::Disk { directory: directory.to_owned(), needed, free });
    }
    Ok(())
}

/// Solves and writes, one signature after the other.
fn carry_out<G: Solvable>(
    plan: Plan<G>,
    directory: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<(), GenError> {
    let exactness = Exactness::of(&options.metrics);
    let mut stock = Stock::new(directory, exactness);
    let total = plan.positions();
    let last_use = plan.last_use();
    let mut before = 0;
    for (place, job) in plan.jobs.iter().enumerate() {
        progress.event(Event::Started { signature: job.signature.to_string() });
        stock.retain(|known| last_use.get(known).is_some_and(|&last| last >= place));
        let profile = Profile::default();
        let shelf = profile.time(Phase::Load, Who::All, || stock.shelf(&job.signature))?;
        let done = AtomicU64::new(0);
        let advanced = |positions| {
            let job_done = done.fetch_add(positions, Ordering::Relaxed) + positions;
            progress.event(Event::Advanced { done: before + job_done.min(job.positions), total });
        };
        let means = Means {
            exactness,
            instructions: options.instructions,
            shelf: &shelf,
            crews: stock.crews(),
            journal: (job.seconds(rayon::current_num_threads())
                >= options.checkpoint.as_secs_f64())
            .then_some((directory, options.checkpoint)),
            profile: &profile,
            stop,
            advanced: &advanced,
        };
        let (solution, frames) = solve(job.signature, &means)?;
        drop(shelf);
        let mut bytes = 0;
        for &metric in &job.metrics {
            bytes += write(&solution, metric, directory, &profile)?;
        }
        remove_journal(&job.signature, directory)?;
        stock.insert(frames);
        before += job.positions;
        progress.event(Event::Advanced { done: before, total });
        let signature = job.signature.to_string();
        progress.event(Event::Finished {
            signature,
            positions: job.positions,
            bytes,
            times: profile.times(),
        });
    }
    Ok(())
}

fn remove_journal<G: Solvable>(signature: &Signature<G>, directory: &Path) -> Result<(), GenError> {
    journal::remove(directory, signature).map_err(GenError::io("remove the journal in", directory))
}
