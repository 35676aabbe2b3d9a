//! The solver. A signature is solved fibre by fibre. A *fibre* is the set of positions that share
//! one placement of all men; within it only the kings move. Here *king* means every piece that is
//! not a man, whatever the game calls it: in Alapo, all pieces.
//!
//! Every conversion leads to fewer pieces, to stronger pieces or to men that have advanced further.
//! Fibres are therefore solved in order of decreasing advance, so that all [exits] of a fibre (the
//! moves that leave it) lead to solved positions. What remains are the quiet moves inside the
//! fibre.
//!
//! A position in which only captures are legal is called *forced*. Its value follows from exits
//! alone, so tables need not store it.
//!
//! Solving the small closed spaces of fixed pawns one after the other is an old idea; rows of bits,
//! one side's kings against the other's, are what makes it fast here.
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
//!   whole row of placements of the opponent's kings, and copied to all origins. Only where the
//!   capture can continue is it followed position by position.
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
//! How a signature is solved is a [`Method`]; [`games`] chooses one for each family. Draughts and
//! Alapo use the method described above: [`solver`] has the order of fibres, the batches and rounds
//! ([`schedule`]), the journal, and the handling of [results]; the work inside a batch is a
//! [`Kernel`](kernel::Kernel): [`rows`], which asks [exits] for the scores of exits. The method of
//! chess is [`slots`].
//!
//! All code is compiled for plain x86-64, AVX2 and AVX-512 ([`simd`]) and the level is chosen at
//! run time. A game without its own implementation of exits uses the game's rules, one position at
//! a time: slower, but with the same tables. This applies to Alapo and to draughts variants whose
//! rules the exits of draughts do not cover.

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
pub use games::ByRules;
pub(crate) use journal::JournalOptions;
pub use journal::journals;
pub use method::Solvable;
pub(crate) use method::{Context, Method, Setting};
pub use simd::Instructions;
pub use solution::Solution;
pub(crate) use solved::{SolvedSignatures, turned_footprint};
