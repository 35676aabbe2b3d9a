//! Lists of positions.

use crate::failure::Failure;
use crate::{arguments, objects};
use damka::{AnyTables, Cursor, ListPage, ListQuery, ListRequest, ListedPosition};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum number of positions that are listed at a time.
const PAGE: usize = 1000;
/// The maximum time for a page before signals are handled.
const PAGE_TIME: Duration = Duration::from_millis(50);

/// An iterator over the positions of a signature.
#[pyclass(module = "damka")]
pub(crate) struct Positions {
    tables: Arc<dyn AnyTables>,
    query: ListQuery,
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
        Ok(Positions { tables, query, page: Vec::new(), next, has_begun: false })
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        while self.page.is_empty() {
            if self.has_begun && self.next.is_none() {
                return Ok(None);
            }
            let request = ListRequest {
                query: self.query.clone(),
                from: self.next,
                limit: PAGE,
                deadline: Some(Instant::now() + PAGE_TIME),
            };
            let tables = &self.tables;
            let ListPage { positions, next, .. } =
                py.detach(|| tables.list(&request)).map_err(Failure::from)?;
            (self.page, self.next, self.has_begun) = (positions, next, true);
            self.page.reverse();
            py.check_signals()?;
        }
        self.page.pop().map(|listed| objects::listed(py, &listed)).transpose()
    }
}
