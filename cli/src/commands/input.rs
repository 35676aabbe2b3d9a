//! Reads what the user typed: directories, positions, signatures.

use crate::args::{AccessArg, TablesArg};
use crate::failure::Failure;
use crate::json;
use crate::lines::{Line, lines};
use crate::signals::stop_on_signal;
use crate::stdout::Lenient;
use crate::words::note;
use damka::{AnyTables, read_position};
use damka_engine::book::{BookChoice, OpeningBook};
use damka_engine::{Control, EndgameTables, Playable, Searchable};
use damka_games::{AnyGame, Counted, Game, excerpt, with_game};
use damka_probe::{ProbeError, ProbeOptions, Tables};
use damka_tables::{Indexable, MAX_TABLE_PIECES, Signature};
use etcetera::BaseStrategy;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The directory of tables, for a command that makes a missing directory: the named one, or the
/// platform's data directory.
pub(crate) fn directory_to_make(tables: &TablesArg) -> Result<PathBuf, Failure> {
    if let Some(directory) = tables.named() {
        return match directory.exists() && !directory.is_dir() {
            true => Err(Failure::Input(format!("{} is not a directory", directory.display()))),
            false => Ok(directory),
        };
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        Failure::Input("there is no home directory for tables: name one with --tables".to_owned())
    })?;
    // On Windows the data directory is copied to each machine of the user: tables are too large for that.
    let data = if cfg!(windows) { strategy.cache_dir() } else { strategy.data_dir() };
    Ok(data.join("damka"))
}

/// The directory of tables. A named one must exist: with a misspelled name, existing tables would not be
/// found, or would be built again. The platform's data directory need not exist.
pub(crate) fn directory(tables: &TablesArg) -> Result<PathBuf, Failure> {
    let place = directory_to_make(tables)?;
    let is_named = tables.named().is_some();
    // Other errors are reported when tables are opened.
    match is_named && matches!(place.try_exists(), Ok(false)) {
        true => Err(Failure::Missing(format!(
            "there is no directory {}, which --tables or DAMKA_TABLES names; `damka gen` makes it",
            place.display()
        ))),
        false => Ok(place),
    }
}

/// Whether the user has named the directories of a command that takes several.
pub(crate) fn has_named_directories(directories: &[PathBuf]) -> bool {
    !directories.is_empty() || TablesArg::default().named().is_some()
}

/// The directories of a command that takes several, or the platform's data directory.
pub(crate) fn directories(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    match named {
        [] => Ok(vec![directory_to_make(&TablesArg::default())?]),
        named => named.iter().map(|named| directory(&TablesArg::of(named))).collect(),
    }
}

/// The tables of a command that builds none.
pub(crate) fn tables<G: Indexable>(
    game: G,
    tables: &TablesArg,
    access: &AccessArg,
) -> Result<Tables<G>, Failure> {
    Ok(tables_in(game, &directory(tables)?, access))
}

/// The tables in `directory`, which need not exist.
pub(crate) fn tables_in<G: Indexable>(game: G, directory: &Path, access: &AccessArg) -> Tables<G> {
    Tables::open_with(
        game,
        directory,
        ProbeOptions { access: access.access.into(), ..ProbeOptions::default() },
    )
}

/// The tables of a game that is known only at run time.
pub(crate) fn any_tables(
    game: AnyGame,
    directory: &Path,
    access: &AccessArg,
) -> Box<dyn AnyTables> {
    let access = access.access.into();
    damka::open(game, directory, ProbeOptions { access, ..ProbeOptions::default() })
}

/// Reads a position as it is typed or pasted: a FEN, `[FEN "..."] *`, or `start`.
pub(crate) fn position<G: Game>(game: G, text: &str) -> Result<Counted<G::Position>, Failure> {
    Ok(read_position(game, text)?)
}

/// Reads a position as it is typed or pasted, and returns its FEN.
fn fen(game: AnyGame, text: &str) -> Result<String, Failure> {
    Ok(damka::read_fen(game, text)?)
}

/// The positions given to a command, as FENs.
pub(crate) enum Positions {
    /// One position.
    One(String),
    /// Several on the command line, or one per line of standard input.
    Many(Box<dyn Iterator<Item = Result<Numbered, Failure>>>),
}

/// One position of many.
pub(crate) struct Numbered {
    /// `line` of standard input or `position` of the command line.
    unit: &'static str,
    /// Its number, from 1.
    number: usize,
    /// The FEN, or the error in the text.
    fen: Result<String, Failure>,
}

/// Reads the positions of a command line: FENs, or `-` alone for standard input, where empty lines
/// and text after a `#` are skipped.
///
/// A word that can begin a position begins a new one; other words continue the previous one, so that
/// blanks within a position need no quotes.
pub(crate) fn positions(game: AnyGame, words: &[String]) -> Result<Positions, Failure> {
    if words == ["-"] {
        let lines =
            lines().filter_map(move |line| line.map(|line| numbered_line(game, line)).transpose());
        return Ok(Positions::Many(Box::new(lines)));
    }
    let fens = whole_fens(words);
    if let [fen] = &fens[..] {
        return Ok(Positions::One(self::fen(game, fen)?));
    }
    let numbered = fens.into_iter().zip(1..).map(move |(text, number)| {
        Ok(Numbered { unit: "position", number, fen: fen(game, &text) })
    });
    Ok(Positions::Many(Box::new(numbered)))
}

/// Reads the only position on a command line, and returns its FEN.
pub(crate) fn one_position(game: AnyGame, words: &[String]) -> Result<String, Failure> {
    match &whole_fens(words)[..] {
        [text] => fen(game, text),
        fens => Err(Failure::Input(format!("expected one position, found {}", fens.len()))),
    }
}

/// Parses the position of a line, if there is one.
fn numbered_line(game: AnyGame, line: Line) -> Option<Numbered> {
    let Line { number, text } = line;
    let fen = match text {
        Err(failure) => Err(failure),
        Ok(text) => match text.split('#').next().unwrap_or_default().trim() {
            // `*` ends a pasted game, whose position is on another line.
            "" | "*" => return None,
            text => fen(game, text),
        },
    };
    Some(Numbered { unit: "line", number, fen })
}

/// Joins words into FENs.
fn whole_fens(words: &[String]) -> Vec<String> {
    let mut fens: Vec<String> = Vec::new();
    for word in words {
        match fens.last_mut() {
            Some(fen) if is_unfinished(fen) || !begins_position(word) => {
                fen.push(' ');
                fen.push_str(word);
            }
            _ => fens.push(word.clone()),
        }
    }
    fens
}

/// Whether a word can only be the first of a position: `W:WKa1`, `k5/6/6/6/6/F5`, `[FEN`, `start`; or
/// `-`, which is later reported as an error.
fn begins_position(word: &str) -> bool {
    let side = word.split(':').next().unwrap_or_default();
    word == "-"
        || word.eq_ignore_ascii_case("start")
        || word.starts_with('[')
        || word.contains('/')
        || word.contains(':')
            && matches!(side.trim(), "W" | "w" | "B" | "b" | "В" | "Б" | "б" | "Ч" | "ч")
}

/// Whether the text begins with a tag and the tag with the position has not ended.
fn is_unfinished(fen: &str) -> bool {
    let is_position = |tag: &str| tag.trim_start().to_ascii_lowercase().starts_with("fen");
    fen.starts_with('[') && !fen.split('[').any(|tag| is_position(tag) && tag.contains(']'))
}

/// The JSON object of a position without an answer.
#[derive(Serialize)]
struct Unanswered {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    error: String,
}

/// An answer to one of many positions.
pub(crate) struct AnswerLine {
    pub(crate) text: String,
    /// Why the answer is not complete, if it is not.
    pub(crate) missing: Option<String>,
}

impl From<String> for AnswerLine {
    fn from(text: String) -> AnswerLine {
        AnswerLine { text, missing: None }
    }
}

/// Writes the answer to each position on one line. An error is reported in place of the answer, and the
/// other positions are answered. If an answer is not complete, a note gives the reason; JSON objects
/// show it themselves.
///
/// # Errors
/// A position had no complete answer, the input cannot be read, or the answers cannot be written.
pub(crate) fn answer_each(
    positions: impl Iterator<Item = Result<Numbered, Failure>>,
    is_json: bool,
    mut answer: impl FnMut(&str) -> Result<AnswerLine, Failure>,
) -> Result<(), Failure> {
    let mut out = Lenient::lock();
    let mut all_answered = true;
    for numbered in positions {
        let Numbered { unit, number, fen } = numbered?;
        match fen.and_then(|fen| answer(&fen)) {
            Ok(AnswerLine { text, missing }) => {
                writeln!(out, "{text}")?;
                all_answered &= missing.is_none();
                if let Some(missing) = missing.filter(|_| !is_json) {
                    note(&format!("{unit} {number}: {missing}"));
                }
            }
            Err(failure) => {
                all_answered = false;
                let error = failure.message().unwrap_or_default();
                match is_json {
                    true => {
                        let of = |name| (unit == name).then_some(number);
                        let (line, position) = (of("line"), of("position"));
                        writeln!(out, "{}", json::object(Unanswered { line, position, error }))?;
                    }
                    false => note(&format!("{unit} {number}: {error}")),
                }
            }
        }
        out.flush()?;
        if out.is_reader_gone() {
            break;
        }
    }
    match all_answered {
        true => Ok(()),
        false => Err(Failure::No),
    }
}

/// Opens the tables for an engine, and prints a note for each table that it cannot use.
pub(crate) fn endings<G: Playable>(tables: &Arc<Tables<G>>) -> Result<EndgameTables<G>, Failure> {
    let endings = EndgameTables::open(Arc::clone(tables))?;
    tell_table_errors(endings.take_errors());
    Ok(endings)
}

/// Prints a note for each table that an engine cannot use.
pub(crate) fn tell_table_errors(errors: Vec<ProbeError>) {
    errors
        .iter()
        .for_each(|error| note(&format!("{error}; the engine continues without these values")));
}

/// The book that the user has named. It must exist.
pub(crate) fn book<G: Searchable>(game: G, choice: &BookChoice) -> Result<OpeningBook<G>, Failure> {
    choice.open(game)?.ok_or_else(|| {
        let message = match choice {
            BookChoice::Own => format!("{} has no book of its own", game.name()),
            _ => "a book is needed: `own` or a file".to_owned(),
        };
        Failure::Input(message)
    })
}

/// The canonical name of a signature.
pub(crate) fn canonical(game: AnyGame, name: &str) -> Result<String, Failure> {
    with_game!(game, game => Ok(signature(game, name)?.to_string()))
}

/// A signature by name.
pub(crate) fn signature<G: Indexable>(game: G, name: &str) -> Result<Signature<G>, Failure> {
    Signature::parse(game, name).map_err(|error| Failure::Input(error.to_string()))
}

/// The failure when a word is not a number of pieces that tables can have.
pub(crate) fn not_pieces(word: &str) -> Failure {
    Failure::Input(format!(
        "`{}`: expected numbers of pieces from 2 to {MAX_TABLE_PIECES}, or signatures",
        excerpt(word)
    ))
}

/// Runs a search or a match that the first Ctrl-C stops.
pub(crate) fn interruptible<T>(work: impl FnOnce(&Control) -> T) -> T {
    /// The interval at which the stop flag is checked.
    const INTERVAL: Duration = Duration::from_millis(20);
    /// Marks the work as done when dropped, also after a panic; otherwise the other thread would not end.
    struct Done<'a>(&'a AtomicBool);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let stop = stop_on_signal();
    let (control, is_done) = (Control::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        let _done = Done(&is_done);
        let watch = || {
            while !is_done.load(Ordering::Relaxed) {
                if stop.is_requested() {
                    control.stop();
                }
                thread::sleep(INTERVAL);
            }
        };
        // If the thread cannot be started, only the second Ctrl-C ends the work.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        work(&control)
    })
}

/// Prints a note for each unfinished file of the path of a new one: a process that wrote it was killed, or
/// still runs.
pub(crate) fn tell_unfinished(path: &Path) {
    for unfinished in damka_system::unfinished_files(path) {
        let unfinished = unfinished.display();
        note(&format!(
            "{unfinished} was left by a process that was killed, or one still writes it: \
             remove it if you do not need it"
        ));
    }
}

/// Checks that a file can be created: it does not exist, and its directory is writable.
pub(crate) fn check_new_file(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        let message = "`-` is not a file: leave the option out for standard output";
        return Err(Failure::Input(message.to_owned()));
    }
    if path.symlink_metadata().is_ok() {
        let path = path.display();
        return Err(Failure::Input(format!("{path} exists, and is not overwritten")));
    }
    damka_system::check_writable(path).map_err(|error| cannot_write(path, &error))
}

/// The failure if a file cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::System(format!("cannot write {}: {error}", path.display()))
}
