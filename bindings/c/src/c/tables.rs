//! Operations on whole tables: read ahead, open, decode, list.

use super::caller::{blank, opened, place, tables_and_setup, write_all};
use super::handles::DamkaTables;
use super::strings::{c_str, text};
use crate::call::call;
use crate::position::DamkaPosition;
use crate::status::DamkaStatus;
use crate::types::{DamkaTable, metric_of};
use std::ffi::{c_char, c_int};
use std::ptr::NonNull;

/// Asks the operating system to read the data of a probe of the position under `metric`, without
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
        let DamkaTables { tables, .. } = unsafe { tables_and_setup(tables, position, &mut setup)? };
        Ok(tables.prefetch_setup(&setup, metric_of(metric)?)?)
    })
}

/// Opens a table, so that the first probe is not delayed; this takes up to a few milliseconds.
/// `signature` has its pieces: `KKMvKM`. Reads no values.
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

/// Decodes a whole table into memory, outside of the cache, until the handle is closed. `bytes`, which
/// may be NULL, is set to the memory that it takes: a quarter of a byte per position under DAMKA_WDL,
/// one or two bytes under DAMKA_DTW.
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
            // SAFETY: the caller provides room for it.
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
        // SAFETY: the caller provides room for `size` items and for their number.
        unsafe { write_all(found, list, size, count, "list") }
    })
}

/// Finds the number of pieces of the largest table of `metric`, 0 if there is none. A position with
/// more pieces has a value only if captures lead to tables. Opens all tables, like damka_tables().
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
        let matching = inventory.tables.iter().filter(|table| table.metric == metric);
        let largest = matching.map(|table| table.pieces).max();
        // SAFETY: the caller provides room for it.
        unsafe { pieces.write(largest.unwrap_or(0)) };
        Ok(())
    })
}
