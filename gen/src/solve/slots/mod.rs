//! The method of chess. Both kings, which cannot be captured, link all positions that share the
//! pawns, so a fibre is solved as a whole.
//!
//! * *Slots.* Each placement of both kings is a slot ([`pairs`]): 462 without pawns, where
//!   symmetric placements share a slot, otherwise 3,612. A king's move leads to another slot,
//!   possibly through a symmetry of the board.
//! * *Axes.* Within a slot each other piece has an axis of 64 squares; the last axis is the bits of
//!   a word. A set of positions is a set of such cells ([`world`]). Pieces move along their axes,
//!   many positions at once ([`reach`]).
//! * *Holes.* A cell in which a piece of the side that has just moved stands on an enemy piece is
//!   not a position. It holds the score of the position after that capture ([`holes`]), so captures
//!   are handled like other moves.
//! * *Pawns.* The scores of pawn moves, captures by pawns and promotions are known before a fibre
//!   is solved. The best of them is found byte by byte ([`pawns`]) and looked up one distance at a
//!   time ([`seeds`]).
//! * *Solving.* [`solve`] solves a fibre level by level, a level being a distance; an [`agenda`] lists
//!   the slots that are due at each level. [`signature`] solves the fibres that [`frames`] lists, in
//!   order. [`collect`] puts scores into index order; [`conversions`] determine which values need not
//!   be stored.
//!
//! Bitboards, sets of the squares of one kind of piece, are standard in chess programs. Sets over
//! the squares of several pieces at once, and illegal cells used as holes, make this method fast.

mod agenda;
mod board;
mod collect;
mod conversions;
mod fibre;
mod frames;
mod holes;
mod lanes;
mod moves;
mod pairs;
mod pawns;
mod reach;
mod seeds;
mod signature;
mod solve;
mod world;

pub(super) use frames::advance;
pub(super) use signature::BySlots;

#[cfg(test)]
mod tests;
