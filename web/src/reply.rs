//! Answers with their type, tag and cache headers.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An answer in memory. It is compressed when it is sent, if it is large and the client accepts gzip.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: &'static str,
    pub(crate) cache_control: Option<&'static str>,
    /// The entity tag, with its quotes.
    pub(crate) tag: Option<HeaderValue>,
}

/// The cache header of complete answers: they change only if tables are replaced.
pub(crate) const A_DAY: &str = "public, max-age=86400";

/// The cache header of answers that further tables may change: a client asks each time whether they have.
pub(crate) const REVALIDATE: &str = "no-cache";

/// The maximum number of headers that nearly all answers have.
const MOST_HEADERS: usize = 10;

/// An object as JSON.
pub(crate) fn json(object: &impl Serialize) -> Reply {
    let mut bytes = Vec::with_capacity(4096);
    // Objects of strings and numbers can always be written to memory.
    let _ = serde_json::to_writer(&mut bytes, object);
    bytes.push(b'\n');
    Reply { bytes, content_type: "application/json", cache_control: None, tag: None }
}

/// A text with its type.
pub(crate) fn text(bytes: Vec<u8>, content_type: &'static str) -> Reply {
    Reply { bytes, content_type, cache_control: None, tag: None }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.bytes));
        let headers = response.headers_mut();
        // Room for the headers set here and for those that every answer gets, so that the map does
        // not grow twice.
        headers.reserve(MOST_HEADERS);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if let Some(control) = self.cache_control {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
        }
        if let Some(tag) = self.tag {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}
