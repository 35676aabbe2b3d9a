//! The solver. A signature is solved fibre by fibre. A *fibre* is the set of positions that share
//! one placement of all men; within it only the kings move. Here *king* means every piece that is
//! not a man, whatever the game calls it: in Alapo, all pieces.
//!
//! Every zeroing move leads to fewer pieces, to stronger pieces or to men that have advanced further.
//! Fibres are therefore solved in order of decreasing advance, so that all *exits* of a fibre (the
//! moves that leave it) lead to solved positions. What remains are the quiet moves inside the
//! fibre.
//!
//! A position in which only captures are legal is called *forced*. Its value follows from exits
//! alone, so tables need not store it.
//!
//! # Modules
//!
//! How a signature is solved is a [`Method`]; [`games`] chooses one for each family. There are two:
//!
//! * [`rows`], for draughts and Alapo: each placement of the kings to move has a row of bits, one for
//!   each placement of the other kings.
//! * [`slots`], for chess: each placement of both kings is a slot, an array of cells in which each
//!   other piece has an axis.
//!
//! They share:
//!
//! * [`method`]: the interface of a method
//! * [`solved`]: the frames of solved signatures, kept in memory ([`by_material`]) or loaded
//! * [`score`]: values as single bytes; [`counts`]: the number of positions of each value
//! * [`solution`]: the values of a signature for its tables; [`part`]: which fibres are solved
//! * [`journal`]: unfinished work, in a file
//! * [`arrays`]: large arrays, in memory or in scratch files; [`footprint`]: memory and scratch space
//! * [`men`]: sets of men and counts of fibres; [`instructions`]: the instruction set, chosen at run
//!   time

mod arrays;
mod by_material;
mod counts;
mod footprint;
mod games;
mod instructions;
pub(crate) mod journal;
mod men;
mod method;
mod part;
mod rows;
mod score;
mod slots;
mod solution;
mod solved;

pub(crate) use arrays::ScratchFiles;
pub(crate) use footprint::{Footprint, MemoryOptions};
pub use games::ByRules;
pub use instructions::Instructions;
pub(crate) use journal::JournalOptions;
pub use journal::journals;
pub use method::Solvable;
pub(crate) use method::{Context, Demand, DemandOf, FramesOf, Method, Setting};
pub(crate) use part::Part;
pub use solution::Solution;
pub(crate) use solved::{SolvedSignatures, exchanged_footprint};
