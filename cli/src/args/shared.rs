use crate::failure::Failure;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum, ValueHint};
use damka_engine::book::BookChoice;
use damka_engine::{
    Engine, Evaluator, FileError, MAX_THREADS, Playable, PlayerSettings, open_evaluator,
};
use damka_games::excerpt;
use damka_probe::Access;
use damka_system::check_memory;
use damka_tables::metric::Metric;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of games of a match. No real match has so many.
pub(super) const MOST_GAMES: u64 = 1_000_000_000;

/// Where tables are.
#[derive(ClapArgs, Default)]
pub(crate) struct TablesArg {
    /// The directory of tables. [default: the platform's data directory] [env: DAMKA_TABLES]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    tables: Option<PathBuf>,
}

impl TablesArg {
    /// The argument with this directory.
    pub(crate) fn of(directory: &Path) -> TablesArg {
        TablesArg { tables: Some(directory.to_owned()) }
    }

    /// The directory that the user has named, by the option or in the environment. An empty
    /// variable is treated as unset.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os("DAMKA_TABLES").filter(|name| !name.is_empty());
        self.tables.clone().or_else(|| variable().map(PathBuf::from))
    }
}

/// The option `--build`.
#[derive(ClapArgs)]
pub(crate) struct BuildArg {
    /// First build missing tables of up to this many pieces.
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=8))]
    pub(crate) build: Option<u32>,
}

/// The option `--no-build`.
#[derive(ClapArgs)]
pub(crate) struct NoBuildArg {
    /// Do not build missing tables, and do not offer to build them.
    #[arg(long)]
    pub(crate) no_build: bool,
}

/// The option `--access`, with `map` as its default.
#[derive(ClapArgs)]
pub(crate) struct AccessArg {
    /// How table files are read. `map` is faster, but a truncated file or a failing disk ends the
    /// program; with `read` it is an error.
    #[arg(long, value_enum, default_value = "map")]
    pub(crate) access: AccessName,
}

/// The option `--access`, with `read` as its default, for programs that run for days.
#[derive(ClapArgs)]
pub(crate) struct ServerAccessArg {
    /// How table files are read. `map` is faster, but a truncated file or a failing disk ends the
    /// program; with `read` it is an error.
    #[arg(long, value_enum, default_value = "read")]
    pub(crate) access: AccessName,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AccessName {
    /// Map files into memory.
    Map,
    /// Read them block by block.
    Read,
}

impl From<AccessName> for Access {
    fn from(name: AccessName) -> Access {
        match name {
            AccessName::Map => Access::Map,
            AccessName::Read => Access::Read,
        }
    }
}

/// Options for the threads and the progress of long work.
#[derive(ClapArgs)]
pub(crate) struct WorkArgs {
    /// The number of threads; 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count)]
    pub(crate) threads: u16,
    #[command(flatten)]
    pub(crate) progress: ProgressArg,
}

/// The option `--progress`.
#[derive(ClapArgs)]
pub(crate) struct ProgressArg {
    /// How to show progress, on standard error.
    #[arg(long = "progress", value_enum, default_value = "auto")]
    pub(crate) style: ProgressStyle,
}

/// Options for the opening book of the engine.
#[derive(ClapArgs)]
pub(crate) struct BookArgs {
    /// The engine's opening book: its own, none, or a file; in chess also a Polyglot book, NAME.bin.
    #[arg(long, value_name = "own|none|FILE", default_value = "own", value_hint = ValueHint::FilePath,
        value_parser = book_choice())]
    pub(crate) book: BookChoice,
}

#[derive(ClapArgs)]
pub(crate) struct SeedArg {
    /// The seed of choices, from the book and between moves. [default: random]
    #[arg(long, value_name = "S", value_parser = number::<u64>(..))]
    seed: Option<u64>,
}

impl SeedArg {
    /// The seed of choices; a random one by default.
    pub(crate) fn get(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(()))
    }
}

/// Reads the name of a book.
pub(super) fn book_choice() -> impl TypedValueParser<Value = BookChoice> {
    NonEmptyStringValueParser::new().try_map(|name| name.parse::<BookChoice>())
}

/// The default size of the transposition table, in bytes.
const MEMORY: usize = 64 << 20;

/// Options for the resources of the engine.
#[derive(ClapArgs)]
pub(crate) struct EngineArgs {
    /// The number of threads; 0 for one per processor. Moves of less than 24 ms are searched
    /// by one.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = thread_count)]
    threads: u16,
    /// The size of the transposition table, e.g. 512M or 4G. [default: 64M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// The evaluation: a file of weights or of a network, from `damka tune`. [default: what is
    /// built in]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) weights: Option<PathBuf>,
}

impl EngineArgs {
    /// The size of the transposition table, in bytes. The default is not checked: an engine can
    /// work with less.
    ///
    /// # Errors
    /// The machine does not have that much memory.
    pub(crate) fn memory(&self) -> Result<usize, Failure> {
        let Some(memory) = self.memory else { return Ok(MEMORY) };
        let checked = check_memory(memory);
        checked.map_err(|error| Failure::Input(format!("--memory: {error}")))?;
        Ok(usize::try_from(memory).unwrap_or(usize::MAX))
    }

    /// The evaluation.
    ///
    /// # Errors
    /// The file cannot be read, or is not for this game.
    pub(crate) fn evaluator<G: Playable>(
        &self,
        game: G,
    ) -> Result<Arc<dyn Evaluator<G>>, FileError> {
        match &self.weights {
            Some(path) => open_evaluator(game, path),
            None => Ok(game.evaluator()),
        }
    }

    /// An engine with these settings.
    ///
    /// # Errors
    /// The machine does not have that much memory, or the evaluation cannot be read.
    pub(crate) fn engine<G: Playable>(&self, game: G) -> Result<Engine<G>, Failure> {
        let engine = Engine::with_evaluator(game, self.memory()?, self.evaluator(game)?);
        let mut engine = engine.map_err(|error| Failure::System(format!("--memory: {error}")))?;
        engine.set_threads(self.threads());
        Ok(engine)
    }

    /// The settings of a player with these options.
    ///
    /// # Errors
    /// The machine does not have that much memory.
    pub(crate) fn settings<G>(&self, game: G) -> Result<PlayerSettings<G>, Failure> {
        let (threads, memory) = (self.threads(), self.memory()?);
        let weights = self.weights.clone();
        Ok(PlayerSettings { threads, memory, weights, ..PlayerSettings::new(game) })
    }

    /// The number of threads, at least one.
    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { all() } else { self.threads.into() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricName {
    /// Win, draw or loss.
    Wdl,
    /// Distance to win; in chess to mate, so that dtm is accepted.
    #[value(alias = "dtm")]
    Dtw,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Wdl => Metric::Wdl,
            MetricName::Dtw => Metric::Dtw,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressStyle {
    /// A bar on a terminal, plain lines otherwise.
    Auto,
    /// Plain lines.
    Plain,
    /// One JSON object per line.
    Json,
    /// Nothing.
    None,
}

/// Reads a number of threads.
pub(super) fn thread_count(text: &str) -> Result<u16, String> {
    number::<u16>(..=u64::from(MAX_THREADS))(text).map_err(|expected| {
        format!("{expected}: damka starts no more threads, as each takes memory of its own")
    })
}

/// Reads a number in a range.
pub(super) fn number<T: TryFrom<u64>>(
    range: impl RangeBounds<u64> + Clone + Send + Sync,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let least = match range.start_bound() {
                Bound::Included(least) => *least,
                _ => 0,
            };
            let bits = 8 * size_of::<T>() as u32;
            match range.end_bound() {
                Bound::Included(most) => format!("expected a number from {least} to {most}"),
                _ if bits == u64::BITS => {
                    format!("expected a whole number, {least} or more, below 2^64")
                }
                _ => {
                    let most = u64::MAX >> (u64::BITS - bits);
                    format!("expected a number from {least} to {most}")
                }
            }
        })
    }
}

/// Reads a size in bytes: a number and K, M, G or T, powers of 1024.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    damka_system::parse_size(text).ok_or_else(|| {
        format!(
            "`{}` is not a size: expected a number with K, M, G or T, such as 512M, below 2^64 bytes",
            excerpt(text)
        )
    })
}
