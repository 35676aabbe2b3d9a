//! The shared state of all requests.

use crate::ServerError;
use crate::engines::Engines;
use crate::kept::Kept;
use crate::library::Library;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::options::{ServerLimits, ServerOptions};
use crate::pool::Pool;
use crate::rates::Rates;
use crate::uploads::Uploads;
use axum::http::{HeaderMap, HeaderValue, header};
use std::sync::{Arc, Mutex};

/// The shared state of all requests.
pub(crate) struct App {
    pub(crate) library: Library,
    pub(crate) limits: ServerLimits,
    /// The pool for answers about one position.
    pub(crate) probes: Pool,
    /// The pool for maps, lists, histograms and batches, which take longer.
    pub(crate) scans: Pool,
    /// The pool for annotated games, which take longest.
    pub(crate) annotations: Pool,
    pub(crate) uploads: Uploads,
    pub(crate) engines: Option<Engines>,
    pub(crate) metrics: Metrics,
    pub(crate) log: Log,
    /// The digests of the tables that the last answer to `/api/games` describes, and that answer.
    pub(crate) games: Mutex<Option<(String, Arc<Kept>)>>,
    pub(crate) rates: Rates,
    origins: Vec<HeaderValue>,
}

/// The number of texts of games that may wait for each thread. Each text may take the maximum time of
/// a request.
const ANNOTATIONS: usize = 4;

impl App {
    pub(crate) fn new(options: ServerOptions) -> Result<App, ServerError> {
        let limits = options.limits;
        let origins = options.origins.iter().map(|origin| origin_header(origin));
        let library = Library::open(&options).map_err(ServerError::Tables)?;
        let log = Log::new(options.log);
        library.all().for_each(|tables| tables.report_damage(&log));
        Ok(App {
            origins: origins.collect::<Result<_, _>>()?,
            library,
            uploads: Uploads::new(&limits),
            engines: Engines::of(&options),
            limits,
            probes: Pool::new(limits.probe_threads, limits.queue),
            scans: Pool::new(limits.scan_threads, limits.queue),
            annotations: Pool::new(limits.annotation_threads, limits.queue.min(ANNOTATIONS)),
            metrics: Metrics::default(),
            log,
            games: Mutex::default(),
            rates: Rates::new(limits.rate),
        })
    }

    /// The number of running and waiting requests of each pool.
    pub(crate) fn pools(&self) -> [(&'static str, usize); 4] {
        [
            ("probes", self.probes.in_use()),
            ("scans", self.scans.in_use()),
            ("annotations", self.annotations.in_use()),
            ("searches", self.engines.as_ref().map_or(0, Engines::in_use)),
        ]
    }

    /// The headers that let a page of another origin read an answer.
    pub(crate) fn allow_origin(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
        let allowed = match (origin, self.origins.is_empty()) {
            (_, true) => HeaderValue::from_static("*"),
            (Some(origin), false) if self.origins.contains(origin) => origin.clone(),
            _ => return,
        };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        let exposed = HeaderValue::from_static("ETag, Retry-After");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// An origin in the form of browsers.
fn origin_header(origin: &str) -> Result<HeaderValue, ServerError> {
    let host = origin.split_once("://").map(|(_, host)| host);
    let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains('/'));
    let value = HeaderValue::from_str(origin).ok().filter(|_| is_origin);
    value.ok_or_else(|| ServerError::Origin(origin.to_owned()))
}
