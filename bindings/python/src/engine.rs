//! The engine.

use crate::failure::{Failure, error, io_error, with_path};
use crate::interrupt::watched;
use crate::tables::Tables;
use crate::{arguments, objects};
use damka::{
    AnyEngine, AnyGame, AskError, Control, Level, Limits, PlayerSettings, SearchRequest,
    open_engine,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The default search time.
const TIME: Duration = Duration::from_secs(1);

/// An engine for a game.
#[pyclass(frozen, module = "damka")]
pub(crate) struct Engine {
    game: AnyGame,
    engine: Mutex<Box<dyn AnyEngine>>,
    /// The ID of the process in which its threads run.
    process: u32,
}

impl Engine {
    /// Locks the engine: waits while another thread uses it.
    fn lock(&self) -> MutexGuard<'_, Box<dyn AnyEngine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets up the position after `moves`, and runs `work` there. An exception, such as by Ctrl-C, stops it.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        moves: Option<Vec<String>>,
        work: impl FnOnce(&mut dyn AnyEngine, &Control) -> T + Send,
    ) -> PyResult<T> {
        let fen = arguments::position(self.game, position)?;
        let moves: Vec<&str> = moves.iter().flatten().map(String::as_str).collect();
        let control = Control::default();
        let work = || {
            let mut engine = self.lock();
            engine.set_position(&fen, &moves)?;
            Ok(work(&mut **engine, &control))
        };
        let done = watched(py, work, || control.stop(), |_| Ok(()))?;
        done.map_err(|failed: AskError| Failure::from(failed).into())
    }

    /// Fails in a forked process: the engine's threads, and any thread that had locked it, do not
    /// exist there.
    fn check_process(&self) -> PyResult<()> {
        match self.process == process::id() {
            true => Ok(()),
            false => Err(error(
                "Error",
                "this engine was made in the process that was forked: make one in each process",
            )),
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    // The text of the signature is given because `level` would be shown as `...`.
    #[pyo3(
        signature = (
            game, *, tables = None, threads = 1, memory = 67_108_864, weights = None,
            level = Level::FULL, variety = 0, seed = None
        ),
        text_signature = "(game, *, tables=None, threads=1, memory=67108864, weights=None, level=10, \
                          variety=0, seed=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "by their names")]
    fn new(
        py: Python<'_>,
        game: &str,
        tables: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        #[pyo3(from_py_with = arguments::memory)] memory: usize,
        weights: Option<PathBuf>,
        #[pyo3(from_py_with = arguments::level)] level: Level,
        #[pyo3(from_py_with = arguments::variety)] variety: u16,
        #[pyo3(from_py_with = arguments::seed)] seed: Option<u64>,
    ) -> PyResult<Engine> {
        let game = arguments::game(game)?;
        let tables = tables.map(|tables| directory(game, tables)).transpose()?;
        if let Some(directory) = &tables {
            fs::read_dir(directory).map_err(|error| {
                io_error(with_path(&error, Some(directory)), &error, Some(directory))
            })?;
        }
        let seed = arguments::seed_or_random(py, seed)?;
        let settings = PlayerSettings {
            tables,
            threads,
            memory,
            weights,
            level,
            variety,
            seed,
            ..PlayerSettings::new(game)
        };
        let engine = open_engine(&settings).map_err(Failure::from)?;
        Ok(Engine { game, engine: Mutex::new(engine), process: process::id() })
    }

    /// The game's name.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// Searches a position until a limit is reached; the default is one second.
    #[pyo3(signature = (
        position, *, moves = None, time = None, depth = None, nodes = None, lines = 1
    ))]
    #[expect(clippy::too_many_arguments, reason = "by their names")]
    fn search<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        moves: Option<Vec<String>>,
        time: Option<f64>,
        #[pyo3(from_py_with = arguments::depth)] depth: Option<u16>,
        #[pyo3(from_py_with = arguments::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = arguments::lines)] lines: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_process()?;
        if lines == 0 {
            return Err(PyValueError::new_err("at least one line must be searched"));
        }
        let limits = Limits { is_analysis: true, ..limits(time, depth, nodes)? };
        let request = SearchRequest { limits, lines: Some(lines) };
        let found = self.run(py, position, moves, |engine, control| {
            engine.search(&request, control, &mut |_| ())
        })?;
        objects::found(py, &found)
    }

    /// The move to play in a position, at the level of the engine; `None` if there is no legal move.
    #[pyo3(signature = (position, *, moves = None, time = None, depth = None, nodes = None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        moves: Option<Vec<String>>,
        time: Option<f64>,
        #[pyo3(from_py_with = arguments::depth)] depth: Option<u16>,
        #[pyo3(from_py_with = arguments::nodes)] nodes: Option<u64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.check_process()?;
        let limits = limits(time, depth, nodes)?;
        let chosen =
            self.run(py, position, moves, |engine, control| engine.choose(&limits, control))?;
        chosen.map(|ply| objects::ply(py, &ply)).transpose()
    }

    /// Prepares for another game: clears the results of searches, and makes other random choices.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        py.detach(|| self.lock().new_game());
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<damka.Engine for {}>", self.game.name())
    }
}

/// The limits of a search: one second if there are none.
fn limits(time: Option<f64>, depth: Option<u16>, nodes: Option<u64>) -> PyResult<Limits> {
    let time = time.map(arguments::seconds).transpose()?;
    let is_unlimited = time.is_none() && depth.is_none() && nodes.is_none();
    let time = if is_unlimited { Some(TIME) } else { time };
    Ok(Limits { time, depth, nodes, ..Limits::default() })
}

/// The directory of the tables of an engine.
fn directory(game: AnyGame, tables: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let Ok(tables) = tables.cast::<Tables>() else { return tables.extract() };
    let tables = tables.get();
    match &tables.paths[..] {
        _ if tables.game != game => Err(PyValueError::new_err(format!(
            "an engine for {} cannot use tables of {}",
            game.name(),
            tables.game.name()
        ))),
        [path] => Ok(path.clone()),
        _ => Err(PyValueError::new_err("an engine reads its tables from one directory")),
    }
}
