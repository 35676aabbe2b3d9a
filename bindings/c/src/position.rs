//! Positions in the form for C.

use damka::games::chess::CastlingRights;
use damka::games::{Bitboards, Color, Kind, Pieces, Setup, Square, SquareSet};
use damka::{AnyGame, RowError};

/// The sides. A position names one in `turn`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaColor {
    /// White.
    DAMKA_WHITE = 0,
    /// Black.
    DAMKA_BLACK = 1,
}

/// The families of games. A position names its own.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub enum DamkaFamily {
    /// Russian, English and all other variants of draughts.
    DAMKA_DRAUGHTS = 1,
    /// Chess.
    DAMKA_CHESS = 2,
    /// Alapo.
    DAMKA_ALAPO = 3,
}

/// A position of draughts. Bit 0 is b8 and bit 31 is g1: the dark squares row by row from Black's
/// side, in each row from the left as White sees it, as numeric notation counts from 1. The boards
/// of Spanish and Italian draughts are mirrored: bit 0 is g8 and bit 31 is b1, each row from the
/// right. White moves up the board.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamkaDraughts {
    /// All of White's pieces.
    pub white: u32,
    /// All of Black's pieces.
    pub black: u32,
    /// The kings of both sides; all other pieces are men.
    pub kings: u32,
    /// The side to move: DAMKA_WHITE or DAMKA_BLACK.
    pub turn: u8,
}

/// A position of chess. Bit 0 is a1, bit 7 is h1, bit 8 is a2 and bit 63 is h8. Each piece is in the
/// bitboard of its side and in that of its kind.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamkaChess {
    /// All of White's pieces.
    pub white: u64,
    /// All of Black's pieces.
    pub black: u64,
    /// The kings of both sides.
    pub kings: u64,
    /// The queens of both sides.
    pub queens: u64,
    /// The rooks of both sides.
    pub rooks: u64,
    /// The bishops of both sides.
    pub bishops: u64,
    /// The knights of both sides.
    pub knights: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// The side to move: DAMKA_WHITE or DAMKA_BLACK.
    pub turn: u8,
    /// The castling rights: 1 and 2 for White's on the king's and the queen's side, 4 and 8 for
    /// Black's, each with the outermost rook of that side. No table has positions with any.
    pub castling: u8,
    /// The square that a pawn has just passed by a double step (a1 is 0), or 0 if none has.
    pub en_passant: u8,
}

/// A position of Alapo. Bit 0 is a1, bit 5 is f1, bit 6 is a2 and bit 35 is f6. Each piece is in the
/// bitboard of its side and in that of its kind, which has its letter in FENs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamkaAlapo {
    /// All of White's pieces.
    pub white: u64,
    /// All of Black's pieces.
    pub black: u64,
    /// The large circles (Q) of both sides.
    pub large_circles: u64,
    /// The large squares (R) of both sides.
    pub large_squares: u64,
    /// The large triangles (B) of both sides.
    pub large_triangles: u64,
    /// The small circles (K) of both sides.
    pub small_circles: u64,
    /// The small squares (W) of both sides.
    pub small_squares: u64,
    /// The small triangles (F) of both sides.
    pub small_triangles: u64,
    /// The side to move: DAMKA_WHITE or DAMKA_BLACK.
    pub turn: u8,
}

/// The bitboards of a position; `family` selects the member.
#[repr(C)]
#[derive(Clone, Copy)]
pub union DamkaBoards {
    /// If `family` is DAMKA_DRAUGHTS.
    pub draughts: DamkaDraughts,
    /// If `family` is DAMKA_CHESS.
    pub chess: DamkaChess,
    /// If `family` is DAMKA_ALAPO.
    pub alapo: DamkaAlapo,
}

/// A position. A position whose bytes are all zero is an error. In C99:
///
///     DamkaPosition position = {DAMKA_DRAUGHTS, {.draughts = {.white = 1u << 28, .black = 1u,
///                                                .kings = 1u << 28, .turn = DAMKA_WHITE}}};
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DamkaPosition {
    /// The family of the game: DAMKA_DRAUGHTS, DAMKA_CHESS or DAMKA_ALAPO.
    pub family: i32,
    /// The bitboards.
    pub boards: DamkaBoards,
}

impl DamkaPosition {
    /// Converts a setup of `game`.
    pub(crate) fn of(game: AnyGame, setup: &Setup) -> DamkaPosition {
        // All bytes are set, so that any member can be read.
        let mut boards = DamkaBoards { chess: DamkaChess::default() };
        let Setup { pieces, turn, castling, en_passant, .. } = setup;
        let [white, black] = Color::BOTH.map(|color| pieces.side(color).bits());
        let kind = |kind| {
            let kind = Kind::new(kind);
            (pieces[(Color::White, kind)] | pieces[(Color::Black, kind)]).bits()
        };
        let turn = *turn as u8;
        let family = match game {
            AnyGame::Draughts(_) => {
                let [white, black, kings] = [white, black, kind(0)].map(|set| set as u32);
                boards.draughts = DamkaDraughts { white, black, kings, turn };
                DamkaFamily::DAMKA_DRAUGHTS
            }
            AnyGame::Chess(_) => {
                boards.chess = DamkaChess {
                    white,
                    black,
                    kings: kind(0),
                    queens: kind(1),
                    rooks: kind(2),
                    bishops: kind(3),
                    knights: kind(4),
                    pawns: kind(5),
                    turn,
                    castling: sides(*castling, pieces),
                    en_passant: en_passant.map_or(0, Square::index),
                };
                DamkaFamily::DAMKA_CHESS
            }
            AnyGame::Alapo(_) => {
                boards.alapo = DamkaAlapo {
                    white,
                    black,
                    large_circles: kind(0),
                    large_squares: kind(1),
                    large_triangles: kind(2),
                    small_circles: kind(3),
                    small_squares: kind(4),
                    small_triangles: kind(5),
                    turn,
                };
                DamkaFamily::DAMKA_ALAPO
            }
        };
        DamkaPosition { family: family as i32, boards }
    }
}

// `fill` writes into the caller's setup, because copying a whole setup takes longer than all the rest.

impl DamkaDraughts {
    #[inline(always)]
    pub(crate) fn fill(&self, setup: &mut Setup) -> Result<(), RowError> {
        let DamkaDraughts { white, black, kings, turn } = *self;
        if kings & !(white | black) != 0 {
            return Err(RowError::Kinds);
        }
        let [white, black, kings] = [white, black, kings].map(u64::from);
        put(&mut setup.pieces, [white, black], [kings, !kings]);
        setup.turn = color(turn)?;
        Ok(())
    }

    /// `None` if the side to move is neither White nor Black.
    #[inline(always)]
    pub(crate) fn bitboards(&self) -> Option<Bitboards> {
        let DamkaDraughts { white, black, kings, turn } = *self;
        let [white, black, kings] = [white, black, kings].map(u64::from);
        let men = (white | black) & !kings;
        bitboards([white, black], [kings, men, 0, 0, 0, 0], turn)
    }
}

/// The letters of castling rights in a FEN, by bit.
const SIDES: [char; 4] = ['K', 'Q', 'k', 'q'];

/// The castling rights as bits, for rooks that are the outermost on their side of the king.
fn sides(rights: CastlingRights, pieces: &Pieces) -> u8 {
    let has = |letter| {
        CastlingRights::of_letter(letter, pieces).is_some_and(|right| rights.contains(right))
    };
    (0..).zip(SIDES).map(|(bit, letter)| u8::from(has(letter)) << bit).sum()
}

impl DamkaChess {
    #[inline(always)]
    pub(crate) fn fill(&self, setup: &mut Setup) -> Result<(), RowError> {
        put_all(&mut setup.pieces, [self.white, self.black], self.kinds())?;
        setup.turn = color(self.turn)?;
        match self.castling | self.en_passant {
            0 => Ok(()),
            _ => self.fill_state(setup),
        }
    }

    /// `None` if there are castling rights or an en passant square, or if the side to move is neither White
    /// nor Black.
    #[inline(always)]
    pub(crate) fn bitboards(&self) -> Option<Bitboards> {
        match self.castling | self.en_passant {
            0 => bitboards([self.white, self.black], self.kinds(), self.turn),
            _ => None,
        }
    }

    /// The squares of each kind.
    #[inline(always)]
    fn kinds(&self) -> [u64; 6] {
        [self.kings, self.queens, self.rooks, self.bishops, self.knights, self.pawns]
    }

    /// Sets castling rights and the en passant square.
    #[cold]
    fn fill_state(&self, setup: &mut Setup) -> Result<(), RowError> {
        if self.castling >> SIDES.len() != 0 {
            return Err(RowError::Castling(self.castling));
        }
        let sides = SIDES.into_iter().enumerate().filter(|(bit, _)| self.castling >> bit & 1 != 0);
        let rights =
            sides.filter_map(|(_, letter)| CastlingRights::of_letter(letter, &setup.pieces));
        setup.castling = rights.fold(CastlingRights::NONE, |all, right| all | right);
        setup.en_passant = match self.en_passant {
            0 => None,
            square @ 1..64 => Some(Square::new(square)),
            square => return Err(RowError::EnPassant(square)),
        };
        Ok(())
    }
}

impl DamkaAlapo {
    #[inline(always)]
    pub(crate) fn fill(&self, setup: &mut Setup) -> Result<(), RowError> {
        put_all(&mut setup.pieces, [self.white, self.black], self.kinds())?;
        setup.turn = color(self.turn)?;
        Ok(())
    }

    /// `None` if the side to move is neither White nor Black.
    #[inline(always)]
    pub(crate) fn bitboards(&self) -> Option<Bitboards> {
        bitboards([self.white, self.black], self.kinds(), self.turn)
    }

    /// The squares of each kind.
    #[inline(always)]
    fn kinds(&self) -> [u64; 6] {
        [
            self.large_circles,
            self.large_squares,
            self.large_triangles,
            self.small_circles,
            self.small_squares,
            self.small_triangles,
        ]
    }
}

#[inline(always)]
fn bitboards(sides: [u64; 2], kinds: [u64; 6], turn: u8) -> Option<Bitboards> {
    let (sides, kinds) = (sides.map(SquareSet::new), kinds.map(SquareSet::new));
    Some(Bitboards { sides, kinds, turn: color(turn).ok()? })
}

/// Adds the pieces of each side and kind. If sides or kinds overlap, two pieces share a square, which
/// `Game::position` refuses.
#[inline(always)]
fn put<const KINDS: usize>(pieces: &mut Pieces, sides: [u64; 2], kinds: [u64; KINDS]) {
    for (color, side) in Color::BOTH.into_iter().zip(sides) {
        for (kind, squares) in kinds.into_iter().enumerate() {
            pieces[(color, Kind::new(kind))] = SquareSet::new(side & squares);
        }
    }
}

/// Like [`put`]; the kinds together must have exactly the pieces of both sides.
#[inline(always)]
fn put_all<const KINDS: usize>(
    pieces: &mut Pieces,
    sides: [u64; 2],
    kinds: [u64; KINDS],
) -> Result<(), RowError> {
    let all = kinds.iter().fold(0, |all, squares| all | squares);
    if all != sides[0] | sides[1] {
        return Err(RowError::Kinds);
    }
    put(pieces, sides, kinds);
    Ok(())
}

#[inline(always)]
fn color(turn: u8) -> Result<Color, RowError> {
    match turn {
        0 => Ok(Color::White),
        1 => Ok(Color::Black),
        other => Err(RowError::Turn(other.into())),
    }
}
