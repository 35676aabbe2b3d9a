//! Tables as they are built: what is in them, that nothing changes them, what a run leaves that
//! does not come to its end, and what it takes.

mod chess;
mod chess_journal;
mod errors;
mod journal;
mod memory;
mod plain_solver;
mod same_bytes;
