use super::{Evaluated, Evaluator, Network, Weights, weights};
use crate::file::FileError;
use std::path::Path;
use std::sync::Arc;

/// Implements [`open_evaluator`](crate::open_evaluator); compiled once for each family of games.
pub fn open_any<G: Evaluated>(game: G, path: &Path) -> Result<Arc<dyn Evaluator<G>>, FileError> {
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
