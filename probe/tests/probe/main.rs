//! Tables in directories and in memory, and the memory that reading them takes.

mod counting;
#[cfg(target_os = "linux")]
mod directory;
mod forged;
mod probing;
mod storage;

#[path = "../../../fuzz/src/tamper.rs"]
pub mod tamper;
