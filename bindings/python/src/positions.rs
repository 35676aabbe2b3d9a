//! Lists of positions.

use crate::failure::Failure;
use crate::{arguments, objects};
use damka::{AnyTables, Cursor, ListPage, ListQuery, ListRequest, ListedPosition};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of positions that are listed at a time.
const PAGE: usize = 1000;
/// The maximum time for a page before signals are handled.
const PAGE_TIME: Duration = Duration::from_millis(50);

/// An iterator over the positions of a signature. Threads may share it: each position goes to one of them.
#[pyclass(frozen, module = "damka")]
pub(crate) struct Positions {
    tables: Arc<dyn AnyTables>,
    query: ListQuery,
    scan: Mutex<Scan>,
}

/// How far the scan has come.
struct Scan {
    /// The positions of the page in reverse order: the next one is last.
    page: Vec<ListedPosition>,
    /// The cursor of the next page; `None` at the end.
    next: Option<Cursor>,
    /// Whether the first page has been listed.
    has_begun: bool,
}

impl Positions {
    pub(crate) fn new(
        tables: Arc<dyn AnyTables>,
        query: ListQuery,
        cursor: Option<&str>,
    ) -> Result<Positions, Failure> {
        let next = arguments::cursor(cursor)?;
        // The signature and the cursor are checked now, not with the first position.
        let mut listing = tables.listing(&query)?;
        if let Some(cursor) = next {
            listing.resume(cursor).map_err(damka::AskError::from)?;
        }
        drop(listing);
        let scan = Scan { page: Vec::new(), next, has_begun: false };
        Ok(Positions { tables, query, scan: Mutex::new(scan) })
    }

    /// Returns `Break` with the next position, or with `None` at the end. If the next page is needed first,
    /// lists it and returns `Continue`.
    fn step(&self, py: Python<'_>) -> Result<ControlFlow<Option<ListedPosition>>, Failure> {
        let mut scan = self.scan.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        if let Some(listed) = scan.page.pop() {
            return Ok(Break(Some(listed)));
        }
        if scan.has_begun && scan.next.is_none() {
            return Ok(Break(None));
        }
        let request = ListRequest {
            query: self.query.clone(),
            from: scan.next,
            limit: PAGE,
            deadline: Some(Instant::now() + PAGE_TIME),
        };
        let ListPage { positions: mut page, next, .. } =
            py.detach(|| self.tables.list(&request))?;
        page.reverse();
        *scan = Scan { page, next, has_begun: true };
        Ok(Continue(()))
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            if let Break(next) = self.step(py)? {
                return next.map(|listed| objects::listed(py, &listed)).transpose();
            }
            // Not in `step`, which locks the scan: a signal handler may itself use this iterator.
            py.check_signals()?;
        }
    }
}
