//! The solver. A signature is worked on fibre by fibre: the positions that share
//! one placement of all men, among which only the crews (kings) move to and fro.
//! Every conversion leads to fewer pieces, to stronger ones or to men that have
//! come further, so fibres are solved in the order of how far the men have come,
//! and all [exits] of a fibre lead to what is solved already. What remains
//! are the [quiet] moves within it.
//!
//! The idea of solving the small closed worlds of fixed pawns one after the other
//! is old; bit rows of one crew over the other are what makes it fast here.

mod cells;
mod crew;
mod draughts;
mod exits;
mod frames;
pub(crate) mod journal;
mod memory;
mod men;
mod places;
mod quiet;
mod results;
mod score;
mod simd;
mod solution;
mod solver;
mod stock;

pub(crate) use cells::Scratch;
pub use exits::Solvable;
pub(crate) use frames::Part;
pub use journal::journals;
pub(crate) use memory::{Manner, Room};
pub use simd::Instructions;
pub use solution::Solution;
pub(crate) use solver::{Keeping, Means, solve};
pub(crate) use stock::{Stock, successors};
