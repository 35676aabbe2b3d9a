//! Answers that are the same for all clients.

use crate::compression;
use crate::reply;
use crate::tags::{names_tag, tag};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use std::sync::OnceLock;

/// An answer that is kept. Its tag and its compressed form are made once, when they are first needed.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) bytes: Bytes,
    tag: OnceLock<HeaderValue>,
    /// The bytes as gzip, if that is smaller.
    compressed: OnceLock<Option<Bytes>>,
}

impl Kept {
    pub(crate) const fn new(bytes: Bytes) -> Kept {
        Kept { bytes, tag: OnceLock::new(), compressed: OnceLock::new() }
    }

    fn tag(&self) -> HeaderValue {
        self.tag.get_or_init(|| tag(&[&self.bytes])).clone()
    }

    fn compressed(&self) -> Option<Bytes> {
        let compressed = self.compressed.get_or_init(|| {
            let compressed = compression::gzip(&self.bytes, Compression::best()).ok()?;
            (compressed.len() < self.bytes.len()).then(|| compressed.into())
        });
        compressed.clone()
    }

    /// The response to a request with these headers. Clients ask each time whether the answer has
    /// changed, because another version of the program, or other tables, give another answer.
    pub(crate) fn respond(
        &self,
        content_type: &'static str,
        request_headers: &HeaderMap,
    ) -> Response {
        let mut response = match names_tag(request_headers, &self.tag()) {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => match self.compressed().filter(|_| compression::takes_gzip(request_headers)) {
                Some(compressed) => {
                    let encoding = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
                    (encoding, Body::from(compressed)).into_response()
                }
                None => Response::new(Body::from(self.bytes.clone())),
            },
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::ETAG, self.tag());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(reply::REVALIDATE));
        response
    }
}
