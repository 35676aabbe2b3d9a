//! Builds tables.

use crate::failure::Failure;
use crate::interrupt::watched;
use crate::{arguments, objects};
use damka::Builder;
use damka::generate::{self, Event, Stop};
use damka::tables::MAX_TABLE_PIECES;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The progress of the work.
#[derive(Clone, Default)]
struct Advance {
    signature: String,
    done: u64,
    total: u64,
    share: f64,
}

/// Stores the last progress, for the thread that reports it to the caller.
#[derive(Default)]
struct Last {
    advance: Mutex<Advance>,
}

impl generate::Progress for Last {
    fn event(&self, event: Event) {
        let mut advance = self.advance.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Planned { positions, .. } => advance.total = positions,
            Event::Started { signature } => advance.signature = signature,
            Event::Advanced { done, total, share, .. } => {
                (advance.done, advance.total, advance.share) = (done, total, share);
            }
            Event::Done { .. } => (advance.done, advance.share) = (advance.total, 1.0),
            _ => {}
        }
    }
}

impl Last {
    fn advance(&self) -> Advance {
        self.advance.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Builds missing tables in a directory: all of up to a number of pieces, or those of one or several
/// signatures and of what they lead to.
///
/// `progress` is called a few times a second. An exception from it ends the work, like Ctrl-C; finished
/// tables are kept.
#[pyfunction]
#[pyo3(signature = (game, tables, path, *, progress = None))]
pub(crate) fn build(
    py: Python<'_>,
    game: &str,
    tables: &Bound<'_, PyAny>,
    path: PathBuf,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (stop, last) = (Stop::default(), Last::default());
    let builder = Builder::new(arguments::game(game)?, path).with_stop(stop.clone());
    let signatures = signatures(&builder, tables)?;
    let watch = |py: Python<'_>| {
        let Some(progress) = progress else { return Ok(()) };
        let Advance { signature, done, total, share } = last.advance();
        progress.call1((objects::progress(py, &signature, done, total, share)?,)).map(drop)
    };
    let built = watched(py, || builder.build(&signatures, &last), || stop.request(), watch)?;
    Ok(built.map_err(Failure::from)?)
}

/// The signatures to build.
fn signatures(builder: &Builder, tables: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(pieces) = tables.extract::<u32>() {
        if !(2..=MAX_TABLE_PIECES).contains(&pieces) {
            let text = format!("tables have 2 to {MAX_TABLE_PIECES} pieces, not {pieces}");
            return Err(PyValueError::new_err(text));
        }
        return Ok((2..=pieces).flat_map(|pieces| builder.signatures(pieces)).collect());
    }
    if let Ok(signature) = tables.extract() {
        return Ok(vec![signature]);
    }
    tables.extract().map_err(|_| {
        PyTypeError::new_err("expected a number of pieces, a signature or several signatures")
    })
}
