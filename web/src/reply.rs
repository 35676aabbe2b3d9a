//! Answers: their type, tag and age.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// An answer that fits into memory. It is compressed on its way out, if it is large and the client
/// takes that.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: &'static str,
    pub(crate) cache_control: Option<&'static str>,
    /// The entity tag, with its quotes.
    pub(crate) tag: Option<HeaderValue>,
}

/// How long what never changes may be kept: the tables may be exchanged, so for a day.
pub(crate) const A_DAY: &str = "public, max-age=86400";

/// An object as JSON.
pub(crate) fn json(object: &impl Serialize) -> Reply {
    let mut bytes = Vec::with_capacity(4096);
    // Objects of strings and numbers can always be written to memory.
    let _ = serde_json::to_writer(&mut bytes, object);
    bytes.push(b'\n');
    Reply { bytes, content_type: "application/json", cache_control: None, tag: None }
}

/// Text of a type.
pub(crate) fn text(bytes: Vec<u8>, content_type: &'static str) -> Reply {
    Reply { bytes, content_type, cache_control: None, tag: None }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.bytes));
        let headers = response.headers_mut();
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
