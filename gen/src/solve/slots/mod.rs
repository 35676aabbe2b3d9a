mod board;
mod exits;
mod fibre;
mod lanes;
mod moves;
mod pairs;
mod reach;
mod seeds;
mod solve;
mod world;

pub use board::Kind;
pub use fibre::{Counts, Fibre, Frame, Piece, Solved, View};
pub use solve::{TooLong, solve};
