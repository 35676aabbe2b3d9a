//! The router, and the handling of every request: limits, metrics, headers.

use crate::engines::Engines;
use crate::errors::{ApiError, Fault};
use crate::kept::Kept;
use crate::library::Library;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::options::{ServerLimits, ServerOptions};
use crate::pool::Pool;
use crate::rates::Rates;
use crate::uploads::Uploads;
use crate::{ServerError, assets, compression, routes};
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Instant;

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
    rates: Rates,
    origins: Vec<HeaderValue>,
}

/// The number of texts of games that may wait for each thread; each may take the maximum time of a
/// request.
const ANNOTATIONS: usize = 4;

/// The address of the client of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

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

    /// The router of all requests.
    pub(crate) fn router(app: &Arc<App>) -> Router {
        routes::router()
            .fallback(assets::asset)
            .method_not_allowed_fallback(not_allowed)
            .layer(from_fn_with_state(Arc::clone(app), around))
            .with_state(Arc::clone(app))
    }

    /// The headers that let a page of another origin read an answer.
    fn allow_origin(&self, origin: Option<&HeaderValue>, headers: &mut HeaderMap) {
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

/// Answers a request whose method its route does not support.
async fn not_allowed() -> ApiError {
    ApiError::method()
}

/// An origin in the form of browsers.
fn origin_header(origin: &str) -> Result<HeaderValue, ServerError> {
    let host = origin.split_once("://").map(|(_, host)| host);
    let is_origin = host.is_some_and(|host| !host.is_empty() && !host.contains('/'));
    let value = HeaderValue::from_str(origin).ok().filter(|_| is_origin);
    value.ok_or_else(|| ServerError::Origin(origin.to_owned()))
}

/// Limits and counts a request, and completes the headers of its answer.
async fn around(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = match request.extensions().get::<MatchedPath>() {
        Some(path) => app.metrics.route(path.as_str()),
        None => app.metrics.route(""),
    };
    let origin = request.headers().get(header::ORIGIN).cloned();
    let takes_gzip = compression::takes_gzip(request.headers());
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let has_body = !hyper::body::Body::is_end_stream(request.body());
    let limited = match client(&request) {
        Some(client) => app.rates.take(client, routes::cost(&request)),
        None => Ok(()),
    };
    let mut response = match limited {
        Err(seconds) => ApiError::too_many(seconds).into_response(),
        Ok(()) if is_preflight(&request) => preflight(),
        Ok(()) => next.run(request).await,
    };
    if let Some(Fault(reason)) = response.extensions().get() {
        app.log.failed(&format!("{method} {uri}"), reason);
    }
    if takes_gzip {
        response = compression::compress(response).await;
    }
    let may_be_unread = has_body && !(method == Method::POST && response.status().is_success());
    let headers = response.headers_mut();
    app.allow_origin(origin.as_ref(), headers);
    // hyper closes a connection with an unread body, so the client must be told.
    if may_be_unread {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    app.metrics.count(route, response.status(), start.elapsed());
    response
}

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::VARY, "Accept-Encoding, Origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// The address whose rate is limited. A proxy on this machine passes the client's address on,
/// perhaps with a port; if it passes other text, its own address is limited. Other programs on this
/// machine are not limited.
fn client(request: &Request) -> Option<IpAddr> {
    let &Peer(peer) = request.extensions().get::<Peer>()?;
    if !peer.to_canonical().is_loopback() {
        return Some(peer);
    }
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back()?;
    let last = forwarded.to_str().ok().and_then(|list| list.rsplit(',').next());
    let address = last.and_then(|last| address(last.trim()));
    Some(address.unwrap_or(peer))
}

/// Parses an address in the forms of proxies: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
/// `[2001:db8::1]:80` or `[2001:db8::1]`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().or_else(|_| text.parse().map(|socket: SocketAddr| socket.ip())).ok()
}

/// Whether this is a preflight request of a browser.
fn is_preflight(request: &Request) -> bool {
    let asks = header::ACCESS_CONTROL_REQUEST_METHOD;
    request.method() == Method::OPTIONS && request.headers().contains_key(asks)
}

fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, If-None-Match"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
