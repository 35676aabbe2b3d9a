//! Errors as the exceptions of `_errors.py`.

use crate::objects;
use damka::generate::GenError;
use damka::{AskError, BuildError, MissingTable, PlayerError, ProbeError, RowError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// An exception, made from an error.
pub(crate) struct Failure(PyErr);

impl From<Failure> for PyErr {
    fn from(Failure(exception): Failure) -> PyErr {
        exception
    }
}

impl From<PyErr> for Failure {
    fn from(exception: PyErr) -> Failure {
        Failure(exception)
    }
}

/// An exception of a class of `_errors.py` with the text of an error.
pub(crate) fn error(class: &str, error: impl Display) -> PyErr {
    Python::attach(|py| made(py, class, error).map_or_else(|failed| failed, PyErr::from_value))
}

fn made<'py>(py: Python<'py>, class: &str, error: impl Display) -> PyResult<Bound<'py, PyAny>> {
    py.import("damka._errors")?.getattr(class)?.call1((error.to_string(),))
}

/// An exception about a file.
fn about_file(class: &str, error: impl Display, path: Option<&Path>) -> PyErr {
    Python::attach(|py| {
        let exception = made(py, class, error).and_then(|exception| {
            exception.setattr("path", path.map(|path| path.to_string_lossy()))?;
            Ok(exception)
        });
        exception.map_or_else(|failed| failed, PyErr::from_value)
    })
}

/// The text of an error, which names a file, with the file's whole path.
pub(crate) fn with_path(error: impl Display, path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("{error} ({})", path.display()),
        None => error.to_string(),
    }
}

/// An exception about a system call, with its error number if it has one.
pub(crate) fn io_error(error: impl Display, source: &io::Error, path: Option<&Path>) -> PyErr {
    let exception = about_file("Io", error, path);
    Python::attach(|py| {
        // Every `OSError` has this attribute. A failure to set it is ignored.
        let _ = exception.value(py).setattr("errno", source.raw_os_error());
    });
    exception
}

/// The exception for missing tables: it has their names, or says that no table can exist.
pub(crate) fn missing(error: impl Display, tables: &[MissingTable]) -> PyErr {
    Python::attach(|py| {
        let class = if tables.is_empty() { "NoTable" } else { "MissingTable" };
        let exception = made(py, class, error).and_then(|exception| {
            let names = tables.iter().map(|table| objects::table_name(py, table));
            let names = PyTuple::new(py, names.collect::<PyResult<Vec<_>>>()?)?;
            exception.setattr("tables", names)?;
            Ok(exception)
        });
        exception.map_or_else(|failed| failed, PyErr::from_value)
    })
}

impl From<ProbeError> for Failure {
    fn from(failed: ProbeError) -> Failure {
        let path = failed.path();
        Failure(match &failed {
            _ if failed.is_missing() => missing(&failed, MissingTable::of(&failed).as_slice()),
            ProbeError::TooManyCaptures => error("TooManyCaptures", &failed),
            ProbeError::Memory(_) => error("NoMemory", &failed),
            ProbeError::Damaged { .. } => {
                about_file("DamagedTable", with_path(&failed, path), path)
            }
            ProbeError::Io { error, .. } => io_error(with_path(&failed, path), error, path),
            _ => error("Error", &failed),
        })
    }
}

impl From<AskError> for Failure {
    fn from(failed: AskError) -> Failure {
        let class = match failed {
            AskError::Probe(failed) => return failed.into(),
            AskError::Fen { .. } | AskError::Row(_) | AskError::Setup(_) => "BadPosition",
            AskError::Move(_) => "BadMove",
            AskError::Signature(_) => "BadSignature",
            AskError::NoPiece { .. } => "BadSquare",
            AskError::Place(_) => "BadCursor",
            AskError::NoDistance => "NoDistance",
            _ => "Error",
        };
        Failure(error(class, failed))
    }
}

impl From<RowError> for Failure {
    fn from(failed: RowError) -> Failure {
        AskError::from(failed).into()
    }
}

impl From<BuildError> for Failure {
    fn from(failed: BuildError) -> Failure {
        let failed = match failed {
            BuildError::Gen(GenError::Probe(failed)) => return failed.into(),
            BuildError::Gen(failed) => failed,
            failed => return Failure(error("BadSignature", failed)),
        };
        let path = failed.path();
        let text = with_path(&failed, path);
        Failure(match &failed {
            GenError::Memory { .. } | GenError::NoMemory(_) => error("NoMemory", text),
            GenError::Disk { .. } => about_file("Io", text, path),
            GenError::Io { error, .. } => io_error(text, error, path),
            GenError::ReadBack { .. } => about_file("DamagedTable", text, path),
            _ => error("BuildFailed", text),
        })
    }
}

impl From<PlayerError> for Failure {
    fn from(failed: PlayerError) -> Failure {
        match failed {
            PlayerError::Tables(failed) => failed.into(),
            PlayerError::File(failed) => Failure(about_file("Io", &failed, failed.path.as_deref())),
            PlayerError::Memory(failed) => Failure(error("NoMemory", failed)),
        }
    }
}
