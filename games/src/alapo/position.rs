use super::geometry::{BISHOP, FERS, KINDS, KING, QUEEN, ROOK, SIZE, WAZIR, reached, square_name};
use crate::{Color, Pieces, bits};
use std::fmt;

/// The squares of one rank; `row` 0 is rank 1.
const fn rank(row: usize) -> u64 {
    0b11_1111 << (SIZE * row)
}

/// A piece goes from one square to another and takes what stands there. Squares
/// are numbered from a1 = 0 along the ranks to f6 = 35.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square the piece leaves.
    pub from: u8,
    /// The square it arrives on.
    pub to: u8,
}

impl fmt::Display for Move {
    /// `a2-a3`, whether or not the move takes something.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", square_name(self.from), square_name(self.to))
    }
}

/// An Alapo board and the side to move.
///
/// Bit `6 * row + file` of a set of squares is the square on that row and file,
/// both from 0: a1 is bit 0, f1 bit 5, a2 bit 6, f6 bit 35.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    by_kind: [u64; KINDS],
    sides: [u64; 2],
    turn: Color,
}

impl Position {
    /// `rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w`
    pub(super) const START: Position = {
        /// The squares of both sides where White has `files` (bit 0 = file a)
        /// on rank `row + 1` and Black the same on the rank opposite.
        const fn both(files: u64, row: usize) -> u64 {
            files << (SIZE * row) | files << (SIZE * (SIZE - 1 - row))
        }
        let mut by_kind = [0; KINDS];
        by_kind[QUEEN] = both(0b00_1100, 0);
        by_kind[ROOK] = both(0b10_0001, 0);
        by_kind[BISHOP] = both(0b01_0010, 0);
        by_kind[KING] = both(0b00_1100, 1);
        by_kind[WAZIR] = both(0b10_0001, 1);
        by_kind[FERS] = both(0b01_0010, 1);
        Position { by_kind, sides: [rank(0) | rank(1), rank(4) | rank(5)], turn: Color::White }
    };

    #[inline]
    pub(super) fn assemble(pieces: &Pieces, turn: Color) -> Position {
        let [white, black] = pieces;
        Position {
            by_kind: std::array::from_fn(|kind| white[kind] | black[kind]),
            sides: [white, black].map(|side| side.iter().fold(0, |all, kind| all | kind)),
            turn,
        }
    }

    /// The side to move.
    #[inline]
    pub(super) fn turn(&self) -> Color {
        self.turn
    }

    /// All squares on which `color` has a piece.
    #[inline]
    pub fn side(&self, color: Color) -> u64 {
        self.sides[color as usize]
    }

    /// All squares on which either side has a piece of `kind`.
    #[inline]
    pub fn kind(&self, kind: usize) -> u64 {
        self.by_kind[kind]
    }

    /// All squares on which a piece stands.
    #[inline]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The rank `color` starts from, its opponent's goal.
    #[inline]
    pub fn home(color: Color) -> u64 {
        match color {
            Color::White => rank(0),
            Color::Black => rank(SIZE - 1),
        }
    }

    /// The enemy pieces on the home rank of the side to move: one at most if the
    /// position is legal. If there is one, it must be taken.
    #[inline]
    pub fn invaders(&self) -> u64 {
        self.side(!self.turn) & Self::home(self.turn)
    }

    /// The squares that pieces of `color` reach in one step or slide, whatever stands there
    /// and whoever is to move.
    pub fn attacks(&self, color: Color) -> u64 {
        let occupied = self.occupied();
        (0..KINDS).fold(0, |all, kind| {
            let pieces = bits(self.side(color) & self.kind(kind));
            pieces.fold(all, |all, from| all | reached(kind, from, occupied))
        })
    }

    /// The squares that a piece of `kind` on `square` reaches in one step or slide if those
    /// of `occupied` are: the first of them on each line is included. All pieces move
    /// backwards as they move forwards, so these are also the squares from which such a
    /// piece reaches `square`.
    #[inline]
    pub fn reach(kind: usize, square: u8, occupied: u64) -> u64 {
        reached(kind, square, occupied)
    }

    /// Whose piece of which kind stands on `square`.
    pub fn at(&self, square: u8) -> Option<(Color, usize)> {
        let holds = |squares: u64| squares >> square & 1 == 1;
        let color = Color::BOTH.into_iter().find(|&color| holds(self.side(color)))?;
        let kind = self.by_kind.iter().position(|&squares| holds(squares))?;
        Some((color, kind))
    }

    #[inline]
    pub(super) fn play(&self, mv: Move) -> Position {
        let (from, to) = (1 << mv.from, 1 << mv.to);
        let mut next = *self;
        // Every kind the same way: a test for the moved piece's kind would be a
        // branch that nobody can predict.
        for squares in &mut next.by_kind {
            let moved = *squares >> mv.from & 1;
            *squares = *squares & !(from | to) | moved << mv.to;
        }
        next.sides[self.turn as usize] ^= from | to;
        next.sides[!self.turn as usize] &= !to;
        next.turn = !self.turn;
        next
    }

    /// The position before its opponent's piece of `kind` made the quiet move
    /// `mv` that led to this one.
    #[inline]
    pub(super) fn unplay(&self, kind: usize, mv: Move) -> Position {
        let both = 1 << mv.from | 1 << mv.to;
        let mut before = *self;
        before.turn = !self.turn;
        before.by_kind[kind] ^= both;
        before.sides[before.turn as usize] ^= both;
        before
    }

    /// The position with the other side to move.
    #[inline]
    pub fn pass(&self) -> Position {
        Position { turn: !self.turn, ..*self }
    }

    #[inline]
    pub(super) fn flip(&self) -> Position {
        let [white, black] = self.sides;
        Position {
            by_kind: self.by_kind.map(reverse_ranks),
            sides: [black, white].map(reverse_ranks),
            turn: !self.turn,
        }
    }
}

/// Turns the board upside down: rank 1 becomes rank 6, files stay.
#[inline]
fn reverse_ranks(squares: u64) -> u64 {
    let swap = |row: usize| {
        let distance = SIZE * (SIZE - 1 - 2 * row);
        (squares & rank(row)) << distance | squares >> distance & rank(row)
    };
    swap(0) | swap(1) | swap(2)
}
