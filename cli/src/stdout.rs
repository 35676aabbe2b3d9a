//! Detects a closed standard output.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[cfg(unix)]
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether the program was started with standard output closed: its results would be lost.
#[cfg(unix)]
pub(crate) fn was_closed() -> bool {
    WAS_CLOSED.load(Relaxed)
}

/// Whether the program was started without standard output: its results would be lost.
#[cfg(windows)]
pub(crate) fn was_closed() -> bool {
    use std::os::windows::io::AsRawHandle;

    // Windows opens nothing in place of a missing standard output, and writing to it succeeds.
    std::io::stdout().as_raw_handle().is_null()
}

/// Calls `look` before `main`, through the loader. In `main` it is too late: Rust has opened /dev/null in
/// place of a closed stream, and writing to it succeeds.
// SAFETY: the loader calls the functions in this section once, one after the other, with arguments that
// a C function may ignore. This one needs nothing that Rust's runtime sets up.
#[allow(unsafe_code)]
#[cfg(unix)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;

#[cfg(unix)]
extern "C" fn look() {
    WAS_CLOSED.store(rustix::io::fcntl_getfd(std::io::stdout()).is_err(), Relaxed);
}
