//! Probes of positions given as text, and the text of positions.

use super::caller::{blank, opened, place, tables_and_fen, tables_and_setup};
use super::handles::DamkaTables;
use super::strings::{c_str, text, write_text};
use crate::call::call;
use crate::failure::Failure;
use crate::position::DamkaPosition;
use crate::status::DamkaStatus::{self, DAMKA_MISSING};
use crate::types::{DamkaResult, result_of};
use damka::{Answer, AnswerMove, Metric, read_setup, setup_fen};
use std::ffi::c_char;

/// Like damka_probe_wdl(), for a position given as text: a FEN, a tag `[FEN "..."]`, or `start`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_wdl(
    tables: *const DamkaTables,
    fen: *const c_char,
    result: *mut DamkaResult,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, fen) = unsafe { tables_and_fen(tables, fen)? };
        let result = place(result, "result")?;
        let found = result_of(tables.wdl(fen)?);
        // SAFETY: the caller provides room for it.
        unsafe { result.write(found) };
        Ok(())
    })
}

/// Like damka_probe_dtw(), for a position given as text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_dtw(
    tables: *const DamkaTables,
    fen: *const c_char,
    result: *mut DamkaResult,
    plies: *mut u16,
) -> DamkaStatus {
    call(|| {
        // SAFETY: the caller's promises.
        let (tables, fen) = unsafe { tables_and_fen(tables, fen)? };
        let (result, plies) = (place(result, "result")?, place(plies, "plies")?);
        let value = tables.dtw(fen)?;
        // SAFETY: the caller provides room for both.
        unsafe {
            result.write(result_of(value.wdl()));
            plies.write(value.plies().unwrap_or(0));
        }
        Ok(())
    })
}

/// Finds the best move of a position given as text, the quickest win or the slowest loss, and writes it
/// to `move`, which has room for `size` bytes, with a zero byte at the end: DAMKA_NAME_SIZE bytes are
/// enough for any move. Only the zero byte is written if there is no legal move. If tables with
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
        let (tables, fen) = unsafe { tables_and_fen(tables, fen)? };
        let answer = tables.answer(fen, Metric::Dtw)?;
        let keeps = |mv: &&AnswerMove| mv.value.is_some() && mv.value == answer.value;
        let best = match answer.moves.iter().find(keeps) {
            Some(best) => &best.name,
            None if answer.moves.is_empty() => "",
            // The only move that keeps the result may lead to a missing table.
            None => return Err(missing(&answer)),
        };
        // SAFETY: the caller provides room for `size` bytes.
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
        // SAFETY: the caller provides room for it.
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
        let DamkaTables { game, .. } = unsafe { tables_and_setup(tables, position, &mut setup)? };
        let text = setup_fen(*game, &setup)?;
        // SAFETY: the caller provides room for `size` bytes.
        unsafe { write_text(&text, fen, size, "fen") }
    })
}

/// The failure when the best move is unknown.
fn missing(answer: &Answer) -> Failure {
    let tables: Vec<String> = answer.missing.iter().map(|table| table.to_string()).collect();
    let text = format!("the best move is unknown without the tables {}", tables.join(", "));
    Failure { status: DAMKA_MISSING, text }
}
