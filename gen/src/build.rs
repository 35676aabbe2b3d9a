use crate::parallel;
use crate::plan::Job;
use crate::profile::Profile;
use crate::request::Request;
use crate::run::{Runner, Track};
use crate::solve::{Part, ScratchFiles, Solution, journal};
use crate::write::{is_unfinished, write};
use crate::{Event, GenError, Options, Plan, Progress, Solvable, Stop};
use damka_system::{
    create_directories, free_space, is_own_file, memory, open_own_file, remove_file,
};
use damka_tables::Signature;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Builds tables; see [`build`](crate::build()).
pub fn build<G: Solvable>(
    signatures: &[Signature<G>],
    request: &Request<'_>,
) -> Result<(), GenError> {
    let Request { directory, options, progress, stop } = request;
    let Some(game) = signatures.first().map(Signature::game) else { return Ok(()) };
    let started = Instant::now();
    let pool = options.thread_pool()?;
    let of_game = directory.join(game.name());
    create_directories(&of_game).map_err(GenError::io("create", &of_game))?;
    let lock = match lock(game, &of_game, *progress, stop) {
        // The lock is only required if there is something to write.
        Err(error) if is_read_only(&error) => Err(error),
        lock => Ok(lock?),
    };
    parallel::install(&pool, || {
        let plan = Plan::new(
            signatures,
            &options.metrics,
            pool.current_num_threads(),
            options.memory.unwrap_or_else(memory),
            directory,
        )?;
        announce(&plan, &pool, *progress);
        let mut bytes = 0;
        match lock {
            Err(error) if !plan.jobs.is_empty() => return Err(error),
            Err(_) => {}
            Ok(_) => {
                // A run may have been killed after writing a signature's last table, before
                // removing its journal.
                plan.present
                    .iter()
                    .try_for_each(|signature| remove_journal(signature, directory))?;
                check_resources(&plan, directory, options)?;
                bytes = carry_out(game, &plan, request)?;
            }
        }
        progress.event(Event::Done {
            signatures: plan.to_build().count(),
            tables: plan.jobs.iter().map(|job| job.metrics.len()).sum(),
            positions: plan.positions(),
            bytes,
            directory: of_game.clone(),
            elapsed: started.elapsed(),
        });
        Ok(())
    })
}

/// Whether an error means that the directory is not writable.
fn is_read_only(error: &GenError) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match error {
        GenError::Io { error, .. } => {
            matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
        }
        _ => false,
    }
}

/// Locks the directory against other processes that generate in it, and removes temporary files of
/// killed runs.
fn lock<G: Solvable>(
    game: G,
    directory: &Path,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<File, GenError> {
    let path = directory.join(".lock");
    let lock = open_own_file(&path).map_err(GenError::io("lock", &path))?;
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
    for entry in fs::read_dir(directory).map_err(GenError::io("read", directory))? {
        let path = entry.map_err(GenError::io("read", directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_unfinished(game, &name) && is_own_file(&path) {
            remove_file(&path).map_err(GenError::io("remove", &path))?;
        }
    }
    Ok(lock)
}

fn announce<G: Solvable>(plan: &Plan<G>, pool: &rayon::ThreadPool, progress: &dyn Progress) {
    for damaged in &plan.damaged {
        let path = damaged.path().unwrap_or(Path::new("")).to_owned();
        progress.event(Event::Damaged { path, message: damaged.to_string() });
    }
    progress.event(Event::Planned {
        signatures: plan.to_build().count(),
        present: plan.present.len(),
        positions: plan.positions(),
        memory: plan.largest().map_or(0, |job| job.memory),
        disk: plan.disk(),
        scratch: plan.scratch(),
        seconds: plan.seconds(pool.current_num_threads()),
    });
}

/// Checks that there is enough memory and disk space.
fn check_resources<G: Solvable>(
    plan: &Plan<G>,
    directory: &Path,
    options: &Options,
) -> Result<(), GenError> {
    let allowed = options.memory.unwrap_or_else(memory);
    if let Some(job) = plan.largest().filter(|job| job.memory > allowed) {
        return Err(GenError::Memory {
            signature: job.signature.to_string(),
            needed: job.memory,
            allowed,
        });
    }
    let free = free_space(directory).map_err(GenError::io("look at", directory))?;
    let needed = plan.disk() + plan.scratch();
    if needed > free {
        return Err(GenError::Disk { directory: directory.to_owned(), needed, free });
    }
    Ok(())
}

/// Solves and writes one signature after the other. Returns the size of all files in bytes.
fn carry_out<G: Solvable>(game: G, plan: &Plan<G>, request: &Request<'_>) -> Result<u64, GenError> {
    let Request { directory, options, .. } = request;
    let allowed = options.memory.unwrap_or_else(memory);
    let scratch = plan.spills.then(|| ScratchFiles::new(&directory.join(game.name()), allowed));
    let scratch = scratch.as_ref();
    let (jobs, stages, part) = (&plan.jobs, &plan.stages(), Part::All);
    let runner = Runner { jobs, stages, request, scratch, part };
    runner.run(game, |job, solution, profile, track| {
        write_all(job, solution, directory, profile, track)
    })
}

/// Writes the tables of a job. Returns their size in bytes.
fn write_all<G: Solvable>(
    job: &Job<G>,
    solution: &Solution<G>,
    directory: &Path,
    profile: &Profile,
    track: &Track<'_>,
) -> Result<u64, GenError> {
    if let Err(error) = solution.check_counts() {
        // Do not resume from a journal with wrong results.
        remove_journal(&job.signature, directory)?;
        return Err(error);
    }
    let mut bytes = 0;
    for (written, &metric) in job.metrics.iter().enumerate() {
        track.wrote(job, written);
        bytes += write(solution, metric, directory, profile)?;
    }
    remove_journal(&job.signature, directory)?;
    Ok(bytes)
}

fn remove_journal<G: Solvable>(signature: &Signature<G>, directory: &Path) -> Result<(), GenError> {
    journal::remove(directory, signature).map_err(GenError::io("remove the journal in", directory))
}
