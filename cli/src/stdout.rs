//! Standard output that is closed: from the start, or when its reader has gone.

use std::io::{self, StdoutLock, Write};
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Standard output that drops what is written after its reader has gone. For commands that must go on
/// then, because they write a file or because their exit code is a result.
pub(crate) struct Lenient {
    out: StdoutLock<'static>,
    is_reader_gone: bool,
}

impl Lenient {
    pub(crate) fn lock() -> Lenient {
        Lenient { out: io::stdout().lock(), is_reader_gone: false }
    }

    /// Whether the reader has gone, so that nothing more needs to be written.
    pub(crate) fn is_reader_gone(&self) -> bool {
        self.is_reader_gone
    }

    /// The result of a write or flush; `dropped` if the reader has gone.
    fn unless_gone<T>(
        &mut self,
        write: impl FnOnce(&mut StdoutLock) -> io::Result<T>,
        dropped: T,
    ) -> io::Result<T> {
        if self.is_reader_gone {
            return Ok(dropped);
        }
        match write(&mut self.out) {
            Err(error) if damka_system::is_reader_gone(&error) => {
                self.is_reader_gone = true;
                Ok(dropped)
            }
            written => written,
        }
    }
}

impl Write for Lenient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_gone(|out| out.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_gone(|out| out.flush(), ())
    }
}

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
