use super::game::GameClock;
use super::plain::Plain;
use super::player::Player;
use super::searcher::Searcher;
use crate::control::Limits;
use crate::playable::Playable;
use crate::search::Engine;
use damka_probe::Tables;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The settings of a player, as a list such as `time=100,threads=2,memory=64M`:
///
/// | key | meaning |
/// |---|---|
/// | `time` | milliseconds for each move |
/// | `nodes` | positions for each move |
/// | `depth` | plies for each move |
/// | `clock` | a clock for the game: `base+increment`, in milliseconds |
/// | `threads` | 1 unless told |
/// | `memory` | of the transposition table, with K, M or G; 16M unless told |
/// | `tables` | a directory, or `none`; those of the match unless told |
/// | `opponent` | `engine`, unless told, or `plain`: see [`Plain`] |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who plays.
    pub opponent: Opponent,
    /// The limits of each move.
    pub limits: Limits,
    /// The clock of a game.
    pub clock: Option<GameClock>,
    /// The number of threads of a search.
    pub threads: usize,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The tables that are used.
    pub tables: TableChoice,
}

/// The players that are built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The engine.
    Engine,
    /// The yardstick.
    Plain,
}

/// Which tables a player uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableChoice {
    /// Those of the match.
    Shared,
    /// None.
    None,
    /// Those in this directory.
    In(PathBuf),
}

/// Why settings were refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A part of the list that is not `key=value`, or a key that does not exist.
    #[error(
        "`{0}` is no setting: time, nodes, depth, clock, threads, memory, tables or opponent, each with `=` and a value, expected"
    )]
    NoSetting(String),
    /// A value that does not fit its key.
    #[error("`{key}={value}`: {expected} expected")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What would fit.
        expected: &'static str,
    },
    /// Nothing says when a search ends.
    #[error("one of time, nodes, depth and clock is needed: a search must end")]
    Endless,
}

/// The most threads of a search.
const MOST_THREADS: usize = 256;

/// The size of the transposition table unless the settings tell another.
const MEMORY: usize = 16 << 20;

impl FromStr for Setup {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let mut setup = Setup {
            opponent: Opponent::Engine,
            limits: Limits::default(),
            clock: None,
            threads: 1,
            memory: MEMORY,
            tables: TableChoice::Shared,
        };
        for part in text.split(',') {
            let no_setting = || SetupError::NoSetting(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(no_setting)?;
            let bad = |expected| SetupError::BadValue {
                key: key.to_owned(),
                value: value.to_owned(),
                expected,
            };
            let positive = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
            let number = || positive(value).ok_or_else(|| bad("a positive number"));
            match key {
                "time" => setup.limits.time = Some(Duration::from_millis(number()?)),
                "nodes" => setup.limits.nodes = Some(number()?),
                "depth" => {
                    let depth = value.parse().ok().filter(|&depth| depth > 0);
                    setup.limits.depth = Some(depth.ok_or_else(|| bad("a number of plies"))?);
                }
                "clock" => {
                    let clock = value.split_once('+').and_then(|(base, increment)| {
                        let base = Duration::from_millis(positive(base)?);
                        let increment = Duration::from_millis(increment.parse().ok()?);
                        Some(GameClock { base, increment })
                    });
                    let expected = "milliseconds for the game and for each move, as in 60000+500,";
                    setup.clock = Some(clock.ok_or_else(|| bad(expected))?);
                }
                "threads" => {
                    let threads = value.parse().ok().filter(|n| (1..=MOST_THREADS).contains(n));
                    setup.threads = threads.ok_or_else(|| bad("a number from 1 to 256"))?;
                }
                "memory" => {
                    setup.memory = size(value).ok_or_else(|| bad("a size such as 64M"))?;
                }
                "tables" => {
                    setup.tables = match value {
                        "" => return Err(bad("a directory or `none`")),
                        "none" => TableChoice::None,
                        directory => TableChoice::In(directory.into()),
                    }
                }
                "opponent" => {
                    setup.opponent = match value {
                        "engine" => Opponent::Engine,
                        "plain" => Opponent::Plain,
                        _ => return Err(bad("`engine` or `plain`")),
                    }
                }
                _ => return Err(no_setting()),
            }
        }
        match setup.limits == Limits::default() && setup.clock.is_none() {
            true => Err(SetupError::Endless),
            false => Ok(setup),
        }
    }
}

/// A size in bytes, at most some terabytes: a number and K, M or G, powers of 1024.
fn size(text: &str) -> Option<usize> {
    let (number, shift) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'K' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: usize = number.parse().ok().filter(|&number| number > 0)?;
    number.checked_mul(1 << shift).filter(|&size| size <= 1 << 42)
}

impl Setup {
    /// A player with these settings; `shared` are the tables of the match.
    pub fn player<G: Playable>(&self, shared: Option<Arc<Tables<G>>>) -> Box<dyn Player<G>> {
        if self.opponent == Opponent::Plain {
            return Box::new(Plain::new(self.limits));
        }
        let mut engine = Engine::new(self.memory);
        engine.set_threads(self.threads);
        engine.set_tables(match &self.tables {
            TableChoice::Shared => shared,
            TableChoice::None => None,
            TableChoice::In(directory) => Some(Arc::new(Tables::open(directory))),
        });
        Box::new(Searcher::new(engine, self.limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let setup: Setup = "time=100,threads=2,memory=64M,tables=none".parse().expect("settings");
        assert_eq!(setup.limits, Limits::time(Duration::from_millis(100)));
        assert_eq!((setup.threads, setup.memory), (2, 64 << 20));
        assert_eq!(setup.tables, TableChoice::None);
        let setup: Setup = "opponent=plain,clock=60000+500,tables=a/b".parse().expect("settings");
        assert_eq!(setup.opponent, Opponent::Plain);
        let [base, increment] = [60_000, 500].map(Duration::from_millis);
        assert_eq!(setup.clock, Some(GameClock { base, increment }));
        assert_eq!(setup.tables, TableChoice::In("a/b".into()));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, message) in [
            ("", "`` is no setting"),
            ("depth", "`depth` is no setting"),
            ("depth=3,speed=5", "`speed=5` is no setting"),
            ("depth=0", "`depth=0`: a number of plies expected"),
            ("time=-5", "`time=-5`: a positive number expected"),
            ("clock=100", "`clock=100`: milliseconds for the game"),
            ("depth=3,memory=9999999999999G", "a size such as 64M expected"),
            ("depth=3,memory=é", "a size such as 64M expected"),
            ("depth=3,threads=1000", "a number from 1 to 256 expected"),
            ("threads=2", "one of time, nodes, depth and clock is needed"),
        ] {
            let error = text.parse::<Setup>().expect_err(text).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
