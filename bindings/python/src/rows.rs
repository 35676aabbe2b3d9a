//! Arrays of positions: probes of many at once, and whole tables as arrays.

use crate::failure::{Failure, error, missing};
use crate::interrupt::check_signals;
use crate::{arguments, objects};
use damka::{
    AnyGame, AnyTables, AskError, BoardLayout, BoardWord, Boards, ListQuery, Metric, MissingTable,
    Value, Wdl,
};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::ops::ControlFlow::{Break, Continue};

/// The distance of a draw.
const DRAW: i16 = -1;

/// Signals are handled after this many values, so every few milliseconds.
const STEP: usize = 1 << 14;

/// The type of the words in an array.
trait Word: BoardWord + Element {
    /// The rows of these words.
    fn boards(words: &[Self]) -> Boards<'_>;
}

impl Word for u32 {
    fn boards(words: &[u32]) -> Boards<'_> {
        Boards::Narrow(words)
    }
}

impl Word for u64 {
    fn boards(words: &[u64]) -> Boards<'_> {
        Boards::Wide(words)
    }
}

/// Calls a function with the type of the words of a layout.
macro_rules! with_word {
    ($layout:expr, $work:ident($($argument:expr),*)) => {
        match $layout.bits {
            32 => $work::<u32>($($argument),*),
            _ => $work::<u64>($($argument),*),
        }
    };
}

/// The layout of a row.
#[pyfunction]
pub(crate) fn layout<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyAny>> {
    objects::layout(py, &BoardLayout::of(arguments::game(game)?))
}

/// Positions as rows of an array.
#[pyfunction]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    game: &str,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let layout = BoardLayout::of(arguments::game(game)?);
    with_word!(layout, encode_as(py, &layout, positions))
}

fn encode_as<'py, W: Word>(
    py: Python<'py>,
    layout: &BoardLayout,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if positions.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of positions, not one"));
    }
    let mut rows = Vec::<W>::new();
    for (number, position) in positions.try_iter()?.enumerate() {
        if number % STEP == 0 {
            py.check_signals()?;
        }
        let fen = arguments::position(layout.game, &position?)?;
        layout.push_fen(&fen, &mut rows).map_err(Failure::from)?;
    }
    array_of(py, layout, rows)
}

/// The FENs of the rows of an array.
#[pyfunction]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    game: &str,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let layout = BoardLayout::of(arguments::game(game)?);
    with_word!(layout, decode_as(py, &layout, positions))
}

fn decode_as<'py, W: Word>(
    py: Python<'py>,
    layout: &BoardLayout,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let words: Vec<W> = words(layout, positions)?;
    let fens = PyList::empty(py);
    for (number, row) in words.chunks_exact(layout.columns()).enumerate() {
        fens.append(layout.fen(row).map_err(|failed| in_row(number, failed))?)?;
    }
    Ok(fens)
}

/// Copies the words of an array, as other code may write to it.
fn words<W: Word>(layout: &BoardLayout, positions: &Bound<'_, PyAny>) -> PyResult<Vec<W>> {
    let py = positions.py();
    let requirements = ["C_CONTIGUOUS", "ALIGNED"];
    let array =
        py.import("numpy")?.call_method1("require", (positions, py.None(), requirements))?;
    let (bits, columns) = (layout.bits, layout.columns());
    match array.cast::<PyArray2<W>>() {
        Ok(rows) if rows.shape()[1] == columns => Ok(rows.readonly().as_slice()?.to_vec()),
        _ => Err(PyTypeError::new_err(format!(
            "positions of {} are an array of uint{bits} of the shape (n, {columns}), not of {} of \
             the shape {}",
            layout.game.name(),
            array.getattr("dtype")?,
            array.getattr("shape")?,
        ))),
    }
}

fn array_of<'py, W: Word>(
    py: Python<'py>,
    layout: &BoardLayout,
    rows: Vec<W>,
) -> PyResult<Bound<'py, PyAny>> {
    // Importing NumPy gives an exception if it is missing.
    py.import("numpy")?;
    let shape = [rows.len() / layout.columns(), layout.columns()];
    PyArray1::from_vec(py, rows).reshape(shape)?.into_bound_py_any(py)
}

/// An error with the number of its row.
fn in_row(number: usize, failed: AskError) -> PyErr {
    match failed {
        AskError::Probe(failed) => Failure::from(failed).into(),
        failed => error("BadPosition", format!("row {number}: {failed}")),
    }
}

/// The result of each row: 1, 0 or -1; -128 if it is unknown.
pub(crate) fn wdl<'py>(
    py: Python<'py>,
    game: AnyGame,
    tables: &dyn AnyTables,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let layout = BoardLayout::of(game);
    let code = |value: Value| Ok(number_of(value.wdl()));
    let unknown = i8::MIN;
    match layout.bits {
        32 => values::<u32, _>(py, tables, &layout, positions, Metric::Wdl, unknown, code),
        _ => values::<u64, _>(py, tables, &layout, positions, Metric::Wdl, unknown, code),
    }
}

/// The distance of each row in plies; [`DRAW`] for a draw, -32768 if it is unknown.
pub(crate) fn dtw<'py>(
    py: Python<'py>,
    game: AnyGame,
    tables: &dyn AnyTables,
    positions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let layout = BoardLayout::of(game);
    let unknown = i16::MIN;
    match layout.bits {
        32 => values::<u32, _>(py, tables, &layout, positions, Metric::Dtw, unknown, plies_of),
        _ => values::<u64, _>(py, tables, &layout, positions, Metric::Dtw, unknown, plies_of),
    }
}

fn number_of(wdl: Wdl) -> i8 {
    wdl as i8 - Wdl::Draw as i8
}

/// The distance as an element of an array.
fn plies_of(value: Value) -> PyResult<i16> {
    match value.plies().map(i16::try_from) {
        None => Ok(DRAW),
        Some(Ok(plies)) => Ok(plies),
        Some(Err(_)) => Err(error("Error", format!("{value} does not fit into an int16"))),
    }
}

fn values<'py, W: Word, T: Element + Copy + PartialEq>(
    py: Python<'py>,
    tables: &dyn AnyTables,
    layout: &BoardLayout,
    positions: &Bound<'py, PyAny>,
    metric: Metric,
    unknown: T,
    code: impl Fn(Value) -> PyResult<T> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let words: Vec<W> = words(layout, positions)?;
    let codes = py.detach(move || codes(tables, layout, &words, metric, unknown, code))?;
    PyArray1::from_vec(py, codes).into_bound_py_any(py)
}

/// The values of rows, converted by `code`.
fn codes<W: Word, T: Copy + PartialEq>(
    tables: &dyn AnyTables,
    layout: &BoardLayout,
    words: &[W],
    metric: Metric,
    unknown: T,
    code: impl Fn(Value) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let mut codes = reserved(words.len() / layout.columns())?;
    codes.resize(codes.capacity(), unknown);
    let (mut raised, mut lacking) = (None, Vec::<MissingTable>::new());
    let (mut done, mut known, mut last_missing) = (0, 0, None);
    let boards = W::boards(words);
    let whole = tables.values(boards, metric, &mut |number, value| {
        done += 1;
        if done % STEP == 0 && check_signals(&mut raised).is_break() {
            return Break(());
        }
        let value = match value {
            Ok(value) => code(value),
            Err(AskError::Probe(failed)) if failed.is_missing() => {
                let table = MissingTable::of(&failed).filter(|table| !lacking.contains(table));
                lacking.extend(table);
                last_missing = Some(failed);
                return Continue(());
            }
            Err(failed) => Err(in_row(number, failed)),
        };
        match value {
            Ok(value) => {
                codes[number] = value;
                known += 1;
                Continue(())
            }
            Err(exception) => {
                raised = Some(exception);
                Break(())
            }
        }
    });
    whole.map_err(Failure::from)?;
    match (raised, last_missing) {
        (Some(exception), _) => Err(exception),
        (None, Some(failed)) if known == 0 => Err(missing(failed, &lacking)),
        _ => Ok(codes),
    }
}

/// An empty list with capacity for `len` elements.
fn reserved<T>(len: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len)
        .map_err(|_| error("NoMemory", format!("no memory for an array of {len} elements")))?;
    Ok(list)
}

/// The positions of a list, and their values.
pub(crate) fn arrays<'py>(
    py: Python<'py>,
    game: AnyGame,
    tables: &dyn AnyTables,
    query: &ListQuery,
) -> PyResult<Bound<'py, PyAny>> {
    let layout = BoardLayout::of(game);
    with_word!(layout, arrays_of(py, tables, &layout, query))
}

/// The columns of a list of positions.
struct Columns<W> {
    rows: Vec<W>,
    wdl: Vec<i8>,
    /// Empty if the metric has no distances.
    dtw: Vec<i16>,
}

fn arrays_of<'py, W: Word>(
    py: Python<'py>,
    tables: &dyn AnyTables,
    layout: &BoardLayout,
    query: &ListQuery,
) -> PyResult<Bound<'py, PyAny>> {
    let Columns { rows, wdl, dtw } = py.detach(|| columns::<W>(tables, layout, query))?;
    let rows = array_of(py, layout, rows)?;
    let wdl = PyArray1::from_vec(py, wdl).into_any();
    let has_distances = query.metric.has_distances();
    objects::arrays(py, rows, wdl, has_distances.then(|| PyArray1::from_vec(py, dtw).into_any()))
}

fn columns<W: Word>(
    tables: &dyn AnyTables,
    layout: &BoardLayout,
    query: &ListQuery,
) -> PyResult<Columns<W>> {
    let mut listing = tables.listing(query).map_err(Failure::from)?;
    let (_, most) = listing.progress();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let has_distances = query.metric.has_distances();
    let mut columns = Columns {
        rows: reserved(most.saturating_mul(layout.columns()))?,
        wdl: reserved(most)?,
        dtw: reserved(if has_distances { most } else { 0 })?,
    };
    let mut raised = None;
    let mut goes_on = true;
    while goes_on && raised.is_none() {
        let advanced = listing.advance(&mut |listed| {
            layout.push_listed(listed, &mut columns.rows);
            columns.wdl.push(number_of(listed.value().wdl()));
            if has_distances {
                match plies_of(listed.value()) {
                    Ok(plies) => columns.dtw.push(plies),
                    Err(exception) => {
                        raised = Some(exception);
                        return Break(());
                    }
                }
            }
            Continue(())
        });
        goes_on = advanced.map_err(Failure::from)?;
        if raised.is_none() {
            let _ = check_signals(&mut raised);
        }
    }
    raised.map_or(Ok(columns), Err)
}
