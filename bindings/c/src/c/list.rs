//! Lists of positions.

use super::caller::{opened, write_all};
use super::handles::DamkaTables;
use super::strings::{c_str, c_str_within, text, write_text};
use crate::call::call;
use crate::failure::Failure;
use crate::position::DamkaPosition;
use crate::status::DamkaStatus;
use crate::types::{DAMKA_NAME_SIZE, DamkaListed, DamkaQuery, DamkaValue, query_of};
use damka::games::Setup;
use damka::probe::CursorError;
use std::ffi::c_char;
use std::ops::ControlFlow;

/// Lists positions of a table, of symmetric ones only the first, and of the two positions of a mutual
/// zugzwang also only the first, unless `turn` is given. `cursor` has room for DAMKA_NAME_SIZE
/// bytes: an empty string begins a list; it is set to the cursor of the next part, or to an empty
/// string at the end. `count` is set to the number of positions found, and they are written to `list`,
/// at most `size`, which must not be 0. Rare positions may need a search of the whole table.
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
            let query = query.as_ref().ok_or_else(|| Failure::null("query"))?;
            (opened(tables)?, query, c_str_within(cursor, DAMKA_NAME_SIZE, "cursor")?)
        };
        // SAFETY: the caller's promise.
        let signature = unsafe { c_str(query.signature, "signature")? };
        let query = query_of(query, text(signature, "signature")?)?;
        if size == 0 {
            return Err(Failure::bad("size is 0".to_owned()));
        }
        let mut listing = tables.listing(&query)?;
        if !from.is_empty() {
            let cursor = text(from, "cursor")?.parse();
            listing
                .resume(cursor.map_err(|error: CursorError| Failure::bad(error.to_string()))?)?;
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
        // SAFETY: the caller provides room for `size` items and for their number.
        unsafe { write_all(found.into_iter().map(Ok), list, size, count, "list")? };
        // SAFETY: the caller provides room for `DAMKA_NAME_SIZE` bytes; `from` is no longer used.
        unsafe { write_text(&next, cursor, DAMKA_NAME_SIZE, "cursor") }
    })
}
