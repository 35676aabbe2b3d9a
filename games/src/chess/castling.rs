//! Castling: the squares of king and rook, and the squares that must be empty.

use crate::{Color, Square, SquareSet};
use std::fmt;
use std::ops::BitOr;

/// Castling rights.
///
/// ```
/// use damka_games::chess::CastlingRights;
/// use damka_games::{Chess, Game};
/// let setup = Chess.parse_setup("r3k2r/8/8/8/8/8/8/R3K2R w Kq -").unwrap();
/// assert_eq!(setup.castling, CastlingRights::WHITE_SHORT | CastlingRights::BLACK_LONG);
/// assert_eq!(setup.castling.to_string(), "Kq");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CastlingRights(u8);

// The bits are in the order of `CASTLINGS`.
impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// White may castle on the king's side.
    pub const WHITE_SHORT: CastlingRights = CastlingRights(1);
    /// White may castle on the queen's side.
    pub const WHITE_LONG: CastlingRights = CastlingRights(2);
    /// Black may castle on the king's side.
    pub const BLACK_SHORT: CastlingRights = CastlingRights(4);
    /// Black may castle on the queen's side.
    pub const BLACK_LONG: CastlingRights = CastlingRights(8);
    /// Both sides may castle on both sides.
    pub const ALL: CastlingRights = CastlingRights(0b1111);

    /// The right with this letter in a FEN: K, Q, k or q.
    pub fn of_letter(letter: char) -> Option<CastlingRights> {
        let place = CASTLINGS.iter().position(|castling| castling.letter == letter)?;
        Some(CastlingRights(1 << place))
    }

    /// Whether there are no rights.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether all rights of `other` are among these.
    #[inline]
    pub const fn contains(self, other: CastlingRights) -> bool {
        other.0 & !self.0 == 0
    }

    /// The rights as bits: White's on the king's side in bit 0, on the queen's in bit 1, and
    /// Black's in bits 2 and 3.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights in both sets.
    #[inline]
    pub(super) const fn and(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & other.0)
    }

    /// These rights without those of `other`.
    #[inline]
    pub(super) const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }

    /// The rights with colours exchanged.
    #[inline]
    pub(super) const fn flip(self) -> CastlingRights {
        CastlingRights((self.0 << 2 | self.0 >> 2) & 0b1111)
    }

    /// Appends the rights as in a FEN: some of the letters `KQkq`, or `-`.
    pub(super) fn write(self, text: &mut String) {
        match self.0 {
            0 => text.push('-'),
            _ => text.extend(self.castlings().map(|castling| castling.letter)),
        }
    }

    /// The castlings that these rights allow.
    #[inline]
    pub(super) fn castlings(self) -> impl Iterator<Item = &'static Castling> {
        let has = move |&(i, _): &(usize, &Castling)| self.0 >> i & 1 != 0;
        CASTLINGS.iter().enumerate().filter(has).map(|(_, castling)| castling)
    }
}

impl BitOr for CastlingRights {
    type Output = CastlingRights;

    #[inline]
    fn bitor(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }
}

impl fmt::Display for CastlingRights {
    /// The rights in a FEN: some of the letters `KQkq`, or `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

/// The notation of castling on the king's side.
pub(super) const SHORT: &str = "O-O";
/// The notation of castling on the queen's side.
pub(super) const LONG: &str = "O-O-O";

/// One of the four ways to castle.
pub(super) struct Castling {
    pub(super) color: Color,
    /// Its letter in a FEN.
    pub(super) letter: char,
    /// The king's squares before and after.
    pub(super) king: [Square; 2],
    /// The rook's squares before and after.
    pub(super) rook: [Square; 2],
    /// The squares between king and rook, which must be empty.
    pub(super) empty: SquareSet,
}

impl Castling {
    /// A castling, given by the files of king and rook before and after, and the set of files
    /// between them.
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

    /// The notation of the move.
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

/// By square: the rights that remain when a piece leaves the square or arrives there.
pub(super) static KEPT: [CastlingRights; 64] = {
    let mut kept = [CastlingRights::ALL; 64];
    let mut i = 0;
    while i < CASTLINGS.len() {
        let squares = [CASTLINGS[i].king[0], CASTLINGS[i].rook[0]];
        let lost = CastlingRights(1 << i);
        kept[squares[0].index() as usize] = kept[squares[0].index() as usize].without(lost);
        kept[squares[1].index() as usize] = kept[squares[1].index() as usize].without(lost);
        i += 1;
    }
    kept
};
