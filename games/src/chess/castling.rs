//! Castling: where king and rook go, and what must be true of the squares.

use crate::{Color, Square, SquareSet};

/// The rights to castle that are left, a bit for each of [`CASTLINGS`].
pub(super) type Rights = u8;

/// How castling on the king's side is written.
pub(super) const SHORT: &str = "O-O";
/// How castling on the queen's side is written.
pub(super) const LONG: &str = "O-O-O";

/// One of the four ways to castle.
pub(super) struct Castling {
    pub(super) color: Color,
    /// Its letter in a FEN.
    pub(super) letter: char,
    /// Where the king stands, and where it goes.
    pub(super) king: [Square; 2],
    /// Where the rook stands, and where it goes.
    pub(super) rook: [Square; 2],
    /// The squares between king and rook: they must be empty.
    pub(super) empty: SquareSet,
}

impl Castling {
    /// The files that king and rook leave and go to, and those between king and rook.
    const fn new(color: Color, letter: char, king: [u8; 2], rook: [u8; 2], empty: u64) -> Castling {
        const fn on(rank: u8, files: [u8; 2]) -> [Square; 2] {
            [Square::new(rank + files[0]), Square::new(rank + files[1])]
        }
        let rank = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let empty = SquareSet::new(empty << rank);
        Castling { color, letter, king: on(rank, king), rook: on(rank, rook), empty }
    }

    /// How the move is written.
    pub(super) const fn text(&self) -> &'static str {
        match self.letter {
            'K' | 'k' => SHORT,
            _ => LONG,
        }
    }

    /// The square the king passes, on which the rook will stand.
    pub(super) const fn passed(&self) -> Square {
        self.rook[1]
    }
}

/// All four, in the order in which FENs list them.
pub(super) static CASTLINGS: [Castling; 4] = [
    Castling::new(Color::White, 'K', [4, 6], [7, 5], 0b0110_0000),
    Castling::new(Color::White, 'Q', [4, 2], [0, 3], 0b0000_1110),
    Castling::new(Color::Black, 'k', [4, 6], [7, 5], 0b0110_0000),
    Castling::new(Color::Black, 'q', [4, 2], [0, 3], 0b0000_1110),
];

/// The rights that are kept when something leaves or arrives on a square.
pub(super) static KEPT: [Rights; 64] = {
    let mut kept = [0b1111; 64];
    let mut i = 0;
    while i < CASTLINGS.len() {
        kept[CASTLINGS[i].king[0].index() as usize] &= !(1 << i);
        kept[CASTLINGS[i].rook[0].index() as usize] &= !(1 << i);
        i += 1;
    }
    kept
};

/// The rights of each colour given to the other.
pub(super) const fn flip(rights: Rights) -> Rights {
    (rights << 2 | rights >> 2) & 0b1111
}

/// Those of the castlings to which there is a right.
#[inline]
pub(super) fn of(rights: Rights) -> impl Iterator<Item = &'static Castling> {
    let has = move |&(i, _): &(usize, &Castling)| rights >> i & 1 != 0;
    CASTLINGS.iter().enumerate().filter(has).map(|(_, castling)| castling)
}
