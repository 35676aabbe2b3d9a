use std::str::SplitWhitespace;
use std::time::Duration;

/// A command of a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    Register,
    NewGame,
    /// A position, or the start position, and moves from there.
    Position {
        start: Option<String>,
        moves: Vec<&'a str>,
    },
    Go(Go<'a>),
    Stop,
    PonderHit,
    Quit,
}

/// The arguments of `go`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Go<'a> {
    /// The moves to choose from; empty for all.
    pub(super) moves: Vec<&'a str>,
    /// Whether to search on the opponent's time.
    pub(super) ponder: bool,
    /// Whether to search until `stop`.
    pub(super) infinite: bool,
    /// The remaining times of White and Black.
    pub(super) left: [Option<Duration>; 2],
    /// The increments of White and Black.
    pub(super) increment: [Duration; 2],
    /// The number of moves to the next time control.
    pub(super) moves_to_go: Option<u32>,
    pub(super) depth: Option<u16>,
    pub(super) nodes: Option<u64>,
    /// The length of the mate to search for, in moves.
    pub(super) mate: Option<u16>,
    /// The time for this move.
    pub(super) move_time: Option<Duration>,
    /// The names of invalid limits, such as `depth 0`. They are ignored.
    pub(super) invalid: Vec<&'a str>,
    /// Words that are not arguments of `go`. They are ignored.
    pub(super) unknown: Vec<&'a str>,
}

/// What stands for an empty value of an option.
pub(super) const EMPTY: &str = "<empty>";

impl<'a> Command<'a> {
    /// Reads a line, starting at the first word that is a command; `None` if there is none.
    pub(super) fn parse(line: &'a str) -> Option<Command<'a>> {
        let mut words = line.split_whitespace();
        loop {
            return Some(match words.next()? {
                "uci" => Command::Uci,
                "debug" => Command::Debug(words.next() != Some("off")),
                "isready" => Command::IsReady,
                "setoption" => set_option(words),
                "register" => Command::Register,
                "ucinewgame" => Command::NewGame,
                "position" => position(words),
                "go" => Command::Go(Go::parse(words)),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                _ => continue,
            });
        }
    }
}

/// Reads `name NAME value VALUE`, each of any number of words.
fn set_option<'a>(words: SplitWhitespace<'a>) -> Command<'a> {
    let words: Vec<&str> = words.skip_while(|&word| word == "name").collect();
    let end = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let value = words.get(end + 1..).unwrap_or_default().join(" ");
    let value = if value == EMPTY { String::new() } else { value };
    Command::SetOption { name: words[..end].join(" "), value }
}

/// Reads `startpos` or `fen FEN`, and `moves` if there are any.
fn position<'a>(words: SplitWhitespace<'a>) -> Command<'a> {
    let words: Vec<&str> = words.collect();
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match words[..end] {
        ["startpos"] => None,
        ["fen", ref fen @ ..] => Some(fen.join(" ")),
        ref fen => Some(fen.join(" ")),
    };
    Command::Position { start, moves: words.get(end + 1..).unwrap_or_default().to_vec() }
}

impl<'a> Go<'a> {
    /// Reads the arguments of `go`.
    fn parse(words: SplitWhitespace<'a>) -> Go<'a> {
        const KEYS: [&str; 12] = [
            "searchmoves",
            "ponder",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "depth",
            "nodes",
            "mate",
            "movetime",
            "infinite",
        ];
        let mut go = Go::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let mut next = || words.next_if(|word| !KEYS.contains(word));
            let mut number = || next().and_then(|word| word.parse::<i64>().ok());
            // A clock that has run out may be negative.
            let mut millis = || Some(Duration::from_millis(number()?.max(0).unsigned_abs()));
            let mut is_odd = false;
            match word {
                "searchmoves" => go.moves.extend(std::iter::from_fn(next)),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => is_odd = !set(&mut go.left[0], millis()),
                "btime" => is_odd = !set(&mut go.left[1], millis()),
                "winc" => go.increment[0] = millis().unwrap_or_default(),
                "binc" => go.increment[1] = millis().unwrap_or_default(),
                "movestogo" => go.moves_to_go = number().and_then(positive),
                "depth" => is_odd = !set(&mut go.depth, number().and_then(positive)),
                "nodes" => is_odd = !set(&mut go.nodes, number().and_then(positive)),
                "mate" => is_odd = !set(&mut go.mate, number().and_then(positive)),
                "movetime" => is_odd = !set(&mut go.move_time, millis()),
                _ => go.unknown.push(word),
            }
            if is_odd {
                go.invalid.push(word);
            }
        }
        go
    }
}

/// Sets a limit, and returns whether there is one.
fn set<T>(limit: &mut Option<T>, value: Option<T>) -> bool {
    *limit = value;
    limit.is_some()
}

/// Converts a positive number, clamped to the maximum of the type; `None` for other numbers.
fn positive<T: TryFrom<i64> + Limit>(number: i64) -> Option<T> {
    (number > 0).then(|| T::try_from(number).unwrap_or(T::MOST))
}

/// A number type with a maximum.
trait Limit {
    const MOST: Self;
}

impl Limit for u16 {
    const MOST: u16 = u16::MAX;
}

impl Limit for u32 {
    const MOST: u32 = u32::MAX;
}

impl Limit for u64 {
    const MOST: u64 = u64::MAX;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go<'_> {
        match Command::parse(line) {
            Some(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(Command::parse("joho debug on"), Some(Command::Debug(true)));
        assert_eq!(Command::parse("debug off"), Some(Command::Debug(false)));
        assert_eq!(Command::parse("  \t uci \r"), Some(Command::Uci));
        assert_eq!(Command::parse("hello world"), None);
        assert_eq!(Command::parse(""), None);
        let invalid = go("go fast depth nodes 5 x depth many movetime -3 wtime");
        let zero = Some(Duration::ZERO);
        let names = vec!["depth", "depth", "wtime"];
        let unknown = vec!["fast", "x"];
        let nodes = Some(5);
        let read = Go { nodes, move_time: zero, invalid: names, unknown, ..Go::default() };
        assert_eq!(invalid, read);
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let set = |line, name: &str, value: &str| {
            let (name, value) = (name.to_owned(), value.to_owned());
            assert_eq!(Command::parse(line), Some(Command::SetOption { name, value }));
        };
        set("setoption name Move Overhead value 30", "Move Overhead", "30");
        set("setoption name TablePath value /a b/c", "TablePath", "/a b/c");
        set("setoption name TablePath value <empty>", "TablePath", "");
        set("setoption name Clear Hash", "Clear Hash", "");
        set("setoption", "", "");
    }

    #[test]
    fn positions_have_moves() {
        let position = |line, start: Option<&str>, moves: &[&str]| {
            let (start, moves) = (start.map(str::to_owned), moves.to_vec());
            assert_eq!(Command::parse(line), Some(Command::Position { start, moves }));
        };
        position("position startpos", None, &[]);
        position("position startpos moves e2e4 e7e5", None, &["e2e4", "e7e5"]);
        position("position fen 4k3/8 w - - moves a1a2", Some("4k3/8 w - -"), &["a1a2"]);
        position("position 4k3/8 w - -", Some("4k3/8 w - -"), &[]);
        position("position", Some(""), &[]);
    }

    #[test]
    fn all_limits_of_a_search_are_read() {
        let clock = go("go wtime 300000 btime -20 winc 2000 binc 1000 movestogo 40");
        let millis = Duration::from_millis;
        assert_eq!(clock.left, [Some(millis(300_000)), Some(Duration::ZERO)]);
        assert_eq!(clock.increment, [millis(2_000), millis(1_000)]);
        assert_eq!(clock.moves_to_go, Some(40));
        let all = go("go searchmoves e2e4 d2d4 ponder infinite depth 99999 mate 3 nodes 0");
        assert_eq!(all.moves, ["e2e4", "d2d4"]);
        assert!(all.ponder && all.infinite);
        assert_eq!((all.depth, all.mate, all.nodes), (Some(u16::MAX), Some(3), None));
    }
}
