//! Everything that differs between operating systems: [memory](memory()), files, disks, processor
//! time, processes. The other crates are the same on all of them. What strangers may have written
//! is read here, too: files, and [lines of input](read_line).
//!
//! A directory of tables may be writable by others. So only regular files are opened, without ever
//! blocking ([`open`] and [`read_whole`]: a FIFO would make the process hang); files that are
//! changed are not reached through symbolic links and never truncated by opening them
//! ([`open_own_file`]); replacements of files are first written beside them ([`AtomicFile`]).
//!
//! | | Linux | macOS | Windows | WebAssembly |
//! |---|---|---|---|---|
//! | reading files | yes | yes | yes | always an error |
//! | writing files, memory, disks, processes | yes | yes | yes | absent |
//! | links refused by [`open_own_file`] | yes | yes | yes | |
//! | files readable by others noticed | yes | yes | no | |
//! | directories synced | yes | yes | where allowed | |
//! | retries while another program holds a file open | not needed | not needed | two seconds | |
//! | limits of control groups, resident memory, hints for reads | yes | no | no | |
//!
//! # Modules
//!
//! * `size.rs`: human-readable sizes such as `64M`; `no_memory.rs`: the error of a failed allocation
//! * `files.rs`: safe opening and reading of files, and creation of directories
//! * `atomic.rs`: files that are either complete or absent: tables, books, weights, games
//! * `memory.rs`: the memory of the machine, or of a container's limit
//! * `disk.rs`: free space
//! * `processor_time.rs`: the processor time of threads and of the process
//! * `lines.rs`: lines of input from people and programs, of bounded length
//! * `process.rs`: child processes, broken pipes, limits on open files

#[cfg(any(unix, windows))]
mod atomic;
#[cfg(any(unix, windows))]
mod disk;
mod files;
mod lines;
#[cfg(any(unix, windows))]
mod memory;
mod no_memory;
#[cfg(any(unix, windows))]
mod process;
#[cfg(any(unix, windows))]
mod processor_time;
mod size;

#[cfg(any(unix, windows))]
pub use atomic::{AtomicFile, final_name_of, sync_published, unfinished_files, write_atomically};
#[cfg(any(unix, windows))]
pub use disk::free_space;
pub use files::{
    check_writable, create_directories, expect_random_reads, expect_read, file_name, is_own_file,
    is_readable_by_others, open, open_own_file, read_exact_at, read_whole, remove_file, reserve,
    sync,
};
pub use lines::{InputLine, MAX_LINE, read_line};
#[cfg(any(unix, windows))]
pub use memory::{check_memory, memory, resident_memory};
pub use no_memory::NoMemory;
#[cfg(any(unix, windows))]
pub use process::{allow_many_files, in_own_group, is_reader_gone, kill_with_children};
#[cfg(any(unix, windows))]
pub use processor_time::{process_time, thread_time};
pub use size::{Size, parse_size};
