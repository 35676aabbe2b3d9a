use damka_engine::{FileError, PlayerError};
use damka_games::{MoveError, PositionError};
use damka_system::NoMemory;
use std::io;
use thiserror::Error;

/// Why a command or a part of it was not carried out. The client is informed by `info string`.
#[derive(Debug, Error)]
pub(super) enum UciError {
    /// A line is too long.
    #[error("a line has more than {0} bytes, and was not read")]
    TooLong(usize),
    /// A line has no command.
    #[error("no command: {0}")]
    NoCommand(String),
    /// A position is invalid.
    #[error("bad position: {0}")]
    Position(#[from] PositionError),
    /// A move is illegal.
    #[error("bad move: {0}")]
    Move(#[from] MoveError),
    /// There is no position to search.
    #[error("no position to search: the last one was refused")]
    NoPosition,
    /// A limit is invalid. The search goes on without it.
    #[error(
        "{0} needs a positive number and is ignored; a search without a valid limit takes one second"
    )]
    NoLimit(String),
    /// A word is not an argument of `go`. The search goes on without it.
    #[error(
        "go has no argument {0}, which is ignored; a search without a valid limit takes one second"
    )]
    NoArgument(String),
    /// An option does not exist.
    #[error("there is no option {0}")]
    UnknownOption(String),
    /// The value of an option is not a number in its range.
    #[error("{name} must be a number from {min} to {max}, not {value}")]
    OutOfRange { name: &'static str, min: u64, max: u64, value: String },
    /// The value of an option is neither true nor false.
    #[error("{name} must be true or false, not {value}")]
    NotABool { name: &'static str, value: String },
    /// The directory of tables does not exist.
    #[error("there is no directory {0}")]
    NoDirectory(String),
    /// The book or the evaluation cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Memory cannot be allocated.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// No player can be created with these options.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A thread cannot be started.
    #[error("cannot start a thread for the search: {0}")]
    Thread(#[source] io::Error),
}
