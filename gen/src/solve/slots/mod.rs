mod board;
mod exits;
mod fibre;
mod lanes;
mod pairs;
mod reach;
mod seeds;
mod solve;

pub use board::Kind;
pub use fibre::{Counts, Fibre, Frame, Piece, Solved, View};
pub use solve::{TooLong, solve};
