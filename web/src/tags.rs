//! Entity tags, by which clients ask whether an answer has changed.

use crate::reply;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The tag of an answer, computed from what determines it: its bytes, or the tables and the request.
pub(crate) fn tag(parts: &[&[u8]]) -> HeaderValue {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    let hash = hasher.finalize().to_hex();
    let tag = ["W/\"", &hash[..32], "\""].concat();
    HeaderValue::try_from(tag).expect("hexadecimal digits")
}

/// The reply to a client that has the answer with this tag. The client must ask again next time,
/// because whether the answer is complete is not known without computing it.
pub(crate) fn not_modified(tag: HeaderValue) -> Response {
    let cache_control = HeaderValue::from_static(reply::REVALIDATE);
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, cache_control)];
    (StatusCode::NOT_MODIFIED, headers).into_response()
}

/// Whether the client has the answer with this tag.
pub(crate) fn names_tag(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(tag) = tag.to_str().map(opaque) else { return false };
    let named = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut named = named.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    named.any(|named| named.trim() == "*" || opaque(named) == tag)
}
