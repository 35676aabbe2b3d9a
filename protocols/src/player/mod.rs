//! A game and the engine that plays it, for programs that learn only from each other which game
//! is to be played; and for draughts squares as numbers.

mod error;
mod numbering;
mod numbers;

pub use error::SettingsError;
pub use numbering::{Numbering, UnknownNumbering};
pub(crate) use numbers::Letters;
pub use numbers::{BoardError, NumberedMove};

use damka_engine::book::{Book, BookChoice};
use damka_engine::{Control, End, Endings, Engine, History, Limits, Playable, Report};
use damka_games::{Draughts, Position, Random};
use damka_probe::{Access, ProbeOptions, Tables};
use std::path::PathBuf;
use std::sync::Arc;

/// What is played, and with what means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings<G> {
    /// The game.
    pub game: G,
    /// The number of threads that search.
    pub threads: usize,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The directory of tables; `None` to play without.
    pub tables: Option<PathBuf>,
    /// How tables are read.
    pub access: Access,
    /// The memory for what is decoded of tables, in bytes.
    pub cache: u64,
    /// How moves of draughts number the squares; `None` for what clients of the protocol use.
    pub numbering: Option<Numbering>,
    /// The opening book.
    pub book: BookChoice,
    /// What choices from the book depend on, game by game.
    pub seed: u64,
}

impl<G> Settings<G> {
    /// With one thread, 64 MiB, the engine's own book, and no tables.
    pub fn new(game: G) -> Settings<G> {
        Settings {
            game,
            threads: 1,
            memory: 64 << 20,
            tables: None,
            access: Access::Read,
            cache: ProbeOptions::default().cache_bytes,
            numbering: None,
            book: BookChoice::Own,
            seed: 1,
        }
    }

    /// The least that a player can do with: one thread, 1 MiB, no book and no tables.
    pub(crate) fn least(&self) -> Settings<G>
    where
        G: Clone,
    {
        let least = Settings::new(self.game.clone());
        Settings { memory: 1 << 20, book: BookChoice::None, ..least }
    }

    /// The same means for another game.
    #[cfg(feature = "bot")]
    pub(crate) fn with_game<H>(&self, game: H) -> Settings<H> {
        let Settings { threads, memory, access, cache, numbering, seed, .. } = *self;
        let (tables, book) = (self.tables.clone(), self.book.clone());
        Settings { game, threads, memory, tables, access, cache, numbering, book, seed }
    }
}

/// A game, and the engine that plays it.
pub(crate) struct Player<G: Playable> {
    engine: Engine<G>,
    game: History<G>,
    book: Option<Book<G>>,
    choices: Random,
    /// Of the choices in this game.
    seed: u64,
    /// What somebody should be told of the tables.
    refused: Vec<String>,
}

impl<G: Playable> Player<G> {
    /// Somebody who plays with these settings, with the start position on the board.
    ///
    /// # Errors
    /// What they ask for cannot be had.
    pub(crate) fn new(settings: &Settings<G>) -> Result<Player<G>, SettingsError> {
        let game = settings.game;
        let mut engine = Engine::try_new(game, settings.memory)?;
        engine.set_threads(settings.threads);
        let options = ProbeOptions { access: settings.access, cache_bytes: settings.cache };
        let endings = settings
            .tables
            .as_ref()
            .map(|path| Endings::new(Arc::new(Tables::open_with(game, path, options))));
        let endings = endings.transpose()?;
        let refused = endings.iter().flat_map(Endings::refused).map(ToString::to_string).collect();
        engine.set_tables(endings.map(Arc::new));
        let mut choices = Random::new(settings.seed);
        Ok(Player {
            engine,
            game: History::new(game.start()),
            book: settings.book.open(game)?,
            seed: choices.next(),
            choices,
            refused,
        })
    }

    /// Why tables that are there are not used; once, for who tells somebody.
    pub(crate) fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused)
    }

    /// Begins a game with this position, or with the start position.
    pub(crate) fn set_up(&mut self, start: Option<G::Position>) {
        self.game = History::new(start.unwrap_or_else(|| self.engine.game().start()));
    }

    /// Goes on with this game.
    pub(crate) fn set_game(&mut self, game: History<G>) {
        self.game = game;
    }

    /// The position now.
    pub(crate) fn position(&self) -> &G::Position {
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
    pub(crate) fn known(&self) -> Option<G::Move> {
        self.book.as_ref()?.choose(self.game.position(), self.seed)
    }

    /// Searches for so many of the best moves, among `choice`, or among all if that is empty.
    pub(crate) fn look_for(&mut self, lines: usize, choice: Vec<G::Move>) {
        self.engine.set_lines(lines);
        self.engine.set_choice(choice);
    }

    /// Searches the position, and calls `info` after each depth.
    pub(crate) fn search(
        &mut self,
        limits: &Limits,
        control: &Control,
        info: impl FnMut(&Report<G>),
    ) -> Report<G> {
        self.engine.search(&self.game, limits, control, info)
    }

    /// Another game begins: forgets what earlier searches found, and chooses anew.
    pub(crate) fn forget(&mut self) {
        self.engine.forget();
        self.seed = self.choices.next();
    }
}

impl Player<Draughts> {
    /// Plays a move if it is legal, and tells whether it was.
    pub(crate) fn play(&mut self, mv: &NumberedMove) -> bool {
        let legal = self.game.position().moves();
        let found = legal.into_iter().find(|&legal| mv.is(self.engine.game(), legal));
        found.map(|mv| self.game.play(mv)).is_some()
    }
}
