use damka_engine::FileError;
use damka_probe::ProbeError;
use damka_protocols::Fault;
use damka_system::NoMemory;
use std::path::PathBuf;
use thiserror::Error;

/// Why a match cannot be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A directory of tables cannot be read.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// A directory of tables that a player is to use is missing.
    #[error("there is no directory {}, which tables= names", .0.display())]
    NoDirectory(PathBuf),
    /// A player wants more memory than there is.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// A player's weights or book cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// Hub and DXP are for draughts.
    #[error("{0}: Hub and DXP are for draughts only; other programs play it by uci=COMMAND")]
    NoProtocol(&'static str),
    /// A player cannot play at all.
    #[error("player {player} {fault}")]
    Player {
        /// The player's name.
        player: String,
        /// What is wrong.
        fault: Fault,
    },
}
