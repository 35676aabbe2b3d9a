//! The chess board of this method: squares 0 to 63 from a1 along the ranks, the eight symmetries,
//! and the moves of pieces.

use damka_games::chess::{KING, KNIGHT, Position};
use damka_games::{Color, Square, SquareSet, grid};
use std::sync::LazyLock;

pub(super) const SIZE: usize = 8;
pub(super) const SQUARES: usize = SIZE * SIZE;

pub(super) const FILE_A: u64 = grid::file::<SIZE>(0).bits();
pub(super) const FILE_H: u64 = grid::file::<SIZE>(SIZE - 1).bits();

/// The pieces that have an axis: all but kings and pawns, in order of decreasing range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum AxisKind {
    Queen,
    Rook,
    Bishop,
    Knight,
}

impl AxisKind {
    pub(super) const ALL: [AxisKind; 4] =
        [AxisKind::Queen, AxisKind::Rook, AxisKind::Bishop, AxisKind::Knight];

    /// Whether it moves along ranks and files.
    #[inline(always)]
    pub(super) fn is_straight(self) -> bool {
        matches!(self, AxisKind::Queen | AxisKind::Rook)
    }

    /// Whether it moves along diagonals.
    #[inline(always)]
    pub(super) fn is_diagonal(self) -> bool {
        matches!(self, AxisKind::Queen | AxisKind::Bishop)
    }
}

/// A symmetry of the board, as a sum: 4 exchanges ranks with files; after that, 1 exchanges left with
/// right, and 2 exchanges top with bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

impl Symmetry {
    pub(super) const IDENTITY: Symmetry = Symmetry(0);
    /// Exchanges left and right.
    pub(super) const MIRROR: Symmetry = Symmetry(1);

    pub(super) fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// The number of this symmetry, for [`numbered`](Symmetry::numbered).
    #[inline(always)]
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    /// The symmetry with this number.
    #[inline(always)]
    pub(super) const fn numbered(number: u8) -> Symmetry {
        Symmetry(number)
    }

    /// This symmetry followed by an exchange of top and bottom.
    pub(super) fn flipped(self) -> Symmetry {
        Symmetry(self.0 ^ 2)
    }

    /// The image of a square.
    #[inline(always)]
    pub(super) fn square(self, square: u8) -> u8 {
        let square = if self.0 & 4 == 0 { square } else { square >> 3 | (square & 7) << 3 };
        square ^ (7 * (self.0 & 1)) ^ (56 * (self.0 >> 1 & 1))
    }

    /// The image of a set of squares.
    #[inline(always)]
    pub(super) fn set(self, mut set: u64) -> u64 {
        if self.0 & 4 != 0 {
            set = grid::transpose(set);
        }
        if self.0 & 1 != 0 {
            set = grid::mirror::<SIZE>(set);
        }
        if self.0 & 2 != 0 { grid::flip::<SIZE>(set) } else { set }
    }

    /// The image of each square under this symmetry followed by `then`.
    pub(super) fn images(self, then: Symmetry) -> &'static [usize; SQUARES] {
        static IMAGES: LazyLock<[[[usize; SQUARES]; 8]; 8]> = LazyLock::new(|| {
            let image = |first: usize, then: usize, square: usize| {
                let [first, then] = [first, then].map(|number| Symmetry(number as u8));
                then.square(first.square(square as u8)).into()
            };
            std::array::from_fn(|first| {
                std::array::from_fn(|then| std::array::from_fn(|square| image(first, then, square)))
            })
        });
        &IMAGES[usize::from(self.0)][usize::from(then.0)]
    }

    /// The inverse symmetry.
    #[inline(always)]
    pub(super) fn inverse(self) -> Symmetry {
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

/// The squares adjacent to one.
pub(super) fn king_steps(square: u8) -> u64 {
    Position::reach(KING, Square::new(square), SquareSet::EMPTY).bits()
}

/// The squares a knight's move from one.
pub(super) fn knight_leaps(square: u8) -> u64 {
    Position::reach(KNIGHT, Square::new(square), SquareSet::EMPTY).bits()
}

/// The squares on which a pawn captures. From the last rank the result wraps around to the first rank,
/// which is harmless, because no pawn stands on either.
pub(super) fn pawn_captures(color: Color, square: u8) -> u64 {
    Position::pawn_attacks(color, Square::new(square).into()).bits()
}

/// The square in front of a pawn.
pub(super) fn step_forward(color: Color, square: u8) -> u8 {
    match color {
        Color::White => square + 8,
        Color::Black => square - 8,
    }
}

/// The rank of a square as seen by `color`: 0 for its first rank.
pub(super) fn rank(color: Color, square: u8) -> u8 {
    match color {
        Color::White => square / 8,
        Color::Black => 7 - square / 8,
    }
}

/// Iterates over the squares of a set.
#[inline(always)]
pub(super) fn squares(set: u64) -> impl Iterator<Item = u8> {
    SquareSet::new(set).into_iter().map(Square::index)
}

/// A rank, file or diagonal: squares `step` apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct SquareLine {
    pub(super) start: usize,
    pub(super) step: usize,
    pub(super) len: usize,
}

/// All ranks and files.
pub(super) static STRAIGHT: [SquareLine; 16] = {
    let mut lines = [SquareLine { start: 0, step: 1, len: 8 }; 16];
    let mut i = 0;
    while i < 8 {
        lines[i].start = 8 * i;
        lines[8 + i] = SquareLine { start: i, step: 8, len: 8 };
        i += 1;
    }
    lines
};

/// All diagonals of at least two squares.
pub(super) static DIAGONAL: [SquareLine; 26] = {
    let mut lines = [SquareLine { start: 0, step: 9, len: 8 }; 26];
    let mut len = 2;
    let mut i = 0;
    while len <= 8 {
        // Rising to the right, from the first file or the first rank; then falling.
        lines[i] = SquareLine { start: 8 * (8 - len), step: 9, len };
        lines[i + 1] = SquareLine { start: len - 1, step: 7, len };
        i += 2;
        if len < 8 {
            lines[i] = SquareLine { start: 8 - len, step: 9, len };
            lines[i + 1] = SquareLine { start: 8 * (8 - len) + 7, step: 7, len };
            i += 2;
        }
        len += 1;
    }
    lines
};
