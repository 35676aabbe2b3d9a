use crate::player::{Choice, Player};
use damka_engine::book::Book;
use damka_engine::{Control, Engine, History, Limits, Playable, Score, TimeControl};
use damka_games::Color;
use damka_protocols::Fault;
use std::sync::Arc;

/// The engine as a player.
pub struct Searcher<G: Playable> {
    engine: Engine<G>,
    limits: Limits,
    book: Option<Arc<Book<G>>>,
    /// What choices from the book depend on.
    seed: u64,
}

impl<G: Playable> Searcher<G> {
    /// Plays what the engine finds within these limits, for each move.
    pub fn new(engine: Engine<G>, limits: Limits) -> Searcher<G> {
        Searcher { engine, limits, book: None, seed: 0 }
    }

    /// Plays from a book as long as that has moves.
    pub fn with_book(self, book: Option<Arc<Book<G>>>) -> Searcher<G> {
        Searcher { book, ..self }
    }
}

impl<G: Playable> Player<G> for Searcher<G> {
    fn begin(&mut self, _: &History<G>, _: Color, seed: u64, _: &Control) -> Result<(), Fault> {
        self.engine.forget();
        self.seed = seed;
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        let known = self.book.as_ref().and_then(|book| book.choose(game.position(), self.seed));
        if let Some(mv) = known {
            return Ok(Some(Choice { mv, score: Score::DRAW, depth: 0 }));
        }
        let limits = Limits { clock, ..self.limits };
        let found = self.engine.search(game, &limits, control, |_| ());
        let choice = |mv| Choice { mv, score: found.score, depth: found.depth };
        Ok(found.best().map(choice))
    }
}
