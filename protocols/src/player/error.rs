use damka_engine::FileError;
use damka_probe::ProbeError;
use damka_system::NoMemory;
use std::io;
use thiserror::Error;

/// Why nobody can play with these settings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The directory of tables cannot be read.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] FileError),
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] NoMemory),
    /// The system gives no thread to search on.
    #[error("no thread to search on: {0}")]
    Thread(#[source] io::Error),
}
