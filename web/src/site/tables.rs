//! The tables of a site, in chunks.

use super::directory::SiteDirectory;
use super::{Advance, Progress, SiteError, SiteOptions, Stage};
use crate::library::GameTables;
use damka::chunks::{ChunkRequest, ChunksError, ChunksWritten, PreparedChunks, prepare_chunks};

/// The directory of a game's tables.
pub(super) fn directory(game: &str) -> String {
    format!("tables/{game}/")
}

/// Writes the tables of a game, which become visible when they are [published](publish). Existing
/// chunks are kept.
///
/// # Errors
/// A table is damaged, a file cannot be written, or `progress` stops the work.
pub(super) fn prepare(
    place: &SiteDirectory,
    game: &GameTables,
    options: &SiteOptions,
    progress: &Progress<'_>,
) -> Result<PreparedChunks, SiteError> {
    let request = ChunkRequest {
        game: game.game,
        tables: options.directories.clone(),
        most_pieces: options.pieces,
        out: place.path("tables"),
    };
    let mut advance =
        |done, total| progress(Advance { game: game.game, stage: Stage::Tables, done, total });
    prepare_chunks(&request, &mut advance).map_err(|error| match error {
        ChunksError::Interrupted => SiteError::Interrupted,
        error => SiteError::Tables(error),
    })
}

/// Makes tables visible, and removes the chunks that they replace.
///
/// # Errors
/// A file cannot be written or removed.
pub(super) fn publish(prepared: PreparedChunks) -> Result<ChunksWritten, SiteError> {
    prepared.publish().map_err(SiteError::Tables)
}
