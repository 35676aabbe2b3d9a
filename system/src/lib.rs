//! Everything that differs between operating systems: [memory](memory()), files, disks, processor
//! time, processes. The other crates are the same on all of them.
//!
//! A directory of tables may be one that others can write to. So a file is opened only if it
//! is a regular one, in a way that never waits ([`open`] and [`read_whole`]: a FIFO would let
//! the process hang); one that is changed is not reached through a symbolic link
//! ([`open_own`]), and opening a file never truncates it; what replaces another file is
//! first written beside it ([`AtomicFile`]).
//!
//! | | Linux | macOS | Windows | WebAssembly |
//! |---|---|---|---|---|
//! | reading files | yes | yes | yes | always an error |
//! | writing files, memory, disks, processes | yes | yes | yes | not there |
//! | links refused by `open_own` | always | always | looked for before | |
//! | directories synced | yes | yes | no: the system does it itself | |
//! | control groups, memory in RAM, hints for reads | yes | no | no | |
//!
//! # Where things are
//!
//! * `size.rs`: sizes as people write them: `64M`; no_memory.rs: the error of memory that is not there
//! * `files.rs`: files opened so that nothing waits and nothing else is harmed, and read
//! * `atomic.rs`: files that are there as a whole or not at all: tables, books, weights, games
//! * `memory.rs`: how much there is: of the machine, or within a container's limit
//! * `disk.rs`: how much space is left
//! * `processor_time.rs`: what threads have taken of it
//! * `process.rs`: other programs, and the limits of this one

#[cfg(any(unix, windows))]
mod atomic;
#[cfg(any(unix, windows))]
mod disk;
mod files;
#[cfg(any(unix, windows))]
mod memory;
mod no_memory;
#[cfg(any(unix, windows))]
mod process;
#[cfg(any(unix, windows))]
mod processor_time;
mod size;

#[cfg(any(unix, windows))]
pub use atomic::{AtomicFile, temporary_for, write_atomically};
#[cfg(any(unix, windows))]
pub use disk::free_space;
pub use files::{
    check_place, create_directories, expect_random_reads, expect_read, is_own, open, open_own,
    read_exact_at, read_whole, reserve,
};
#[cfg(any(unix, windows))]
pub use memory::{check_memory, memory, resident_memory};
pub use no_memory::NoMemory;
#[cfg(any(unix, windows))]
pub use process::{allow_many_files, in_own_group, kill_with_children};
#[cfg(any(unix, windows))]
pub use processor_time::{process_time, thread_time};
pub use size::{Size, parse_size};
