use super::LONGEST;
use damka_engine::PlayerError;
use std::io;
use thiserror::Error;

/// Why a conversation ended before its time.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DxpError {
    /// The other program has closed the connection.
    #[error("the other program has closed the connection")]
    Closed,
    /// The other program has not sent anything for too long.
    #[error("the other program is silent")]
    Silent,
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[source] io::Error),
    /// A message that is longer than the protocol allows.
    #[error("a message has more than {LONGEST} characters")]
    TooLong,
    /// A message that is none of the protocol.
    #[error("not a message of the protocol: `{0}`")]
    Garbled(String),
    /// A message that must not come now.
    #[error("the message `{0}` does not belong here")]
    OutOfPlace(String),
    /// A move that the rules do not allow.
    #[error("the move {0} is illegal")]
    IllegalMove(String),
    /// Our own settings cannot be met.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The system gives no thread.
    #[error("no thread to search on: {0}")]
    Thread(#[source] io::Error),
    /// The other program does not want to play.
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
