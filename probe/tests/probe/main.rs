//! Tables in directories and in memory, and the memory that reading them takes.

mod counting;
mod forged;
mod probing;
mod storage;

#[path = "../../../fuzz/src/tamper.rs"]
pub mod tamper;
