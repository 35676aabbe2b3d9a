//! The functions that C calls. The only unsafe code of this crate.
//!
//! What a caller promises is said once, at the top of `damka.h`: each pointer is NULL or points to
//! what its type says, a handle is open, and what is written to is not used by others meanwhile.
//! Nothing unwinds into the caller: a panic, which would be a bug, becomes
//! [`DamkaStatus::DAMKA_BUG`].
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the promises are at the top of the header")]

use crate::failure::Failure;
use crate::position::{DamkaFamily, DamkaPosition};
use crate::status::DamkaStatus;
use damka::games::{Pieces, Setup, UnknownGame};
use damka::probe::CursorError;
use damka::{
    Access, Answer, AnswerMove, AnyGame, AnyTables, Color, DtwStatus, Filter, ListQuery, Metric,
    ProbeOptions, RowError, TableInfo, Value, Wdl, open, read_setup, setup_fen,
};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::ops::ControlFlow;
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
    /// They are mapped into memory: the quickest way. If somebody cuts a table short, in place, while
    /// it is open, or the disk fails, SIGBUS ends the process.
    DAMKA_MAP = 0,
    /// They are read with pread(): all that can go wrong is a status. For processes that must go on
    /// whatever happens to their files.
    DAMKA_READ = 1,
}

/// What a table tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaMetric {
    /// Win, draw or loss. A table with distances answers where the one without is missing.
    DAMKA_WDL = 0,
    /// Distance to the win in plies; in chess to mate.
    DAMKA_DTW = 1,
}

use DamkaAccess::{DAMKA_MAP, DAMKA_READ};
use DamkaMetric::{DAMKA_DTW, DAMKA_WDL};
use DamkaResult::{DAMKA_DRAW, DAMKA_LOSS, DAMKA_WIN};
use DamkaStatus::{DAMKA_BAD_ARGUMENT, DAMKA_BUG, DAMKA_MISSING, DAMKA_NOT_DECODED, DAMKA_OK};

/// A distance that is not known, or was not asked for.
pub const DAMKA_UNKNOWN_PLIES: u16 = 65535;

/// The room for a move or for a signature, in bytes, with the zero byte at the end.
pub const DAMKA_NAME_SIZE: usize = 64;

/// What is known of a position.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamkaValue {
    /// DAMKA_OK, or why there is no result.
    pub status: DamkaStatus,
    /// The result for the side to move; DAMKA_DRAW if there is none.
    pub result: DamkaResult,
    /// The distance to the win or loss in plies, 0 for a draw, or DAMKA_UNKNOWN_PLIES.
    pub plies: u16,
}

/// A legal move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DamkaMove {
    /// The move as the game writes it: `c3xe5`, `Qh4#`.
    pub name: [c_char; DAMKA_NAME_SIZE],
    /// The move by its squares: `c3e5`; in chess as UCI writes it, `d8h4`, `a7a8q`.
    pub coordinates: [c_char; DAMKA_NAME_SIZE],
    /// The value for the side that plays it; the distance includes the move.
    pub value: DamkaValue,
    /// The position after it.
    pub after: DamkaPosition,
}

/// A table.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamkaTable {
    /// Its pieces: `KKMvKM`.
    pub signature: [c_char; DAMKA_NAME_SIZE],
    /// What it tells: DAMKA_WDL or DAMKA_DTW.
    pub metric: i32,
    /// The number of its pieces.
    pub pieces: u32,
    /// The number of its values, both sides to move.
    pub positions: u64,
    /// The size of its file in bytes.
    pub bytes: u64,
}

/// Any value, distance or side; see DamkaQuery.
pub const DAMKA_ANY: i32 = -2;

/// Which positions are listed: those of a table for which all conditions hold.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct DamkaQuery {
    /// The pieces, White's first: `KKMvKM`.
    pub signature: *const c_char,
    /// Which values are listed: DAMKA_WDL or DAMKA_DTW.
    pub metric: i32,
    /// The result for the side to move: DAMKA_WIN, DAMKA_DRAW, DAMKA_LOSS or DAMKA_ANY.
    pub result: i32,
    /// The distance in plies, under DAMKA_DTW, or DAMKA_ANY.
    pub plies: i32,
    /// The side to move: DAMKA_WHITE, DAMKA_BLACK or DAMKA_ANY.
    pub turn: i32,
    /// If not 0, only mutual zugzwangs: each side would do better if the other were to move.
    pub zugzwang: i32,
    /// If not 0, only positions in which one move keeps the win or the draw, and there are others.
    pub only_move: i32,
}

/// A position that was listed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DamkaListed {
    /// The position.
    pub position: DamkaPosition,
    /// Its value.
    pub value: DamkaValue,
}

/// An open directory of tables of one game.
pub struct DamkaTables {
    game: AnyGame,
    tables: Box<dyn AnyTables>,
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

/// The room for the text of an error, in bytes.
const ERROR_BYTES: usize = 1024;

thread_local! {
    /// The status of the last call that failed.
    static CODE: Cell<DamkaStatus> = const { Cell::new(DAMKA_OK) };

    /// The text of the last call that failed, and zeros. There is nothing to drop, so that it
    /// stays where it is as long as the thread.
    static ERROR: [Cell<u8>; ERROR_BYTES] = const { [const { Cell::new(0) }; ERROR_BYTES] };
}

/// Opens the tables of `game` in `directory`, mapped into memory, with room for `cache_bytes` bytes of
/// decoded blocks: 64 MiB is a good choice. `game` is any name that damka knows, in any case: russian,
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
    unsafe { damka_open_with(game, directory, cache_bytes, DAMKA_MAP as c_int) }
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
        let access = match access {
            map if map == DAMKA_MAP as c_int => Access::Map,
            read if read == DAMKA_READ as c_int => Access::Read,
            other => return Err(bad(format!("there is no access {other}"))),
        };
        let game: AnyGame =
            text(game, "game")?.parse().map_err(|error: UnknownGame| bad(error.to_string()))?;
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

/// Like damka_probe_wdl(), for a position that is text: a FEN, a tag `[FEN "..."]`, or `start`.
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

/// Like damka_probe_dtw(), for a position that is text.
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

/// Finds the best move of a position that is text, the quickest win or the slowest loss, and writes it
/// to `move`, which has room for `size` bytes, with a zero byte at the end: DAMKA_NAME_SIZE bytes are
/// enough for any move. Only the zero byte is written if there is no legal move. Where tables with
/// distances are missing, it is a move that keeps the result, but may make no progress.
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
        let answer = tables.answer(fen, Metric::Dtw)?;
        let best = answer.moves.first();
        // What keeps the result may be a move into a table that is missing.
        if best.is_some_and(|best| best.value.is_none() || best.value != answer.value) {
            return Err(missing(&answer));
        }
        let best = best.map_or("", |best| &best.name);
        // SAFETY: the caller lets so many bytes be written.
        unsafe { write_text(best, r#move, size, "move") }
    })
}

/// Reads a position from text: a FEN, a tag `[FEN "..."]`, or `start`. Move counters are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_read_fen(
    tables: *const DamkaTables,
    fen: *const c_char,
    position: *mut DamkaPosition,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (game, fen) = unsafe { (opened(tables)?.game, c_str(fen, "fen")?) };
        let position = place(position, "position")?;
        let read = DamkaPosition::of(game, &read_setup(game, text(fen, "fen")?)?);
        // SAFETY: the caller lets it be written.
        unsafe { position.write(read) };
        Ok(())
    })
}

/// Writes the FEN of a position to `fen`, which has room for `size` bytes, with a zero byte at the
/// end: 256 bytes are enough for any position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_write_fen(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    fen: *mut c_char,
    size: usize,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { game, .. } = unsafe { asked(tables, position, &mut setup)? };
        let text = setup_fen(*game, &setup)?;
        // SAFETY: the caller lets so many bytes be written.
        unsafe { write_text(&text, fen, size, "fen") }
    })
}

/// Finds whether the side to move wins, draws or loses. A table with distances answers where the one
/// without is missing. Reads and decodes a block of a table if necessary, which takes microseconds;
/// otherwise it takes no lock and no memory, and about 0.1 microseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_wdl(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    result: *mut DamkaResult,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { tables, .. } = unsafe { asked(tables, position, &mut setup)? };
        let result = place(result, "result")?;
        let found = result_of(tables.setup_wdl(&setup)?);
        // SAFETY: the caller lets it be written.
        unsafe { result.write(found) };
        Ok(())
    })
}

/// Like damka_probe_wdl(), with the distance to the win or loss in plies, the winner playing the
/// shortest way and the loser the longest: 0 if the side to move has lost already. For a draw
/// `plies` is set to 0. Needs tables with distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_dtw(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    result: *mut DamkaResult,
    plies: *mut u16,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { tables, .. } = unsafe { asked(tables, position, &mut setup)? };
        let (result, plies) = (place(result, "result")?, place(plies, "plies")?);
        let value = tables.setup_dtw(&setup)?;
        // SAFETY: the caller lets both be written.
        unsafe {
            result.write(result_of(value.wdl()));
            plies.write(value.plies().unwrap_or(0));
        }
        Ok(())
    })
}

/// Finds the value under `metric` (DAMKA_WDL or DAMKA_DTW) if it follows from blocks that are in
/// memory, and returns DAMKA_NOT_DECODED otherwise: for threads that must not wait, as inside a
/// search. Opens, reads and decodes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_cached(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    metric: c_int,
    value: *mut DamkaValue,
) -> DamkaStatus {
    let mut is_decoded = false;
    let status = call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { tables, .. } = unsafe { asked(tables, position, &mut setup)? };
        let (metric, value) = (metric_of(metric)?, place(value, "value")?);
        if let Some(found) = tables.setup_value_if_decoded(&setup, metric)? {
            is_decoded = true;
            // SAFETY: the caller lets it be written.
            unsafe { value.write(DamkaValue::of(found, metric)) };
        }
        Ok(())
    });
    if status == DAMKA_OK && !is_decoded { DAMKA_NOT_DECODED } else { status }
}

/// Finds the values of `count` positions under `metric`, in whatever order needs the fewest reads: each
/// block is decoded about once, however small the cache is. Each position has its own status in
/// `values`; if one has no value, the status and the error are those of the first such position, and
/// the others have theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_batch(
    tables: *const DamkaTables,
    positions: *const DamkaPosition,
    count: usize,
    metric: c_int,
    values: *mut DamkaValue,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let DamkaTables { game, tables } = unsafe { opened(tables)? };
        let metric = metric_of(metric)?;
        if count == 0 {
            return Ok(());
        }
        if count > isize::MAX as usize / size_of::<DamkaPosition>() {
            return Err(bad(format!("{count} positions do not fit into memory")));
        }
        let positions = NonNull::new(positions.cast_mut()).ok_or_else(|| null("positions"))?;
        let values = place(values, "values")?;
        let setup = |number: usize| {
            // SAFETY: the number is below `count`, so that this is a position of the caller's.
            let position = unsafe { positions.add(number).as_ref() };
            let mut setup = blank();
            fill(*game, position, &mut setup)?;
            Ok(setup)
        };
        let mut first: Option<(usize, Failure)> = None;
        tables.setup_values(count, metric, &setup, &mut |number, found| {
            let value = match found {
                Ok(value) => DamkaValue::of(value, metric),
                Err(error) => {
                    let failure = Failure::from(error);
                    let value = DamkaValue::without_result(failure.status);
                    if first.as_ref().is_none_or(|&(before, _)| number < before) {
                        first = Some((number, failure));
                    }
                    value
                }
            };
            // SAFETY: the number is below `count`; the caller lets so many values be written.
            unsafe { values.add(number).write(value) };
            ControlFlow::Continue(())
        });
        first.map_or(Ok(()), |(_, failure)| Err(failure))
    })
}

/// Finds the value and all legal moves with theirs, best first: quick wins, slow wins, draws, slow
/// losses, quick losses, and at the end those whose value is unknown. Under DAMKA_WDL distances are
/// not asked for; under DAMKA_DTW, where tables with distances are missing, the others tell the
/// result. `count` is set to the number of legal moves, and the first of them, at most `size`, are
/// written to `moves`, which may be NULL if `size` is 0: there is room enough in 128 for nearly all
/// positions. Values that no table tells have the status DAMKA_MISSING; the call fails only if nothing is
/// known. Takes some 10 microseconds; for the root of a search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_root(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    metric: c_int,
    value: *mut DamkaValue,
    moves: *mut DamkaMove,
    size: usize,
    count: *mut usize,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { game, tables } = unsafe { asked(tables, position, &mut setup)? };
        let (metric, value) = (metric_of(metric)?, place(value, "value")?);
        let answer = tables.answer(&setup_fen(*game, &setup)?, metric)?;
        let told = |mv: &AnswerMove| {
            let found = DamkaValue::told(mv.value, mv.dtw, mv.dtw_status);
            DamkaMove::of(*game, [&mv.name, &mv.coordinates], &mv.fen, found)
        };
        let found = answer.moves.iter().map(told);
        // SAFETY: the caller lets so many moves be written, and the number of them.
        unsafe { write_all(found, moves, size, count, "moves")? };
        let own = DamkaValue::told(answer.value, answer.dtw, answer.dtw_status);
        // SAFETY: the caller lets it be written.
        unsafe { value.write(own) };
        Ok(())
    })
}

/// Finds best play to the end of the game: the winner plays the shortest way, the loser the longest.
/// `count` is set to the number of moves, 0 for a draw or if the game is over, and the first of them,
/// at most `size`, are written to `moves`, which may be NULL if `size` is 0. Needs tables with
/// distances.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_line(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    moves: *mut DamkaMove,
    size: usize,
    count: *mut usize,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { game, tables } = unsafe { asked(tables, position, &mut setup)? };
        let answer = tables.line(&setup_fen(*game, &setup)?)?;
        let (line, value) = (answer.line.unwrap_or_default(), answer.value);
        let told = |(number, ply): (usize, &damka::Ply)| {
            // The sides move in turn, and each move is one ply of the way.
            let value = if number % 2 == 0 { value } else { value.map(Wdl::before_move) };
            let left = answer.dtw.map(|plies| plies.saturating_sub(number as u16));
            let found = DamkaValue::told(value, left, answer.dtw_status);
            DamkaMove::of(*game, [&ply.name, &ply.coordinates], &ply.fen, found)
        };
        let found = line.iter().enumerate().map(told);
        // SAFETY: the caller lets so many moves be written, and the number of them.
        unsafe { write_all(found, moves, size, count, "moves") }
    })
}

/// Asks the operating system to read what a probe of the position under `metric` would read, without
/// waiting for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_prefetch(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    metric: c_int,
) -> DamkaStatus {
    call(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { tables, .. } = unsafe { asked(tables, position, &mut setup)? };
        Ok(tables.prefetch_setup(&setup, metric_of(metric)?)?)
    })
}

/// Opens a table, so that the first probe need not, which takes up to milliseconds. `signature` names
/// its pieces: `KKMvKM`. Reads no values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_preload(
    tables: *const DamkaTables,
    signature: *const c_char,
    metric: c_int,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, signature) =
            unsafe { (&opened(tables)?.tables, c_str(signature, "signature")?) };
        Ok(tables.preload(text(signature, "signature")?, metric_of(metric)?)?)
    })
}

/// Decodes a whole table into memory, outside of the cache, until the handle is closed. `bytes` is set
/// to the memory that it takes, and may be NULL: a quarter of a byte for a position under DAMKA_WDL,
/// one or two under DAMKA_DTW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_pin(
    tables: *const DamkaTables,
    signature: *const c_char,
    metric: c_int,
    bytes: *mut u64,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, signature) =
            unsafe { (&opened(tables)?.tables, c_str(signature, "signature")?) };
        let taken = tables.pin(text(signature, "signature")?, metric_of(metric)?)?;
        if let Some(bytes) = NonNull::new(bytes) {
            // SAFETY: the caller lets it be written.
            unsafe { bytes.write(taken) };
        }
        Ok(())
    })
}

/// Lists the tables, by ascending number of pieces; damaged ones are left out. `count` is set to their
/// number, and the first of them, at most `size`, are written to `list`, which may be NULL if `size` is
/// 0. Opens each of them for a moment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_tables(
    tables: *const DamkaTables,
    list: *mut DamkaTable,
    size: usize,
    count: *mut usize,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let inventory = unsafe { opened(tables)? }.tables.inventory()?;
        let found = inventory.tables.iter().map(DamkaTable::of);
        // SAFETY: the caller lets so many tables be written, and the number of them.
        unsafe { write_all(found, list, size, count, "list") }
    })
}

/// Finds the number of pieces of the largest table of `metric`, 0 if there is none. A position with
/// more pieces has an answer only if captures lead to tables. Opens all tables, as damka_tables()
/// does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_largest(
    tables: *const DamkaTables,
    metric: c_int,
    pieces: *mut u32,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promise.
        let tables = &unsafe { opened(tables)? }.tables;
        let (metric, pieces) = (metric_of(metric)?, place(pieces, "pieces")?);
        let inventory = tables.inventory()?;
        let told = inventory.tables.iter().filter(|table| table.metric == metric);
        let largest = told.map(|table| table.pieces).max();
        // SAFETY: the caller lets it be written.
        unsafe { pieces.write(largest.unwrap_or(0)) };
        Ok(())
    })
}

/// Lists positions of a table, of symmetric ones only the first. `cursor` has room for
/// DAMKA_NAME_SIZE bytes: it is an empty string where a list begins, and is set to where it goes on, or
/// to an empty string at its end. `count` is set to the number of positions found, and they are written
/// to `list`, at most `size`, which must not be 0. Rare positions may need a look at the whole table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_list(
    tables: *const DamkaTables,
    query: *const DamkaQuery,
    cursor: *mut c_char,
    list: *mut DamkaListed,
    size: usize,
    count: *mut usize,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (DamkaTables { game, tables }, query, from) = unsafe {
            let query = query.as_ref().ok_or_else(|| null("query"))?;
            (opened(tables)?, query, c_str(cursor, "cursor")?)
        };
        // SAFETY: the caller's promise.
        let signature = unsafe { c_str(query.signature, "signature")? };
        let query = query_of(query, text(signature, "signature")?)?;
        if size == 0 {
            return Err(bad("size is 0".to_owned()));
        }
        let mut listing = tables.listing(&query)?;
        if !from.is_empty() {
            let cursor = text(from, "cursor")?.parse();
            listing.resume(cursor.map_err(|error: CursorError| bad(error.to_string()))?)?;
        }
        let mut found = Vec::new();
        while found.len() < size {
            let goes_on = listing.advance(&mut |listed| {
                let setup = Setup::new(listed.pieces(), listed.turn());
                let position = DamkaPosition::of(*game, &setup);
                let value = DamkaValue::of(listed.value(), query.metric);
                found.push(DamkaListed { position, value });
                if found.len() == size { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            if !goes_on {
                break;
            }
        }
        let next = listing.cursor().map(|cursor| cursor.to_string()).unwrap_or_default();
        // SAFETY: the caller lets so many positions be written, and the number of them.
        unsafe { write_all(found.into_iter().map(Ok), list, size, count, "list")? };
        // SAFETY: the caller lets so many bytes be written; `from` is not used any more.
        unsafe { write_text(&next, cursor, DAMKA_NAME_SIZE, "cursor") }
    })
}

/// The version of the library that the program runs with, as DAMKA_VERSION is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn damka_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no zero byte"),
        };
    VERSION.as_ptr()
}

/// What went wrong in the last call on this thread that failed, in words, in up to 1023 bytes; empty if
/// none has. The pointer is valid as long as the thread, and always the same; the text stays until
/// another call on this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn damka_error() -> *const c_char {
    let text = ERROR.try_with(|error| error.as_ptr().cast());
    text.unwrap_or(c"the thread is ending".as_ptr())
}

/// How the last call on this thread that failed went; DAMKA_OK if none has.
#[unsafe(no_mangle)]
pub extern "C" fn damka_error_code() -> DamkaStatus {
    CODE.get()
}

/// Does `work` and keeps what goes wrong.
#[inline]
fn call(work: impl FnOnce() -> Result<(), Failure>) -> DamkaStatus {
    // After a panic nothing is used but the tables, which stay whole: what threads share there
    // they change in one step.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => DAMKA_OK,
        Ok(Err(failure)) => told(failure),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            told(Failure { status: DAMKA_BUG, text: text.unwrap_or_else(|| "a panic".to_owned()) })
        }
    }
}

/// Keeps what went wrong for the caller.
#[cold]
fn told(failure: Failure) -> DamkaStatus {
    CODE.set(failure.status);
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

impl DamkaValue {
    fn of(value: Value, metric: Metric) -> DamkaValue {
        let plies = match metric.has_distances() || value.wdl() == Wdl::Draw {
            true => value.plies().unwrap_or(0),
            false => DAMKA_UNKNOWN_PLIES,
        };
        DamkaValue { status: DAMKA_OK, result: result_of(value.wdl()), plies }
    }

    /// A value of an answer: unknown if no table tells it.
    fn told(value: Option<Wdl>, plies: Option<u16>, status: DtwStatus) -> DamkaValue {
        let Some(wdl) = value else { return DamkaValue::without_result(DAMKA_MISSING) };
        let plies = match status {
            DtwStatus::Draw => 0,
            _ => plies.unwrap_or(DAMKA_UNKNOWN_PLIES),
        };
        DamkaValue { status: DAMKA_OK, result: result_of(wdl), plies }
    }

    fn without_result(status: DamkaStatus) -> DamkaValue {
        DamkaValue { status, result: DAMKA_DRAW, plies: DAMKA_UNKNOWN_PLIES }
    }
}

impl DamkaMove {
    fn of(
        game: AnyGame,
        [name, coordinates]: [&str; 2],
        fen: &str,
        value: DamkaValue,
    ) -> Result<DamkaMove, Failure> {
        let after = DamkaPosition::of(game, &read_setup(game, fen)?);
        Ok(DamkaMove { name: name_of(name)?, coordinates: name_of(coordinates)?, value, after })
    }
}

impl DamkaTable {
    fn of(table: &TableInfo) -> Result<DamkaTable, Failure> {
        let TableInfo { pieces, positions, bytes, .. } = *table;
        let metric = match table.metric {
            Metric::Wdl => DAMKA_WDL,
            Metric::Dtw => DAMKA_DTW,
        };
        let (signature, metric) = (name_of(&table.signature)?, metric as i32);
        Ok(DamkaTable { signature, metric, pieces, positions, bytes })
    }
}

/// What a query asks for.
fn query_of(query: &DamkaQuery, signature: &str) -> Result<ListQuery, Failure> {
    let other = |name: &str, number: i32| bad(format!("{name} must not be {number}"));
    let DamkaQuery { metric, result, plies, turn, zugzwang, only_move, .. } = *query;
    let wdl = match result {
        DAMKA_ANY => None,
        _ => Some(wdl_of(result).ok_or_else(|| other("result", result))?),
    };
    let plies = match plies {
        DAMKA_ANY => None,
        _ => Some(u16::try_from(plies).map_err(|_| other("plies", plies))?),
    };
    let turn = match turn {
        DAMKA_ANY => None,
        _ => Some(color_of(turn).ok_or_else(|| other("turn", turn))?),
    };
    let (zugzwang, only_move) = (zugzwang != 0, only_move != 0);
    Ok(ListQuery {
        signature: signature.to_owned(),
        metric: metric_of(metric)?,
        filter: Filter { wdl, plies, only_move, zugzwang },
        turn,
        copies: false,
    })
}

fn wdl_of(result: i32) -> Option<Wdl> {
    let all = [Wdl::Loss, Wdl::Draw, Wdl::Win];
    all.into_iter().find(|&wdl| result_of(wdl) as i32 == result)
}

fn color_of(turn: i32) -> Option<Color> {
    Color::BOTH.into_iter().find(|&color| color as i32 == turn)
}

/// A name and zero bytes behind it.
fn name_of(name: &str) -> Result<[c_char; DAMKA_NAME_SIZE], Failure> {
    if name.len() >= DAMKA_NAME_SIZE {
        let text = format!("`{name}` is longer than {} bytes", DAMKA_NAME_SIZE - 1);
        return Err(Failure { status: DAMKA_BUG, text });
    }
    let mut room = [0; DAMKA_NAME_SIZE];
    room.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte as c_char);
    Ok(room)
}

fn metric_of(metric: c_int) -> Result<Metric, Failure> {
    match metric {
        wdl if wdl == DAMKA_WDL as c_int => Ok(Metric::Wdl),
        dtw if dtw == DAMKA_DTW as c_int => Ok(Metric::Dtw),
        other => Err(bad(format!("there is no metric {other}"))),
    }
}

/// A setup without pieces, which a position is written to.
#[inline(always)]
fn blank() -> Setup {
    Setup::new(Pieces::default(), Color::White)
}

/// Writes the position of `game` that C passes to a blank setup.
#[inline(always)]
fn fill(game: AnyGame, position: &DamkaPosition, setup: &mut Setup) -> Result<(), RowError> {
    let DamkaPosition { family, boards } = position;
    match game {
        AnyGame::Draughts(_) if *family == DamkaFamily::DAMKA_DRAUGHTS as i32 => {
            // SAFETY: the family says that the caller has set this member. It consists of integers.
            unsafe { &boards.draughts }.fill(setup)
        }
        AnyGame::Chess(_) if *family == DamkaFamily::DAMKA_CHESS as i32 => {
            // SAFETY: as above.
            unsafe { &boards.chess }.fill(setup)
        }
        AnyGame::Alapo(_) if *family == DamkaFamily::DAMKA_ALAPO as i32 => {
            // SAFETY: as above.
            unsafe { &boards.alapo }.fill(setup)
        }
        _ => Err(RowError::Family(game.name())),
    }
}

/// Writes a text and a zero byte to the `size` bytes at `place`.
///
/// # Safety
/// `place` must be NULL or point to `size` bytes that may be written.
unsafe fn write_text(
    text: &str,
    place: *mut c_char,
    size: usize,
    name: &str,
) -> Result<(), Failure> {
    if place.is_null() {
        return Err(null(name));
    }
    if text.len() >= size {
        return Err(bad(format!("the {name} takes {} bytes, there are {size}", text.len() + 1)));
    }
    // SAFETY: the text and the zero byte fit into the bytes that the caller lends, which nobody else
    // has.
    unsafe {
        place.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        place.add(text.len()).write(0);
    }
    Ok(())
}

/// Writes the first of `found`, at most `size`, to `place`, and the number of all to `count`. Nothing
/// is written if one of them fails.
///
/// # Safety
/// `place` must be NULL or point to `size` objects that may be written, `count` be NULL or point to
/// one.
unsafe fn write_all<T>(
    found: impl ExactSizeIterator<Item = Result<T, Failure>>,
    place: *mut T,
    size: usize,
    count: *mut usize,
    name: &str,
) -> Result<(), Failure> {
    let count = NonNull::new(count).ok_or_else(|| null("count"))?;
    if place.is_null() && size > 0 {
        return Err(null(name));
    }
    let all = found.len();
    let written: Vec<T> = found.take(size).collect::<Result<_, _>>()?;
    // SAFETY: there are at most `size`, for which the caller lends room that nobody else has; the
    // caller lets the number be written.
    unsafe {
        place.copy_from_nonoverlapping(written.as_ptr(), written.len());
        count.write(all);
    }
    Ok(())
}

/// An open handle.
///
/// # Safety
/// `tables` must be NULL or open, and outlive `'a`.
unsafe fn opened<'a>(tables: *const DamkaTables) -> Result<&'a DamkaTables, Failure> {
    // SAFETY: NULL, or open by the caller's promise; handles are only ever shared.
    unsafe { tables.as_ref() }.ok_or_else(|| null("tables"))
}

/// The tables that a question is about; writes its position to a blank setup.
///
/// # Safety
/// As [`opened`]; `position` must be NULL or point to a position.
#[inline(always)]
unsafe fn asked<'a>(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    setup: &mut Setup,
) -> Result<&'a DamkaTables, Failure> {
    // SAFETY: the caller's promise.
    let tables = unsafe { opened(tables)? };
    // SAFETY: the caller's promise.
    let position = unsafe { position.as_ref() }.ok_or_else(|| null("position"))?;
    fill(tables.game, position, setup)?;
    Ok(tables)
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

/// The tables and the text that a question is about.
///
/// # Safety
/// As [`opened`] and [`c_str`].
unsafe fn question<'a>(
    tables: *const DamkaTables,
    fen: *const c_char,
) -> Result<(&'a dyn AnyTables, &'a str), Failure> {
    // SAFETY: the caller's promises.
    let (tables, fen) = unsafe { (opened(tables)?, c_str(fen, "fen")?) };
    Ok((&*tables.tables, text(fen, "fen")?))
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
