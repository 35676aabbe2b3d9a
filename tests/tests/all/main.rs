//! What crosses damka's crates. One program: each would have solver and engine compiled anew,
//! for every game.

mod damage;
mod engine;
mod format;
mod journal;
mod licences;
mod listing;
mod plain_solver;
mod probing;
mod published;
mod readers;
mod readme;
mod same_bytes;
mod slow_solver;

#[path = "../../../fuzz/src/lib.rs"]
pub mod fuzz;
