//! Runs the work of a call: no panic unwinds into the caller, and errors are stored for it.

use crate::failure::Failure;
use crate::status::DamkaStatus::{self, DAMKA_BUG, DAMKA_OK};
use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The size of the buffer for the text of an error, in bytes.
const ERROR_BYTES: usize = 1024;

thread_local! {
    /// The status of the last failed call.
    static CODE: Cell<DamkaStatus> = const { Cell::new(DAMKA_OK) };

    /// The text of the last failed call, followed by zeros. It has no destructor, so its address is
    /// valid as long as the thread runs.
    static ERROR: [Cell<u8>; ERROR_BYTES] = const { [const { Cell::new(0) }; ERROR_BYTES] };
}

/// Runs `work` and stores its error.
#[inline]
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> DamkaStatus {
    call_for_status(|| work().map(|()| DAMKA_OK))
}

/// Like [`call`], for work that may succeed with another status.
#[inline]
pub(crate) fn call_for_status(work: impl FnOnce() -> Result<DamkaStatus, Failure>) -> DamkaStatus {
    // After a panic only the tables are used, which stay consistent: their shared data change in single
    // steps.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => store_error(failure),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            store_error(Failure {
                status: DAMKA_BUG,
                text: text.unwrap_or_else(|| "a panic".to_owned()),
            })
        }
    }
}

/// Stores an error for the caller.
#[cold]
fn store_error(failure: Failure) -> DamkaStatus {
    CODE.set(failure.status);
    // A thread that is ending may have no buffer any more; the status is enough then.
    let _ = ERROR.try_with(|error| keep(&failure.text, error));
    failure.status
}

/// Stores a text, as much as fits, and a zero byte after it.
fn keep(text: &str, room: &[Cell<u8>]) {
    let mut end = text.len().min(room.len() - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let bytes = text[..end].bytes().map(|byte| if byte == 0 { b' ' } else { byte });
    bytes.chain([0]).zip(room).for_each(|(byte, place)| place.set(byte));
}

/// The text of the last failed call, while the thread has a buffer for it.
pub(crate) fn last_text() -> Option<*const c_char> {
    ERROR.try_with(|error| error.as_ptr().cast()).ok()
}

/// The status of the last failed call.
pub(crate) fn last_status() -> DamkaStatus {
    CODE.get()
}

#[cfg(test)]
mod tests {
    use super::*;

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
