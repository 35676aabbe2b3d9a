use crate::visits::{MAX_CAPTURES, TooManyCaptures};
use damka_games::Game;
use damka_system::{NoMemory, file_name};
use damka_tables::format::FormatError;
use damka_tables::metric::Metric;
use damka_tables::{MAX_TABLE_PIECES, Signature};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a position could not be looked up.
///
/// The text names files but not their directories, so that a server can show it to its users; the
/// field `path` has the whole path.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// There is no table for these pieces in the directory.
    #[error("the table {} is missing", file_name(path))]
    Missing {
        /// Where the table should be.
        path: PathBuf,
        /// The game.
        game: &'static str,
        /// The signature.
        signature: String,
        /// The metric.
        metric: Metric,
    },
    /// The position has more pieces than any table.
    #[error(
        "{signature} has {pieces} pieces, and tables of {game} have at most {MAX_TABLE_PIECES}"
    )]
    TooManyPieces {
        /// The game.
        game: &'static str,
        /// The signature.
        signature: String,
        /// The number of its pieces.
        pieces: u32,
    },
    /// No table can have the value of such a position, whatever its pieces.
    #[error("there are no tables of positions in which {0}")]
    NoTable(&'static str),
    /// The look-up would follow captures to more than [`MAX_CAPTURES`]
    /// positions.
    #[error("captures lead to more than {MAX_CAPTURES} positions")]
    TooManyCaptures,
    /// There is no memory for decoded blocks.
    #[error("no memory for decoded blocks: {0}")]
    Memory(#[from] NoMemory),
    /// The table is damaged, of an unknown version, or not the one in its name.
    #[error("the table {} cannot be used: {error}", file_name(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: FormatError,
    },
    /// The table leaves out the values of the requested side to move.
    #[error(
        "the table {} leaves out one side to move: the complete table is needed",
        file_name(path)
    )]
    LeftOut {
        /// The file.
        path: PathBuf,
    },
    /// The file, or the directory of the game, could not be opened or read.
    #[error("the {} {} cannot be read: {error}", kind(path), file_name(path))]
    Io {
        /// The file or the directory.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

/// What a path names: only tables have an extension, their metric.
fn kind(path: &Path) -> &'static str {
    if path.extension().is_some() { "table" } else { "directory" }
}

impl ProbeError {
    /// The file that is missing, damaged or unreadable, if the error is about one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            ProbeError::Missing { path, .. }
            | ProbeError::Damaged { path, .. }
            | ProbeError::LeftOut { path }
            | ProbeError::Io { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The error for a file that cannot be used.
    pub(crate) fn of(path: PathBuf, error: FormatError) -> ProbeError {
        match error {
            FormatError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let error = io::Error::new(error.kind(), "the file was cut short");
                ProbeError::Damaged { path, error: FormatError::Io(error) }
            }
            FormatError::Io(error) => ProbeError::Io { path, error },
            FormatError::LeftOut => ProbeError::LeftOut { path },
            error => ProbeError::Damaged { path, error },
        }
    }

    pub(crate) fn too_many_pieces<G: Game>(signature: &Signature<G>) -> ProbeError {
        ProbeError::TooManyPieces {
            game: signature.game().name(),
            signature: signature.to_string(),
            pieces: signature.pieces(),
        }
    }

    /// Whether there is no table for these pieces, or cannot be one. Other errors are failures.
    pub fn is_missing(&self) -> bool {
        use ProbeError::{Missing, NoTable, TooManyPieces};
        matches!(self, Missing { .. } | TooManyPieces { .. } | NoTable(_))
    }

    /// Whether the storage does not have the bytes yet; see [`Storage`](crate::Storage). Once they
    /// have arrived, the same call may succeed.
    pub fn is_pending(&self) -> bool {
        matches!(self, ProbeError::Io { error, .. } if error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Whether the table was made by a newer program in a format that this one does not support.
    pub fn is_unknown_version(&self) -> bool {
        use FormatError::{UnknownVersion, Unsupported};
        let error = match self {
            ProbeError::Damaged { error, .. } => error,
            _ => return false,
        };
        matches!(error, UnknownVersion { .. } | Unsupported(_))
    }
}

/// The first [pending](ProbeError::is_pending) error of a look-up with several parts. The other
/// parts are still looked up, so that the storage learns at once of all bytes that are needed.
#[derive(Debug, Default)]
pub struct Pending(Option<ProbeError>);

impl Pending {
    /// No error yet.
    pub fn new() -> Pending {
        Pending::default()
    }

    /// The result of a part; `None` if it is pending.
    ///
    /// # Errors
    /// Fails with any other error of the part.
    #[inline]
    pub fn or_later<T>(&mut self, part: Result<T, ProbeError>) -> Result<Option<T>, ProbeError> {
        match part {
            Ok(part) => Ok(Some(part)),
            Err(error) if error.is_pending() => {
                self.0.get_or_insert(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a part is pending.
    #[inline]
    pub fn is_pending(&self) -> bool {
        self.0.is_some()
    }

    /// Ends the look-up.
    ///
    /// # Errors
    /// Fails with the pending error if a part is pending.
    #[inline]
    pub fn finish(self) -> Result<(), ProbeError> {
        self.0.map_or(Ok(()), Err)
    }
}

/// The reason why no table can have a position, whatever its pieces.
pub(crate) struct NoTable(pub(crate) &'static str);

impl From<NoTable> for ProbeError {
    fn from(NoTable(reason): NoTable) -> ProbeError {
        ProbeError::NoTable(reason)
    }
}

impl From<TooManyCaptures> for ProbeError {
    fn from(_: TooManyCaptures) -> ProbeError {
        ProbeError::TooManyCaptures
    }
}
