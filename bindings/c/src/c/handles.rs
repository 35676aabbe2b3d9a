//! Opens and closes handles.

use super::strings::{c_str, text};
use crate::call::call;
use crate::failure::Failure;
use crate::types::{DamkaAccess::DAMKA_READ, access_of};
use damka::games::UnknownGame;
use damka::{AnyGame, AnyTables, ProbeOptions, open};
use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;

/// An open directory of tables of one game.
pub struct DamkaTables {
    pub(super) game: AnyGame,
    pub(super) tables: Box<dyn AnyTables>,
}

/// Opens the tables of `game` in `directory`, read with pread(), with a cache of `cache_bytes` bytes
/// for decoded blocks: 64 MiB is a good choice. `game` is any name that damka knows, in any case:
/// russian, checkers, chess. The directory need not exist yet; each table is opened when it is first
/// needed.
///
/// Returns NULL if there is no such game. Otherwise the handle must later be passed to damka_close().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_open(
    game: *const c_char,
    directory: *const c_char,
    cache_bytes: u64,
) -> *mut DamkaTables {
    // SAFETY: the caller's promise.
    unsafe { damka_open_with(game, directory, cache_bytes, DAMKA_READ as c_int) }
}

/// Like damka_open(), with `access` DAMKA_MAP or DAMKA_READ. Returns NULL if it is neither.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_open_with(
    game: *const c_char,
    directory: *const c_char,
    cache_bytes: u64,
    access: c_int,
) -> *mut DamkaTables {
    let mut opened = std::ptr::null_mut();
    call(|| {
        // SAFETY: the caller's promise.
        let [game, directory] = unsafe { [c_str(game, "game")?, c_str(directory, "directory")?] };
        let path = path(directory)?;
        let access = access_of(access)?;
        let game: AnyGame = text(game, "game")?
            .parse()
            .map_err(|error: UnknownGame| Failure::bad(error.to_string()))?;
        let tables = open(game, path, ProbeOptions { cache_bytes, access });
        opened = Box::into_raw(Box::new(DamkaTables { game, tables }));
        Ok(())
    });
    opened
}

/// Closes a handle of damka_open(); NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_close(tables: *mut DamkaTables) {
    if !tables.is_null() {
        call(|| {
            // SAFETY: `damka_open` made it from a box, and the caller no longer uses it.
            drop(unsafe { Box::from_raw(tables) });
            Ok(())
        });
    }
}

/// The path of a C string, which may have any bytes on Unix.
#[cfg(unix)]
fn path(name: &CStr) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name.to_bytes()).into())
}

/// The path of a C string, which must be UTF-8.
#[cfg(not(unix))]
fn path(name: &CStr) -> Result<PathBuf, Failure> {
    Ok(text(name, "directory")?.into())
}
