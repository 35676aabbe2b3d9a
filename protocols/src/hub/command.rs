use super::error::HubError;
use super::line::Line;
use damka_games::excerpt;
use std::fmt;

/// A command of a client.
#[derive(Debug)]
pub(super) enum Command<'a> {
    Hub,
    SetParam {
        name: &'a str,
        value: &'a str,
    },
    Init,
    NewGame,
    /// A position, or the start position, and moves from there.
    Pos {
        start: Option<&'a str>,
        moves: &'a str,
    },
    Level(SearchLimits),
    Go(Mode),
    PonderHit,
    Stop,
    Ping,
    Quit,
}

/// The mode of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Think,
    /// On the opponent's time.
    Ponder,
    Analyze,
}

/// The limits of the next search; times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchLimits {
    /// The maximum depth, in plies.
    pub depth: Option<u64>,
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// The time for the move.
    pub move_time: Option<f64>,
    /// The clock of the game.
    pub clock: Option<LevelClock>,
    /// How many levels below full strength the engine plays.
    pub handicap: Option<u64>,
}

/// The clock of the side to move, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelClock {
    /// The remaining time, without the increment for this move.
    pub time: f64,
    /// The increment for each move.
    pub increment: f64,
    /// The number of moves to the next time control; 0 for the rest of the game.
    pub moves: u64,
}

impl<'a> Command<'a> {
    /// The command of a line.
    ///
    /// # Errors
    /// There is no such command, or its arguments are wrong.
    pub(super) fn of(line: &Line<'a>) -> Result<Command<'a>, HubError> {
        Ok(match line.command {
            "hub" => Command::Hub,
            "set-param" => {
                let get = |argument| {
                    line.get(argument).ok_or(HubError::Missing { command: "set-param", argument })
                };
                Command::SetParam { name: get("name")?, value: get("value")? }
            }
            "init" => Command::Init,
            "new-game" => Command::NewGame,
            "pos" => Command::Pos {
                start: line.get("pos"),
                moves: line.get("moves").unwrap_or_default(),
            },
            "level" => Command::Level(SearchLimits::of(line)?),
            "go" => Command::Go(match () {
                _ if line.get("ponder").is_some() => Mode::Ponder,
                _ if line.get("analyze").is_some() => Mode::Analyze,
                _ => Mode::Think,
            }),
            "ponder-hit" => Command::PonderHit,
            "stop" => Command::Stop,
            "ping" => Command::Ping,
            "quit" => Command::Quit,
            other => return Err(HubError::UnknownCommand(excerpt(other))),
        })
    }
}

impl SearchLimits {
    fn of(line: &Line<'_>) -> Result<SearchLimits, HubError> {
        let [moves, depth, nodes, handicap] =
            ["moves", "depth", "nodes", "handicap"].map(|argument| number::<u64>(line, argument));
        let [inc, move_time] = ["inc", "move-time"].map(|argument| seconds(line, argument, 0.0));
        let (inc, moves) = (inc?, moves?);
        // `time` excludes the increment, which is added before the move. It may be as low as `-inc`.
        let increment = inc.unwrap_or(0.0);
        let clock = match seconds(line, "time", -increment)? {
            Some(time) => Some(LevelClock { time, increment, moves: moves.unwrap_or(0) }),
            None if inc.is_some() || moves.is_some() => {
                return Err(HubError::Missing { command: "level", argument: "time" });
            }
            None => None,
        };
        let (depth, nodes, handicap) = (depth?, nodes?, handicap?);
        Ok(SearchLimits { depth, nodes, move_time: move_time?, clock, handicap })
    }
}

impl fmt::Display for SearchLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("level")?;
        if let Some(depth) = self.depth {
            write!(f, " depth={depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes={nodes}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " move-time={time}")?;
        }
        if let Some(handicap) = self.handicap {
            write!(f, " handicap={handicap}")?;
        }
        match self.clock {
            Some(LevelClock { time, increment, moves: 0 }) => {
                write!(f, " time={time} inc={increment}")
            }
            Some(LevelClock { time, increment, moves }) => {
                write!(f, " moves={moves} time={time} inc={increment}")
            }
            None => Ok(()),
        }
    }
}

/// The value of an argument as a time in seconds; `None` if the argument is not given.
fn seconds(line: &Line<'_>, argument: &'static str, least: f64) -> Result<Option<f64>, HubError> {
    let time = number::<f64>(line, argument)?;
    match time.filter(|time| !time.is_finite() || *time < least) {
        None => Ok(time),
        Some(time) => Err(HubError::NotATime { argument, value: excerpt(&time.to_string()) }),
    }
}

/// The value of an argument as a number; `None` if the argument is not given.
fn number<T: std::str::FromStr>(
    line: &Line<'_>,
    argument: &'static str,
) -> Result<Option<T>, HubError> {
    let Some(value) = line.get(argument) else { return Ok(None) };
    let error = |_| HubError::NotANumber { argument, value: excerpt(value) };
    value.parse().map(Some).map_err(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Result<SearchLimits, HubError> {
        match Command::of(&Line::parse(text)?)? {
            Command::Level(level) => Ok(level),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn levels_are_limits() {
        let none = SearchLimits::default();
        assert_eq!(level("level infinite"), Ok(none));
        assert_eq!(level("level depth=12"), Ok(SearchLimits { depth: Some(12), ..none }));
        assert_eq!(level("level handicap=3"), Ok(SearchLimits { handicap: Some(3), ..none }));
        assert_eq!(level("level move-time=0.1"), Ok(SearchLimits { move_time: Some(0.1), ..none }));
        let clock = LevelClock { time: 291.587, increment: 0.0, moves: 9 };
        assert_eq!(
            level("level moves=9 time=291.587"),
            Ok(SearchLimits { clock: Some(clock), ..none })
        );
        let clock = LevelClock { time: 60.0, increment: 0.5, moves: 0 };
        assert_eq!(level("level time=60 inc=.5"), Ok(SearchLimits { clock: Some(clock), ..none }));
    }

    #[test]
    fn written_levels_are_read() {
        for text in [
            "level depth=12 nodes=5000",
            "level depth=5 handicap=2",
            "level move-time=0.1",
            "level time=291.587 inc=0",
            "level moves=9 time=60 inc=0.5",
        ] {
            assert_eq!(level(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn invalid_levels_are_errors() {
        let error = HubError::NotANumber { argument: "depth", value: "-1".into() };
        assert_eq!(level("level depth=-1"), Err(error));
        let error = HubError::Missing { command: "level", argument: "time" };
        assert_eq!(level("level moves=3"), Err(error));
        for (argument, text) in [
            ("move-time", "level move-time=-1"),
            ("move-time", "level move-time=inf"),
            ("time", "level time=-5"),
            ("time", "level time=-0.6 inc=0.5"),
            ("time", "level time=nan inc=1"),
            ("inc", "level time=1 inc=-1"),
        ] {
            let found = level(text);
            assert!(
                matches!(&found, Err(HubError::NotATime { argument: named, .. }) if *named == argument),
                "{text}: {found:?}"
            );
        }
        let clock = LevelClock { time: -0.4, increment: 0.5, moves: 0 };
        let late = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
        assert_eq!(level("level time=-0.4 inc=0.5"), Ok(late));
        let huge = format!("level nodes={}", "9".repeat(1000));
        assert!(matches!(level(&huge), Err(HubError::NotANumber { argument: "nodes", .. })));
    }
}
