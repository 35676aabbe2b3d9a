use damka_engine::{Control, History, Playable, Score, TimeControl};
use damka_games::{Color, Game};
use damka_protocols::Fault;

/// Somebody who chooses moves: the engine ([`Searcher`](crate::Searcher)), the baseline
/// ([`Baseline`](crate::Baseline)), or another program behind a protocol
/// ([`Opponent`](crate::Opponent)).
pub trait Competitor<G: Playable>: Send {
    /// Another game begins, from where `opening` has come to, with the pieces of `color`:
    /// nothing is remembered of those before it. What the player leaves to chance depends on
    /// `seed`.
    ///
    /// # Errors
    /// Whoever plays cannot play at all.
    fn begin(
        &mut self,
        opening: &History<G>,
        color: Color,
        seed: u64,
        control: &Control,
    ) -> Result<(), Fault>;

    /// Chooses a legal move, or `None` to resign. `clock` is what the player has left if
    /// the game has a clock. A player that `control` stops answers at once, with anything.
    ///
    /// # Errors
    /// The player has no move to offer, and loses.
    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault>;

    /// The game is over.
    fn end(&mut self, _winner: Option<Color>) {}
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
