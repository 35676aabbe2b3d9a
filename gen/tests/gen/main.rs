//! Building tables: their contents, their independence of how they are built, what an interrupted
//! run leaves, and the memory needed.

mod chess;
mod chess_journal;
mod errors;
mod halves;
mod journal;
mod memory;
mod plain_solver;
mod same_bytes;
mod shares;
