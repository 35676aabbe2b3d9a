//! How calls end: nothing unwinds into the caller, and what went wrong is kept for it.

use crate::failure::Failure;
use crate::status::DamkaStatus::{self, DAMKA_BUG, DAMKA_OK};
use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The room for the text of an error, in bytes.
const ERROR_BYTES: usize = 1024;

thread_local! {
    /// The status of the last call that failed.
    static CODE: Cell<DamkaStatus> = const { Cell::new(DAMKA_OK) };

    /// The text of the last call that failed, and zeros. There is nothing to drop, so that it
    /// stays where it is as long as the thread.
    static ERROR: [Cell<u8>; ERROR_BYTES] = const { [const { Cell::new(0) }; ERROR_BYTES] };
}

/// Does `work` and keeps what goes wrong.
#[inline]
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> DamkaStatus {
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

/// The text of the last call that failed, as long as the thread has room for it.
pub(crate) fn last_text() -> Option<*const c_char> {
    ERROR.try_with(|error| error.as_ptr().cast()).ok()
}

/// The status of the last call that failed.
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
