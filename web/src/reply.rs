//! Answers: their type, tag, age and compression.

use crate::errors::ApiError;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::{self, Write};
use tokio::task::spawn_blocking;

/// Compressing less than this takes more time than it saves.
const LEAST_COMPRESSED: usize = 1400;

/// Compressing this much would hold up other requests of the thread.
const LONG: usize = 32 << 10;

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

/// Whether the client takes gzip.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = accepted.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let refused = |weight: &str| {
            let weight = weight.strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
            weight == Some(0.0)
        };
        named && !parts.any(refused)
    })
}

/// The bytes as gzip.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Compresses a large answer.
pub(crate) async fn compress(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let size = hyper::body::Body::size_hint(&body).exact();
    let is_done = parts.headers.contains_key(header::CONTENT_ENCODING);
    let large = size.filter(|&size| size >= LEAST_COMPRESSED as u64 && !is_done);
    let Some(size) = large else { return Response::from_parts(parts, body) };
    let Ok(bytes) = axum::body::to_bytes(body, size as usize).await else {
        return ApiError::internal().into_response();
    };
    let compressed = match bytes.len() < LONG {
        true => gzip(&bytes, Compression::fast()).ok(),
        false => {
            let bytes = bytes.clone();
            let work = move || gzip(&bytes, Compression::fast()).ok();
            spawn_blocking(work).await.ok().flatten()
        }
    };
    let Some(compressed) = compressed else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(compressed))
}
