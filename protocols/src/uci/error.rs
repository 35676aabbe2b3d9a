use damka_engine::{FileError, PlayerError};
use damka_games::{MoveError, PositionError};
use damka_system::NoMemory;
use std::io;
use thiserror::Error;

/// Why a command was not carried out; the client is told by `info string`.
#[derive(Debug, Error)]
pub(super) enum UciError {
    /// A line that is too long to be one.
    #[error("a line has more than {0} bytes, and was not read")]
    TooLong(usize),
    /// A line without a command, for who wants to know.
    #[error("no command: {0}")]
    NoCommand(String),
    /// A position that cannot be.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// A move that cannot be played.
    #[error("bad move: {0}")]
    Move(#[from] MoveError),
    /// A search without a position.
    #[error("no position to search: the last one was refused")]
    NoPosition,
    /// A limit that is none; the search goes on without it.
    #[error(
        "there is no limit behind {0}: it is passed over, and without another the search lasts until stop"
    )]
    NoLimit(String),
    /// An option that does not exist.
    #[error("there is no option {0}")]
    UnknownOption(String),
    /// An option's value is no number in its range.
    #[error("{name} must be a number from {min} to {max}, not {value}")]
    OutOfRange { name: &'static str, min: u64, max: u64, value: String },
    /// An option's value is neither true nor false.
    #[error("{name} must be true or false, not {value}")]
    NotABool { name: &'static str, value: String },
    /// A directory of tables that is not there.
    #[error("there is no directory {0}")]
    NoDirectory(String),
    /// A book that cannot be used.
    #[error(transparent)]
    Book(#[from] FileError),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The options cannot be met.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The system gives no thread.
    #[error("no thread to search on: {0}")]
    Thread(#[source] io::Error),
}
