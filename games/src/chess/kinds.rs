//! The kinds of piece, strongest first.

use crate::Kind;

/// Kings.
pub const KING: Kind = Kind::new(0);
/// Queens.
pub const QUEEN: Kind = Kind::new(1);
/// Rooks.
pub const ROOK: Kind = Kind::new(2);
/// Bishops.
pub const BISHOP: Kind = Kind::new(3);
/// Knights.
pub const KNIGHT: Kind = Kind::new(4);
/// Pawns.
pub const PAWN: Kind = Kind::new(5);
