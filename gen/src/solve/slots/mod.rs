//! The method of chess. Both kings, which must not be taken, link all positions that share the
//! pawns, so that a fibre is solved as a whole.
//!
//! * *Slots.* Each placement of both kings is a slot ([`pairs`]): 462 without pawns, where images
//!   of each other share one, else 3,612. A king's move leads to another slot, perhaps through a
//!   symmetry of the board.
//! * *Axes.* Within a slot each other piece has an axis of 64 squares, the last one the bits of a
//!   word; a set of positions is a set of such cells ([`world`]). Pieces move along their axes, many
//!   positions at once ([`reach`]).
//! * *Holes.* A cell in which a piece of the side that has just moved stands on an enemy piece is no
//!   position; it holds what that capture is worth ([`holes`]), so that captures are moves like
//!   others.
//! * *Pawns.* What their moves, captures and promotions are worth is known before a fibre is solved:
//!   a minimum of bytes ([`pawns`]), asked for distance by distance ([`seeds`]).
//! * [`solve`] has the levels, with an [`agenda`]; [`signature`] the fibres in order, of which
//!   [`frames`] knows; [`collect`] puts scores in the order of the index, where [`conversions`]
//!   tell which need not be held.
//!
//! Bit sets of one piece's squares are what chess programs have long had; that several pieces
//! make one set, and what is not a position a hole, is what makes it quick here.

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
mod stuck;
mod world;

pub(super) use frames::advance;
pub(super) use signature::BySlots;

#[cfg(test)]
mod tests;
