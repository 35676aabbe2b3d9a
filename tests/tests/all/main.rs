//! Tests across damka's crates. They are one program, because each program compiles the solver and the
//! engine for every game.

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
