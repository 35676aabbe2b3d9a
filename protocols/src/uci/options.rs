use super::command::EMPTY;
use super::error::UciError;
use damka_engine::book::BookChoice;
use damka_engine::{Playable, PlayerSettings};
use damka_games::excerpt;
use damka_system::check_memory;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

const MIB: u64 = 1 << 20;
const HASH: RangeInclusive<u64> = 1..=1 << 20;
const THREADS: RangeInclusive<u64> = 1..=256;
const TABLE_CACHE: RangeInclusive<u64> = 1..=1 << 18;
const MULTI_PV: RangeInclusive<u64> = 1..=256;
const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=10_000;

/// What a client can set.
pub(super) struct Options<G> {
    /// The settings of the player.
    pub(super) settings: PlayerSettings<G>,
    /// The number of principal variations (MultiPV).
    pub(super) lines: usize,
    /// The time lost between client and engine for each move.
    pub(super) overhead: Duration,
}

impl<G: Playable> Options<G> {
    pub(super) fn new(settings: PlayerSettings<G>) -> Options<G> {
        Options { settings, lines: 1, overhead: Duration::from_millis(10) }
    }

    /// All options with their current values, as lines.
    pub(super) fn declare(&self) -> Vec<String> {
        let PlayerSettings { threads, memory, tables, cache, book, .. } = &self.settings;
        let spin = |name, value: u64, range: RangeInclusive<u64>| {
            let (min, max) = range.into_inner();
            format!("option name {name} type spin default {value} min {min} max {max}")
        };
        let string = |name, value: &str| {
            let value = if value.is_empty() { EMPTY } else { value };
            format!("option name {name} type string default {value}")
        };
        let tables = tables.as_deref().map(Path::to_string_lossy).unwrap_or_default();
        let book = match book {
            BookChoice::Own => "own".into(),
            BookChoice::None => "none".into(),
            BookChoice::File(path) => path.to_string_lossy(),
        };
        vec![
            spin("Hash", (*memory as u64 / MIB).max(1), HASH),
            spin("Threads", *threads as u64, THREADS),
            string("TablePath", &tables),
            spin("TableCache", (cache / MIB).max(1), TABLE_CACHE),
            "option name Ponder type check default false".to_owned(),
            spin("MultiPV", self.lines as u64, MULTI_PV),
            spin("Move Overhead", self.overhead.as_millis() as u64, MOVE_OVERHEAD),
            string("Book", &book),
        ]
    }

    /// Changes an option. The case of its name is ignored.
    ///
    /// # Errors
    /// There is no such option, or its value does not fit; then nothing has changed.
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
            // The client decides when the engine ponders.
            "ponder" if !["true", "false"].contains(&value) => {
                return Err(UciError::NotABool { name: "Ponder", value: excerpt(value) });
            }
            "ponder" => {}
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
            _ => return Err(UciError::UnknownOption(excerpt(name))),
        }
        Ok(())
    }
}

fn number(name: &'static str, value: &str, range: RangeInclusive<u64>) -> Result<u64, UciError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    let (min, max) = range.into_inner();
    number.ok_or_else(|| UciError::OutOfRange { name, min, max, value: excerpt(value) })
}
