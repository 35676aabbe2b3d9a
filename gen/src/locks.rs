//! Locks of directories of tables, against other processes that write there. A whole build takes
//! an exclusive lock on the game's directory. Jobs take a shared lock on it, and an exclusive lock on
//! each of their signatures.
//!
//! These are locks of the operating system on open files (`flock`), which it releases when the process
//! ends, however it ends. For files on NFS, Linux keeps them on the server; the lock of a machine that
//! has died is released when its lease expires. The lock files are empty; those of signatures stay
//! until a whole build removes them.

use crate::manifest;
use crate::write::unfinished;
use crate::{Event, GenError, Progress, Solvable, Stop};
use damka_system::{is_own_file, open_own_file, remove_file};
use damka_tables::Signature;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The interval between attempts to take a lock that another process holds.
const RETRY: Duration = Duration::from_millis(100);

/// Locks the directory of a game against all other processes that generate in it, and removes the
/// temporary files of killed runs.
///
/// # Errors
/// Fails if a file cannot be locked or removed, or the run is interrupted while another process holds
/// the lock.
pub(crate) fn lock_directory<G: Solvable>(
    game: G,
    directory: &Path,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<File, GenError> {
    let lock = take(&directory.join(".lock"), File::try_lock, None, progress, stop)?;
    remove_unfinished(directory, |name| {
        unfinished(game, name).is_some() || manifest::is_unfinished(name)
    })?;
    Ok(lock)
}

/// Locks signatures in the directory of a game, which other jobs may use at the same time, and removes
/// the temporary files of killed runs of these signatures. All processes must pass signatures in the
/// same order, so that no two wait for each other.
///
/// # Errors
/// Like [`lock_directory`].
pub(crate) fn lock_signatures<G: Solvable>(
    game: G,
    signatures: &[Signature<G>],
    directory: &Path,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Vec<File>, GenError> {
    let shared = take(&directory.join(".lock"), File::try_lock_shared, None, progress, stop)?;
    let mut locks = vec![shared];
    for signature in signatures {
        let (path, name) = (lock_path(directory, signature), signature.to_string());
        locks.push(take(&path, File::try_lock, Some(name), progress, stop)?);
    }
    remove_unfinished(directory, |name| {
        unfinished(game, name).is_some_and(|signature| signatures.contains(&signature))
    })?;
    Ok(locks)
}

/// Removes the lock file of a signature. This process must have locked the directory, so that no
/// other process holds the lock.
///
/// # Errors
/// Fails if it cannot be removed.
pub(crate) fn remove_lock<G: Solvable>(
    signature: &Signature<G>,
    directory: &Path,
) -> Result<(), GenError> {
    let path = lock_path(directory, signature);
    match is_own_file(&path) {
        true => remove_file(&path).map_err(GenError::io("remove", &path)),
        false => Ok(()),
    }
}

/// The path of the lock file of a signature in the directory of its game.
fn lock_path<G: Solvable>(directory: &Path, signature: &Signature<G>) -> PathBuf {
    directory.join(format!(".{signature}.lock"))
}

/// Takes the lock at `path`: of a signature, or of the directory if `signature` is `None`.
fn take(
    path: &PathBuf,
    try_lock: impl Fn(&File) -> Result<(), TryLockError>,
    signature: Option<String>,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<File, GenError> {
    let lock = open_own_file(path).map_err(GenError::io("lock", path))?;
    let mut waiting = false;
    loop {
        match try_lock(&lock) {
            Ok(()) => return Ok(lock),
            Err(TryLockError::Error(error)) => return Err(GenError::io("lock", path)(error)),
            Err(TryLockError::WouldBlock) if stop.is_requested() => {
                return Err(GenError::Interrupted);
            }
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut waiting, true) {
                    progress.event(Event::Waiting { signature: signature.clone() });
                }
                thread::sleep(RETRY);
            }
        }
    }
}

/// Removes the temporary files whose names `is_mine` accepts. No other process may be writing them.
fn remove_unfinished(directory: &Path, is_mine: impl Fn(&str) -> bool) -> Result<(), GenError> {
    for entry in fs::read_dir(directory).map_err(GenError::io("read", directory))? {
        let path = entry.map_err(GenError::io("read", directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if is_mine(&name) && is_own_file(&path) {
            remove_file(&path).map_err(GenError::io("remove", &path))?;
        }
    }
    Ok(())
}
