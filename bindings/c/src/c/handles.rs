//! Handles: opened, and closed.

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

/// Opens the tables of `game` in `directory`, with room for `cache_bytes` bytes of decoded blocks: 64 MiB is a
/// good choice. Files are read with pread(): DAMKA_READ. `game` is any name that damka knows, in any case: russian,
/// checkers, chess. The directory need not exist yet; each table is opened when it is first needed.
///
/// Returns NULL if there is no such game. Otherwise the handle must be given to damka_close() in the
/// end.
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

/// Closes what damka_open() returned; NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_close(tables: *mut DamkaTables) {
    if !tables.is_null() {
        call(|| {
            // SAFETY: `damka_open` made it from a box, and the caller gives it up.
            drop(unsafe { Box::from_raw(tables) });
            Ok(())
        });
    }
}

/// The path that a C string names: any bytes on Unix.
#[cfg(unix)]
fn path(name: &CStr) -> Result<PathBuf, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name.to_bytes()).into())
}

/// The path that a C string names, in UTF-8.
#[cfg(not(unix))]
fn path(name: &CStr) -> Result<PathBuf, Failure> {
    Ok(text(name, "directory")?.into())
}
