use super::player::{Choice, Player};
use crate::control::{Control, Limits, TimeControl};
use crate::fault::Fault;
use crate::history::History;
use crate::playable::Playable;
use crate::search::Engine;
use damka_games::Color;

/// The engine as a player.
pub struct Searcher<G: Playable> {
    engine: Engine<G>,
    limits: Limits,
}

impl<G: Playable> Searcher<G> {
    /// Plays what the engine finds within these limits, for each move.
    pub fn new(engine: Engine<G>, limits: Limits) -> Searcher<G> {
        Searcher { engine, limits }
    }
}

impl<G: Playable> Player<G> for Searcher<G> {
    fn begin(&mut self, _: &History<G>, _: Color, _: &Control) -> Result<(), Fault> {
        self.engine.forget();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        let limits = Limits { clock, ..self.limits };
        let found = self.engine.search(game, &limits, control, |_| ());
        let choice = |mv| Choice { mv, score: found.score, depth: found.depth };
        Ok(found.best().map(choice))
    }
}
