//! Reads the arguments of a caller.

use crate::failure::{Failure, error};
use damka::engine::MAX_THREADS;
use damka::games::chess::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};
use damka::{
    AnyGame, Chess, Color, Cursor, Filter, Level, ListQuery, Metric, Pieces, Setup, Square,
    SquareSet, Wdl,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;

/// The game with a name.
pub(crate) fn game(name: &str) -> Result<AnyGame, Failure> {
    name.parse().map_err(|unknown: damka::games::UnknownGame| error("UnknownGame", unknown).into())
}

/// The attributes that name the game of a board, in python-chess and pydraughts.
const GAME_NAMES: [&str; 2] = ["uci_variant", "variant"];

/// The text of a position of `game`: the argument itself if it is a string, otherwise the value of its attribute
/// or method `fen`. This reads boards of python-chess and pydraughts, without either being installed.
pub(crate) fn position(game: AnyGame, position: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = position.cast::<PyString>() {
        // A Python string may contain lone surrogates.
        return text
            .extract()
            .map_err(|failed: PyErr| error("BadPosition", failed.value(text.py())));
    }
    for attribute in GAME_NAMES {
        let name = position.getattr_opt(attribute)?.and_then(|name| name.extract::<String>().ok());
        if let Some(name) = name
            && name.parse().ok() != Some(game)
        {
            let text = format!("a board of `{name}` is not a position of {}", game.name());
            return Err(error("BadPosition", text));
        }
    }
    let fen = match position.getattr_opt("fen")? {
        Some(fen) if fen.is_callable() => fen.call0()?,
        Some(fen) => fen,
        None => return Err(no_position(position)),
    };
    fen.extract().map_err(|_| no_position(position))
}

/// The setup of a chess board of python-chess, from its bitboards: its FEN takes twenty times as long. `None`
/// for everything else, for boards with castling rights, and for bitboards that do not fit together;
/// [`position`] reads those.
pub(crate) fn setup<'py>(game: AnyGame, board: &Bound<'py, PyAny>) -> Option<Setup> {
    if game != AnyGame::Chess(Chess) || board.is_instance_of::<PyString>() {
        return None;
    }
    let py = board.py();
    let attribute = |name: &Bound<'py, PyString>| board.getattr(name).ok();
    let bits = |name: &Bound<'py, PyString>| attribute(name)?.extract::<u64>().ok();
    if !attribute(intern!(py, "uci_variant"))?.eq(intern!(py, "chess")).ok()?
        || bits(intern!(py, "castling_rights"))? != 0
    {
        return None;
    }
    let [black, white]: [u64; 2] = attribute(intern!(py, "occupied_co"))?.extract().ok()?;
    let mut pieces = Pieces::default();
    let mut occupied = 0;
    for (kind, name) in [
        (KING, intern!(py, "kings")),
        (QUEEN, intern!(py, "queens")),
        (ROOK, intern!(py, "rooks")),
        (BISHOP, intern!(py, "bishops")),
        (KNIGHT, intern!(py, "knights")),
        (PAWN, intern!(py, "pawns")),
    ] {
        let of_kind = bits(name)?;
        pieces[(Color::White, kind)] = SquareSet::new(of_kind & white);
        pieces[(Color::Black, kind)] = SquareSet::new(of_kind & black);
        occupied |= of_kind;
    }
    if occupied != white | black || occupied != bits(intern!(py, "occupied"))? {
        return None;
    }
    let turn = match attribute(intern!(py, "turn"))?.extract().ok()? {
        true => Color::White,
        false => Color::Black,
    };
    let passed: Option<u8> = attribute(intern!(py, "ep_square"))?.extract().ok()?;
    if passed.is_some_and(|passed| passed >= 64) {
        return None;
    }
    Some(Setup { en_passant: passed.map(Square::new), ..Setup::new(pieces, turn) })
}

fn no_position(found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected a FEN, or a board with the attribute `fen`, not {name}"))
}

/// One directory, or several.
pub(crate) fn paths(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if let Ok(path) = paths.extract() {
        return Ok(vec![path]);
    }
    let expected = || PyTypeError::new_err("expected a directory or a sequence of directories");
    let paths: Vec<PathBuf> = paths.extract().map_err(|_| expected())?;
    if paths.is_empty() { Err(expected()) } else { Ok(paths) }
}

/// The metric with a name.
pub(crate) fn metric(name: &str) -> PyResult<Metric> {
    name.parse().map_err(|unknown: damka::tables::metric::UnknownMetric| {
        PyValueError::new_err(unknown.to_string())
    })
}

/// The result that a word names.
fn wdl(word: &str) -> PyResult<Wdl> {
    let all = [Wdl::Win, Wdl::Draw, Wdl::Loss];
    all.into_iter().find(|wdl| wdl.word() == word).ok_or_else(|| {
        PyValueError::new_err(format!("`{word}` is not a value: expected win, draw or loss"))
    })
}

/// Reads a side to move: a word, or a Boolean as in python-chess.
pub(crate) fn turn(argument: &Bound<'_, PyAny>) -> PyResult<Option<Color>> {
    if argument.is_none() {
        return Ok(None);
    }
    if let Ok(is_white) = argument.extract() {
        return Ok(Some(if is_white { Color::White } else { Color::Black }));
    }
    let Ok(word) = argument.extract::<String>() else {
        return Err(PyTypeError::new_err("`turn` must be \"white\", \"black\" or a Boolean"));
    };
    match word.as_str() {
        "white" => Ok(Some(Color::White)),
        "black" => Ok(Some(Color::Black)),
        _ => Err(PyValueError::new_err(format!("`{word}` is not a side: expected white or black"))),
    }
}

/// The conditions of a list.
pub(crate) fn filter(
    value: Option<&str>,
    distance: Option<u16>,
    zugzwang: bool,
    only_move: bool,
) -> PyResult<Filter> {
    Ok(Filter { wdl: value.map(wdl).transpose()?, plies: distance, only_move, zugzwang })
}

/// The query for a list of positions.
pub(crate) fn query(
    signature: &str,
    metric_name: &str,
    filter: Filter,
    turn: Option<Color>,
    copies: bool,
) -> PyResult<ListQuery> {
    let signature = signature.to_owned();
    Ok(ListQuery { signature, metric: metric(metric_name)?, filter, turn, copies })
}

/// Parses a cursor of a list.
pub(crate) fn cursor(text: Option<&str>) -> Result<Option<Cursor>, Failure> {
    let cursor = text.map(str::parse).transpose();
    cursor.map_err(|bad: damka::probe::CursorError| error("BadCursor", bad).into())
}

/// Defines a function for each name, which reads the argument with this name as a number of the first type. A
/// number out of range is a `ValueError` with the name and the range.
macro_rules! numbers {
    ($($name:ident: $number:ty => $argument:ty,)*) => {
        $(pub(crate) fn $name(argument: &Bound<'_, PyAny>) -> PyResult<$argument> {
            argument.extract().map_err(|failed: PyErr| {
                if !failed.is_instance_of::<PyOverflowError>(argument.py()) {
                    return failed;
                }
                out_of_range(stringify!($name), 0, <$number>::MAX)
            })
        })*
    };
}

numbers! {
    cache: u64 => u64,
    depth: u16 => Option<u16>,
    distance: u16 => Option<u16>,
    lines: usize => usize,
    memory: usize => usize,
    nodes: u64 => Option<u64>,
    seed: u64 => Option<u64>,
    variety: u16 => u16,
}

/// The seed of random choices: the argument, or a random one.
pub(crate) fn seed_or_random(py: Python<'_>, seed: Option<u64>) -> PyResult<u64> {
    match seed {
        Some(seed) => Ok(seed),
        None => py.import("random")?.call_method1("getrandbits", (64,))?.extract(),
    }
}

/// Reads a number of search threads.
pub(crate) fn threads(argument: &Bound<'_, PyAny>) -> PyResult<usize> {
    match argument.extract() {
        Ok(threads) if (1..=usize::from(MAX_THREADS)).contains(&threads) => Ok(threads),
        Err(failed) if !failed.is_instance_of::<PyOverflowError>(argument.py()) => Err(failed),
        _ => Err(out_of_range("threads", 1, MAX_THREADS)),
    }
}

/// Reads a level.
pub(crate) fn level(argument: &Bound<'_, PyAny>) -> PyResult<Level> {
    let wrong = || out_of_range("level", Level::FIRST.number(), Level::FULL);
    match argument.extract() {
        Ok(number) => Level::new(number).ok_or_else(wrong),
        Err(failed) if !failed.is_instance_of::<PyOverflowError>(argument.py()) => Err(failed),
        Err(_) => Err(wrong()),
    }
}

fn out_of_range(name: &str, least: u8, most: impl Display) -> PyErr {
    PyValueError::new_err(format!("`{name}` must be from {least} to {most}"))
}

/// A time in seconds.
pub(crate) fn seconds(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{seconds} is not a time in seconds")))
}
