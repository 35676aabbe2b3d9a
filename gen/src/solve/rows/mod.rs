//! The method of draughts and Alapo: one side's kings against the other's, in rows of bits.
//!
//! Solving the positions of one placement of the men at a time is an old idea. Here rows of bits,
//! one side's kings against the other's, make it fast.
//!
//! # How a fibre is solved
//!
//! * *Frames.* The scores of a fibre with one side to move form a matrix of bytes: a row for each
//!   placement of the kings that are not to move, a column for each placement of those that are.
//!   Placements are numbered on the empty board, so frames of different fibres have the same
//!   layout; cells in which two pieces share a square are unused. A man's move is then a minimum of
//!   two matrices, 64 positions per instruction.
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
//! [`solver`] takes the fibres in order, in batches and rounds ([`schedule`]) that all threads share,
//! and journals what is finished. The work inside a batch is a [`Kernel`](kernel::Kernel): [`quiet`]
//! is the only one. It asks [`exits`] for the scores of conversions, which are found from the rules
//! of any game one position at a time, or in draughts for many positions at once; the values are the
//! same.
//!
//! * [`placements`]: placements of kings, and their moves
//! * [`frames`]: the values of a signature, for [look-ups](lookup), as far as others [ask](demand) for
//!   them; [`own`]: those of a signature while it is solved; [`load`] makes them from tables
//! * [`results`]: the results of a batch, just solved or restored; the only code that packs a solved
//!   fibre. [`order`] puts them into index order

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
