//! The static evaluation of positions.

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

/// The evaluation of a game: the features counted in a position. Their [`Weights`] are learned from
/// games, and the evaluation is the weighted sum of the counts.
///
/// A count is that of the side to move minus that of the other side, so that the evaluation changes
/// its sign if the position is seen from the other side.
pub trait Evaluated: Game {
    /// The number of features.
    const FEATURES: usize;

    /// The stage of the start of a game; 0 is the end. Weights are interpolated linearly in between
    /// (tapered evaluation).
    const STAGES: i32;

    /// The stage of a position, from 0 (endgame) to [`STAGES`](Evaluated::STAGES).
    fn stage(position: &Self::Position) -> i32;

    /// Calls `tally` with features and their counts. The same feature may occur several times; its
    /// counts add up.
    #[inline(always)]
    fn count(position: &Self::Position, mut tally: impl FnMut(usize, i32)) {
        Self::count_frame(position, &mut tally);
        Self::count_rest(position, &mut tally);
    }

    /// A hash of everything that [`count_frame`](Evaluated::count_frame) depends on except the side
    /// to move; `None` if the game has no frame.
    #[inline(always)]
    fn frame(_position: &Self::Position) -> Option<u64> {
        None
    }

    /// Counts the features of the frame, which depend only on pieces that seldom move (in chess,
    /// pawns and kings), so that a search can cache their sum. With the other side to move all
    /// counts change their sign.
    #[inline(always)]
    fn count_frame(_position: &Self::Position, _tally: impl FnMut(usize, i32)) {}

    /// Counts all other features.
    fn count_rest(position: &Self::Position, tally: impl FnMut(usize, i32));

    /// Hand-made weights, from common knowledge of the game: the start of learning.
    fn initial_weights(self) -> Weights<Self>;

    /// The built-in weights: the learned ones, or [`initial_weights`](Evaluated::initial_weights) if
    /// the game has none.
    fn weights(self) -> Arc<Weights<Self>>;
}
