use super::{Evaluated, Evaluator, Network, Weights, weights};
use crate::file::FileError;
use std::path::Path;
use std::sync::Arc;

/// Reads an evaluation of `game` from a file of [`Weights`] or of a [`Network`]. The header of the
/// file determines which.
///
/// # Errors
/// The file cannot be read, or holds neither weights nor a network of this game.
pub fn open_evaluator<G: Evaluated>(
    game: G,
    path: &Path,
) -> Result<Arc<dyn Evaluator<G>>, FileError> {
    weights::KIND.read(path, |bytes| parse_evaluator(game, bytes))
}

/// Decodes a file of weights or of a network.
///
/// # Errors
/// The bytes are neither valid weights nor a valid network of this game.
pub(crate) fn parse_evaluator<G: Evaluated>(
    game: G,
    bytes: &[u8],
) -> Result<Arc<dyn Evaluator<G>>, FileError> {
    Ok(match Network::<G>::is_file(bytes) {
        true => Arc::new(Network::from_bytes(game, bytes)?),
        false => Arc::new(Weights::from_bytes(game, bytes)?),
    })
}
