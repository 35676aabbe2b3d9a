use super::{Evaluated, Network, Weights, weights};
use crate::file::FileError;
use damka_games::Game;
use std::path::Path;
use std::sync::Arc;

/// A static evaluation, as an argument of the search: the weights of features, a network, or one of a
/// caller's own. Search threads share it.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The evaluation for one thread, with a cache of its own. Every thread gets the same values.
    fn for_thread(&self) -> Box<dyn ThreadEvaluator<G> + '_>;

    /// The value of a position for the side to move, in hundredths of a man. A search, which
    /// evaluates many positions, keeps an evaluation [for a thread](Evaluator::for_thread) instead.
    fn evaluate(&self, position: &G::Position) -> i32 {
        self.for_thread().evaluate(position, 0)
    }
}

/// The [evaluation](Evaluator) as one thread uses it.
pub trait ThreadEvaluator<G: Game> {
    /// The value of a position for the side to move, in hundredths of a man. It depends on nothing
    /// but the position; with `ply`, the distance from the root, it may be found sooner.
    fn evaluate(&mut self, position: &G::Position, ply: u16) -> i32;
}

/// Reads an evaluation of `game` from a file of [`Weights`] or of a [`Network`]: the file says which.
///
/// # Errors
/// The file cannot be read, or has neither for this game.
pub fn open_evaluator<G: Evaluated>(
    game: G,
    path: &Path,
) -> Result<Arc<dyn Evaluator<G>>, FileError> {
    weights::KIND.read(path, |bytes| parse_evaluator(game, bytes))
}

/// Decodes a file of weights or of a network.
///
/// # Errors
/// The bytes are neither for this game.
pub(crate) fn parse_evaluator<G: Evaluated>(
    game: G,
    bytes: &[u8],
) -> Result<Arc<dyn Evaluator<G>>, FileError> {
    Ok(match Network::<G>::is_file(bytes) {
        true => Arc::new(Network::from_bytes(game, bytes)?),
        false => Arc::new(Weights::from_bytes(game, bytes)?),
    })
}
