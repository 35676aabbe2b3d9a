use crate::board::BoardError;
use crate::numbering::UnknownNumbering;
use damka_games::draughts::UnknownVariant;
use damka_games::excerpt;
use damka_system::NoMemory;
use thiserror::Error;

/// Why a command was not carried out; the client is told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum HubError {
    /// An empty line.
    #[error("there is no command on this line")]
    NoCommand,
    /// A line that is too long to be one.
    #[error("a line has more than {0} bytes")]
    TooLong(usize),
    /// Something that is no name.
    #[error("not understood: {0}")]
    Unexpected(String),
    /// A quote that does not end.
    #[error("a quote is not closed")]
    OpenQuote,
    /// A command that the protocol does not have.
    #[error("unknown command: {0}")]
    UnknownCommand(String),
    /// An argument is missing.
    #[error("{command} needs {argument}")]
    Missing { command: &'static str, argument: &'static str },
    /// A value that is no number.
    #[error("{argument} must be a number, not {value}")]
    NotANumber { argument: &'static str, value: String },
    /// A time that cannot be.
    #[error("{argument} must be a number of seconds from 0 on, not {value}")]
    NotATime { argument: &'static str, value: String },
    /// A parameter that does not exist.
    #[error("there is no parameter {0}")]
    UnknownParameter(String),
    /// A parameter's value is no number in its range.
    #[error("{name} must be a number from {min} to {max}, not {value}")]
    OutOfRange { name: &'static str, min: u32, max: u32, value: String },
    /// A parameter's value is neither true nor false.
    #[error("{name} must be true or false, not {value}")]
    NotABool { name: &'static str, value: String },
    /// A numbering of squares that does not exist.
    #[error(transparent)]
    Numbering(#[from] UnknownNumbering),
    /// A way to read tables that does not exist.
    #[error("access must be map or read, not {0}")]
    UnknownAccess(String),
    /// A directory of tables that is not there.
    #[error("there is no directory {0}")]
    NoDirectory(String),
    /// A variant that is not played.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// A position that cannot be.
    #[error("bad position: {0}")]
    Position(#[from] BoardError),
    /// Text that is no move.
    #[error("not a move: {0}")]
    NotAMove(String),
    /// A move that cannot be played.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// The parameters cannot be met.
    #[error("{0}")]
    Player(String),
    /// The system gives no thread.
    #[error("no thread to search on: {0}")]
    Thread(String),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A command that must wait for `init`.
    #[error("{0} before init")]
    NotReady(&'static str),
    /// A search without a position: there was none yet, or the last one was refused. To search the
    /// one before would be to play in another game than the client has.
    #[error("go without a position: there was none yet, or the last pos was refused")]
    NoPosition,
    /// A search of a position without legal moves.
    #[error("the game is over: there is no legal move")]
    GameOver,
    /// A command that must wait for the search to end.
    #[error("{0} during a search: send stop first")]
    Searching(&'static str),
}

impl HubError {
    /// Text that is not understood.
    pub(super) fn unexpected(text: &str) -> HubError {
        HubError::Unexpected(excerpt(text))
    }
}
