use crate::control::{Control, TimeControl};
use crate::history::History;
use crate::playable::Playable;
use crate::score::Score;
use damka_games::Game;

/// Somebody who chooses moves: the engine ([`Searcher`](super::Searcher)), the yardstick
/// ([`Plain`](super::Plain)), or another program behind a protocol.
pub trait Player<G: Playable>: Send {
    /// Another game begins: nothing is remembered of those before it.
    fn begin(&mut self);

    /// Chooses a legal move, or `None` to resign. `clock` is what the player has left if
    /// the game has a clock. A player that `control` stops answers at once, with any move.
    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Option<Choice<G>>;
}

/// A move, and what its player thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// What the position is worth to the player.
    pub score: Score,
    /// How deep that was searched, in plies; 0 if it was known.
    pub depth: u16,
}
