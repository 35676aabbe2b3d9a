use crate::competitor::{Choice, Competitor};
use damka_engine::{Control, History, Limits, Playable, Player, Score, TimeControl};
use damka_games::Color;
use damka_protocols::Fault;

/// The engine as a competitor.
pub struct EngineCompetitor<G: Playable> {
    player: Player<G>,
    limits: Limits,
}

impl<G: Playable> EngineCompetitor<G> {
    /// Plays what the player finds in its book, or else thinks within these limits for each move.
    pub fn new(player: Player<G>, limits: Limits) -> EngineCompetitor<G> {
        EngineCompetitor { player, limits }
    }
}

impl<G: Playable> Competitor<G> for EngineCompetitor<G> {
    fn begin(&mut self, _: &History<G>, _: Color, seed: u64, _: &Control) -> Result<(), Fault> {
        self.player.clear();
        self.player.set_seed(seed);
        Ok(())
    }

    fn choose(
        &mut self,
        game: &History<G>,
        clock: Option<TimeControl>,
        control: &Control,
    ) -> Result<Option<Choice<G>>, Fault> {
        self.player.set_history(game.clone());
        if let Some(mv) = self.player.book_move() {
            return Ok(Some(Choice { mv, score: Score::DRAW, depth: 0 }));
        }
        let limits = Limits { clock, ..self.limits };
        let found = self.player.think(&limits, control, |_| ());
        let choice = |mv| Choice { mv, score: found.score, depth: found.depth };
        Ok(found.best().map(choice))
    }
}
