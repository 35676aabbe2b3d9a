//! What crosses damka's crates. One program: each would have solver and engine compiled anew,
//! for every game.

mod chess_engine;
mod dagaz;
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
