//! What positions are worth.

mod alapo;
mod chess;
mod draughts;
mod weights;

pub use weights::Weights;

use damka_games::Game;
use std::sync::Arc;

/// How a position is evaluated: what is counted in it. What each count is worth, the
/// [`Weights`] say, which are learned from games.
///
/// A count is that of the side to move less that of the other, so that an evaluation
/// changes its sign if the same position is seen from the other side.
pub trait Evaluated: Game {
    /// How many things are counted.
    const FEATURES: usize;

    /// The stages of a game, from the start, the last, to 0, the end. What a count is worth
    /// changes evenly in between.
    const STAGES: i32;

    /// The stage of a position.
    fn stage(position: &Self::Position) -> i32;

    /// Calls `tally` with features and how often they are there; as often as it likes with
    /// the same one.
    fn count(position: &Self::Position, tally: impl FnMut(usize, i32));

    /// The weights to begin with when nothing has been learned: what everybody knows of
    /// the game.
    fn first_weights(self) -> Weights<Self>;

    /// The weights that the program was built with; the [first](Evaluated::first_weights) ones
    /// where nothing has been learned yet.
    fn weights(self) -> Arc<Weights<Self>>;
}
