use crate::book::{BookChoice, OpeningBook};
use crate::control::{Control, Limits};
use crate::endgame_tables::EndgameTables;
use crate::evaluate::{Evaluator, open_any};
use crate::file::FileError;
use crate::history::History;
use crate::level::{Level, choose};
use crate::playable::Playable;
use crate::score::Score;
use crate::search::{Engine, Report, Variation};
use damka_games::{Game, Random};
use damka_probe::{Access, ProbeError, ProbeOptions, Tables};
use damka_system::NoMemory;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// The maximum number of search threads. Each takes memory of its own.
pub const MAX_THREADS: u16 = 256;

/// The settings of a [`Player`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSettings<G> {
    /// The game.
    pub game: G,
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table of one player, in bytes.
    pub memory: usize,
    /// The directory of endgame tables; `None` to play without.
    pub tables: Option<PathBuf>,
    /// How table files are read.
    pub access: Access,
    /// The size of the cache of decoded table blocks, in bytes. Players that share tables share it.
    pub cache: u64,
    /// The file with the weights of the evaluation, or with a network; `None` for the built-in
    /// evaluation.
    pub weights: Option<PathBuf>,
    /// The opening book.
    pub book: BookChoice,
    /// How well the player plays.
    pub level: Level,
    /// In the first plies of a game, plays any move at most this many hundredths of a man worse
    /// than the best; 0 plays the best.
    pub variety: u16,
    /// The seed of random choices, from the book and between moves. Every new game draws the next
    /// seed from it.
    pub seed: u64,
}

impl<G> PlayerSettings<G> {
    /// One thread, a transposition table of 64 MiB, the built-in book and weights, no tables, full
    /// strength and no variety.
    pub fn new(game: G) -> PlayerSettings<G> {
        PlayerSettings {
            game,
            threads: 1,
            memory: 64 << 20,
            tables: None,
            access: Access::Read,
            cache: ProbeOptions::default().cache_bytes,
            weights: None,
            book: BookChoice::Own,
            level: Level::FULL,
            variety: 0,
            seed: 1,
        }
    }

    /// The settings that need least memory and no files: one thread, a transposition table of 1 MiB,
    /// the built-in weights, no book and no tables.
    pub fn minimal(game: G) -> PlayerSettings<G> {
        PlayerSettings { memory: 1 << 20, book: BookChoice::None, ..PlayerSettings::new(game) }
    }

    /// The settings for another game.
    pub fn with_game<H>(self, game: H) -> PlayerSettings<H> {
        let PlayerSettings { threads, memory, tables, access, cache, weights, .. } = self;
        let PlayerSettings { book, level, variety, seed, .. } = self;
        PlayerSettings {
            game,
            threads,
            memory,
            tables,
            access,
            cache,
            weights,
            book,
            level,
            variety,
            seed,
        }
    }
}

/// A player with the given settings cannot be created.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// The directory of tables cannot be read.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// The book or the weights cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Memory cannot be allocated.
    #[error(transparent)]
    Memory(#[from] NoMemory),
}

/// The resources that the players of a game share. Clones refer to the same tables, cache, weights
/// and book.
pub struct Resources<G: Game> {
    /// The endgame tables, if any.
    pub tables: Option<Arc<EndgameTables<G>>>,
    /// The evaluation.
    pub evaluator: Arc<dyn Evaluator<G>>,
    /// The opening book, if any.
    pub book: Option<Arc<OpeningBook<G>>>,
}

impl<G: Game> Clone for Resources<G> {
    fn clone(&self) -> Resources<G> {
        let Resources { tables, evaluator, book } = self;
        Resources { tables: tables.clone(), evaluator: Arc::clone(evaluator), book: book.clone() }
    }
}

impl<G: Playable> Resources<G> {
    /// The built-in evaluation, no tables and no book.
    pub fn built_in(game: G) -> Resources<G> {
        Resources { tables: None, evaluator: game.evaluator(), book: None }
    }

    /// Implements [`open`](Resources::open); compiled once for each family of games.
    #[doc(hidden)]
    pub fn open_any(settings: &PlayerSettings<G>) -> Result<Resources<G>, PlayerError> {
        let game = settings.game;
        let options = ProbeOptions { access: settings.access, cache_bytes: settings.cache };
        let tables = match &settings.tables {
            Some(path) => {
                let tables = Tables::open_with(game, path, options);
                Some(Arc::new(EndgameTables::new(Arc::new(tables))?))
            }
            None => None,
        };
        let evaluator = match &settings.weights {
            Some(path) => open_any(game, path)?,
            None => game.evaluator(),
        };
        let book = settings.book.open(game)?.map(Arc::new);
        Ok(Resources { tables, evaluator, book })
    }
}

/// An engine with an opening book and the game that is being played. Every front end plays through
/// it: UCI, Hub, DXP, matches, bots and the command line.
///
/// A player owns its transposition table. Tables, weights and book are [shared](Resources).
///
/// ```
/// use damka_engine::{Control, Limits, Player, PlayerSettings, Resources};
/// use damka_games::{Position, Russian};
///
/// let settings = PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(Russian) };
/// let resources = Resources::open(&settings)?;
/// // Two players with one book.
/// let mut players = [
///     Player::with_resources(&settings, resources.clone())?,
///     Player::with_resources(&settings, resources)?,
/// ];
/// for player in &mut players {
///     let mv = match player.book_move() {
///         Some(mv) => mv,
///         None => player.search(&Limits::depth(3), &Control::default(), |_| ()).best().unwrap(),
///     };
///     assert!(player.position().moves().contains(&mv));
///     player.play(mv);
/// }
/// # Ok::<(), damka_engine::PlayerError>(())
/// ```
pub struct Player<G: Playable> {
    engine: Engine<G>,
    history: History<G>,
    tables: Option<Arc<EndgameTables<G>>>,
    book: Option<Arc<OpeningBook<G>>>,
    threads: usize,
    /// The number of principal variations that the client wants (MultiPV).
    lines: usize,
    level: Level,
    variety: u16,
    seeds: Random,
    /// The seed of the choices in this game.
    seed: u64,
}

impl<G: Playable> Player<G> {
    /// A player with resources of its own, at the start position.
    ///
    /// # Errors
    /// The tables, the weights or the book cannot be read, or memory cannot be allocated.
    pub fn new(settings: &PlayerSettings<G>) -> Result<Player<G>, PlayerError> {
        let resources = Resources::open(settings)?;
        Ok(Player::with_resources(settings, resources)?)
    }

    /// A player that shares resources, at the start position. Of the settings only game, threads,
    /// memory, level, variety and seed are used.
    ///
    /// # Errors
    /// The memory for the transposition table cannot be allocated.
    pub fn with_resources(
        settings: &PlayerSettings<G>,
        resources: Resources<G>,
    ) -> Result<Player<G>, NoMemory> {
        let game = settings.game;
        let Resources { tables, evaluator, book } = resources;
        let mut engine = Engine::with_evaluator(game, settings.memory, evaluator)?;
        engine.set_threads(settings.threads);
        engine.set_tables(tables.clone());
        let mut seeds = Random::new(settings.seed);
        Ok(Player {
            engine,
            history: History::new(game.start()),
            tables,
            book,
            threads: settings.threads,
            lines: 1,
            level: settings.level,
            variety: settings.variety,
            seed: seeds.next(),
            seeds,
        })
    }

    /// The game that the player plays.
    pub fn game(&self) -> G {
        self.engine.game()
    }

    /// The game so far.
    pub fn history(&self) -> &History<G> {
        &self.history
    }

    /// The current position.
    pub fn position(&self) -> &G::Position {
        self.history.position()
    }

    /// Sets the game so far. Keeps the transposition table.
    pub fn set_history(&mut self, history: History<G>) {
        self.history = history;
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.history.play(mv);
    }

    /// Prepares for another game: clears the transposition table and draws the next seed of choices.
    /// Keeps the game so far.
    pub fn new_game(&mut self) {
        self.engine.clear();
        self.seed = self.seeds.next();
    }

    /// Sets the seed of the choices in this game.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// How well the player plays.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Sets how well the player plays.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Replaces the endgame tables.
    pub fn set_tables(&mut self, tables: Option<Arc<EndgameTables<G>>>) {
        self.tables.clone_from(&tables);
        self.engine.set_tables(tables);
    }

    /// Sets the number of principal variations (MultiPV, at least 1). Each gets an exact score.
    pub fn set_multi_pv(&mut self, lines: usize) {
        self.lines = lines.max(1);
        self.engine.set_multi_pv(lines);
    }

    /// Restricts the root to the legal ones among `moves`. If there are none, all legal moves are
    /// searched.
    pub fn set_root_moves(&mut self, moves: Vec<G::Move>) {
        self.engine.set_root_moves(moves);
    }

    /// [`EndgameTables::take_errors`] of the tables, if there are any.
    pub fn take_table_errors(&self) -> Vec<ProbeError> {
        self.tables.as_deref().map(EndgameTables::take_errors).unwrap_or_default()
    }

    /// A book move in the current position, if there is one and the level uses the book. The choice
    /// depends on the seed.
    pub fn book_move(&self) -> Option<G::Move> {
        let book = self.book.as_ref().filter(|_| self.level.uses_book())?;
        book.choose(self.position(), self.seed)
    }

    /// Searches for a move to play in the current position, at the level of the player and with its
    /// variety. The move to play is [`Report::best`] of the result. Calls `report` after each
    /// depth. An [analysis](Limits::is_analysis) is done by [`search`](Player::search), at full
    /// strength.
    ///
    /// Below full strength the result depends on nothing but the game, the earlier searches and the
    /// seed, unless a time limit is so short that it is reached.
    pub fn think(
        &mut self,
        limits: &Limits,
        control: &Control,
        mut report: impl FnMut(&Report<G>),
    ) -> Report<G> {
        /// The number of moves to choose from for variety.
        const VARIANTS: usize = 4;
        if limits.is_analysis {
            return self.search(limits, control, report);
        }
        let handicap = self.level.handicap::<G>();
        let margin = if self.is_early() { self.variety } else { 0 };
        let choices = handicap.lines.max(if margin > 0 { VARIANTS } else { 1 });
        if self.level < Level::FULL {
            self.engine.set_threads(1);
        }
        self.engine.set_tables(self.tables.clone().filter(|_| self.level.uses_tables()));
        self.engine.set_multi_pv(choices.max(self.lines));
        let lines = self.lines;
        let shown = |mut found: Report<G>| {
            found.other_lines.truncate(lines - 1);
            found
        };
        let limits = handicap.limits(limits);
        let without_history;
        let game = match self.level.sees_repetitions() {
            true => &self.history,
            false => {
                without_history = History::new(self.history.counted());
                &without_history
            }
        };
        let mut found =
            self.engine.search(game, &limits, control, |found| report(&shown(found.clone())));
        self.engine.set_threads(self.threads);
        self.engine.set_tables(self.tables.clone());
        self.engine.set_multi_pv(self.lines);
        let best = Variation::new(found.score, found.pv.clone());
        let lines = std::iter::once(&best).chain(&found.other_lines).take(choices).enumerate();
        let is_plain =
            |line: &Variation<G>| line.moves.first().is_none_or(|&mv| !G::is_underpromotion(mv));
        let plain = lines.clone().map(|(_, line)| line).filter(|line| is_plain(line));
        let plain_score = plain.map(|line| line.score.hundredths()).max();
        // Nobody underpromotes by mistake: an underpromotion must score a pawn more than every other move.
        let is_worth_it = |line: &Variation<G>| {
            plain_score.is_none_or(|plain| line.score.hundredths() > plain + 100)
        };
        let (places, scores): (Vec<usize>, Vec<Score>) = lines
            .filter(|(_, line)| is_plain(line) || is_worth_it(line))
            .map(|(place, line)| (place, line.score))
            .unzip();
        let number = self.history.state().key ^ self.history.moves().len() as u64;
        let mut random = Random::numbered(self.seed, number);
        let chosen = places[choose(&scores, margin, handicap.spread, &mut random)];
        if let Some(other) = chosen.checked_sub(1) {
            found.promote(other);
        }
        shown(found)
    }

    /// Whether the game is in its first plies. False if it did not begin at the start position.
    fn is_early(&self) -> bool {
        /// The number of plies in which there is variety.
        const EARLY: usize = 16;
        let is_whole = self.history.start().position == self.game().start();
        is_whole && self.history.moves().len() < EARLY
    }

    /// Searches the current position at full strength until a limit is reached or `control` stops the
    /// search. Calls `report` after each depth.
    pub fn search(
        &mut self,
        limits: &Limits,
        control: &Control,
        report: impl FnMut(&Report<G>),
    ) -> Report<G> {
        self.engine.search(&self.history, limits, control, report)
    }
}
