use crate::board::BoardError;
use crate::numbering::UnknownNumbering;
use damka_games::draughts::UnknownVariant;
use damka_games::excerpt;
use damka_system::NoMemory;
use thiserror::Error;

/// Why a command was not carried out. The client is informed by `error`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum HubError {
    /// A line is empty.
    #[error("there is no command on this line")]
    NoCommand,
    /// A line is too long.
    #[error("a line has more than {0} bytes")]
    TooLong(usize),
    /// A name was expected.
    #[error("not understood: {0}")]
    Unexpected(String),
    /// A quote is not closed.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A command does not exist.
    #[error("unknown command: {0}")]
    UnknownCommand(String),
    /// An argument is missing.
    #[error("{command} needs {argument}")]
    Missing { command: &'static str, argument: &'static str },
    /// A value is not a number.
    #[error("{argument} must be a number, not {value}")]
    NotANumber { argument: &'static str, value: String },
    /// A time is not a number of seconds, or is too small.
    #[error("{argument} must be a number of seconds from 0 on, not {value}")]
    NotATime { argument: &'static str, value: String },
    /// A parameter does not exist.
    #[error("there is no parameter {0}")]
    UnknownParameter(String),
    /// The value of a parameter is not a number in its range.
    #[error("{name} must be a number from {min} to {max}, not {value}")]
    OutOfRange { name: &'static str, min: u32, max: u32, value: String },
    /// The value of a parameter is neither true nor false.
    #[error("{name} must be true or false, not {value}")]
    NotABool { name: &'static str, value: String },
    /// A numbering of squares does not exist.
    #[error(transparent)]
    Numbering(#[from] UnknownNumbering),
    /// The value of `access` is invalid.
    #[error("access must be map or read, not {0}")]
    UnknownAccess(String),
    /// The directory of tables does not exist.
    #[error("there is no directory {0}")]
    NoDirectory(String),
    /// A variant does not exist.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// A position is invalid.
    #[error("bad position: {0}")]
    Position(#[from] BoardError),
    /// A text is not a move.
    #[error("not a move: {0}")]
    NotAMove(String),
    /// A move is illegal.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// No player can be created with these parameters.
    #[error("{0}")]
    Player(String),
    /// A thread cannot be started.
    #[error("cannot start a thread for the search: {0}")]
    Thread(String),
    /// Memory cannot be allocated.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A command is not allowed before `init`.
    #[error("{0} before init: send init first")]
    NotReady(&'static str),
    /// A search has no position: none was sent, or the last one was refused. An earlier position is not
    /// searched instead, because the client did not ask for it.
    #[error("go without a position: there was none yet, or the last pos was refused")]
    NoPosition,
    /// The position to search has no legal moves.
    #[error("the game is over: there is no legal move")]
    GameOver,
    /// A command is not allowed during a search.
    #[error("{0} during a search: send stop first")]
    Searching(&'static str),
}

impl HubError {
    /// An error for a text that is not understood.
    pub(super) fn unexpected(text: &str) -> HubError {
        HubError::Unexpected(excerpt(text))
    }
}
