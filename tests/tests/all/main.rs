//! Tests across damka's crates. They are one program, as each program compiles solver and engine
//! for every game.

mod chess_engine;
mod damage;
mod engine;
mod format;
mod golden;
mod histograms;
mod listing;
mod probing;
mod published;
mod readers;
mod readme;
mod slow_chess;
mod slow_solver;

#[path = "../../../fuzz/src/lib.rs"]
pub mod fuzz;
