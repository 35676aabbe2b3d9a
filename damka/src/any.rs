use crate::Answer;
use crate::listing::{self, ListPage, ListRequest};
use damka_games::{AnyGame, Counted, PositionError, excerpt, with_game};
use damka_probe::{ProbeError, ProbeOptions, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, SignatureError, Value, Wdl};
use std::path::Path;
use thiserror::Error;

/// Why a position that is given as text has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// The text is no position of the game.
    #[error("`{}`: {error}", excerpt(fen))]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        error: PositionError,
    },
    /// The text is no signature of the game.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Tables do not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Tables of a game that is chosen when the program runs, asked about positions as text.
/// Threads may share them.
pub trait AnyTables: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// Win, draw or loss for the side to move; a DTW table answers where the WDL table is missing.
    ///
    /// # Errors
    /// The text is no position, or a table that is needed is missing or damaged.
    fn wdl(&self, fen: &str) -> Result<Wdl, AskError>;

    /// The value with the distance to win.
    ///
    /// # Errors
    /// As [`wdl`](AnyTables::wdl).
    fn dtw(&self, fen: &str) -> Result<Value, AskError>;

    /// The value and all moves ranked, as [`Answer::of`] tells them.
    ///
    /// # Errors
    /// As [`wdl`](AnyTables::wdl).
    fn answer(&self, fen: &str, metric: Metric) -> Result<Answer, AskError>;

    /// The value, all moves ranked, and best play to the end, which needs distances.
    ///
    /// # Errors
    /// As [`wdl`](AnyTables::wdl).
    fn line(&self, fen: &str) -> Result<Answer, AskError>;

    /// A page of the positions of a signature.
    ///
    /// # Errors
    /// The text is no signature, or a table that is needed is missing or damaged.
    fn list(&self, request: &ListRequest) -> Result<ListPage, AskError>;
}

/// The tables of `game` in `directory`, which need not exist yet. No file is opened yet.
pub fn open(
    game: AnyGame,
    directory: impl AsRef<Path>,
    options: ProbeOptions,
) -> Box<dyn AnyTables> {
    with_game!(game, game => Box::new(Tables::open_with(game, directory.as_ref(), options)))
}

impl<G: Indexable, S: Storage<Source: Send + Sync> + Send + Sync> AnyTables for Tables<G, S> {
    fn game(&self) -> &'static str {
        Tables::game(self).name()
    }

    fn wdl(&self, fen: &str) -> Result<Wdl, AskError> {
        Ok(Tables::wdl(self, &counted(self, fen)?.position)?)
    }

    fn dtw(&self, fen: &str) -> Result<Value, AskError> {
        Ok(Tables::dtw(self, &counted(self, fen)?.position)?)
    }

    fn answer(&self, fen: &str, metric: Metric) -> Result<Answer, AskError> {
        Ok(Answer::of(self, &counted(self, fen)?, metric)?)
    }

    fn line(&self, fen: &str) -> Result<Answer, AskError> {
        Ok(Answer::with_line(self, &counted(self, fen)?)?)
    }

    fn list(&self, request: &ListRequest) -> Result<ListPage, AskError> {
        listing::page(self, request)
    }
}

fn counted<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    fen: &str,
) -> Result<Counted<G::Position>, AskError> {
    let counted = Counted::parse(Tables::game(tables), fen);
    counted.map_err(|error| AskError::Fen { fen: fen.to_owned(), error })
}
