//! The method of draughts and Alapo: one side's kings against the other's, in rows of bits.
//!
//! Solving the positions of one placement of the men at a time is an old idea; the rows of bits make
//! it fast.
//!
//! # How a fibre is solved
//!
//! * *Frames.* The scores of a fibre with one side to move form a matrix of bytes: a row for each
//!   placement of the kings that are not to move, a column for each placement of those that are.
//!   Placements are numbered on the empty board, so frames of different fibres have the same
//!   layout; cells in which two pieces share a square are unused. A man's move is then scored by the
//!   minimum of two matrices, 64 positions per instruction.
//! * *Captures.* The score of a king's capture depends on the other kings of its side, on the
//!   captured piece and on the direction, but not on the king's origin. It is computed once, for a
//!   whole row of placements of the opponent's kings, and copied to all origins. Where the capture
//!   can continue, it is followed for 512 placements at a time.
//! * *Quiet moves.* Whether a position is won or lost is one bit. For the side to move, each
//!   placement of its kings has a row of bits, and a ray is a chain of rows: the positions of a row
//!   that can reach a given set are found with one AND and one OR for each square of its rays, 512
//!   positions at a time. The opponent's kings move along the other axis: what has been decided for
//!   one side is written into its frame and read back from there as rows of the other side.
//! * *Small fibres.* Fibres with few placements of the kings share rows of bits.
//! * *One distance at a time.* A position that can move to a loss in d - 1 is won in d. A position
//!   whose moves all lead to wins, the slowest in d - 1, and which has no exit that saves it, is
//!   lost in d. Without distances the same two passes repeat until nothing changes.
//!
//! # Modules
//!
//! [`solver`] solves the fibres in order, in batches and rounds ([`schedule`]) that are distributed
//! over all threads, and writes finished rounds to the journal. A [`Kernel`](kernel::Kernel) does the
//! work inside a batch; [`quiet`] has the only one. It gets the scores of conversions from [`exits`]:
//! one position at a time from the rules of any game, or in draughts for many positions at once, with
//! the same results.
//!
//! * [`placements`]: placements of kings, and their moves
//! * [`frames`]: the scores of a signature for [look-ups](lookup); [`demand`]: which of them other
//!   signatures look up; [`own`]: the frames of a signature while it is solved; [`load`] makes frames
//!   from tables
//! * [`results`]: the results of a batch, just solved or restored; the only code that packs a solved
//!   fibre. [`order`] puts its scores into index order

mod bits;
mod demand;
mod exits;
mod frames;
mod kernel;
mod load;
mod lookup;
mod order;
mod own;
mod placements;
mod quiet;
mod results;
mod schedule;
mod solver;

pub(super) use exits::{DraughtsExits, OneByOne, can_find};
pub(super) use quiet::RowKernel;
pub(super) use solver::ByRows;
