use super::Draughts;
use super::geometry::{RANK_1, RANK_8, squares, word};
use crate::{Color, Kind, SquareSet};

/// Kings.
pub const KING: Kind = Kind::new(0);
/// Men.
pub const MAN: Kind = Kind::new(1);

/// A draughts position. Squares are indexed from 0 along the rows from the top left corner, b8, to
/// g1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) sides: [u32; 2],
    pub(super) kings: u32,
    pub(super) turn: Color,
    pub(super) game: Draughts,
}

impl Position {
    /// The position of `game` with the pieces of White and Black on these squares; those on `kings`
    /// are kings.
    ///
    /// # Panics
    /// In debug builds, if two pieces share a square, a man stands on its
    /// promotion row, or a side has more than 12 pieces.
    #[inline]
    pub fn new(
        game: Draughts,
        white: SquareSet,
        black: SquareSet,
        kings: SquareSet,
        turn: Color,
    ) -> Position {
        let [white, black, kings] = [white, black, kings].map(word);
        debug_assert_eq!(white & black, 0, "two pieces share a square");
        debug_assert_eq!(white & !kings & RANK_8, 0, "a white man on rank 8");
        debug_assert_eq!(black & !kings & RANK_1, 0, "a black man on rank 1");
        debug_assert!(white.count_ones() <= 12 && black.count_ones() <= 12);
        Position { sides: [white, black], kings: kings & (white | black), turn, game }
    }

    /// The squares of all kings.
    #[inline]
    pub fn kings(&self) -> SquareSet {
        squares(self.kings)
    }

    #[inline]
    pub(super) fn occupied(&self) -> u32 {
        self.sides[0] | self.sides[1]
    }

    #[inline]
    pub(super) fn mover(&self) -> u32 {
        self.sides[self.turn as usize]
    }

    #[inline]
    pub(super) fn opponent(&self) -> u32 {
        self.sides[!self.turn as usize]
    }

    /// The position with the other side to move.
    #[inline]
    pub fn pass(&self) -> Position {
        Position { turn: !self.turn, ..*self }
    }

    /// The board turned by 180 degrees, colours and side to move exchanged.
    #[inline]
    pub(super) fn flip(&self) -> Position {
        let (sides, kings) = self.turned();
        Position { sides: halves(sides), kings, turn: !self.turn, ..*self }
    }

    /// This position, flipped if Black is to move.
    #[inline]
    pub(super) fn with_white_to_move(&self) -> Position {
        let (sides, kings) = self.turned();
        // Branchless: the side to move is unpredictable. All ones for Black.
        let choice = 0u64.wrapping_sub(self.turn as u64);
        let choose = |own: u64, turned: u64| own ^ (own ^ turned) & choice;
        Position {
            sides: halves(choose(self.both_sides(), sides)),
            kings: choose(self.kings.into(), kings.into()) as u32,
            turn: Color::White,
            ..*self
        }
    }

    /// Both sides, exchanged, and the kings, on the board turned by 180 degrees.
    #[inline]
    fn turned(&self) -> (u64, u32) {
        // Turning both sides at once exchanges them as well.
        (self.both_sides().reverse_bits(), self.kings.reverse_bits())
    }

    /// White in the low half, Black in the high one.
    #[inline]
    fn both_sides(&self) -> u64 {
        let [white, black] = self.sides.map(u64::from);
        black << 32 | white
    }
}

/// The low and the high half.
#[inline]
fn halves(both: u64) -> [u32; 2] {
    [both as u32, (both >> 32) as u32]
}

/// The row on which men of `color` are promoted.
#[inline]
pub fn promotion_row(color: Color) -> SquareSet {
    squares(last_row(color))
}

/// The row on which men of `color` are promoted, as bits.
#[inline]
pub(super) fn last_row(color: Color) -> u32 {
    match color {
        Color::White => RANK_8,
        Color::Black => RANK_1,
    }
}
