//! The router, and the handling of every request: limits, metrics, headers.

use crate::app::App;
use crate::errors::{ApiError, Fault};
use crate::{assets, compression, routes};
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// The address of the client of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The router of all requests.
pub(crate) fn router(app: &Arc<App>) -> Router {
    routes::router()
        .fallback(assets::asset)
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn_with_state(Arc::clone(app), around))
        .with_state(Arc::clone(app))
}

/// Answers a request whose method its route does not support.
async fn not_allowed() -> ApiError {
    ApiError::method()
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
