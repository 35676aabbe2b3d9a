//! Castling with king and rook on any files of their first rank, as in Chess960.
//!
//! Wherever they stand, king and rook arrive on the squares of standard chess: g1 and f1, or c1 and
//! d1. All squares from the king to its target, and from the rook to its target, must be empty
//! except for these two pieces. The king must not be attacked on its square, on a square that it
//! passes, or on its target (FIDE Laws of Chess, Guidelines II, Chess960 Rules).

use super::kinds::{KING, ROOK};
use crate::{Color, Pieces, Square, SquareSet};
use std::fmt;
use std::ops::BitOr;

/// Castling rights: the rooks with which the sides may castle.
///
/// ```
/// use damka_games::chess::CastlingRights;
/// use damka_games::{Chess, Game};
/// let setup = Chess.parse_setup("r3k2r/8/8/8/8/8/8/R3K2R w Kq -").unwrap();
/// assert_eq!(setup.castling, CastlingRights::WHITE_SHORT | CastlingRights::BLACK_LONG);
/// assert_eq!(setup.castling.to_string(), "Kq");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CastlingRights(u16);

// Bits 0 to 7 are rooks on a1 to h1, bits 8 to 15 those on a8 to h8.
impl CastlingRights {
    /// No rights.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// White may castle with a rook on h1.
    pub const WHITE_SHORT: CastlingRights = CastlingRights(1 << 7);
    /// White may castle with a rook on a1.
    pub const WHITE_LONG: CastlingRights = CastlingRights(1);
    /// Black may castle with a rook on h8.
    pub const BLACK_SHORT: CastlingRights = CastlingRights(1 << 15);
    /// Black may castle with a rook on a8.
    pub const BLACK_LONG: CastlingRights = CastlingRights(1 << 8);
    /// The rights at the start of a game of standard chess.
    pub const ALL: CastlingRights = CastlingRights(0x8181);

    /// The rights in standard chess, in the order in which FENs list them.
    pub const STANDARD: [CastlingRights; 4] = [
        CastlingRights::WHITE_SHORT,
        CastlingRights::WHITE_LONG,
        CastlingRights::BLACK_SHORT,
        CastlingRights::BLACK_LONG,
    ];

    /// The right to castle with a rook on this square; none if it is not on rank 1 or 8.
    #[inline]
    pub const fn of_rook(square: Square) -> CastlingRights {
        match square.index() {
            index @ 0..8 => CastlingRights(1 << index),
            index @ 56..64 => CastlingRights(1 << (index - 48)),
            _ => CastlingRights::NONE,
        }
    }

    /// The right with this letter in a FEN: `K` and `Q` are White's with the outermost rook on that
    /// side of its king (X-FEN), `A` to `H` with the rook on that file (Shredder-FEN); small
    /// letters are Black's. If there is no such rook, `K` and `Q` stand for the rook's square in
    /// standard chess.
    pub fn of_letter(letter: char, pieces: &Pieces) -> Option<CastlingRights> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let file = match letter.to_ascii_uppercase() {
            'K' => outermost(pieces, color, Side::Short).unwrap_or(7),
            'Q' => outermost(pieces, color, Side::Long).unwrap_or(0),
            file @ 'A'..='H' => file as u8 - b'A',
            _ => return None,
        };
        Some(CastlingRights::of_rook(on_first_rank(color, file)))
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

    /// The squares of the rooks.
    #[inline]
    pub const fn rooks(self) -> SquareSet {
        SquareSet::new(self.0 as u64 & 0xFF | (self.0 as u64 >> 8) << 56)
    }

    /// The squares of a side's rooks.
    #[inline]
    pub const fn rooks_of(self, color: Color) -> SquareSet {
        self.of(color).rooks()
    }

    /// The rights as bits: with rooks on h1, a1, h8 and a8 in bits 0 to 3, on b1 to g1 in bits 8 to
    /// 13, and on b8 to g8 in bits 14 to 19.
    #[inline]
    pub(super) const fn bits(self) -> u32 {
        let rights = self.0 as u32;
        let corners =
            rights >> 7 & 1 | (rights & 1) << 1 | rights >> 15 << 2 | (rights >> 8 & 1) << 3;
        corners | (rights >> 1 & 0x3F) << 8 | (rights >> 9 & 0x3F) << 14
    }

    /// These rights without those of `other`.
    #[inline]
    pub(super) const fn without(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & !other.0)
    }

    /// The rights of one side.
    #[inline]
    pub(super) const fn of(self, color: Color) -> CastlingRights {
        CastlingRights(match color {
            Color::White => self.0 & 0xFF,
            Color::Black => self.0 & 0xFF00,
        })
    }

    /// The rights with colours exchanged.
    #[inline]
    pub(super) const fn flip(self) -> CastlingRights {
        self.turned(1)
    }

    /// The rights with colours exchanged `times` times.
    #[inline]
    pub(super) const fn turned(self, times: u8) -> CastlingRights {
        CastlingRights(self.0.rotate_left(8 * times as u32))
    }

    /// Appends the rights as in a FEN: `K`, `Q`, `k` and `q` for rooks that are the outermost on
    /// their side of the king, or else the letter of the rook's file.
    pub(super) fn write(self, pieces: &Pieces, text: &mut String) {
        for color in Color::BOTH {
            let mut rooks: Vec<Square> = self.rooks_of(color).into_iter().collect();
            // The king's side first.
            rooks.reverse();
            for rook in rooks {
                let file = rook.index() % 8;
                let is_outermost = |side| outermost(pieces, color, side) == Some(file);
                text.push(match () {
                    () if is_outermost(Side::Short) => cased(color, 'K'),
                    () if is_outermost(Side::Long) => cased(color, 'Q'),
                    () => cased(color, char::from(b'A' + file)),
                });
            }
        }
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
    /// The letters of the rights in order: `K`, `Q`, `k` and `q` with the rooks of standard chess,
    /// others by the file of the rook; or `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("-");
        }
        Color::BOTH.into_iter().try_for_each(|color| {
            let mut rooks: Vec<Square> = self.rooks_of(color).into_iter().collect();
            rooks.reverse();
            rooks.into_iter().try_for_each(|rook| write!(f, "{}", letter(color, rook)))
        })
    }
}

/// The notation of castling on the king's side.
pub(super) const SHORT: &str = "O-O";
/// The notation of castling on the queen's side.
pub(super) const LONG: &str = "O-O-O";

/// A side of the king: towards the h-file or towards the a-file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Short,
    Long,
}

/// Castling: the squares of king and rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castling {
    /// The king's squares before and after.
    pub king: [Square; 2],
    /// The rook's squares before and after.
    pub rook: [Square; 2],
}

impl Castling {
    /// Castling with king and rook on these squares of a first rank.
    #[inline]
    pub(super) const fn new(king: Square, rook: Square) -> Castling {
        let rank = king.index() & !7;
        let [king_to, rook_to] = if rook.index() > king.index() { [6, 5] } else { [2, 3] };
        Castling {
            king: [king, Square::new(rank + king_to)],
            rook: [rook, Square::new(rank + rook_to)],
        }
    }

    #[inline]
    pub(super) const fn side(&self) -> Side {
        if self.rook[0].index() > self.king[0].index() { Side::Short } else { Side::Long }
    }

    /// The notation of the move.
    pub(super) const fn text(&self) -> &'static str {
        match self.side() {
            Side::Short => SHORT,
            Side::Long => LONG,
        }
    }

    /// Whether king and rook stand as in standard chess.
    #[inline]
    pub fn is_standard(&self) -> bool {
        self.king[0].index() % 8 == 4 && matches!(self.rook[0].index() % 8, 0 | 7)
    }

    /// The squares that must be empty.
    #[inline]
    pub(super) fn empty(&self) -> SquareSet {
        self.path(&EMPTY)
    }

    /// The squares that the king passes or reaches, without the one it starts on. None of them may
    /// be attacked.
    #[inline]
    pub(super) fn way(&self) -> SquareSet {
        self.path(&WAYS)
    }

    #[inline]
    fn path(&self, paths: &[[u8; 8]; 8]) -> SquareSet {
        let [king, rook] = [self.king[0], self.rook[0]].map(usize::from);
        SquareSet::new(u64::from(paths[king % 8][rook % 8]) << (king & !7))
    }
}

/// The files of a rank that must be empty, as bits, indexed by the files of king and rook.
static EMPTY: [[u8; 8]; 8] = paths(false);
/// The files of the squares that the king passes or reaches, as bits, indexed by the files of king
/// and rook.
static WAYS: [[u8; 8]; 8] = paths(true);

/// A table indexed by the files of king and rook. An entry has the files, as bits, from the king to
/// its target and, unless `king_only`, from the rook to its target. The files on which king and
/// rook start are not included.
const fn paths(king_only: bool) -> [[u8; 8]; 8] {
    const fn span(one: u8, other: u8) -> u8 {
        let (least, most) = if one < other { (one, other) } else { (other, one) };
        u8::MAX >> (7 - (most - least)) << least
    }
    let mut paths = [[0; 8]; 8];
    let mut pair = 0;
    while pair < 64 {
        let (king, rook) = (pair / 8, pair % 8);
        let castling = Castling::new(Square::new(king), Square::new(rook));
        let way = span(king, castling.king[1].index()) & !(1 << king);
        let rook_way = span(rook, castling.rook[1].index());
        paths[king as usize][rook as usize] = match king_only {
            true => way,
            false => (way | rook_way) & !(1 << king) & !(1 << rook),
        };
        pair += 1;
    }
    paths
}

/// The letter of a right by the file of its rook alone: `K` or `Q` for the rooks of standard chess,
/// otherwise the letter of the file. For messages, and for FENs without other rooks.
pub(super) fn letter(color: Color, rook: Square) -> char {
    cased(
        color,
        match rook.index() % 8 {
            7 => 'K',
            0 => 'Q',
            file => char::from(b'A' + file),
        },
    )
}

fn cased(color: Color, letter: char) -> char {
    match color {
        Color::White => letter,
        Color::Black => letter.to_ascii_lowercase(),
    }
}

/// The square on a side's first rank.
pub(super) const fn on_first_rank(color: Color, file: u8) -> Square {
    Square::new(match color {
        Color::White => file,
        Color::Black => 56 + file,
    })
}

/// The file of a side's outermost rook on a side of its king; `None` if there is none, or the king
/// is not on its first rank.
fn outermost(pieces: &Pieces, color: Color, side: Side) -> Option<u8> {
    let has = |kind, file| pieces[(color, kind)].contains(on_first_rank(color, file));
    let king = (0..8).find(|&file| has(KING, file))?;
    let is_rook = |&file: &u8| has(ROOK, file);
    match side {
        Side::Short => (king + 1..8).rev().find(is_rook),
        Side::Long => (0..king).find(is_rook),
    }
}
