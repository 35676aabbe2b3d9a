//! Strings of the caller, and strings written to the caller's buffers.

use crate::failure::Failure;
use std::ffi::{CStr, c_char};

/// The string at `pointer`.
///
/// # Safety
/// `pointer` must be NULL or point to a string that ends in a zero byte and outlives `'a`.
pub(super) unsafe fn c_str<'a>(pointer: *const c_char, name: &str) -> Result<&'a CStr, Failure> {
    match pointer.is_null() {
        true => Err(Failure::null(name)),
        // SAFETY: it is not NULL, and so a string by the caller's promise.
        false => Ok(unsafe { CStr::from_ptr(pointer) }),
    }
}

/// The string at `pointer`, which has room for `size` bytes.
///
/// # Safety
/// `pointer` must be NULL or point to a string that ends in a zero byte, or to `size` bytes, that outlive `'a`.
pub(super) unsafe fn c_str_within<'a>(
    pointer: *const c_char,
    size: usize,
    name: &str,
) -> Result<&'a CStr, Failure> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: bytes are read up to the zero byte, at most `size` of them.
    let length = (0..size).find(|&at| unsafe { pointer.add(at).read() } == 0);
    let length = length.ok_or_else(|| {
        Failure::bad(format!("the {name} has no zero byte in its first {size} bytes"))
    })?;
    // SAFETY: the zero byte is at `length`, and the bytes before it are not zero.
    Ok(unsafe {
        let bytes = std::slice::from_raw_parts(pointer.cast(), length + 1);
        CStr::from_bytes_with_nul_unchecked(bytes)
    })
}

/// A string as UTF-8.
pub(super) fn text<'a>(string: &'a CStr, name: &str) -> Result<&'a str, Failure> {
    string.to_str().map_err(|_| Failure::bad(format!("{name} is not UTF-8 text")))
}

/// Writes a text and a zero byte to the `size` bytes at `place`.
///
/// # Safety
/// `place` must be NULL or point to `size` bytes that may be written.
pub(super) unsafe fn write_text(
    text: &str,
    place: *mut c_char,
    size: usize,
    name: &str,
) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::null(name));
    }
    if text.len() >= size {
        return Err(Failure::bad(format!(
            "the {name} takes {} bytes, there are {size}",
            text.len() + 1
        )));
    }
    // SAFETY: the caller's buffer has room for the text and the zero byte. No other code uses it
    // meanwhile.
    unsafe {
        place.copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
        place.add(text.len()).write(0);
    }
    Ok(())
}
