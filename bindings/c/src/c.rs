//! The functions that C calls. The only unsafe code of this crate.
//!
//! Nothing unwinds into the caller: a panic, which would be a bug, becomes
//! [`DamkaStatus::DAMKA_BUG`].
#![allow(unsafe_code)]

use crate::failure::Failure;
use crate::status::DamkaStatus;
use damka::games::UnknownGame;
use damka::{Access, Answer, AnyGame, AnyTables, Metric, ProbeOptions, Wdl, open};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::ptr::NonNull;

/// A result for the side to move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaResult {
    /// The side to move loses.
    DAMKA_LOSS = -1,
    /// Neither side can force a win.
    DAMKA_DRAW = 0,
    /// The side to move wins.
    DAMKA_WIN = 1,
}

/// How files of tables are read.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaAccess {
    /// They are mapped into memory: the quickest way. If somebody cuts a table short, in
    /// place, while it is open, or the disk fails, SIGBUS ends the process.
    DAMKA_MAP = 0,
    /// They are read with pread(): all that can go wrong is a status. For processes that have
    /// to go on whatever happens to their files.
    DAMKA_READ = 1,
}

use DamkaAccess::{DAMKA_MAP, DAMKA_READ};
use DamkaResult::{DAMKA_DRAW, DAMKA_LOSS, DAMKA_WIN};
use DamkaStatus::{DAMKA_BAD_ARGUMENT, DAMKA_BUG, DAMKA_MISSING, DAMKA_OK};

/// A directory of tables of one game.
pub struct DamkaTables(Box<dyn AnyTables>);

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

/// The room for the text of an error, in bytes.
const ERROR_BYTES: usize = 1024;

thread_local! {
    /// The text of the last call that failed, and zeros. There is nothing to drop, so that it
    /// stays where it is as long as the thread.
    static ERROR: [Cell<u8>; ERROR_BYTES] = const { [const { Cell::new(0) }; ERROR_BYTES] };
}

/// Opens the tables of `game` (russian, checkers, chess and so on, by any name that `damka` knows)
/// in `directory`, with memory for `cache_bytes` bytes of decoded blocks: 64 MiB is a good choice. Tables are read
/// when they are first needed, as DAMKA_MAP says.
///
/// Returns NULL if there is no such game. Otherwise the handle must be given to damka_close()
/// in the end.
///
/// # Safety
/// `game` and `directory` must be NULL or point to strings that end in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_open(
    game: *const c_char,
    directory: *const c_char,
    cache_bytes: u64,
) -> *mut DamkaTables {
    // SAFETY: the caller's promise.
    unsafe { damka_open_with(game, directory, cache_bytes, DAMKA_MAP as c_int) }
}

/// The same, files being read as `access` says: DAMKA_MAP or DAMKA_READ. Returns NULL if it is
/// neither.
///
/// # Safety
/// As damka_open().
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
        let access = match access {
            map if map == DAMKA_MAP as c_int => Access::Map,
            read if read == DAMKA_READ as c_int => Access::Read,
            other => return Err(bad(format!("there is no access {other}"))),
        };
        let game: AnyGame =
            text(game, "game")?.parse().map_err(|error: UnknownGame| bad(error.to_string()))?;
        let tables = open(game, path, ProbeOptions { cache_bytes, access });
        opened = Box::into_raw(Box::new(DamkaTables(tables)));
        Ok(())
    });
    opened
}

/// Closes what damka_open() returned; NULL is ignored.
///
/// # Safety
/// `tables` must be NULL or come from damka_open() and not be used any more, by any thread.
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

/// Finds whether the side to move wins, draws or loses the position `fen`. A table with distances
/// answers where the one without is missing.
///
/// # Safety
/// `tables` must be NULL or open, `fen` be NULL or point to a string that ends in a zero byte,
/// `result` be NULL or point to a DamkaResult that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_wdl(
    tables: *const DamkaTables,
    fen: *const c_char,
    result: *mut DamkaResult,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, fen) = unsafe { question(tables, fen)? };
        let result = place(result, "result")?;
        let found = result_of(tables.wdl(fen)?);
        // SAFETY: the caller lets it be written.
        unsafe { result.write(found) };
        Ok(())
    })
}

/// The same with the distance to the win or loss in plies, the winner playing the shortest
/// way and the loser the longest: 0 if the side to move has lost already. For a draw `plies`
/// is set to 0.
///
/// # Safety
/// As damka_wdl(); `plies` must be NULL or point to a uint16_t that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_dtw(
    tables: *const DamkaTables,
    fen: *const c_char,
    result: *mut DamkaResult,
    plies: *mut u16,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, fen) = unsafe { question(tables, fen)? };
        let (result, plies) = (place(result, "result")?, place(plies, "plies")?);
        let value = tables.dtw(fen)?;
        // SAFETY: the caller lets both be written.
        unsafe {
            result.write(result_of(value.wdl()));
            plies.write(value.plies().unwrap_or(0));
        }
        Ok(())
    })
}

/// Finds the best move, the quickest win or the slowest loss, and writes it to `move`, which
/// has room for `size` bytes, with a zero byte at the end: 64 bytes are enough for any move.
/// Nothing but the zero byte if there is no legal move. Where tables with distances are missing,
/// it is a move that keeps the result, but may make no progress.
///
/// # Safety
/// As damka_wdl(); `move` must be NULL or point to `size` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_best_move(
    tables: *const DamkaTables,
    fen: *const c_char,
    r#move: *mut c_char,
    size: usize,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, fen) = unsafe { question(tables, fen)? };
        if r#move.is_null() {
            return Err(null("move"));
        }
        let answer = tables.answer(fen, Metric::Dtw)?;
        let best = answer.moves.first();
        // What keeps the result may be a move into a table that is missing.
        if best.is_some_and(|best| best.value.is_none() || best.value != answer.value) {
            return Err(missing(&answer));
        }
        let best = best.map_or("", |best| &best.name);
        if best.len() >= size {
            return Err(bad(format!("the move takes {} bytes, there are {size}", best.len() + 1)));
        }
        // SAFETY: the text and the zero byte fit into the bytes that the caller lends, which
        // nobody else has.
        unsafe {
            r#move.copy_from_nonoverlapping(best.as_ptr().cast(), best.len());
            r#move.add(best.len()).write(0);
        }
        Ok(())
    })
}

/// What went wrong in the last call on this thread that failed, for people to read, in up to
/// 1023 bytes; empty if none has. The pointer is valid as long as the thread, and always the
/// same one; the text stays until another call on this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn damka_error() -> *const c_char {
    let text = ERROR.try_with(|error| error.as_ptr().cast());
    text.unwrap_or(c"the thread is ending".as_ptr())
}

/// Does `work` and keeps what goes wrong.
fn call(work: impl FnOnce() -> Result<(), Failure>) -> DamkaStatus {
    // After a panic nothing is used but the tables, which stay whole: what threads share there
    // they change in one step.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return DAMKA_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Failure { status: DAMKA_BUG, text: text.unwrap_or_else(|| "a panic".to_owned()) }
        }
    };
    // Where a thread that is ending has no room for it any more, the status tells enough.
    let _ = ERROR.try_with(|error| keep(&failure.text, error));
    failure.status
}

/// Keeps a text, as far as there is room for it, and a zero byte behind it.
fn keep(text: &str, room: &[Cell<u8>]) {
    let mut end = text.len().min(room.len() - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let bytes = text[..end].bytes().map(|byte| if byte == 0 { b' ' } else { byte });
    bytes.chain([0]).zip(room).for_each(|(byte, place)| place.set(byte));
}

fn bad(text: String) -> Failure {
    Failure { status: DAMKA_BAD_ARGUMENT, text }
}

/// That the best move cannot be told from the others.
fn missing(answer: &Answer) -> Failure {
    let tables: Vec<String> = answer.missing.iter().map(|table| table.to_string()).collect();
    let text = format!("the best move is unknown without the tables {}", tables.join(", "));
    Failure { status: DAMKA_MISSING, text }
}

fn null(name: &str) -> Failure {
    bad(format!("{name} is NULL"))
}

fn text<'a>(string: &'a CStr, name: &str) -> Result<&'a str, Failure> {
    string.to_str().map_err(|_| bad(format!("{name} is no UTF-8 text")))
}

fn result_of(wdl: Wdl) -> DamkaResult {
    match wdl {
        Wdl::Loss => DAMKA_LOSS,
        Wdl::Draw => DAMKA_DRAW,
        Wdl::Win => DAMKA_WIN,
    }
}

/// The string at `pointer`.
///
/// # Safety
/// `pointer` must be NULL or point to a string that ends in a zero byte and outlives `'a`.
unsafe fn c_str<'a>(pointer: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    match pointer.is_null() {
        true => Err(null(name)),
        // SAFETY: not NULL, and so a string by the caller's promise.
        false => Ok(unsafe { CStr::from_ptr(pointer) }),
    }
}

/// The tables and the position that a question is about.
///
/// # Safety
/// As [`damka_wdl`]; both must outlive `'a`.
unsafe fn question<'a>(
    tables: *const DamkaTables,
    fen: *const c_char,
) -> Result<(&'a dyn AnyTables, &'a str), Failure> {
    // SAFETY: NULL, or open by the caller's promise; handles are only ever shared.
    let tables = unsafe { tables.as_ref() }.ok_or_else(|| null("tables"))?;
    // SAFETY: the caller's promise.
    let fen = unsafe { c_str(fen, "fen")? };
    Ok((&*tables.0, text(fen, "fen")?))
}

/// Where an answer is wanted.
fn place<T>(pointer: *mut T, name: &str) -> Result<NonNull<T>, Failure> {
    NonNull::new(pointer).ok_or_else(|| null(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_status() {
        assert_eq!(call(|| panic!("row {}", 9)), DAMKA_BUG);
        assert_eq!(call(|| Ok(())), DAMKA_OK);
        // SAFETY: a string that stays as long as the thread.
        assert_eq!(unsafe { CStr::from_ptr(damka_error()) }, c"row 9");
    }

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let room = [const { Cell::new(1) }; 8];
        let kept = || room.iter().map(Cell::get).collect::<Vec<u8>>();
        for (text, expected) in
            [("long", "long\0"), ("", "\0"), ("1234567890", "1234567\0"), ("\0шашки", " шаш\0")]
        {
            keep(text, &room);
            assert!(kept().starts_with(expected.as_bytes()), "{text}");
        }
    }
}
