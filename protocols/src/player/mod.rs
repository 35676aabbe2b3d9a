//! A game and the engine that plays it, for programs that learn only from each other
//! which variant is to be played, and that write squares as numbers.

mod error;
mod numbering;
mod numbers;

pub use error::SettingsError;
pub use numbering::{Numbering, UnknownNumbering};
pub(crate) use numbers::Letters;
pub use numbers::{BoardError, NumberedMove};

use damka_engine::book::{Book, BookChoice};
use damka_engine::{Control, End, Endings, Engine, History, Limits, Report};
use damka_games::draughts::{Move, Position};
use damka_games::{Draughts, Game, Position as _, Random};
use damka_probe::{self as probe, Access, Tables};
use std::path::PathBuf;
use std::sync::Arc;

/// What is played, and with what means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The variant.
    pub variant: Draughts,
    /// The number of threads that search.
    pub threads: usize,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The directory of tables; `None` to play without.
    pub tables: Option<PathBuf>,
    /// How tables are read.
    pub access: Access,
    /// How moves number the squares; `None` for what clients of the protocol use.
    pub numbering: Option<Numbering>,
    /// The opening book.
    pub book: BookChoice,
    /// What choices from the book depend on, game by game.
    pub seed: u64,
}

impl Settings {
    /// With one thread, 64 MiB, the engine's own book, and no tables.
    pub fn new(variant: Draughts) -> Settings {
        Settings {
            variant,
            threads: 1,
            memory: 64 << 20,
            tables: None,
            access: Access::Read,
            numbering: None,
            book: BookChoice::Own,
            seed: 1,
        }
    }
}

/// A game of some variant, and the engine that plays it.
pub(crate) struct Player {
    engine: Engine<Draughts>,
    game: History<Draughts>,
    book: Option<Book<Draughts>>,
    choices: Random,
    /// Of the choices in this game.
    seed: u64,
}

impl Player {
    /// Somebody who plays with these settings, with the start position on the board.
    ///
    /// # Errors
    /// What they ask for cannot be had.
    pub(crate) fn new(settings: &Settings) -> Result<Player, SettingsError> {
        let variant = settings.variant;
        let mut engine = Engine::try_new(variant, settings.memory)?;
        engine.set_threads(settings.threads);
        let options =
            probe::ProbeOptions { access: settings.access, ..probe::ProbeOptions::default() };
        let endings = settings
            .tables
            .as_ref()
            .map(|path| Endings::new(Arc::new(Tables::open_with(variant, path, options))));
        engine.set_tables(endings.transpose()?.map(Arc::new));
        let mut choices = Random::new(settings.seed);
        Ok(Player {
            engine,
            game: History::new(variant.start()),
            book: settings.book.open(variant)?,
            seed: choices.next(),
            choices,
        })
    }

    /// Begins a game with this position, or with the start position.
    pub(crate) fn set_up(&mut self, start: Option<Position>) {
        self.game = History::new(start.unwrap_or_else(|| self.engine.game().start()));
    }

    /// Plays a move if it is legal, and tells whether it was.
    pub(crate) fn play(&mut self, mv: &NumberedMove) -> bool {
        let legal = self.game.position().moves();
        let found = legal.into_iter().find(|&legal| mv.is(self.engine.game(), legal));
        found.map(|mv| self.game.play(mv)).is_some()
    }

    /// The position now.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whether the side to move has no move.
    pub(crate) fn is_stuck(&self) -> bool {
        self.game.position().moves().is_empty()
    }

    /// How the game has ended, if it has.
    pub(crate) fn end(&self) -> Option<End> {
        self.game.end()
    }

    /// The number of moves so far, of both sides.
    pub(crate) fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// The book's move, if it has one here.
    pub(crate) fn known(&self) -> Option<Move> {
        self.book.as_ref()?.choose(self.game.position(), self.seed)
    }

    /// Searches the position, and calls `info` after each depth.
    pub(crate) fn search(
        &mut self,
        limits: &Limits,
        control: &Control,
        info: impl FnMut(&Report<Draughts>),
    ) -> Report<Draughts> {
        self.engine.search(&self.game, limits, control, info)
    }

    /// Another game begins: forgets what earlier searches found, and chooses anew.
    pub(crate) fn forget(&mut self) {
        self.engine.forget();
        self.seed = self.choices.next();
    }
}
