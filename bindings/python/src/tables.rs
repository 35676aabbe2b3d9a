//! Probes of tables.

use crate::failure::Failure;
use crate::interrupt::check_signals;
use crate::positions::Positions;
use crate::{arguments, objects, rows};
use damka::{Access, AnyGame, AnyTables, AskError, Color, Filter, ProbeOptions, Setup, open_all};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The names of all games.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, AnyGame::all().map(AnyGame::name).collect::<Vec<_>>())
}

/// Opens the tables of a game in a directory or several, which need not exist yet.
///
/// `cache` is the memory for decoded blocks, in bytes.
#[pyfunction]
#[pyo3(signature = (game, path, *, cache = 67_108_864))]
pub(crate) fn open(
    game: &str,
    path: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::cache)] cache: u64,
) -> PyResult<Tables> {
    let game = arguments::game(game)?;
    let paths = arguments::paths(path)?;
    let options = ProbeOptions { cache_bytes: cache, access: Access::Read };
    Ok(Tables { game, tables: open_all(game, &paths, options).into(), paths, cache })
}

/// The tables of a game.
#[pyclass(frozen, module = "damka")]
pub(crate) struct Tables {
    pub(crate) game: AnyGame,
    pub(crate) tables: Arc<dyn AnyTables>,
    pub(crate) paths: Vec<PathBuf>,
    cache: u64,
}

#[pymethods]
impl Tables {
    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The directories.
    #[getter]
    fn paths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.paths)
    }

    /// The signatures with tables, by ascending number of pieces.
    #[getter]
    fn signatures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.ask(py, |tables| tables.signatures())?)
    }

    /// The value of a position and all its moves, best first.
    #[pyo3(signature = (position, *, metric = "dtw"))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        metric: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (fen, metric) = (arguments::position(self.game, position)?, arguments::metric(metric)?);
        objects::answer(py, &self.ask(py, |tables| tables.answer(&fen, metric))?)
    }

    /// Win, draw or loss for the side to move.
    fn wdl<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let of_board = |tables: &dyn AnyTables, setup: &Setup| tables.setup_wdl(setup);
        let value = self.ask_about(py, position, of_board, |tables, fen| tables.wdl(fen))?;
        Ok(objects::value(py, Some(value)))
    }

    /// The distance to the win or loss in plies; `None` for a draw.
    fn dtw(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
        let of_board = |tables: &dyn AnyTables, setup: &Setup| tables.setup_dtw(setup);
        let value = self.ask_about(py, position, of_board, |tables, fen| tables.dtw(fen))?;
        Ok(value.plies())
    }

    /// All legal moves, best first.
    #[pyo3(signature = (position, *, metric = "dtw"))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        metric: &str,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (fen, metric) = (arguments::position(self.game, position)?, arguments::metric(metric)?);
        objects::moves(py, &self.ask(py, |tables| tables.answer(&fen, metric))?.moves)
    }

    /// Best play to the end of the game; empty for a draw.
    fn line<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let fen = arguments::position(self.game, position)?;
        let answer = self.ask(py, |tables| tables.line(&fen))?;
        objects::plies(py, &answer.line.unwrap_or_default())
    }

    /// The value of the position for each square of the piece that stands on `square`.
    #[pyo3(signature = (position, square, *, turn = None, metric = "dtw"))]
    fn map<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        square: &str,
        #[pyo3(from_py_with = arguments::turn)] turn: Option<Color>,
        metric: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (fen, metric) = (arguments::position(self.game, position)?, arguments::metric(metric)?);
        let places = self.ask(py, |tables| tables.square_map(&fen, square, turn, metric))?;
        let map = PyDict::new(py);
        for place in &places {
            map.set_item(&place.square, objects::square_value(py, place)?)?;
        }
        Ok(map)
    }

    /// The counts of a signature, first with White to move, then with Black to move.
    fn stats<'py>(&self, py: Python<'py>, signature: &str) -> PyResult<Bound<'py, PyTuple>> {
        let sides = self.ask(py, |tables| tables.stats(signature))?;
        PyTuple::new(py, [objects::stats(py, &sides[0])?, objects::stats(py, &sides[1])?])
    }

    /// The number of positions of a signature for each value, first with White to move, then with Black to
    /// move.
    fn histogram<'py>(&self, py: Python<'py>, signature: &str) -> PyResult<Bound<'py, PyTuple>> {
        let mut raised = None;
        let counted =
            py.detach(|| self.tables.histogram(signature, &mut |_, _| check_signals(&mut raised)));
        if let Some(exception) = raised {
            return Err(exception);
        }
        let sides = counted.map_err(Failure::from)?;
        PyTuple::new(py, [objects::histogram(py, &sides[0])?, objects::histogram(py, &sides[1])?])
    }

    /// The positions of a signature that meet all conditions. White has the side named first.
    #[pyo3(signature = (
        signature, *, value = None, distance = None, zugzwang = false, only_move = false,
        turn = None, copies = false, metric = "dtw", cursor = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "by their names")]
    fn list(
        &self,
        signature: &str,
        value: Option<&str>,
        #[pyo3(from_py_with = arguments::distance)] distance: Option<u16>,
        zugzwang: bool,
        only_move: bool,
        #[pyo3(from_py_with = arguments::turn)] turn: Option<Color>,
        copies: bool,
        metric: &str,
        cursor: Option<&str>,
    ) -> PyResult<Positions> {
        let filter = arguments::filter(value, distance, zugzwang, only_move)?;
        let query = arguments::query(signature, metric, filter, turn, copies)?;
        Ok(Positions::new(Arc::clone(&self.tables), query, cursor)?)
    }

    /// A random position of a signature that meets all conditions; `None` if there is none, or none
    /// is found in time. White has the side named first.
    #[pyo3(signature = (
        signature, *, value = None, distance = None, zugzwang = false, only_move = false,
        turn = None, metric = "dtw", seed = None, timeout = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "by their names")]
    fn random<'py>(
        &self,
        py: Python<'py>,
        signature: &str,
        value: Option<&str>,
        #[pyo3(from_py_with = arguments::distance)] distance: Option<u16>,
        zugzwang: bool,
        only_move: bool,
        #[pyo3(from_py_with = arguments::turn)] turn: Option<Color>,
        metric: &str,
        #[pyo3(from_py_with = arguments::seed)] seed: Option<u64>,
        timeout: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let filter = arguments::filter(value, distance, zugzwang, only_move)?;
        let query = arguments::query(signature, metric, filter, turn, false)?;
        let seed = arguments::seed_or_random(py, seed)?;
        let timeout = timeout.map(arguments::seconds).transpose()?;
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let found = self.ask(py, |tables| tables.random(&query, seed, deadline))?;
        found.map(|listed| objects::listed(py, &listed)).transpose()
    }

    /// For each row 1 for a win for the side to move, 0 for a draw, -1 for a loss; -128 if a table is missing.
    fn wdl_batch<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::wdl(py, self.game, &*self.tables, positions)
    }

    /// For each row the distance in plies, odd for a win for the side to move and even for a loss; -1 for a
    /// draw, -32768 if a table is missing.
    fn dtw_batch<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::dtw(py, self.game, &*self.tables, positions)
    }

    /// All positions of a signature and their values as arrays. White has the side named first.
    #[pyo3(signature = (signature, *, metric = "dtw", turn = None, copies = false))]
    fn arrays<'py>(
        &self,
        py: Python<'py>,
        signature: &str,
        metric: &str,
        #[pyo3(from_py_with = arguments::turn)] turn: Option<Color>,
        copies: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let query = arguments::query(signature, metric, Filter::default(), turn, copies)?;
        rows::arrays(py, self.game, &*self.tables, &query)
    }

    fn __repr__(&self) -> String {
        let paths: Vec<_> = self.paths.iter().map(|path| path.to_string_lossy()).collect();
        format!("<damka.Tables of {} in {}>", self.game.name(), paths.join(", "))
    }

    /// For `pickle`: another process opens the same directories.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let keywords = PyDict::new(py);
        keywords.set_item("cache", self.cache)?;
        let open = (py.import("damka")?.getattr("open")?,);
        let open = py.import("functools")?.getattr("partial")?.call(open, Some(&keywords))?;
        (open, (self.game.name(), self.paths(py)?)).into_pyobject(py)
    }
}

impl Tables {
    /// Probes without the GIL.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dyn AnyTables) -> Result<T, AskError> + Send,
    ) -> Result<T, Failure> {
        Ok(py.detach(|| question(&*self.tables))?)
    }

    /// Looks up a position: by its bitboards if it is a board of python-chess, otherwise by its text.
    fn ask_about<T: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        of_board: fn(&dyn AnyTables, &Setup) -> Result<T, AskError>,
        of_fen: fn(&dyn AnyTables, &str) -> Result<T, AskError>,
    ) -> PyResult<T> {
        if let Some(setup) = arguments::setup(self.game, position) {
            match py.detach(|| of_board(&*self.tables, &setup)) {
                // Tries the FEN, which may leave out what is wrong. If it does not, its error has the message.
                Err(AskError::Setup(_)) => {}
                answer => return Ok(answer.map_err(Failure::from)?),
            }
        }
        let fen = arguments::position(self.game, position)?;
        Ok(self.ask(py, |tables| of_fen(tables, &fen))?)
    }
}
