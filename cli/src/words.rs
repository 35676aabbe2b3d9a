//! Results as text for people.

use damka_games::{Color, Game, printable};
use damka_system::Size;
use damka_tables::metric::Metric;
use damka_tables::{Value, Wdl};
use indicatif::HumanCount;
use std::io::{self, Write};
use std::path::Path;

/// Prints a note on standard error, in one line. Errors are ignored.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "damka: {}", printable(text));
}

/// A position's result in words, for the side to move: `White wins in 25 plies (13 moves)`.
pub(crate) fn result<G: Game>(wdl: Wdl, dtw: Option<u16>, turn: Color) -> String {
    let does = match wdl {
        Wdl::Draw => return "Draw".to_owned(),
        Wdl::Win => "wins",
        Wdl::Loss => "loses",
    };
    match dtw {
        None => format!("{turn} {does}"),
        Some(0) => format!("{} has won: {turn} {}", !turn, G::LOST),
        Some(plies) => {
            let moves = plies.div_ceil(2);
            let plural = |n: u16| if n == 1 { "" } else { "s" };
            let (s, es) = (plural(moves), if plies == 1 { "y" } else { "ies" });
            format!("{turn} {does} in {plies} pl{es} ({moves} move{s})")
        }
    }
}

/// Like [`result`], of a value that may be unknown.
pub(crate) fn result_of<G: Game>(
    _: G,
    value: Option<Wdl>,
    dtw: Option<u16>,
    turn: Color,
) -> String {
    value.map_or_else(|| "The result is unknown".to_owned(), |wdl| result::<G>(wdl, dtw, turn))
}

/// Like [`outcome`], of a value that may be unknown.
pub(crate) fn outcome_or_unknown(value: Option<Wdl>, dtw: Option<u16>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |wdl| outcome(wdl, dtw))
}

/// A move's result in words, for the side that plays it: `wins in 25`.
pub(crate) fn outcome(wdl: Wdl, dtw: Option<u16>) -> String {
    let word = match wdl {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    };
    match dtw {
        Some(plies) => format!("{word} in {plies}"),
        None => word.to_owned(),
    }
}

/// The distance, if there is one and it is known.
pub(crate) fn plies(value: Value, metric: Metric) -> Option<u16> {
    value.plies().filter(|_| metric == Metric::Dtw)
}

/// A number with its thousands separated: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number and a noun with a regular plural: `1 table`, `2 tables`.
pub(crate) fn count(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A size in bytes for people: `1.23 MB`.
pub(crate) fn size(bytes: u64) -> String {
    Size(bytes).to_string()
}

/// A duration for people: `1 h 02 min`, `3 min 05 s`, `12 s`.
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The shell-quoted ` --tables DIR` suffix of a suggested command; empty for tables in memory, which
/// have no directory.
pub(crate) fn tables_option(directory: &Path) -> String {
    match &*directory.to_string_lossy() {
        "" => String::new(),
        name => format!(" --tables {}", quoted(name)),
    }
}

/// The characters besides letters and digits that have no special meaning in a shell.
const PLAIN: &str = if cfg!(windows) { r"/\._-+:=" } else { "/._-+,:@%=" };

/// A word, quoted for a shell if necessary: on Windows in a way that both of its shells read.
pub(crate) fn quoted(word: &str) -> String {
    match !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || PLAIN.contains(c)) {
        true => word.to_owned(),
        // A backslash before the last quote would escape it.
        false if cfg!(windows) && word.ends_with('\\') => format!("\"{word}\\\""),
        false if cfg!(windows) => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The message of an error, with the path of the file that it is about.
pub(crate) fn with_path(message: String, path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("{message} ({})", path.display()),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Chess, Draughts};

    #[test]
    fn results_are_in_plain_words() {
        let say = |value: Value, turn| result::<Draughts>(value.wdl(), value.plies(), turn);
        assert_eq!(say(Value::decided(25), Color::White), "White wins in 25 plies (13 moves)");
        assert_eq!(say(Value::decided(24), Color::White), "White loses in 24 plies (12 moves)");
        assert_eq!(say(Value::decided(1), Color::Black), "Black wins in 1 ply (1 move)");
        assert_eq!(say(Value::LOST, Color::White), "Black has won: White has no legal move");
        assert_eq!(say(Value::DRAW, Color::White), "Draw");
        assert_eq!(result::<Draughts>(Wdl::Win, None, Color::White), "White wins");
        let mate = result::<Chess>(Wdl::Loss, Some(0), Color::Black);
        assert_eq!(mate, "White has won: Black is checkmated");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(143_840), "143,840");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(count(1u64, "table"), "1 table");
        assert_eq!(count(2000u64, "table"), "2,000 tables");
        assert_eq!(size(1_234_567), "1.23 MB");
        assert_eq!(duration(3725.0), "1 h 02 min");
    }
}
