use crate::{Color, Kind, Square, excerpt};
use thiserror::Error;

/// Why a text is not a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The text is not understood.
    #[error(transparent)]
    Text(#[from] FenError),
    /// The position is impossible.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Why a text is not a FEN, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem} (at character {at})")]
pub struct FenError {
    /// The problem.
    #[source]
    pub problem: FenProblem,
    /// Its place in the text, in characters from 1.
    pub at: usize,
}

impl FenError {
    /// An error at character `at`, from 1.
    pub(crate) fn at(at: usize, problem: FenProblem) -> FenError {
        FenError { problem, at }
    }
}

/// A problem with the text of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenProblem {
    /// The text is empty or has no side to move.
    #[error(
        "the side to move is missing: a position needs `W` or `B` (Alapo and chess: `w` or `b` after the rows)"
    )]
    NoSideToMove,
    /// The side to move is neither White nor Black.
    #[error("`{}` is not a side to move: it must be W or B", excerpt(.0))]
    BadSideToMove(String),
    /// A part of the text that is not expected there.
    #[error("`{}` is not understood here: expected {}", excerpt(.0), .1)]
    Unexpected(String, &'static str),
    /// A square that is not on the board.
    #[error("there is no square `{}` on this board: {}", excerpt(.0), .1)]
    NoSuchSquare(String, &'static str),
    /// A range of squares whose end comes before its start.
    #[error("the range `{}` runs backwards", excerpt(.0))]
    BackwardRange(String),
    /// The pieces of one side are listed twice.
    #[error("{0}'s pieces are listed twice")]
    SideTwice(Color),
    /// A square is listed twice.
    #[error("two pieces stand on {0}")]
    SquareTaken(String),
    /// The pieces of the side to move are missing. If it has none, the text must say so.
    #[error("{}'s pieces are not listed: `:{}` alone says that there are none", .0, .0.letter())]
    NotListed(Color),
    /// The board does not have the right number of rows.
    #[error("the board has {found} rows: it must have {wanted}")]
    RowCount {
        /// The number of rows in the text.
        found: usize,
        /// The number of rows of the board.
        wanted: usize,
    },
    /// A row does not have the right number of squares.
    #[error("row {row} has {found} squares: it must have {wanted}")]
    RowLength {
        /// The rank of the row.
        row: usize,
        /// The number of squares in the text.
        found: usize,
        /// The number of squares of a row.
        wanted: usize,
    },
}

/// Why a [`Setup`](crate::Setup) is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A kind of piece that the game does not have.
    #[error("the game has no kind of piece with the index {}", .0.index())]
    NoSuchKind(Kind),
    /// A square that is not on the board.
    #[error("the board has no square with the index {}", .0.index())]
    NoSuchSquare(Square),
    /// Two pieces on the same square.
    #[error("two pieces stand on {0}")]
    SquareTaken(String),
    /// The side that is not to move has no pieces, which no move leads to. The side to move may
    /// have lost its last piece.
    #[error("{0} has no pieces: only the side to move can have lost its last one")]
    NoPieces(Color),
    /// More pieces than the game starts with.
    #[error("{color} has {count} pieces: at most {max} are possible")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of its pieces.
        count: u32,
        /// The maximum number.
        max: u32,
    },
    /// A side does not have exactly one king.
    #[error("{0} has {count}: each side must have one", count = kings(.1))]
    Kings(Color, u32),
    /// Draughts: a man that should have been promoted.
    #[error("a {0} man on {1} stands on its promotion row")]
    ManOnPromotionRow(Color, String),
    /// Alapo: the side to move has already reached its goal.
    #[error("{0} is to move but already has a piece on its goal rank ({1}): the game is over")]
    MoverOnGoal(Color, String),
    /// Alapo: more than one piece on the mover's home rank.
    #[error("{0} has {1} pieces on its goal rank: at most one can be there")]
    SeveralInvaders(Color, u32),
    /// Chess: more pawns than a side starts with.
    #[error("{0} has {1} pawns: at most 8 are possible")]
    TooManyPawns(Color, u32),
    /// Chess: a pawn on the first or last rank.
    #[error("a {0} pawn on {1}: pawns never stand on the first or the last rank")]
    PawnOnEndRank(Color, String),
    /// Chess: the side that is not to move is in check.
    #[error("{0} is in check but not to move: its king could be captured")]
    InCheck(Color),
    /// Chess: rights to castle with two rooks on the same side of the king.
    #[error("{0} has the right to castle with two rooks on the same side of its king")]
    CastlingTwice(Color),
    /// Chess: a castling right although the king or rook is not on its square.
    #[error("{color} has the right to castle (`{right}`), but no {piece} on {square}")]
    CastlingFromNowhere {
        /// The side.
        color: Color,
        /// The right's letter in a FEN.
        right: char,
        /// `king` or `rook`.
        piece: &'static str,
        /// Where it should stand.
        square: String,
    },
    /// Chess: an en passant square on a rank that no double step passes when this side is to move.
    #[error("no pawn can have passed {0} just now: it is on another rank")]
    NoEnPassantSquare(String),
    /// Chess: there is no pawn that can have passed the en passant square.
    #[error("no pawn can have passed {square} just now: {color} has none on {pawn}")]
    NothingToTakeEnPassant {
        /// The owner of the missing pawn.
        color: Color,
        /// The en passant square.
        square: String,
        /// Where the pawn should stand.
        pawn: String,
    },
    /// Chess: the path of the pawn that passed the en passant square is blocked.
    #[error("no pawn can have passed {0} just now: {1} is occupied")]
    EnPassantBlocked(String, String),
    /// Chess: before the pawn's double step, the side that was not to move would have been in
    /// check.
    #[error(
        "no pawn can have passed {1} just now: {0} would have been in check with its opponent to move"
    )]
    InCheckBefore(Color, String),
}

/// `no king`, `2 kings`.
fn kings(count: &u32) -> String {
    match count {
        0 => "no king".to_owned(),
        count => format!("{count} kings"),
    }
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The text is not a move in any notation of the game.
    #[error("`{}` is not a move: expected {}", excerpt(.0), .1)]
    NotAMove(String, &'static str),
    /// No legal move fits the text.
    #[error("`{}` is not legal here; legal moves: {}", excerpt(.0), .1)]
    Illegal(String, String),
    /// Chess: castling is not legal.
    #[error("`{}` is not legal here: {}", excerpt(.0), .1)]
    Castling(String, CastlingProblem),
    /// Several legal moves fit the text.
    #[error("`{}` is ambiguous: it may be {}", excerpt(.0), .1)]
    Ambiguous(String, String),
}

/// Why castling is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CastlingProblem {
    /// The side has no right to castle there.
    #[error(
        "{0} has no right to castle there: king or rook has moved, or the FEN does not list the right"
    )]
    NoRight(Color),
    /// A square that the king or the rook would pass or reach is occupied.
    #[error("{0} is occupied")]
    Occupied(String),
    /// The king is in check.
    #[error("the king is in check")]
    InCheck,
    /// The king would pass or reach an attacked square.
    #[error("{0} is attacked")]
    Attacked(String),
}

impl MoveError {
    /// The error for a text that matches none of the legal moves.
    pub(crate) fn illegal(text: &str, legal: impl Iterator<Item = String>) -> MoveError {
        let legal: Vec<String> = legal.collect();
        let legal = match legal.is_empty() {
            true => "none, the game is over".to_owned(),
            false => legal.join(", "),
        };
        MoveError::Illegal(text.to_owned(), legal)
    }
}
