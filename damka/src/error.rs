use damka_games::{MoveError, PositionError, SetupError, excerpt};
use damka_probe::{NoPlace, ProbeError};
use damka_tables::SignatureError;
use thiserror::Error;

/// Why a query in text has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// The text is not a position of the game.
    #[error("`{}`: {error}", excerpt(fen))]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        #[source]
        error: PositionError,
    },
    /// The text is not a legal move in the position.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The text is not a signature of the game.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Words are not rows of positions, or a position has no row.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Bitboards and a side to move do not make a position of the game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A square has no piece, or there is no such square.
    #[error("there is no piece on `{}` in `{fen}`", excerpt(square))]
    NoPiece {
        /// The square as it was named.
        square: String,
        /// The position.
        fen: String,
    },
    /// A list does not have the place from which it should continue.
    #[error(transparent)]
    Place(#[from] NoPlace),
    /// A list was requested by distance, but its values have none.
    #[error("only wins and losses have a distance, and only under the metric dtw")]
    NoDistance,
    /// The caller ended the work.
    #[error("interrupted")]
    Interrupted,
    /// The tables have no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl AskError {
    /// Whether a table is missing, or no table can exist for these pieces.
    pub fn is_missing(&self) -> bool {
        matches!(self, AskError::Probe(error) if error.is_missing())
    }

    /// Whether the storage does not have the bytes yet. Once they have arrived, the same query may
    /// succeed.
    pub fn is_pending(&self) -> bool {
        matches!(self, AskError::Probe(error) if error.is_pending())
    }
}

/// Why words cannot be read as rows of [`Boards`](crate::Boards), or other bitboards as a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    /// The words are not a whole number of rows.
    #[error("a row has {columns} words: {words} words are not whole rows")]
    Length {
        /// The number of words.
        words: usize,
        /// The number of words in a row.
        columns: usize,
    },
    /// The last word of a row is not a side to move.
    #[error("the side to move must be 0 (White) or 1 (Black), not {0}")]
    Turn(u64),
    /// Bitboards of sides and kinds that do not fit together.
    #[error("each piece must be of one side and of one kind")]
    Kinds,
    /// A word for castling rights that has other bits.
    #[error("{0} is not a set of castling rights: the rights are the bits 1, 2, 4 and 8")]
    Castling(u8),
    /// An en passant square that is not on the board.
    #[error("the en passant square must be 0 to 63, not {0}")]
    EnPassant(u8),
    /// The position belongs to another family of games.
    #[error("the position is not one of the family of {0}")]
    Family(&'static str),
    /// The position has castling rights, or a pawn that may be captured en passant.
    #[error("a row has no room for castling rights and en passant: `{0}`")]
    State(String),
}
