use super::geometry::{BISHOP, FERS, KING, QUEEN, ROOK, SIZE, WAZIR, reached};
use crate::grid::{Board, rank, square_name};
use crate::{Alapo, Color, Game, Kind, Pieces, Position as _, Square, SquareSet};
use std::fmt;

/// A move of a piece from one square to another, including the capture of a piece there. Squares
/// are numbered from a1 = 0 along the ranks to f6 = 35.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it arrives on.
    pub to: Square,
}

impl fmt::Display for Move {
    /// `a2-a3`, for captures and quiet moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", square_name::<SIZE>(self.from), square_name::<SIZE>(self.to))
    }
}

/// An Alapo position.
///
/// The square on a row and file, both from 0, has the index `6 * row + file`: a1 is 0, f1 is 5,
/// a2 is 6, f6 is 35.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) board: Board<SIZE>,
    pub(super) turn: Color,
}

impl Position {
    /// `rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w`
    pub(super) fn start() -> Position {
        const HOME: [[Kind; SIZE]; 2] =
            [[ROOK, BISHOP, QUEEN, QUEEN, BISHOP, ROOK], [WAZIR, FERS, KING, KING, FERS, WAZIR]];
        let mut pieces = Pieces::default();
        for (row, kinds) in HOME.into_iter().enumerate() {
            for (file, kind) in kinds.into_iter().enumerate() {
                for (color, row) in [(Color::White, row), (Color::Black, SIZE - 1 - row)] {
                    pieces[(color, kind)] |= Square::new((SIZE * row + file) as u8).into();
                }
            }
        }
        Position::assemble(&pieces, Color::White)
    }

    #[inline]
    pub(super) fn assemble(pieces: &Pieces, turn: Color) -> Position {
        Position { board: Board::new(pieces), turn }
    }

    /// The squares on which either side has pieces of `kind`.
    #[inline]
    pub fn kind(&self, kind: Kind) -> SquareSet {
        self.board.kind(kind)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.board.occupied()
    }

    /// The home rank of `color`, which is its opponent's goal.
    #[inline]
    pub fn home(color: Color) -> SquareSet {
        rank::<SIZE>(match color {
            Color::White => 0,
            Color::Black => SIZE - 1,
        })
    }

    /// The invader: the enemy piece on the home rank of the side to move, which must be captured.
    /// At most one in a legal position.
    #[inline]
    pub fn invaders(&self) -> SquareSet {
        self.side(!self.turn) & Self::home(self.turn)
    }

    /// The squares that pieces of `color` attack, with either side to move.
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

    /// The squares that a piece of `kind` on `square` attacks, given the occupied squares. Includes
    /// the first occupied square of each line. All pieces move backwards as they move forwards, so
    /// these are also the squares from which such a piece attacks `square`.
    #[inline]
    pub fn reach(kind: Kind, square: Square, occupied: SquareSet) -> SquareSet {
        reached(kind, square, occupied)
    }

    #[inline]
    pub(super) fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        next.board.play(self.turn, mv.from, mv.to);
        next.turn = !self.turn;
        next
    }

    /// The position before the side that is not to move made the quiet move `mv` with a piece of
    /// `kind`.
    #[inline]
    pub(super) fn unplay(&self, kind: Kind, mv: Move) -> Position {
        let mut before = *self;
        before.turn = !self.turn;
        before.board.unplay(before.turn, kind, mv.from, mv.to);
        before
    }

    /// The position with the other side to move.
    #[inline]
    pub fn pass(&self) -> Position {
        Position { turn: !self.turn, ..*self }
    }

    #[inline]
    pub(super) fn flip(&self) -> Position {
        Position { board: self.board.flip(), turn: !self.turn }
    }

    #[inline(always)]
    pub(super) fn with_white_to_move(&self) -> Position {
        Position { board: self.board.with_white_to_move(self.turn), turn: Color::White }
    }
}
