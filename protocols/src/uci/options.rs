use super::Notation;
use super::command::EMPTY;
use super::error::UciError;
use damka_engine::book::BookChoice;
use damka_engine::{Level, MAX_THREADS, Playable, PlayerSettings, open_evaluator};
use damka_games::excerpt;
use damka_system::check_memory;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MIB: u64 = 1 << 20;
const HASH: RangeInclusive<u64> = 1..=1 << 20;
const THREADS: RangeInclusive<u64> = 1..=MAX_THREADS as u64;
const TABLE_CACHE: RangeInclusive<u64> = 1..=1 << 18;
const MULTI_PV: RangeInclusive<u64> = 1..=256;
const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=10_000;
const VARIETY: RangeInclusive<u64> = 0..=1000;

/// The option that chooses the Chess960 notation of castling.
pub(super) const CHESS960: &str = "UCI_Chess960";

/// The button that clears the transposition table.
pub(super) const CLEAR_HASH: &str = "Clear Hash";

/// The options that a client can set.
pub(super) struct Options<G> {
    /// The settings of the player.
    pub(super) settings: PlayerSettings<G>,
    /// The number of principal variations (MultiPV).
    pub(super) lines: usize,
    /// The time lost between client and engine for each move.
    pub(super) overhead: Duration,
    /// Whether the strength is limited to `elo`.
    is_limited: bool,
    elo: u16,
    /// Whether every search is an analysis.
    pub(super) is_analysis: bool,
    /// Whether the chances of win, draw and loss are reported.
    pub(super) shows_wdl: bool,
    /// The notation of the engine's moves. The client's moves are read in both notations.
    pub(super) notation: Notation,
}

impl<G: Playable> Options<G> {
    pub(super) fn new(settings: PlayerSettings<G>) -> Options<G> {
        Options {
            is_limited: settings.level < Level::FULL,
            elo: settings.level.elo::<G>(),
            settings,
            lines: 1,
            overhead: Duration::from_millis(10),
            is_analysis: false,
            shows_wdl: false,
            notation: Notation::Standard,
        }
    }

    /// The strengths that can be chosen.
    fn elos() -> RangeInclusive<u64> {
        let [weakest, full] = [Level::FIRST, Level::FULL].map(|level| level.elo::<G>().into());
        weakest..=full
    }

    /// All options with their current values, as lines.
    pub(super) fn declare(&self) -> Vec<String> {
        let PlayerSettings { threads, memory, tables, cache, weights, .. } = &self.settings;
        let PlayerSettings { book, variety, .. } = &self.settings;
        let spin = |name, value: u64, range: RangeInclusive<u64>| {
            let (min, max) = range.into_inner();
            format!("option name {name} type spin default {value} min {min} max {max}")
        };
        let check = |name, value: bool| format!("option name {name} type check default {value}");
        let string = |name, value: &str| {
            let value = if value.is_empty() { EMPTY } else { value };
            format!("option name {name} type string default {value}")
        };
        let path = |path: &Option<PathBuf>| {
            path.as_deref().map(Path::to_string_lossy).unwrap_or_default().into_owned()
        };
        let book = match book {
            BookChoice::Own => "own".into(),
            BookChoice::None => "none".into(),
            BookChoice::File(path) => path.to_string_lossy(),
        };
        let mut options = vec![
            spin("Hash", (*memory as u64 / MIB).max(1), HASH),
            spin("Threads", *threads as u64, THREADS),
            string("TablePath", &path(tables)),
            spin("TableCache", (cache / MIB).max(1), TABLE_CACHE),
            check("Ponder", false),
            spin("MultiPV", self.lines as u64, MULTI_PV),
            spin("Move Overhead", self.overhead.as_millis() as u64, MOVE_OVERHEAD),
            string("Book", &book),
            string("EvalFile", &path(weights)),
            spin("Variety", (*variety).into(), VARIETY),
            check("UCI_LimitStrength", self.is_limited),
            spin("UCI_Elo", self.elo.into(), Self::elos()),
            check("UCI_AnalyseMode", self.is_analysis),
            check("UCI_ShowWDL", self.shows_wdl),
            format!("option name {CLEAR_HASH} type button"),
        ];
        if G::HAS_CASTLING {
            options.push(check(CHESS960, self.notation == Notation::Chess960));
        }
        options
    }

    /// Changes an option. The case of its name is ignored.
    ///
    /// # Errors
    /// There is no such option, or its value is invalid; then nothing has changed.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), UciError> {
        let settings = &mut self.settings;
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let bytes = number("Hash", value, HASH)? * MIB;
                check_memory(bytes)?;
                settings.memory = usize::try_from(bytes).unwrap_or(usize::MAX);
            }
            "threads" => settings.threads = number("Threads", value, THREADS)? as usize,
            "tablepath" if value.is_empty() => settings.tables = None,
            "tablepath" if Path::new(value).is_dir() => settings.tables = Some(value.into()),
            "tablepath" => return Err(UciError::NoDirectory(excerpt(value))),
            "tablecache" => {
                let bytes = number("TableCache", value, TABLE_CACHE)? * MIB;
                check_memory(bytes)?;
                settings.cache = bytes;
            }
            // Has no effect: the client decides when the engine ponders.
            "ponder" => {
                truth("Ponder", value)?;
            }
            "multipv" => self.lines = number("MultiPV", value, MULTI_PV)? as usize,
            "move overhead" => {
                let millis = number("Move Overhead", value, MOVE_OVERHEAD)?;
                self.overhead = Duration::from_millis(millis);
            }
            "book" => {
                let name = if value.is_empty() { "none" } else { value };
                let book: BookChoice = name.parse().unwrap_or_else(|never| match never {});
                book.open(settings.game)?;
                settings.book = book;
            }
            "evalfile" if value.is_empty() => settings.weights = None,
            "evalfile" => {
                open_evaluator(settings.game, Path::new(value))?;
                settings.weights = Some(value.into());
            }
            "variety" => settings.variety = number("Variety", value, VARIETY)? as u16,
            "uci_limitstrength" => self.is_limited = truth("UCI_LimitStrength", value)?,
            "uci_elo" => self.elo = number("UCI_Elo", value, Self::elos())? as u16,
            "uci_analysemode" => self.is_analysis = truth("UCI_AnalyseMode", value)?,
            "uci_showwdl" => self.shows_wdl = truth("UCI_ShowWDL", value)?,
            "uci_chess960" if G::HAS_CASTLING => {
                self.notation = match truth(CHESS960, value)? {
                    true => Notation::Chess960,
                    false => Notation::Standard,
                };
            }
            // The session drops the player, and its transposition table with it.
            _ if name.eq_ignore_ascii_case(CLEAR_HASH) => {}
            _ => return Err(UciError::UnknownOption(excerpt(name))),
        }
        self.settings.level = match self.is_limited {
            true => Level::of_elo::<G>(self.elo),
            false => Level::FULL,
        };
        Ok(())
    }
}

fn truth(name: &'static str, value: &str) -> Result<bool, UciError> {
    value.parse().map_err(|_| UciError::NotABool { name, value: excerpt(value) })
}

fn number(name: &'static str, value: &str, range: RangeInclusive<u64>) -> Result<u64, UciError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    let (min, max) = range.into_inner();
    number.ok_or_else(|| UciError::OutOfRange { name, min, max, value: excerpt(value) })
}
