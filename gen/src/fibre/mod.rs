//! The solver. A signature is worked on fibre by fibre: the positions that share
//! one placement of all men, among which only the crews (kings) move to and fro.
//! Every conversion leads to fewer pieces, to stronger ones or to men that have
//! come further, so fibres are solved in the order of how far the men have come,
//! and all [exits] of a fibre lead to what is solved already. What remains
//! are the [quiet] moves within it.
//!
//! The idea of solving the small closed worlds of fixed pawns one after the other
//! is old; bit rows of one crew over the other are what makes it fast here.
//!
//! # How a fibre is solved
//!
//! Within a fibre only the crews, the kings of both sides, move to and fro.
//!
//! * *Frames.* The values of a fibre with one side to move are a matrix of bytes: a row
//!   for each placement of the crew that is not to move, a column for each placement of
//!   the one that is. Placements are numbered on the empty board, so that frames of
//!   different fibres fit onto each other; where two pieces share a square there is a hole.
//!   A man's move is then a minimum of two matrices, 64 positions an instruction.
//! * *Captures.* What a king's capture is worth depends on the other kings of its side, on
//!   the piece taken and on the direction, not on where the king came from: worked out once,
//!   for a whole row of placements of the other crew, it is given to all origins. Only where
//!   the capture can go on is it followed by the rules, position by position.
//! * *Quiet moves.* Whether a position has been won or lost is a bit. For the side to move a
//!   row of bits belongs to each placement of its crew, and a ray is a chain of rows: the
//!   positions of a row that can reach a set are found with one AND and one OR for each
//!   square of its rays, 512 positions at a time. The other crew moves along the other
//!   axis: what one side decides is written into its frame and read back from there in rows
//!   of the other.
//! * *Small fibres.* Fibres whose crews have few placements share rows of bits.
//! * *Distance by distance*: what can move to a loss in d - 1 is won in d; what can only move
//!   to wins, the slowest in d - 1, and has no exit that saves it, is lost in d. Without
//!   distances the same is done until nothing changes.
//!
//! Everything is compiled for plain x86-64, AVX2 and AVX-512 alike (`simd.rs`) and chosen when
//! it runs. A game that has no exits of its own uses those of its rules (`exits.rs`): slower,
//! and the same tables. Alapo does, and so do draughts variants with rules that `draughts.rs`
//! does not cover.

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
