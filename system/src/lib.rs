//! What damka asks of the operating system: how much [memory](memory()) there is, and
//! files that are opened and written so that nothing else in their directory is harmed.
//!
//! A directory of tables may be one that others can write to. So a file is opened only if it
//! is a regular one, in a way that never waits ([`open`] and [`read_whole`]: a FIFO would let
//! the process hang); one that is changed is not reached through a symbolic link
//! ([`open_own`]), and nothing is cut short by being opened; what replaces another file is
//! first written beside it ([`AtomicFile`]).
//!
//! Where there is no Unix, as in WebAssembly, nothing is asked: what remains is the error
//! [`NoMemory`] and sizes as people write them.
//!
//! # Where things are
//!
//! * `memory.rs`: how much there is: of the machine, or within a container's limit
//! * `size.rs`: sizes as people write them: `64M`
//! * `files.rs`: files opened so that nothing waits and nothing else is harmed
//! * `atomic.rs`: files that are there as a whole or not at all: tables, books, weights, games

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
