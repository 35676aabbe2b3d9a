//! Compresses answers with gzip for clients that accept it.

use crate::errors::ApiError;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use tokio::task::spawn_blocking;

/// The minimum size to compress; for less, compressing takes more time than it saves.
const LEAST_COMPRESSED: usize = 1400;

/// The size from which compressing would delay other requests of the thread.
const LONG: usize = 32 << 10;

/// Whether the client accepts gzip.
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

/// Compresses bytes with gzip.
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
