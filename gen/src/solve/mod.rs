//! The solver. A signature is worked on fibre by fibre: the positions that share one placement of
//! all men, among which only the kings move to and fro. *Kings* are here all pieces that are no
//! men, whatever a game calls them: in Alapo, all pieces.
//! Every conversion leads to fewer pieces, to stronger ones or to men that have
//! come further, so fibres are solved in the order of how far the men have come,
//! and all [exits] of a fibre lead to what is solved already. What remains
//! are the quiet moves within it.
//!
//! The idea of solving the small closed worlds of fixed pawns one after the other
//! is old; bit rows of one side's kings over the other's are what makes it fast here.
//!
//! # How a fibre is solved
//!
//! * *Frames.* The values of a fibre with one side to move are a matrix of bytes: a row
//!   for each placement of the kings that are not to move, a column for each placement of
//!   those that are. Placements are numbered on the empty board, so that frames of
//!   different fibres fit onto each other; where two pieces share a square there is a hole.
//!   A man's move is then a minimum of two matrices, 64 positions an instruction.
//! * *Captures.* What a king's capture is worth depends on the other kings of its side, on
//!   the piece taken and on the direction, not on where the king came from: worked out once,
//!   for a whole row of placements of the opponent's kings, it is given to all origins. Only
//!   where the capture can go on is it followed by the rules, position by position.
//! * *Quiet moves.* Whether a position has been won or lost is a bit. For the side to move a
//!   row of bits belongs to each placement of its kings, and a ray is a chain of rows: the
//!   positions of a row that can reach a set are found with one AND and one OR for each
//!   square of its rays, 512 positions at a time. The opponent's kings move along the other
//!   axis: what one side decides is written into its frame and read back from there in rows
//!   of the other.
//! * *Small fibres.* Fibres whose kings have few placements share rows of bits.
//! * *Distance by distance*: what can move to a loss in d - 1 is won in d; what can only move
//!   to wins, the slowest in d - 1, and has no exit that saves it, is lost in d. Without
//!   distances the same is done until nothing changes.
//!
//! # What is where
//!
//! How a signature is solved is a [`Method`]; [`games`] tells which family has which. That of
//! draughts and Alapo is told here: [`solver`] has the order of fibres, in batches and rounds
//! ([`schedule`]), the journal and what becomes of [results]; what happens inside of a batch is a
//! [`Kernel`](kernel::Kernel): [`rows`], with the [exits] that it asks for. That of chess is in
//! [`slots`].
//!
//! Everything is compiled for plain x86-64, AVX2 and AVX-512 alike ([`simd`]) and chosen when
//! it runs. A game that has no exits of its own uses those of its rules, one position after the
//! other: slower, and the same tables. Alapo does, and so do draughts variants with rules that the
//! exits of draughts do not cover.

mod arrays;
mod exits;
mod footprint;
mod frames;
mod games;
pub(crate) mod journal;
mod kernel;
mod load;
mod lookup;
mod men;
mod method;
mod order;
mod placements;
mod results;
mod rows;
mod schedule;
mod score;
mod simd;
mod slots;
mod solution;
mod solved;
mod solver;

pub(crate) use arrays::ScratchFiles;
pub(crate) use footprint::{Footprint, MemoryOptions};
pub(crate) use frames::Part;
pub(crate) use journal::JournalOptions;
pub use journal::journals;
pub use method::Solvable;
pub(crate) use method::{Context, Method, Setting};
pub use simd::Instructions;
pub use solution::Solution;
pub(crate) use solved::{SolvedSignatures, turned_footprint};
