//! Reads recorded games for commands that learn from them.

use crate::failure::Failure;
use crate::words::note;
use damka_engine::Playable;
use damka_records as records;
use damka_system::read_whole;
use std::path::Path;

/// Passes the games of a file to `take`. Unreadable games are reported and left out. Returns whether all
/// could be read.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn read_games<G: Playable>(
    game: G,
    path: &Path,
    mut take: impl FnMut(records::Record<G>),
) -> Result<bool, Failure> {
    let unread = |error| Failure::Input(format!("{}: {error}", path.display()));
    let bytes = read_whole(path).map_err(unread)?;
    let mut all_read = true;
    for record in records::read(game, &records::decode(&bytes)) {
        match record {
            Ok(record) => take(record),
            Err(error) => {
                note(&format!("{}: {error}", path.display()));
                all_read = false;
            }
        }
    }
    Ok(all_read)
}
