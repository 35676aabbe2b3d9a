//! Tables of a game that is named at run time. Positions, moves and signatures are text.

use crate::any_storage::AnyStorage;
use crate::ask::position_of;
use crate::boards::{self, Boards};
use crate::inventory::{self, Inventory};
use crate::listing::{self, AnyListing, ListPage, ListQuery, ListRequest, ListedPosition};
use crate::square_map::{self, SquareValue};
use crate::stats::{self, SideHistogram, SideStats};
use crate::{Answer, AskError, MissingTable, PositionValue, RowError};
use damka_games::{AnyGame, Bitboards, Color, Setup, with_game};
use damka_probe::{BlockCache, Files, ProbeError, ProbeOptions, Storage, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature, Value, Wdl};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Tables of a game that is named at run time, with the queries of a user interface. Positions are
/// text: a FEN, a PDN or PGN tag `[FEN "..."]`, or `start`. Programs that must be small, as in a
/// browser, use this trait alone; all others use [`AnyTables`].
pub trait AnyAnswers: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;

    /// The value in words and numbers; see [`PositionValue::of`].
    ///
    /// # Errors
    /// Like [`wdl`](AnyTables::wdl).
    fn value(&self, fen: &str, metric: Metric) -> Result<PositionValue, AskError>;

    /// The value and all moves ranked; see [`Answer::of`].
    ///
    /// # Errors
    /// The text is not a position, a table is damaged, or nothing is known.
    fn answer(&self, fen: &str, metric: Metric) -> Result<Answer, AskError>;

    /// The position and its legal moves, whose values are unknown. Reads no table.
    ///
    /// # Errors
    /// The text is not a position.
    fn legal_moves(&self, fen: &str) -> Result<Answer, AskError>;

    /// What is known of a position although `error` was the answer: if tables are missing, its legal
    /// moves, and which table is missing.
    fn known_part(&self, fen: &str, error: &AskError) -> Option<Answer> {
        let answer = error.is_missing().then(|| self.legal_moves(fen).ok()).flatten()?;
        let missing = match error {
            AskError::Probe(error) => MissingTable::of(error).into_iter().collect(),
            _ => Vec::new(),
        };
        Some(Answer { missing, ..answer })
    }

    /// The value, all moves ranked, and best play to the end, which needs distances.
    ///
    /// # Errors
    /// Like [`wdl`](AnyTables::wdl).
    fn line(&self, fen: &str) -> Result<Answer, AskError>;

    /// The values of the positions in which the piece on `square` stands on each possible square,
    /// with `turn` to move. `None` means the side to move of the position.
    ///
    /// # Errors
    /// The text is not a position, there is no piece on the square, or a table is damaged.
    fn square_map(
        &self,
        fen: &str,
        square: &str,
        turn: Option<Color>,
        metric: Metric,
    ) -> Result<Vec<SquareValue>, AskError>;

    /// Begins a list of positions of a signature.
    ///
    /// # Errors
    /// The text is not a signature, or its table is missing or damaged.
    fn listing<'a>(&'a self, query: &ListQuery) -> Result<Box<dyn AnyListing + 'a>, AskError>;

    /// A page of such a list.
    ///
    /// # Errors
    /// The text is not a signature, or a table that is needed is missing or damaged.
    fn list(&self, request: &ListRequest) -> Result<ListPage, AskError> {
        listing::page(self.listing(&request.query)?, request)
    }

    /// A random position of a list; the same seed gives the same position. Without conditions, all
    /// positions of the list are equally likely. Positions that meet rare conditions are equally
    /// likely only if they are spread evenly over the table. For each side to move the search
    /// visits about a million places of the table, and those that the table's header names. `None`
    /// if the list is empty, or the search ends or the deadline passes before a position is found.
    ///
    /// # Errors
    /// Like [`list`](AnyAnswers::list).
    fn random(
        &self,
        query: &ListQuery,
        seed: u64,
        deadline: Option<Instant>,
    ) -> Result<Option<ListedPosition>, AskError> {
        listing::random(&mut |query| self.listing(query), query, seed, deadline)
    }

    /// The counts of a signature, first with White to move, then with Black to move.
    ///
    /// # Errors
    /// The text is not a signature, both its tables are missing, or one is damaged.
    fn stats(&self, signature: &str) -> Result<[SideStats; 2], AskError>;

    /// How many positions of a signature have each value, first with White to move, then with Black
    /// to move; `None` if the table does not hold histograms, as tables before version 1.1 of the
    /// format.
    ///
    /// # Errors
    /// The text is not a signature, or the table is missing or damaged.
    fn stored_histogram(&self, signature: &str) -> Result<Option<[SideHistogram; 2]>, AskError>;

    /// The signatures that have tables, by ascending number of pieces.
    ///
    /// # Errors
    /// The storage cannot be listed. A directory that does not exist has no tables.
    fn signatures(&self) -> Result<Vec<String>, AskError>;

    /// The signature of a position's pieces, as tables are named.
    ///
    /// # Errors
    /// The text is not a position.
    fn signature_of(&self, fen: &str) -> Result<String, AskError>;
}

/// Tables of a game that is named at run time, with the queries that programs need as well: values
/// alone, many positions at once, or only what is in memory. Threads may share them. [`open`] and
/// [`open_in`] make them.
pub trait AnyTables: AnyAnswers {
    /// Win, draw or loss for the side to move. A DTW table replaces a missing WDL table.
    ///
    /// # Errors
    /// The text is not a position, or a table that is needed is missing or damaged.
    fn wdl(&self, fen: &str) -> Result<Wdl, AskError>;

    /// The value with the distance to win.
    ///
    /// # Errors
    /// Like [`wdl`](AnyTables::wdl).
    fn dtw(&self, fen: &str) -> Result<Value, AskError>;

    /// The value if it follows from blocks that are in memory; nothing is read. For threads that
    /// must not wait.
    ///
    /// # Errors
    /// The text is not a position.
    fn value_if_decoded(&self, fen: &str, metric: Metric) -> Result<Option<Value>, AskError>;

    /// Asks the operating system to read ahead what [`wdl`](AnyTables::wdl) or
    /// [`dtw`](AnyTables::dtw) would have to read.
    ///
    /// # Errors
    /// Like [`wdl`](AnyTables::wdl).
    fn prefetch(&self, fen: &str, metric: Metric) -> Result<(), AskError>;

    /// Calls `found` with the number and value of each row of `boards` until it returns `Break`.
    /// Those that follow from blocks in memory come first, the others block by block, so that each
    /// block is decoded about once however small the cache is. If a row has no value, the others
    /// still get theirs.
    ///
    /// # Errors
    /// The words are not whole rows.
    fn values(
        &self,
        boards: Boards<'_>,
        metric: Metric,
        found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
    ) -> Result<(), RowError>;

    /// Like [`wdl`](AnyTables::wdl), of a setup, for programs that have bitboards and not text.
    /// Allocates nothing if the value follows from blocks that are in memory.
    ///
    /// # Errors
    /// The setup is impossible, or a table that is needed is missing or damaged.
    fn setup_wdl(&self, setup: &Setup) -> Result<Wdl, AskError>;

    /// Like [`setup_wdl`](AnyTables::setup_wdl), of bitboards, which takes less time. `None` if they are
    /// [not a position](damka_games::Game::position_of).
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
    fn bitboards_wdl(&self, bitboards: &Bitboards) -> Option<Result<Wdl, AskError>>;

    /// Like [`dtw`](AnyTables::dtw), of a setup.
    ///
    /// # Errors
    /// Like [`setup_wdl`](AnyTables::setup_wdl).
    fn setup_dtw(&self, setup: &Setup) -> Result<Value, AskError>;

    /// Like [`value_if_decoded`](AnyTables::value_if_decoded), of a setup.
    ///
    /// # Errors
    /// The setup is impossible.
    fn setup_value_if_decoded(
        &self,
        setup: &Setup,
        metric: Metric,
    ) -> Result<Option<Value>, AskError>;

    /// Like [`values`](AnyTables::values), of the setups with the numbers 0 to `len - 1`. `setup`
    /// returns the setup with a number, and is called up to twice for each.
    fn setup_values(
        &self,
        len: usize,
        metric: Metric,
        setup: &dyn Fn(usize) -> Result<Setup, AskError>,
        found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
    );

    /// Like [`prefetch`](AnyTables::prefetch), for a setup.
    ///
    /// # Errors
    /// Like [`setup_wdl`](AnyTables::setup_wdl).
    fn prefetch_setup(&self, setup: &Setup, metric: Metric) -> Result<(), AskError>;

    /// Like [`answer`](AnyAnswers::answer), but reads nothing: `None` unless it follows from blocks
    /// that are in memory. For threads that must not wait.
    ///
    /// # Errors
    /// The text is not a position.
    fn answer_if_decoded(&self, fen: &str, metric: Metric) -> Result<Option<Answer>, AskError>;

    /// How many positions of a signature have each value, first with White to move, then with Black
    /// to move. Looks at every position, unless the table
    /// [holds the numbers](AnyAnswers::stored_histogram). Meanwhile calls `progress` every few
    /// milliseconds with the numbers of positions done and in total; `Break` ends the work.
    ///
    /// # Errors
    /// The text is not a signature, a table that is needed is missing or damaged, or `progress`
    /// returned `Break`.
    fn histogram(
        &self,
        signature: &str,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<[SideHistogram; 2], AskError>;

    /// All tables, their sizes and digests, and those that are damaged.
    ///
    /// # Errors
    /// Like [`signatures`](AnyAnswers::signatures).
    fn inventory(&self) -> Result<Inventory, AskError>;

    /// Whether there is a table of a signature under `metric`.
    ///
    /// # Errors
    /// The text is not a signature, or the table is damaged.
    fn has_table(&self, signature: &str, metric: Metric) -> Result<bool, AskError>;

    /// Opens a table, so that the first look-up in it need not. Reads no values.
    ///
    /// # Errors
    /// Like [`pin`](AnyTables::pin).
    fn preload(&self, signature: &str, metric: Metric) -> Result<(), AskError>;

    /// Decodes a whole table and keeps it in memory permanently. Returns the bytes that it takes
    /// there.
    ///
    /// # Errors
    /// The text is not a signature, the table is missing or damaged, or there is not enough memory.
    fn pin(&self, signature: &str, metric: Metric) -> Result<u64, AskError>;
}

/// The tables of `game` in `directory`, which need not exist yet. No file is opened yet.
pub fn open(
    game: AnyGame,
    directory: impl AsRef<Path>,
    options: ProbeOptions,
) -> Box<dyn AnyTables> {
    let ProbeOptions { cache_bytes, access } = options;
    open_in(game, Files::new(directory.as_ref(), access), cache_bytes)
}

/// The tables of `game` in several directories. Each is read from the first one that has it.
pub fn open_all(
    game: AnyGame,
    directories: &[PathBuf],
    options: ProbeOptions,
) -> Box<dyn AnyTables> {
    let ProbeOptions { cache_bytes, access } = options;
    let mut directories = directories.iter().cloned();
    let directory = directories.next().unwrap_or_default();
    let files = Files { directory, others: directories.collect(), access };
    open_in(game, files, cache_bytes)
}

/// The tables of `game` in `storage`, such as bytes in memory, with up to `cache_bytes` bytes of
/// decoded blocks. Nothing is opened yet.
pub fn open_in<S>(game: AnyGame, storage: S, cache_bytes: u64) -> Box<dyn AnyTables>
where
    S: Storage<Source: Send + Sync + 'static> + Send + Sync + 'static,
{
    tables_in(game, AnyStorage::new(storage), cache_bytes)
}

/// Not generic, so that it is compiled in this crate and not in those that call it.
fn tables_in(game: AnyGame, storage: AnyStorage, cache_bytes: u64) -> Box<dyn AnyTables> {
    with_game!(game, game => Box::new(Tables::in_storage(game, storage, cache_bytes)))
}

/// The tables of `game` in `storage`, for the queries of [`AnyAnswers`] only, with a cache of
/// decoded blocks that tables of several games may share. Nothing is opened yet.
pub fn open_answers<S>(game: AnyGame, storage: S, cache: BlockCache) -> Box<dyn AnyAnswers>
where
    S: Storage<Source: Send + Sync + 'static> + Send + Sync + 'static,
{
    answers_in(game, AnyStorage::new(storage), cache)
}

/// Not generic, like [`tables_in`].
fn answers_in(game: AnyGame, storage: AnyStorage, cache: BlockCache) -> Box<dyn AnyAnswers> {
    with_game!(game, game => Box::new(Tables::with_cache(game, storage, cache)))
}

impl<G: Indexable, S: Storage<Source: Send + Sync> + Send + Sync> AnyAnswers for Tables<G, S> {
    fn game(&self) -> &'static str {
        Tables::game(self).name()
    }

    fn value(&self, fen: &str, metric: Metric) -> Result<PositionValue, AskError> {
        Ok(PositionValue::of(self, &position_of(self, fen)?, metric)?)
    }

    fn answer(&self, fen: &str, metric: Metric) -> Result<Answer, AskError> {
        Ok(Answer::of(self, &position_of(self, fen)?, metric)?)
    }

    fn legal_moves(&self, fen: &str) -> Result<Answer, AskError> {
        Ok(Answer::without_tables(Tables::game(self), &position_of(self, fen)?))
    }

    fn line(&self, fen: &str) -> Result<Answer, AskError> {
        Ok(Answer::with_line(self, &position_of(self, fen)?)?)
    }

    fn square_map(
        &self,
        fen: &str,
        square: &str,
        turn: Option<Color>,
        metric: Metric,
    ) -> Result<Vec<SquareValue>, AskError> {
        square_map::square_map(self, fen, square, turn, metric)
    }

    fn listing<'a>(&'a self, query: &ListQuery) -> Result<Box<dyn AnyListing + 'a>, AskError> {
        listing::begin(self, query)
    }

    fn stats(&self, signature: &str) -> Result<[SideStats; 2], AskError> {
        stats::stats(self, signature)
    }

    fn stored_histogram(&self, signature: &str) -> Result<Option<[SideHistogram; 2]>, AskError> {
        stats::stored_histogram(self, signature)
    }

    fn signatures(&self) -> Result<Vec<String>, AskError> {
        Ok(Tables::signatures(self)?.iter().map(Signature::to_string).collect())
    }

    fn signature_of(&self, fen: &str) -> Result<String, AskError> {
        let (signature, _) = Signature::<G>::of(&position_of(self, fen)?.position);
        Ok(signature.to_string())
    }
}

impl<G: Indexable, S: Storage<Source: Send + Sync> + Send + Sync> AnyTables for Tables<G, S> {
    fn wdl(&self, fen: &str) -> Result<Wdl, AskError> {
        Ok(Tables::wdl(self, &position_of(self, fen)?.position)?)
    }

    fn dtw(&self, fen: &str) -> Result<Value, AskError> {
        Ok(Tables::dtw(self, &position_of(self, fen)?.position)?)
    }

    fn value_if_decoded(&self, fen: &str, metric: Metric) -> Result<Option<Value>, AskError> {
        Ok(Tables::value_if_decoded(self, &position_of(self, fen)?.position, metric)?)
    }

    fn prefetch(&self, fen: &str, metric: Metric) -> Result<(), AskError> {
        Ok(Tables::prefetch(self, &position_of(self, fen)?.position, metric)?)
    }

    fn values(
        &self,
        boards: Boards<'_>,
        metric: Metric,
        found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
    ) -> Result<(), RowError> {
        boards::values(self, boards, metric, found)
    }

    fn setup_wdl(&self, setup: &Setup) -> Result<Wdl, AskError> {
        of_setup(self, setup, |position| Tables::wdl(self, position))
    }

    fn bitboards_wdl(&self, bitboards: &Bitboards) -> Option<Result<Wdl, AskError>> {
        let position = Tables::game(self).position_of(bitboards)?;
        Some(Tables::wdl(self, &position).map_err(AskError::from))
    }

    fn setup_dtw(&self, setup: &Setup) -> Result<Value, AskError> {
        of_setup(self, setup, |position| Tables::dtw(self, position))
    }

    fn setup_value_if_decoded(
        &self,
        setup: &Setup,
        metric: Metric,
    ) -> Result<Option<Value>, AskError> {
        of_setup(self, setup, |position| Tables::value_if_decoded(self, position, metric))
    }

    fn setup_values(
        &self,
        len: usize,
        metric: Metric,
        setup: &dyn Fn(usize) -> Result<Setup, AskError>,
        found: &mut dyn FnMut(usize, Result<Value, AskError>) -> ControlFlow<()>,
    ) {
        let game = Tables::game(self);
        Tables::values(self, len, metric, |number| Ok(game.position(&setup(number)?)?), found);
    }

    fn prefetch_setup(&self, setup: &Setup, metric: Metric) -> Result<(), AskError> {
        of_setup(self, setup, |position| Tables::prefetch(self, position, metric))
    }

    fn answer_if_decoded(&self, fen: &str, metric: Metric) -> Result<Option<Answer>, AskError> {
        Ok(Answer::of_decoded(self, &position_of(self, fen)?, metric))
    }

    fn histogram(
        &self,
        signature: &str,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<[SideHistogram; 2], AskError> {
        stats::histogram(self, signature, progress)
    }

    fn inventory(&self) -> Result<Inventory, AskError> {
        inventory::inventory(self)
    }

    fn has_table(&self, signature: &str, metric: Metric) -> Result<bool, AskError> {
        let signature = Signature::parse(Tables::game(self), signature)?;
        match self.open_table(signature, metric) {
            Err(ProbeError::Missing { .. }) => Ok(false),
            table => Ok(table.map(|_| true)?),
        }
    }

    fn preload(&self, signature: &str, metric: Metric) -> Result<(), AskError> {
        let signature = Signature::parse(Tables::game(self), signature)?;
        Ok(Tables::preload(self, &signature, metric)?)
    }

    fn pin(&self, signature: &str, metric: Metric) -> Result<u64, AskError> {
        let signature = Signature::parse(Tables::game(self), signature)?;
        Ok(Tables::pin(self, &signature, metric)?)
    }
}

/// The result of `ask` for the position of a setup. Passes the position by reference: moving it in
/// memory costs time.
#[inline(always)]
fn of_setup<G: Indexable, S: Storage, T>(
    tables: &Tables<G, S>,
    setup: &Setup,
    ask: impl FnOnce(&G::Position) -> Result<T, ProbeError>,
) -> Result<T, AskError> {
    let game = Tables::game(tables);
    game.check(setup)?;
    Ok(ask(&game.assemble_setup(setup))?)
}
