//! Tables of a game that is known by name only.

use crate::status::DamkaStatus;
use damka_games::{AnyGame, Game, Position, excerpt, with_game};
use damka_probe::{Options, ProbeError, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Value, Wdl};
use std::path::Path;

/// What went wrong, and in words.
pub(crate) struct Failure {
    pub(crate) status: DamkaStatus,
    pub(crate) text: String,
}

/// Tables of some game, asked about positions as text.
pub(crate) trait AnyTables: Send + Sync {
    fn wdl(&self, fen: &str) -> Result<Wdl, Failure>;

    fn dtw(&self, fen: &str) -> Result<Value, Failure>;

    /// `None` if there is no legal move.
    fn best_move(&self, fen: &str) -> Result<Option<String>, Failure>;
}

/// The tables of the game of this name; `None` if there is no such game.
pub(crate) fn open(game: &str, directory: &Path, options: Options) -> Option<Box<dyn AnyTables>> {
    with_game!(game.parse::<AnyGame>().ok()?, game => {
        Some(Box::new(Tables::open_with(game, directory, options)))
    })
}

impl<G: Indexable> AnyTables for Tables<G> {
    fn wdl(&self, fen: &str) -> Result<Wdl, Failure> {
        Ok(Tables::wdl(self, &position(self.game(), fen)?)?)
    }

    fn dtw(&self, fen: &str) -> Result<Value, Failure> {
        Ok(Tables::dtw(self, &position(self.game(), fen)?)?)
    }

    fn best_move(&self, fen: &str) -> Result<Option<String>, Failure> {
        let position = position(self.game(), fen)?;
        let best = self.moves(&position, Metric::Dtw)?.into_iter().next();
        Ok(best.map(|best| position.format_move(best.mv)))
    }
}

fn position<G: Game>(game: G, fen: &str) -> Result<G::Position, Failure> {
    let bad = |error| Failure {
        status: DamkaStatus::DAMKA_BAD_ARGUMENT,
        text: format!("`{}`: {error}", excerpt(fen)),
    };
    game.parse_fen(fen).map_err(bad)
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let status = match &error {
            error if error.is_missing() => DamkaStatus::DAMKA_MISSING,
            ProbeError::Damaged { .. } => DamkaStatus::DAMKA_DAMAGED,
            ProbeError::TooManyCaptures => DamkaStatus::DAMKA_TOO_MANY_CAPTURES,
            _ => DamkaStatus::DAMKA_SYSTEM,
        };
        Failure { status, text: error.to_string() }
    }
}
