use crate::halve::halve_all;
use crate::job::Job;
use crate::locks::{lock_directory, remove_lock};
use crate::manifest::{self, Manifest};
use crate::parallel;
use crate::profile::Profile;
use crate::request::Request;
use crate::run::{Runner, Solved, Track};
use crate::seed_file::seed_path;
use crate::solve::{Part, ScratchFiles, journal};
use crate::users::OutsideUsers;
use crate::write::write;
use crate::{Event, GenError, Options, Plan, Progress, Solvable};
use damka_probe::Table;
use damka_system::{create_directories, free_space, is_own_file, memory, remove_file};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use std::io;
use std::path::Path;
use std::time::Instant;

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
    let lock = match lock_directory(game, &of_game, *progress, stop) {
        // The lock is only required if there is something to write.
        Err(error) if is_read_only(&error) => Err(error),
        lock => Ok(lock?),
    };
    parallel::install(&pool, || {
        let plan = Plan::new(signatures, request)?;
        announce(&plan, &pool, *progress);
        let mut bytes = 0;
        match lock {
            Err(error) if options.half || !plan.jobs.is_empty() => return Err(error),
            Err(_) => {}
            Ok(_) => {
                let manifest = Manifest::read(game, directory);
                let mut present = plan.present.iter();
                present.try_for_each(|signature| confirm_present(signature, request, &manifest))?;
                check_resources(&plan, directory, options)?;
                bytes = carry_out(game, &plan, request)?;
                let built = plan.to_build().map(|job| &job.signature);
                let mut all = plan.present.iter().chain(built);
                all.try_for_each(|signature| {
                    remove_seeds(signature, directory)?;
                    remove_lock(signature, &of_game)
                })?;
                if options.half {
                    let built = plan.to_build().map(|job| &job.signature);
                    let mut all = plan.present.iter().chain(built);
                    let manifest = Manifest::read(game, directory);
                    all.try_for_each(|signature| halve_all(signature, request, &manifest))?;
                }
                Manifest::compact(game, directory)?;
            }
        }
        progress.event(done(&plan, bytes, &of_game, started));
        Ok(())
    })
}

/// The event for a finished plan, which wrote `bytes` bytes to the game's `directory`.
pub(crate) fn done<G: Solvable>(
    plan: &Plan<G>,
    bytes: u64,
    directory: &Path,
    started: Instant,
) -> Event {
    Event::Done {
        signatures: plan.to_build().count(),
        tables: plan.jobs.iter().map(|job| job.metrics.len()).sum(),
        positions: plan.positions(),
        bytes,
        directory: directory.to_owned(),
        elapsed: started.elapsed(),
    }
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

/// Records in the manifest that the tables of a signature are sound. Removes its journal: one
/// remains if a run was killed after it had written the last table.
fn confirm_present<G: Solvable>(
    signature: &Signature<G>,
    request: &Request<'_>,
    manifest: &Manifest,
) -> Result<(), GenError> {
    let Request { directory, options, .. } = request;
    remove_journal(signature, directory)?;
    for &metric in &options.metrics {
        let table = Table::open(directory, *signature, metric)?;
        if !manifest.vouches_for(&table) {
            let inputs = manifest.inputs(signature, metric);
            // A failure only means that the table is read again next time.
            let _ = manifest::record(directory, signature, &[metric], &inputs);
        }
    }
    Ok(())
}

/// Removes the seed files of a signature. A job that still needs their values computes them from
/// tables.
fn remove_seeds<G: Solvable>(signature: &Signature<G>, directory: &Path) -> Result<(), GenError> {
    for metric in Metric::ALL {
        let path = seed_path(directory, signature, metric);
        if is_own_file(&path) {
            remove_file(&path).map_err(GenError::io("remove", &path))?;
        }
    }
    Ok(())
}

pub(crate) fn announce<G: Solvable>(
    plan: &Plan<G>,
    pool: &rayon::ThreadPool,
    progress: &dyn Progress,
) {
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
pub(crate) fn check_resources<G: Solvable>(
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
    let (tables, scratch) = (plan.disk(), plan.scratch());
    if tables + scratch > free {
        return Err(GenError::Disk { directory: directory.to_owned(), tables, scratch, free });
    }
    Ok(())
}

/// Solves and writes one signature after the other. Returns the size of all files in bytes.
fn carry_out<G: Solvable>(game: G, plan: &Plan<G>, request: &Request<'_>) -> Result<u64, GenError> {
    let Request { directory, .. } = request;
    let scratch = scratch_files(game, plan, request);
    let (scratch, outside_users, directories) =
        (scratch.as_ref(), &OutsideUsers::None, &[*directory][..]);
    let (jobs, stages, part) = (&plan.jobs, &plan.stages(outside_users), Part::All);
    let runner = Runner { jobs, stages, outside_users, directories, request, scratch, part };
    runner.run(game, |job, solved, profile, track| write_all(job, solved, request, profile, track))
}

/// The scratch files of a plan that needs them.
pub(crate) fn scratch_files<G: Solvable>(
    game: G,
    plan: &Plan<G>,
    request: &Request<'_>,
) -> Option<ScratchFiles> {
    let allowed = request.options.memory.unwrap_or_else(memory);
    plan.spills.then(|| ScratchFiles::new(&request.directory.join(game.name()), allowed))
}

/// Writes the tables of a job, and records them in the manifest. Returns their size in bytes.
pub(crate) fn write_all<G: Solvable>(
    job: &Job<G>,
    solved: &Solved<G>,
    request: &Request<'_>,
    profile: &Profile,
    track: &Track<'_>,
) -> Result<u64, GenError> {
    let directory = request.directory;
    let (signature, Some(solution)) = (&job.signature, &solved.solution) else { return Ok(0) };
    if let Err(error) = solution.check_counts() {
        // Do not resume from a journal with wrong results.
        remove_journal(signature, directory)?;
        return Err(error);
    }
    let mut bytes = 0;
    for (written, &metric) in job.metrics.iter().enumerate() {
        track.wrote(job, written);
        bytes += write(solution, metric, request, profile)?;
    }
    manifest::record(directory, signature, &job.metrics, &solved.inputs)?;
    remove_journal(signature, directory)?;
    Ok(bytes)
}

fn remove_journal<G: Solvable>(signature: &Signature<G>, directory: &Path) -> Result<(), GenError> {
    journal::remove(directory, signature).map_err(GenError::io("remove the journal in", directory))
}
