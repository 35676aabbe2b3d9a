use damka_engine::{Control, History, Playable, Score, TimeControl};
use damka_games::{Color, Game};
use damka_protocols::Fault;

/// Chooses moves in a match: the engine ([`EngineCompetitor`](crate::EngineCompetitor)), the baseline
/// ([`Baseline`](crate::Baseline)), or another program by a protocol ([`Opponent`](crate::Opponent)).
pub trait Competitor<G: Playable>: Send {
    /// Begins a new game after `opening`, in which the competitor plays `color`. Earlier games have no
    /// influence. Random choices depend on `seed`.
    ///
    /// # Errors
    /// The competitor cannot play at all.
    fn begin(
        &mut self,
        opening: &History<G>,
        color: Color,
        seed: u64,
        control: &Control,
    ) -> Result<(), Fault>;

    /// Chooses a legal move, or `None` to resign. `clock` is the clock of the competitor, if the game has
    /// one. If `control` is stopped, the answer is ignored and must come at once.
    ///
    /// # Errors
    /// The competitor gives no legal move, and loses.
    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault>;

    /// Called when the game is over.
    fn end(&mut self, _winner: Option<Color>) {}
}

/// A move and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The score for the side that plays it.
    pub score: Score,
    /// The depth of the search, in plies; 0 for a move of a book.
    pub depth: u16,
}
