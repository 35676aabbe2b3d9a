//! Lists the tables of a game.

use crate::{Access, Files};
use crate::{ProbeError, Storage};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;

/// The signatures of `game` that have a table of any metric in a directory of tables, by ascending
/// number of pieces. Other files are ignored.
///
/// # Errors
/// Fails if the directory cannot be read. A directory that does not exist has no tables.
pub fn list_tables<G: Indexable>(
    game: G,
    directory: &Path,
) -> Result<Vec<Signature<G>>, ProbeError> {
    let files = Files::new(directory, Access::default());
    signatures(game, &files)
}

/// The signatures of `game` that have a table of any metric in a storage, by ascending number of
/// pieces.
///
/// # Errors
/// Fails if the storage cannot be listed.
pub(crate) fn signatures<G: Indexable>(
    game: G,
    storage: &impl Storage,
) -> Result<Vec<Signature<G>>, ProbeError> {
    let names = storage
        .list(game.name())
        .map_err(|error| ProbeError::Io { path: storage.path(game.name()), error })?;
    let mut found = Vec::new();
    for name in names {
        let Some((stem, ending)) = name.split_once('.') else { continue };
        let signature = Signature::parse(game, stem).ok();
        let named = signature
            .filter(|signature| signature.can_have_table() && signature.to_string() == stem);
        let Some(named) = named.filter(|_| ending.parse::<Metric>().is_ok()) else { continue };
        // Inserted in order: there are few, and sorting is large code for each game.
        let key = |signature: &Signature<G>| (signature.pieces(), *signature);
        let place = found.partition_point(|other| key(other) < key(&named));
        if found.get(place) != Some(&named) {
            found.insert(place, named);
        }
    }
    Ok(found)
}
