//! Results for callers: objects of the classes of `_types.py`.

use damka::{
    Answer, AnswerMove, Bar, BoardLayout, DtwStatus, ListedPosition, MissingTable, PassedPosition,
    Ply, SearchLine, SearchReport, SideHistogram, SideStats, SquareValue, Wdl,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

/// Makes an object of a class of `_types.py`; the class is looked up once.
macro_rules! object {
    ($py:expr, $class:literal, [$($field:expr),* $(,)?]) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import($py, "damka._types", $class)?;
        let fields: [Bound<'_, PyAny>; _] = [$($field.into_bound_py_any($py)?),*];
        class.call1(PyTuple::new($py, fields)?)
    }};
}

/// A Python object, or an exception.
type Object<'py> = PyResult<Bound<'py, PyAny>>;

/// A tuple of objects, one for each item of `all`.
fn tuple<'py, T>(
    py: Python<'py>,
    all: &[T],
    object: impl Fn(Python<'py>, &T) -> Object<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, all.iter().map(|one| object(py, one)).collect::<PyResult<Vec<_>>>()?)
}

/// A tuple of strings.
fn texts<'py>(py: Python<'py>, texts: &[String]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, texts)
}

/// The word for a result; `None` if it is unknown.
pub(crate) fn value<'py>(py: Python<'py>, value: Option<Wdl>) -> Option<Bound<'py, PyString>> {
    value.map(|value| PyString::intern(py, value.word()))
}

fn status(py: Python<'_>, status: DtwStatus) -> Bound<'_, PyString> {
    PyString::intern(py, status.word())
}

pub(crate) fn table_name<'py>(py: Python<'py>, table: &MissingTable) -> Object<'py> {
    object!(py, "TableName", [&table.signature, table.metric.name()])
}

pub(crate) fn answer<'py>(py: Python<'py>, answer: &Answer) -> Object<'py> {
    let Answer { game, fen, value: wdl, dtw, dtw_status, moves: all, missing, .. } = answer;
    let all = moves(py, all)?;
    let missing = tuple(py, missing, table_name)?;
    object!(py, "Answer", [game, fen, value(py, *wdl), dtw, status(py, *dtw_status), all, missing])
}

pub(crate) fn moves<'py>(py: Python<'py>, moves: &[AnswerMove]) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, moves, |py, mv| {
        let AnswerMove { name, coordinates, fen, value: wdl, dtw, dtw_status } = mv;
        let (wdl, status) = (value(py, *wdl), status(py, *dtw_status));
        object!(py, "Move", [name, coordinates, fen, wdl, dtw, status])
    })
}

pub(crate) fn plies<'py>(py: Python<'py>, plies: &[Ply]) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, plies, ply)
}

pub(crate) fn ply<'py>(py: Python<'py>, ply: &Ply) -> Object<'py> {
    object!(py, "Ply", [&ply.name, &ply.coordinates, &ply.fen])
}

pub(crate) fn square_value<'py>(py: Python<'py>, place: &SquareValue) -> Object<'py> {
    let SquareValue { square, fen, value: wdl, dtw, dtw_status } = place;
    object!(py, "SquareValue", [square, fen, value(py, *wdl), dtw, status(py, *dtw_status)])
}

pub(crate) fn stats<'py>(py: Python<'py>, side: &SideStats) -> Object<'py> {
    object!(
        py,
        "Stats",
        [
            side.game,
            &side.signature,
            side.to_move,
            side.positions,
            side.wins,
            side.draws,
            side.losses,
            status(py, side.dtw_status),
            side.longest_win,
            &side.longest_win_fen,
            side.longest_loss,
            &side.longest_loss_fen,
            side.wdl_bytes,
            side.dtw_bytes,
            &side.wdl_digest,
            &side.dtw_digest,
        ]
    )
}

pub(crate) fn histogram<'py>(py: Python<'py>, side: &SideHistogram) -> Object<'py> {
    let bars = tuple(py, &side.histogram, |py, bar: &Bar| {
        object!(py, "Bar", [value(py, Some(bar.value)), bar.dtw, bar.positions])
    })?;
    object!(py, "Histogram", [side.game, &side.signature, side.to_move, bars])
}

pub(crate) fn listed<'py>(py: Python<'py>, listed: &ListedPosition) -> Object<'py> {
    let passed = listed.passed.as_ref().map(|passed| {
        let PassedPosition { value: wdl, dtw, dtw_status } = passed;
        object!(py, "PassedPosition", [value(py, Some(*wdl)), dtw, status(py, *dtw_status)])
    });
    object!(
        py,
        "ListedPosition",
        [
            listed.game,
            &listed.fen,
            value(py, Some(listed.value)),
            listed.dtw,
            status(py, listed.dtw_status),
            &listed.only_move,
            &listed.only_move_coordinates,
            passed.transpose()?,
            &listed.cursor,
        ]
    )
}

pub(crate) fn found<'py>(py: Python<'py>, report: &SearchReport) -> Object<'py> {
    let lines = tuple(py, report.lines.as_deref().unwrap_or_default(), line)?;
    object!(
        py,
        "SearchResult",
        [
            report.game,
            &report.fen,
            &report.name,
            &report.coordinates,
            report.score.hundredths(),
            value(py, report.value),
            report.dtw,
            status(py, report.dtw_status),
            report.depth,
            report.nodes,
            report.table_hits,
            texts(py, &report.pv)?,
            texts(py, &report.pv_coordinates)?,
            lines,
            report.time.as_secs_f64(),
        ]
    )
}

fn line<'py>(py: Python<'py>, line: &SearchLine) -> Object<'py> {
    object!(
        py,
        "SearchLine",
        [
            &line.name,
            &line.coordinates,
            line.score.hundredths(),
            value(py, line.value),
            line.dtw,
            status(py, line.dtw_status),
            texts(py, &line.pv)?,
            texts(py, &line.pv_coordinates)?,
        ]
    )
}

pub(crate) fn layout<'py>(py: Python<'py>, layout: &BoardLayout) -> Object<'py> {
    let dtype = py.import("numpy")?.call_method1("dtype", (format!("uint{}", layout.bits),))?;
    let kinds = PyTuple::new(py, layout.kinds.iter().map(|kind| kind.to_string()))?;
    let squares = texts(py, &layout.squares)?;
    object!(py, "Layout", [layout.game.name(), dtype, layout.columns(), kinds, squares])
}

pub(crate) fn arrays<'py>(
    py: Python<'py>,
    positions: Bound<'py, PyAny>,
    wdl: Bound<'py, PyAny>,
    dtw: Option<Bound<'py, PyAny>>,
) -> Object<'py> {
    object!(py, "Arrays", [positions, wdl, dtw])
}

pub(crate) fn progress<'py>(
    py: Python<'py>,
    signature: &str,
    done: u64,
    total: u64,
    share: f64,
) -> Object<'py> {
    object!(py, "Progress", [signature, done, total, share])
}
