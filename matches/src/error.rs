use damka_engine::{FileError, PlayerError};
use damka_probe::ProbeError;
use damka_protocols::Fault;
use damka_system::NoMemory;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A match cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A directory of tables cannot be read.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// The directory of tables of an entrant does not exist.
    #[error("the directory {} given by tables= does not exist", .0.display())]
    NoDirectory(PathBuf),
    /// Memory cannot be allocated.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A thread cannot be started.
    #[error("cannot start threads: {0}")]
    Thread(#[source] io::Error),
    /// The weights or the book of an entrant cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The protocol of the other program does not have this game.
    #[error("{0}: Hub and DXP are for draughts only; other programs play it by uci=COMMAND")]
    NoProtocol(&'static str),
    /// A competitor cannot play at all.
    #[error("player {player} {fault}")]
    Player {
        /// The player's name.
        player: String,
        /// What is wrong.
        #[source]
        fault: Fault,
    },
}

impl From<PlayerError> for MatchError {
    fn from(error: PlayerError) -> MatchError {
        match error {
            PlayerError::Tables(error) => MatchError::Tables(error),
            PlayerError::File(error) => MatchError::File(error),
            PlayerError::Memory(error) => MatchError::Memory(error),
        }
    }
}
