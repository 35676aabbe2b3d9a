//! The version, and the last error.

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

/// The text of the error of the last failed call on this thread, up to 1023 bytes; empty if none has
/// failed. The pointer is valid while the thread runs, and always the same; the text stays until
/// another call on this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn damka_error() -> *const c_char {
    last_text().unwrap_or(c"the thread is ending".as_ptr())
}

/// The status of the last failed call on this thread; DAMKA_OK if none has failed.
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
        // SAFETY: a string that is valid while the thread runs.
        assert_eq!(unsafe { CStr::from_ptr(damka_error()) }, c"row 9");
    }
}
