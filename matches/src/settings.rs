use crate::competitor::Competitor;
use crate::contested::Contested;
use crate::engine_competitor::EngineCompetitor;
use crate::error::MatchError;
use crate::game::GameClock;
use crate::outside::{DxpProgram, HubEngine, UciEngine};
use damka_engine::book::BookChoice;
use damka_engine::{
    EndgameTables, Level, Limits, MAX_THREADS, Playable, Player, PlayerSettings, Resources,
};
use damka_games::{Draughts, excerpt, printable};
use damka_probe::Access;
use damka_protocols::uci;
use damka_system::parse_size;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The settings of an entrant, as a list such as `time=100,threads=2,memory=64M`:
///
/// | key | meaning |
/// |---|---|
/// | `time` | milliseconds for each move |
/// | `nodes` | positions for each move |
/// | `depth` | plies for each move |
/// | `clock` | a clock for the game: `base+increment`, in milliseconds |
/// | `threads` | search threads; 1 by default |
/// | `memory` | size of the transposition table, with K, M or G; 16M by default |
/// | `tables` | a directory, or `none`; the tables of the match by default |
/// | `weights` | a file of weights or of a network; the built-in evaluation by default |
/// | `book` | an opening book: `own` for the built-in one, a file, or `none`, the default |
/// | `level` | how well the engine plays, from 1 to 10, the default |
/// | `name` | the name in results and records; by default the letter of the player |
/// | `opponent` | `engine`, the default, or `plain` for the [`Baseline`](crate::Baseline) |
/// | `uci` | another engine with UCI: a command; words that contain spaces go between double quotes |
/// | `option.NAME` | an option of the engine with UCI, such as `option.UCI_Elo=2000` |
/// | `hub` | another engine with Hub, in draughts: a command in the same form |
/// | `dxp` | another program with DXP, in draughts, that waits for games at `host:port` |
///
/// Other programs get those settings that their protocol has: UCI and Hub all limits and the clock, UCI
/// also threads and memory if the program has the options Threads and Hash, DXP only a clock of whole
/// minutes. `time` also limits how long to wait for their moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrantSettings {
    /// The kind of competitor.
    pub opponent: Opponent,
    /// The limits of each move.
    pub limits: Limits,
    /// The clock of each game.
    pub clock: Option<GameClock>,
    /// The number of search threads.
    pub threads: usize,
    /// The size of the transposition table, in bytes.
    pub memory: usize,
    /// The endgame tables.
    pub tables: TableChoice,
    /// The file with the weights of the evaluation, or with a network; `None` for the built-in
    /// evaluation.
    pub weights: Option<PathBuf>,
    /// The opening book.
    pub book: BookChoice,
    /// How well the engine plays.
    pub level: Level,
    /// The name in results and records.
    pub name: Option<String>,
    /// Options of an engine with UCI, by name.
    pub options: Vec<(String, String)>,
}

/// The kind of competitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// The engine.
    Engine,
    /// The baseline.
    Baseline,
    /// Another engine with UCI: a command and its arguments.
    Uci(String),
    /// Another engine with Hub: a command and its arguments.
    Hub(String),
    /// Another program with DXP that waits for games at this address.
    Dxp(String),
}

impl Opponent {
    /// What chooses it in the settings.
    fn key(&self) -> &'static str {
        match self {
            Opponent::Engine => "engine",
            Opponent::Baseline => "plain",
            Opponent::Uci(_) => "uci",
            Opponent::Hub(_) => "hub",
            Opponent::Dxp(_) => "dxp",
        }
    }

    /// Whether its protocol supports draughts only.
    pub fn plays_draughts_only(&self) -> bool {
        matches!(self, Opponent::Hub(_) | Opponent::Dxp(_))
    }
}

/// The endgame tables of an entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableChoice {
    /// The tables of the match.
    Shared,
    /// No tables.
    None,
    /// The tables in this directory.
    In(PathBuf),
}

/// Settings are invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EntrantSettingsError {
    /// A part of the list is not `key=value`, or its key does not exist.
    #[error(
        "`{}` is not a setting: expected time, nodes, depth, clock, threads, memory, tables, weights, book, level, name, opponent, uci, option.NAME, hub or dxp, followed by `=` and a value",
        excerpt(.0)
    )]
    NoSetting(String),
    /// A value is invalid for its key.
    #[error("`{key}={}`: expected {expected}", excerpt(value))]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A key is given twice.
    #[error("`{}` is given twice", excerpt(.0))]
    Twice(String),
    /// More than one kind of competitor.
    #[error("`{}` and `{}` both choose a player: give only one", excerpt(.0), excerpt(.1))]
    TwoOpponents(String, String),
    /// A key has no meaning for this kind of competitor.
    #[error("`{key}` cannot be used with `{by}`: {why}")]
    NotForOthers {
        /// The key.
        key: String,
        /// The key of the competitor.
        by: &'static str,
        /// Why not, or what to do instead.
        why: &'static str,
    },
    /// No limit of the search is set.
    #[error("a search needs a limit: time, nodes, depth, clock or level")]
    Endless,
}

/// The keys that choose the kind of competitor.
const OPPONENTS: [&str; 4] = ["opponent", "uci", "hub", "dxp"];

/// What comes before the name of an option of an engine with UCI.
const OPTION: &str = "option.";

/// The default size of the transposition table, in bytes.
const MEMORY: usize = 16 << 20;

impl FromStr for EntrantSettings {
    type Err = EntrantSettingsError;

    fn from_str(text: &str) -> Result<EntrantSettings, EntrantSettingsError> {
        let mut setup = EntrantSettings {
            opponent: Opponent::Engine,
            limits: Limits::default(),
            clock: None,
            threads: 1,
            memory: MEMORY,
            tables: TableChoice::Shared,
            weights: None,
            book: BookChoice::None,
            level: Level::FULL,
            name: None,
            options: Vec::new(),
        };
        let mut keys = Vec::new();
        for part in text.split(',') {
            let no_setting = || EntrantSettingsError::NoSetting(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(no_setting)?;
            if keys.contains(&key) {
                return Err(EntrantSettingsError::Twice(key.to_owned()));
            }
            let is_opponent = |key: &&&str| OPPONENTS.contains(key);
            if let Some(other) = keys.iter().find(is_opponent).filter(|_| is_opponent(&&key)) {
                let (other, key) = (other.to_string(), key.to_owned());
                return Err(EntrantSettingsError::TwoOpponents(other, key));
            }
            keys.push(key);
            setup.set(key, value)?;
        }
        setup.check_outside(&keys)?;
        let is_limited = setup.limits != Limits::default() || setup.level < Level::FULL;
        match !is_limited && setup.clock.is_none() {
            true => Err(EntrantSettingsError::Endless),
            false => Ok(setup),
        }
    }
}

/// Reads a size in bytes, at most some terabytes.
fn size(text: &str) -> Option<usize> {
    parse_size(text)?.try_into().ok().filter(|&size: &usize| size <= 1 << 42)
}

impl EntrantSettings {
    /// Sets the value of a key.
    fn set(&mut self, key: &str, value: &str) -> Result<(), EntrantSettingsError> {
        let bad = |expected| EntrantSettingsError::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let positive = |text: &str| text.parse().ok().filter(|&number: &u64| number > 0);
        let number = || positive(value).ok_or_else(|| bad("a positive number"));
        match key {
            "time" => self.limits.time = Some(Duration::from_millis(number()?)),
            "nodes" => self.limits.nodes = Some(number()?),
            "depth" => {
                let depth = value.parse().ok().filter(|&depth| depth > 0);
                self.limits.depth = Some(depth.ok_or_else(|| bad("a number of plies"))?);
            }
            "clock" => {
                let clock = value.split_once('+').and_then(|(base, increment)| {
                    let base = Duration::from_millis(positive(base)?);
                    let increment = Duration::from_millis(increment.parse().ok()?);
                    Some(GameClock { base, increment })
                });
                let expected = "milliseconds for the game and for each move, such as 60000+500";
                self.clock = Some(clock.ok_or_else(|| bad(expected))?);
            }
            "threads" => {
                let threads =
                    value.parse().ok().filter(|n| (1..=usize::from(MAX_THREADS)).contains(n));
                self.threads = threads.ok_or_else(|| bad("a number from 1 to 256"))?;
            }
            "memory" => {
                self.memory = size(value).ok_or_else(|| bad("a size such as 64M"))?;
            }
            "tables" => {
                self.tables = match value {
                    "" => return Err(bad("a directory or `none`")),
                    "none" => TableChoice::None,
                    directory => TableChoice::In(directory.into()),
                }
            }
            "weights" if value.is_empty() => return Err(bad("a file")),
            "weights" => self.weights = Some(value.into()),
            "book" if value.is_empty() => return Err(bad("`own`, `none` or a file")),
            "book" => self.book = value.parse().unwrap_or_else(|never| match never {}),
            "level" => self.level = value.parse().map_err(|_| bad("a level from 1 to 10"))?,
            "name" if printable(value).trim().is_empty() => return Err(bad("a name")),
            "name" => self.name = Some(printable(value)),
            "opponent" => {
                self.opponent = match value {
                    "engine" => Opponent::Engine,
                    "plain" => Opponent::Baseline,
                    _ => return Err(bad("`engine` or `plain`")),
                }
            }
            "uci" | "hub" if value.trim().is_empty() => return Err(bad("a command")),
            "uci" => self.opponent = Opponent::Uci(value.to_owned()),
            "hub" => self.opponent = Opponent::Hub(value.to_owned()),
            "dxp" if value.is_empty() => return Err(bad("an address")),
            "dxp" => self.opponent = Opponent::Dxp(value.to_owned()),
            key => {
                let option = key.strip_prefix(OPTION).filter(|name| !name.trim().is_empty());
                let name = option
                    .ok_or_else(|| EntrantSettingsError::NoSetting(format!("{key}={value}")))?;
                self.options.push((name.trim().to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// Checks that the protocol of another program has these keys.
    fn check_outside(&self, keys: &[&str]) -> Result<(), EntrantSettingsError> {
        let by = self.opponent.key();
        let option = keys.iter().find(|key| key.starts_with(OPTION));
        if let Some(key) = option.filter(|_| !matches!(self.opponent, Opponent::Uci(_))) {
            return Err(EntrantSettingsError::NotForOthers {
                key: key.to_string(),
                by,
                why: "only programs with UCI have such options",
            });
        }
        let others: &[&str] = match self.opponent {
            Opponent::Engine => return Ok(()),
            Opponent::Baseline => {
                return match keys.contains(&"level") {
                    true => Err(EntrantSettingsError::NotForOthers {
                        key: "level".to_owned(),
                        by,
                        why: "it has only one level",
                    }),
                    false => Ok(()),
                };
            }
            Opponent::Uci(_) => &["tables", "weights", "book", "level"],
            Opponent::Hub(_) => &["threads", "memory", "tables", "weights", "book", "level"],
            Opponent::Dxp(_) => {
                const OWN: [&str; 8] =
                    ["threads", "memory", "tables", "weights", "book", "level", "nodes", "depth"];
                &OWN
            }
        };
        if let Some(key) = keys.iter().find(|key| others.contains(key)) {
            return Err(EntrantSettingsError::NotForOthers {
                key: key.to_string(),
                by,
                why: "set this in the program itself",
            });
        }
        match self.clock {
            Some(clock) if by == "dxp" && minutes(clock).is_none() => {
                let GameClock { base, increment } = clock;
                Err(EntrantSettingsError::BadValue {
                    key: "clock".to_owned(),
                    value: format!("{}+{}", base.as_millis(), increment.as_millis()),
                    expected: "1 to 999 whole minutes and no increment for `dxp`, such as 60000+0",
                })
            }
            _ => Ok(()),
        }
    }

    /// The resources that these settings ask for. `shared` are the tables of the match.
    ///
    /// # Errors
    /// A directory does not exist, or tables, weights or book cannot be read.
    pub fn resources<G: Playable>(
        &self,
        game: G,
        shared: Option<Arc<EndgameTables<G>>>,
    ) -> Result<Resources<G>, MatchError> {
        let mut settings = self.player(game);
        if let TableChoice::In(directory) = &self.tables {
            if !directory.exists() {
                return Err(MatchError::NoDirectory(directory.clone()));
            }
            settings.tables = Some(directory.clone());
        }
        let mut resources = Resources::open(&settings)?;
        if self.tables == TableChoice::Shared {
            resources.tables = shared;
        }
        Ok(resources)
    }

    /// The settings of the engine, without tables.
    fn player<G: Playable>(&self, game: G) -> PlayerSettings<G> {
        PlayerSettings {
            threads: self.threads,
            memory: self.memory,
            access: Access::default(),
            weights: self.weights.clone(),
            book: self.book.clone(),
            level: self.level,
            ..PlayerSettings::new(game)
        }
    }

    /// A competitor with these settings.
    ///
    /// # Errors
    /// No protocol of the other program has this game, or memory cannot be allocated.
    pub fn competitor<G: Contested>(
        &self,
        game: G,
        resources: Resources<G>,
    ) -> Result<Box<dyn Competitor<G>>, MatchError> {
        let program: Box<dyn Competitor<Draughts>> = match &self.opponent {
            Opponent::Engine => {
                let player = Player::with_resources(&self.player(game), resources)?;
                return Ok(Box::new(EngineCompetitor::new(player, self.limits)));
            }
            Opponent::Baseline => return Ok(G::baseline_competitor(self.limits)),
            Opponent::Uci(command) => {
                let hash = (self.memory >> 20).max(1);
                let usual = [("Threads", self.threads.to_string()), ("Hash", hash.to_string())];
                let options = uci::Options { usual: usual.into(), required: self.options.clone() };
                return Ok(Box::new(UciEngine::new(command.clone(), options, self.limits)));
            }
            Opponent::Hub(command) => Box::new(HubEngine::new(command.clone(), self.limits)),
            Opponent::Dxp(address) => {
                let minutes = self.clock.and_then(minutes).unwrap_or(0);
                Box::new(DxpProgram::new(address.clone(), self.limits, minutes))
            }
        };
        G::draughts_program(program).ok_or(MatchError::NoProtocol(game.name()))
    }
}

/// The minutes of a clock, if DXP can express it.
fn minutes(clock: GameClock) -> Option<u16> {
    let minutes = u16::try_from(clock.base.as_millis() / 60_000).ok()?;
    let same = Duration::from_secs(60 * u64::from(minutes)) == clock.base;
    (same && (1..=999).contains(&minutes) && clock.increment.is_zero()).then_some(minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let setup: EntrantSettings =
            "time=100,threads=2,memory=64M,tables=none,weights=w".parse().expect("settings");
        assert_eq!(setup.limits, Limits::time(Duration::from_millis(100)));
        assert_eq!((setup.threads, setup.memory), (2, 64 << 20));
        assert_eq!(setup.tables, TableChoice::None);
        assert_eq!(setup.weights, Some("w".into()));
        let setup: EntrantSettings =
            "opponent=plain,clock=60000+500,tables=a/b".parse().expect("settings");
        assert_eq!(setup.opponent, Opponent::Baseline);
        let [base, increment] = [60_000, 500].map(Duration::from_millis);
        assert_eq!(setup.clock, Some(GameClock { base, increment }));
        assert_eq!(setup.tables, TableChoice::In("a/b".into()));
        let setup: EntrantSettings = "level=3".parse().expect("settings");
        assert_eq!((setup.level.number(), setup.limits), (3, Limits::default()));
        let setup: EntrantSettings = "hub=./scan hub -a=b,time=5".parse().expect("settings");
        assert_eq!(setup.opponent, Opponent::Hub("./scan hub -a=b".into()));
        let setup: EntrantSettings = "uci=a b --uci,depth=5,memory=8M".parse().expect("settings");
        assert_eq!(setup.opponent, Opponent::Uci("a b --uci".into()));
        let setup: EntrantSettings =
            "uci=a,depth=5,option.Skill Level=3,option.File=,name=Ä b".parse().expect("settings");
        let options = [("Skill Level", "3"), ("File", "")].map(|(n, v)| (n.into(), v.into()));
        assert_eq!((setup.options, setup.name), (options.into(), Some("Ä b".into())));
        let setup: EntrantSettings = "dxp=host:1,clock=120000+0".parse().expect("settings");
        assert_eq!(setup.opponent, Opponent::Dxp("host:1".into()));
        assert_eq!(setup.clock.and_then(minutes), Some(2));
    }

    #[test]
    fn invalid_settings_are_explained() {
        for (text, message) in [
            ("", "`` is not a setting"),
            ("depth", "`depth` is not a setting"),
            ("depth=3,speed=5", "`speed=5` is not a setting"),
            ("nodes=100,nodes=200", "`nodes` is given twice"),
            ("nodes=1,book=own,book=own", "`book` is given twice"),
            ("nodes=1,opponent=plain,hub=x", "`opponent` and `hub` both choose a player"),
            ("depth=0", "`depth=0`: expected a number of plies"),
            ("time=-5", "`time=-5`: expected a positive number"),
            ("clock=100", "`clock=100`: expected milliseconds for the game"),
            ("depth=3,memory=9999999999999G", "expected a size such as 64M"),
            ("depth=3,memory=é", "expected a size such as 64M"),
            ("depth=3,threads=1000", "expected a number from 1 to 256"),
            ("time=1,weights=", "expected a file"),
            ("time=1,book=", "expected `own`, `none` or a file"),
            ("time=1,hub=x,book=own", "`book` cannot be used with `hub`"),
            ("time=1,hub= ", "expected a command"),
            ("time=1,uci=", "expected a command"),
            ("time=1,uci=x,weights=w", "`weights` cannot be used with `uci`"),
            ("time=1,hub=x y,memory=1M", "`memory` cannot be used with `hub`"),
            ("nodes=1,dxp=host:1", "`nodes` cannot be used with `dxp`"),
            ("clock=60001+0,dxp=host", "1 to 999 whole minutes"),
            ("clock=60000+1,dxp=host", "no increment"),
            ("clock=60000000+0,dxp=host", "1 to 999 whole minutes"),
            ("hub=x", "a search needs a limit: time, nodes, depth, clock or level"),
            ("threads=2", "a search needs a limit: time, nodes, depth, clock or level"),
            ("level=10", "a search needs a limit: time, nodes, depth, clock or level"),
            ("level=0", "expected a level from 1 to 10"),
            ("time=1,name= ", "expected a name"),
            ("time=1,option.=1", "`option.=1` is not a setting"),
            ("time=1,option.Hash=1", "`option.Hash` cannot be used with `engine`"),
            ("time=1,uci=x,option.Hash=1,option.Hash=2", "`option.Hash` is given twice"),
            ("time=1,hub=x,level=2", "`level` cannot be used with `hub`"),
            ("depth=3,opponent=plain,level=2", "`level` cannot be used with `plain`"),
        ] {
            let error = text.parse::<EntrantSettings>().expect_err(text).to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
