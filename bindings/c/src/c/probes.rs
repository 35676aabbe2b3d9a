//! Probes of positions given as bitboards.

use super::caller::{bitboards, blank, fill, opened, place, tables_and_setup, write_all};
use super::handles::DamkaTables;
use crate::call::{call, call_for_status};
use crate::failure::Failure;
use crate::position::DamkaPosition;
use crate::status::DamkaStatus::{self, DAMKA_NOT_DECODED, DAMKA_OK};
use crate::types::{DamkaMove, DamkaResult, DamkaValue, metric_of, result_of};
use damka::{AnswerMove, AskError, Wdl, setup_fen};
use std::ffi::c_int;
use std::ops::ControlFlow;
use std::ptr::NonNull;

/// Finds whether the side to move wins, draws or loses. If the WDL table is missing, the DTW table is
/// used. Reads and decodes a block of a table if necessary, which takes microseconds; otherwise it
/// takes no lock, allocates no memory and needs 0.1 to 0.5 microseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_wdl(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    result: *mut DamkaResult,
) -> DamkaStatus {
    call(|| {
        let result = place(result, "result")?;
        // SAFETY: the caller's promises; the caller provides room for the result.
        unsafe {
            let found = match bitboards_wdl(tables, position) {
                Some(found) => found?,
                None => setup_wdl(tables, position)?,
            };
            result.write(result_of(found));
        }
        Ok(())
    })
}

/// Like damka_probe_wdl(), with the distance to the win or loss in plies, if the winner plays the
/// shortest way and the loser the longest: 0 if the side to move has already lost. For a draw `plies`
/// is set to 0. Needs tables with distances.
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
        let DamkaTables { tables, .. } = unsafe { tables_and_setup(tables, position, &mut setup)? };
        let (result, plies) = (place(result, "result")?, place(plies, "plies")?);
        let value = tables.setup_dtw(&setup)?;
        // SAFETY: the caller provides room for both.
        unsafe {
            result.write(result_of(value.wdl()));
            plies.write(value.plies().unwrap_or(0));
        }
        Ok(())
    })
}

/// Finds the value of `metric` (DAMKA_WDL or DAMKA_DTW) if it follows from blocks in memory, and
/// returns DAMKA_NOT_DECODED otherwise: for threads that must not wait, as in a search. Opens, reads
/// and decodes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn damka_probe_cached(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
    metric: c_int,
    value: *mut DamkaValue,
) -> DamkaStatus {
    call_for_status(|| {
        let mut setup = blank();
        // SAFETY: the caller's promises.
        let DamkaTables { tables, .. } = unsafe { tables_and_setup(tables, position, &mut setup)? };
        let (metric, value) = (metric_of(metric)?, place(value, "value")?);
        let Some(found) = tables.setup_value_if_decoded(&setup, metric)? else {
            return Ok(DAMKA_NOT_DECODED);
        };
        // SAFETY: the caller provides room for it.
        unsafe { value.write(DamkaValue::of(found, metric)) };
        Ok(DAMKA_OK)
    })
}

/// Finds the values of `metric` of `count` positions, in the order with the fewest reads: each block is
/// decoded about once, even with a small cache. Each position has its own status in `values`. If any
/// has no value, the returned status and the error are those of the first such position; the others
/// have their values.
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
            return Err(Failure::bad(format!("{count} positions do not fit into memory")));
        }
        let positions =
            NonNull::new(positions.cast_mut()).ok_or_else(|| Failure::null("positions"))?;
        let values = place(values, "values")?;
        let setup = |number: usize| {
            // SAFETY: the number is below `count`, so that this is a position of the caller.
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
            // SAFETY: the number is below `count`; the caller provides room for `count` values.
            unsafe { values.add(number).write(value) };
            ControlFlow::Continue(())
        });
        first.map_or(Ok(()), |(_, failure)| Err(failure))
    })
}

/// Finds the value, and all legal moves with their values, best first: quick wins, slow wins, draws,
/// slow losses, quick losses. Moves of unknown value are last, or first if the best move must be one
/// of them. DAMKA_WDL finds no distances; under DAMKA_DTW, if DTW tables are missing, WDL tables give
/// the results. `count` is set to the number of legal moves, and the first of them, at most `size`,
/// are written to `moves`, which may be NULL if `size` is 0: 128 are enough for nearly all positions.
/// Unknown values have the status DAMKA_MISSING; the call fails only if all are unknown. Takes some
/// 10 microseconds; for the root of a search.
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
        let DamkaTables { game, tables } =
            unsafe { tables_and_setup(tables, position, &mut setup)? };
        let (metric, value) = (metric_of(metric)?, place(value, "value")?);
        let answer = tables.answer(&setup_fen(*game, &setup)?, metric)?;
        let convert = |mv: &AnswerMove| {
            let found = DamkaValue::of_answer(mv.value, mv.dtw, mv.dtw_status);
            DamkaMove::of(*game, [&mv.name, &mv.coordinates], &mv.fen, found)
        };
        let found = answer.moves.iter().map(convert);
        // SAFETY: the caller provides room for `size` items and for their number.
        unsafe { write_all(found, moves, size, count, "moves")? };
        let own = DamkaValue::of_answer(answer.value, answer.dtw, answer.dtw_status);
        // SAFETY: the caller provides room for it.
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
        let DamkaTables { game, tables } =
            unsafe { tables_and_setup(tables, position, &mut setup)? };
        let answer = tables.line(&setup_fen(*game, &setup)?)?;
        let (line, value) = (answer.line.unwrap_or_default(), answer.value);
        let convert = |(number, ply): (usize, &damka::Ply)| {
            // The sides alternate, and each move is one ply of the distance.
            let value = if number % 2 == 0 { value } else { value.map(Wdl::before_move) };
            let left = answer.dtw.map(|plies| plies.saturating_sub(number as u16));
            let found = DamkaValue::of_answer(value, left, answer.dtw_status);
            DamkaMove::of(*game, [&ply.name, &ply.coordinates], &ply.fen, found)
        };
        let found = line.iter().enumerate().map(convert);
        // SAFETY: the caller provides room for `size` items and for their number.
        unsafe { write_all(found, moves, size, count, "moves") }
    })
}

/// The result of a position without castling rights and en passant, found without a
/// [`Setup`](damka::games::Setup). `None` for any other position, and for invalid arguments.
///
/// # Safety
/// As [`tables_and_setup`].
#[inline(always)]
unsafe fn bitboards_wdl(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
) -> Option<Result<Wdl, AskError>> {
    // SAFETY: the caller's promises.
    let (DamkaTables { tables, game }, position) =
        unsafe { (tables.as_ref()?, position.as_ref()?) };
    tables.bitboards_wdl(&bitboards(*game, position)?)
}

/// The result of any position.
///
/// # Safety
/// As [`tables_and_setup`].
#[cold]
unsafe fn setup_wdl(
    tables: *const DamkaTables,
    position: *const DamkaPosition,
) -> Result<Wdl, Failure> {
    let mut setup = blank();
    // SAFETY: the caller's promises.
    let DamkaTables { tables, .. } = unsafe { tables_and_setup(tables, position, &mut setup)? };
    Ok(tables.setup_wdl(&setup)?)
}
