//! Selects the tables that a command works on.

use super::input;
use crate::failure::Failure;
use crate::words::tables_option;
use damka_tables::{Indexable, MAX_TABLE_PIECES, Signature};
use std::path::Path;

/// The signatures that `words` select, each once. A number N selects the `known` ones of up to N pieces,
/// a name selects itself; without words all known ones are selected.
///
/// # Errors
/// A word is neither a number nor a signature, or nothing is selected.
pub(super) fn select<G: Indexable>(
    game: G,
    words: &[String],
    known: Vec<Signature<G>>,
    directory: &Path,
) -> Result<Vec<Signature<G>>, Failure> {
    let mut selected = if words.is_empty() { known.clone() } else { Vec::new() };
    for word in words {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            let pieces = match word.parse() {
                Ok(pieces @ 2..=MAX_TABLE_PIECES) => pieces,
                _ => return Err(input::not_pieces(word)),
            };
            selected.extend(known.iter().filter(|signature| signature.pieces() <= pieces));
        } else {
            selected.push(input::signature(game, word)?);
        }
    }
    selected.sort_by_key(|signature| (signature.pieces(), *signature));
    selected.dedup();
    match (selected.is_empty(), known.first()) {
        (false, _) => Ok(selected),
        (true, None) => Err(no_tables(game, directory)),
        (true, Some(least)) => Err(Failure::Missing(format!(
            "the tables of {} in {} have {} pieces or more",
            game.name(),
            directory.display(),
            least.pieces()
        ))),
    }
}

/// The failure when a directory has no table of a game.
pub(super) fn no_tables<G: Indexable>(game: G, directory: &Path) -> Failure {
    let (game, option, directory) = (game.name(), tables_option(directory), directory.display());
    Failure::Missing(format!(
        "there are no tables of {game} in {directory}; `damka gen {game} 4{option}` builds some"
    ))
}
