//! What positions are worth.

mod alapo;
mod chess;
mod draughts;
mod frames;
mod pair;
mod weights;

pub(crate) use frames::Frames;
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
    #[inline(always)]
    fn count(position: &Self::Position, mut tally: impl FnMut(usize, i32)) {
        Self::count_frame(position, &mut tally);
        Self::count_rest(position, &mut tally);
    }

    /// A number that differs wherever what [`count_frame`](Evaluated::count_frame) looks at does,
    /// the side to move aside.
    #[inline(always)]
    fn frame(_position: &Self::Position) -> Option<u64> {
        None
    }

    /// Counts what depends only on pieces that seldom move, if the game has such: a search
    /// remembers what it comes to. With the other side to move all counts have the other sign.
    #[inline(always)]
    fn count_frame(_position: &Self::Position, _tally: impl FnMut(usize, i32)) {}

    /// Counts all else.
    fn count_rest(position: &Self::Position, tally: impl FnMut(usize, i32));

    /// The weights to begin with when nothing has been learned: what everybody knows of
    /// the game.
    fn first_weights(self) -> Weights<Self>;

    /// The weights that the program was built with; the [first](Evaluated::first_weights) ones
    /// where nothing has been learned yet.
    fn weights(self) -> Arc<Weights<Self>>;
}
