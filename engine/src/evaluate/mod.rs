//! The static evaluation of positions.

mod alapo;
mod chess;
mod draughts;
mod evaluator;
pub(crate) mod network;
mod open;
mod packed;
mod pair;
mod structure_cache;
mod weights;

pub use evaluator::{Evaluator, ThreadEvaluator};
pub use network::Network;
pub use open::open_any;
pub(crate) use open::parse_evaluator;
pub use weights::Weights;

use damka_games::{Game, Kind, Position};
use std::sync::Arc;

/// The parts of a game's evaluation: its features, counted in a position, and its built-in
/// [`Evaluator`]. The [`Weights`] of features are learned from games, and the evaluation is the
/// weighted sum of the counts. The default evaluation is the material balance.
///
/// Each count is that of the side to move minus that of the other side, so that the evaluation
/// changes its sign if the position is seen from the other side.
pub trait Evaluated: Game {
    /// The number of features; by default one for each kind of piece.
    const FEATURES: usize = Self::KINDS.len();

    /// The phase of the start of a game; 0 is the end. Weights are interpolated linearly in between
    /// (tapered evaluation).
    const MAX_PHASE: i32 = 1;

    /// The phase of a position, from 0 (endgame) to [`MAX_PHASE`](Evaluated::MAX_PHASE).
    #[inline]
    fn phase(_position: &Self::Position) -> i32 {
        0
    }

    /// Calls `tally` with features and their counts. The same feature may occur several times; its
    /// counts add up.
    #[inline(always)]
    fn count(position: &Self::Position, mut tally: impl FnMut(usize, i32)) {
        Self::count_structure(position, &mut tally);
        Self::count_rest(position, &mut tally);
    }

    /// A hash of everything that [`count_structure`](Evaluated::count_structure) depends on except the side
    /// to move; `None` if the game has no such features.
    #[inline(always)]
    fn structure_key(_position: &Self::Position) -> Option<u64> {
        None
    }

    /// Counts the features of the structure, which depend only on pieces that seldom move (in chess,
    /// pawns and kings), so that a search can cache their sum. With the other side to move all
    /// counts change their sign.
    #[inline(always)]
    fn count_structure(_position: &Self::Position, _tally: impl FnMut(usize, i32)) {}

    /// Counts all other features. By default the pieces of each kind.
    #[inline(always)]
    fn count_rest(position: &Self::Position, mut tally: impl FnMut(usize, i32)) {
        let turn = position.turn();
        for kind in Self::kinds() {
            let [own, other] = [turn, !turn].map(|color| position.pieces(color, kind).len() as i32);
            tally(kind.index(), own - other);
        }
    }

    /// The weights that learning starts from. By default those of the material balance, for the
    /// default features: the weakest kind of piece is worth 1 man, and each stronger kind 1 more.
    fn initial_weights(self) -> Weights<Self> {
        Weights::of_material(self)
    }

    /// The built-in evaluation: a network or learned weights, or
    /// [`initial_weights`](Evaluated::initial_weights) if the game has none.
    fn evaluator(self) -> Arc<dyn Evaluator<Self>> {
        Arc::new(self.initial_weights())
    }
}

/// The value of a kind of piece in hundredths of a man, by its rank among the kinds: the weakest is
/// worth 1 man, and each stronger kind 1 more.
pub(crate) fn material_value<G: Game>(kind: Kind) -> i32 {
    (G::KINDS.len() - kind.index()) as i32 * 100
}
