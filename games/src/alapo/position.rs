use super::geometry::{BISHOP, FERS, KINDS, KING, QUEEN, ROOK, SIZE, WAZIR, reached};
use crate::grid::square_name;
use crate::{Alapo, Color, Game, Kind, Pieces, Square, SquareSet};
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
    pub from: Square,
    /// The square it arrives on.
    pub to: Square,
}

impl fmt::Display for Move {
    /// `a2-a3`, whether or not the move takes something.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", square_name::<SIZE>(self.from), square_name::<SIZE>(self.to))
    }
}

/// An Alapo board and the side to move.
///
/// The square on a row and file, both from 0, has the index `6 * row + file`: a1 is 0, f1 is 5,
/// a2 is 6, f6 is 35.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    by_kind: [SquareSet; KINDS],
    sides: [SquareSet; 2],
    turn: Color,
}

impl Position {
    /// `rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w`
    pub(super) const START: Position = {
        /// The squares of both sides where White has `files` (bit 0 = file a)
        /// on rank `row + 1` and Black the same on the rank opposite.
        const fn both(files: u64, row: usize) -> SquareSet {
            SquareSet::new(files << (SIZE * row) | files << (SIZE * (SIZE - 1 - row)))
        }
        let mut by_kind = [SquareSet::EMPTY; KINDS];
        by_kind[QUEEN.index()] = both(0b00_1100, 0);
        by_kind[ROOK.index()] = both(0b10_0001, 0);
        by_kind[BISHOP.index()] = both(0b01_0010, 0);
        by_kind[KING.index()] = both(0b00_1100, 1);
        by_kind[WAZIR.index()] = both(0b10_0001, 1);
        by_kind[FERS.index()] = both(0b01_0010, 1);
        Position {
            by_kind,
            sides: [SquareSet::new(rank(0) | rank(1)), SquareSet::new(rank(4) | rank(5))],
            turn: Color::White,
        }
    };

    #[inline]
    pub(super) fn assemble(pieces: &Pieces, turn: Color) -> Position {
        let of_kind = |kind| Color::BOTH.map(|color| pieces[(color, kind)]).into_iter().collect();
        Position {
            by_kind: std::array::from_fn(|kind| of_kind(Kind::new(kind))),
            sides: Color::BOTH.map(|color| pieces.side(color)),
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
    pub(super) fn side(&self, color: Color) -> SquareSet {
        self.sides[color as usize]
    }

    /// All squares on which either side has a piece of `kind`.
    #[inline]
    pub fn kind(&self, kind: Kind) -> SquareSet {
        self.by_kind[kind.index()]
    }

    /// All squares on which a piece stands.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// The rank `color` starts from, its opponent's goal.
    #[inline]
    pub fn home(color: Color) -> SquareSet {
        SquareSet::new(match color {
            Color::White => rank(0),
            Color::Black => rank(SIZE - 1),
        })
    }

    /// The enemy pieces on the home rank of the side to move: one at most if the
    /// position is legal. If there is one, it must be taken.
    #[inline]
    pub fn invaders(&self) -> SquareSet {
        self.side(!self.turn) & Self::home(self.turn)
    }

    /// The squares that pieces of `color` reach in one step or slide, whatever stands there
    /// and whoever is to move.
    pub fn attacks(&self, color: Color) -> SquareSet {
        let occupied = self.occupied();
        let mut all = SquareSet::EMPTY;
        for kind in Alapo::kinds() {
            for from in self.side(color) & self.kind(kind) {
                all |= reached(kind, from, occupied);
            }
        }
        all
    }

    /// The squares that a piece of `kind` on `square` reaches in one step or slide if those
    /// of `occupied` are: the first of them on each line is included. All pieces move
    /// backwards as they move forwards, so these are also the squares from which such a
    /// piece reaches `square`.
    #[inline]
    pub fn reach(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
        reached(kind, square, occupied)
    }

    #[inline]
    pub(super) fn play(&self, mv: Move) -> Position {
        let [from, to] = [mv.from, mv.to].map(SquareSet::from);
        let mut next = *self;
        // Every kind the same way: a test for the moved piece's kind would be a
        // branch that nobody can predict.
        for squares in &mut next.by_kind {
            let moved = u64::from(squares.contains(mv.from)) << mv.to.index();
            *squares = *squares & !(from | to) | SquareSet::new(moved);
        }
        next.sides[self.turn as usize] ^= from | to;
        next.sides[!self.turn as usize] &= !to;
        next.turn = !self.turn;
        next
    }

    /// The position before its opponent's piece of `kind` made the quiet move
    /// `mv` that led to this one.
    #[inline]
    pub(super) fn unplay(&self, kind: Kind, mv: Move) -> Position {
        let both = SquareSet::from(mv.from) | mv.to.into();
        let mut before = *self;
        before.turn = !self.turn;
        before.by_kind[kind.index()] ^= both;
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
fn reverse_ranks(squares: SquareSet) -> SquareSet {
    let squares = squares.bits();
    let swap = |row: usize| {
        let distance = SIZE * (SIZE - 1 - 2 * row);
        (squares & rank(row)) << distance | squares >> distance & rank(row)
    };
    SquareSet::new(swap(0) | swap(1) | swap(2))
}
