use super::MAX_MESSAGE;
use damka_engine::PlayerError;
use std::io;
use thiserror::Error;

/// A connection ended with an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DxpError {
    /// The other program has closed the connection.
    #[error("the other program has closed the connection")]
    Closed,
    /// The other program was silent for too long.
    #[error("the other program was silent for too long")]
    Silent,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[source] io::Error),
    /// A message is longer than the protocol allows.
    #[error("a message has more than {MAX_MESSAGE} characters")]
    TooLong,
    /// A message cannot be decoded.
    #[error("not a message of the protocol: `{0}`")]
    Garbled(String),
    /// A message is not allowed now.
    #[error("the message `{0}` is not allowed now")]
    OutOfPlace(String),
    /// A move is illegal.
    #[error("the move {0} is illegal")]
    IllegalMove(String),
    /// Our player cannot be created with its settings.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A thread cannot be started.
    #[error("cannot start a thread for the search: {0}")]
    Thread(#[source] io::Error),
    /// The other program refuses the game.
    #[error("the other program does not want to play (code {0})")]
    Refused(char),
}

impl From<io::Error> for DxpError {
    fn from(error: io::Error) -> DxpError {
        use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        match error.kind() {
            BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof => DxpError::Closed,
            _ => DxpError::Connection(error),
        }
    }
}
