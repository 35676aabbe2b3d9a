//! Everything damka needs from the operating system: the amount of [memory](memory()), and
//! functions that open and write files without harming anything else in their directory.
//!
//! A directory of tables may be writable by others. So only regular files are opened, without ever
//! blocking ([`open`] and [`read_whole`]: a FIFO would make the process hang); files that are
//! changed are not reached through symbolic links and never truncated by opening them
//! ([`open_own`]); replacements of files are first written beside them ([`AtomicFile`]).
//!
//! On systems other than Unix, such as WebAssembly, only the error [`NoMemory`] and human-readable
//! sizes are available.
//!
//! # Modules
//!
//! * `memory.rs`: the memory of the machine, or of a container's limit
//! * `size.rs`: human-readable sizes such as `64M`
//! * `files.rs`: safe opening of files and creation of directories
//! * `atomic.rs`: files that are either complete or absent: tables, books, weights, games

#[cfg(unix)]
mod atomic;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod memory;
mod no_memory;
mod size;

#[cfg(unix)]
pub use atomic::{AtomicFile, temporary_for, write_atomically};
#[cfg(unix)]
pub use files::{check_place, create_directories, is_own, open, open_own, read_whole};
#[cfg(unix)]
pub use memory::{check_memory, memory};
pub use no_memory::NoMemory;
pub use size::{Size, parse_size};
