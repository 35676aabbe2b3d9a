//! A game and the engine that plays it, for programs that learn only from each other
//! which variant is to be played, and that write squares as numbers.

mod error;
mod numbering;
mod numbers;
mod variant;

pub use error::SettingsError;
pub use numbering::{Numbering, UnknownNumbering};
pub(crate) use numbers::Letters;
pub use numbers::{BoardError, NumberedMove};
pub use variant::{DraughtsVariant, UnknownVariant};

use damka_engine::book::{Book, BookChoice};
use damka_engine::{
    Control, End, Endings, Engine, History, Limits, Playable, Random, Report, Score,
};
use damka_games::draughts::{Move, Position};
use damka_probe::{self as probe, Access, Tables};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is played, and with what means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The variant.
    pub variant: DraughtsVariant,
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
    pub fn new(variant: DraughtsVariant) -> Settings {
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

    /// Somebody who plays like this, with the start position on the board.
    ///
    /// # Errors
    /// What they ask for cannot be had.
    pub(crate) fn player(&self) -> Result<Box<dyn Player>, SettingsError> {
        self.variant.player(self)
    }
}

/// A game of some variant, and the engine that plays it.
pub(crate) trait Player: Send {
    /// Begins a game with this position, or with the start position.
    fn set_up(&mut self, start: Option<Position>);

    /// Plays a move if it is legal, and tells whether it was.
    fn play(&mut self, mv: &NumberedMove) -> bool;

    /// The position now.
    fn position(&self) -> &Position;

    /// Whether the side to move has no move.
    fn is_stuck(&self) -> bool;

    /// How the game has ended, if it has.
    fn end(&self) -> Option<End>;

    /// The number of moves so far, of both sides.
    fn plies(&self) -> usize;

    /// The book's move, if it has one here.
    fn known(&self) -> Option<Move>;

    /// Searches the position, and calls `info` after each depth.
    fn search(
        &mut self,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Finding),
    ) -> Finding;

    /// Another game begins: forgets what earlier searches found, and chooses anew.
    fn forget(&mut self);
}

/// What a search has found: a [`Report`] for any variant.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) depth: u16,
    pub(crate) score: Score,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) line: Vec<Move>,
}

/// One player of one variant.
struct Seat<G: Playable> {
    engine: Engine<G>,
    game: History<G>,
    book: Option<Book<G>>,
    choices: Random,
    /// Of the choices in this game.
    seed: u64,
}

impl<G: Playable> Seat<G> {
    fn new(settings: &Settings) -> Result<Seat<G>, SettingsError> {
        let mut engine = Engine::try_new(settings.memory)?;
        engine.set_threads(settings.threads);
        let options = probe::Options { access: settings.access, ..probe::Options::default() };
        let endings = settings
            .tables
            .as_ref()
            .map(|path| Endings::new(Arc::new(Tables::open_with(path, options))));
        engine.set_tables(endings.transpose()?.map(Arc::new));
        let mut choices = Random::new(settings.seed);
        Ok(Seat {
            engine,
            game: History::new(G::start()),
            book: settings.book.open()?,
            seed: choices.next(),
            choices,
        })
    }
}

impl<G: Playable<Position = Position, Move = Move>> Player for Seat<G> {
    fn set_up(&mut self, start: Option<Position>) {
        self.game = History::new(start.unwrap_or_else(G::start));
    }

    fn play(&mut self, mv: &NumberedMove) -> bool {
        let legal = G::moves(self.game.position());
        let found = legal.into_iter().find(|&legal| mv.is(legal));
        found.map(|mv| self.game.play(mv)).is_some()
    }

    fn position(&self) -> &Position {
        self.game.position()
    }

    fn is_stuck(&self) -> bool {
        G::moves(self.game.position()).is_empty()
    }

    fn end(&self) -> Option<End> {
        self.game.end()
    }

    fn plies(&self) -> usize {
        self.game.moves().len()
    }

    fn known(&self) -> Option<Move> {
        self.book.as_ref()?.choose(self.game.position(), self.seed)
    }

    fn search(
        &mut self,
        limits: &Limits,
        control: &Control,
        info: &mut dyn FnMut(&Finding),
    ) -> Finding {
        let found = self.engine.search(&self.game, limits, control, |found| info(&found.into()));
        (&found).into()
    }

    fn forget(&mut self) {
        self.engine.forget();
        self.seed = self.choices.next();
    }
}

impl<G: Playable<Move = Move>> From<&Report<G>> for Finding {
    fn from(report: &Report<G>) -> Finding {
        Finding {
            depth: report.depth,
            score: report.score,
            nodes: report.nodes,
            time: report.time,
            line: report.line.clone(),
        }
    }
}
