//! The version, and what went wrong.

use crate::call::{last_status, last_text};
use crate::status::DamkaStatus;
use std::ffi::{CStr, c_char};

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
    last_text().unwrap_or(c"the thread is ending".as_ptr())
}

/// How the last call on this thread that failed went; DAMKA_OK if none has.
#[unsafe(no_mangle)]
pub extern "C" fn damka_error_code() -> DamkaStatus {
    last_status()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::call;
    use crate::status::DamkaStatus::{DAMKA_BUG, DAMKA_OK};

    #[test]
    fn a_panic_is_a_status() {
        assert_eq!(call(|| panic!("row {}", 9)), DAMKA_BUG);
        assert_eq!(call(|| Ok(())), DAMKA_OK);
        // SAFETY: a string that stays as long as the thread.
        assert_eq!(unsafe { CStr::from_ptr(damka_error()) }, c"row 9");
    }
}
