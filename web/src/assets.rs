//! The files of the page, which are compiled into the program.

use crate::asked::names_tag;
use crate::compression;
use crate::errors::ApiError;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The folder of the page for sites only, with the code that reads tables without a server.
const SITE: &str = "site/";

/// All files of the page of a site.
pub(crate) fn of_site() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PAGE.iter().map(|asset| (asset.path, asset.bytes))
}

/// The files of the WebAssembly reader, if the program was built with them.
pub(crate) fn reader() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    READER.iter().map(|asset| (asset.path, asset.bytes))
}

/// A file of the page.
struct Asset {
    /// Its path within the page.
    path: &'static str,
    bytes: &'static [u8],
    compressed: OnceLock<Option<Vec<u8>>>,
}

impl Asset {
    const fn new(path: &'static str, bytes: &'static [u8]) -> Asset {
        Asset { path, bytes, compressed: OnceLock::new() }
    }

    /// The type, by the ending of the name.
    fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            "json" | "webmanifest" => "application/json",
            "png" => "image/png",
            "webp" => "image/webp",
            "ico" => "image/x-icon",
            "woff2" => "font/woff2",
            "txt" | "md" => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }

    /// The file as gzip, if that is smaller. Compressed once.
    fn compressed(&self) -> Option<&[u8]> {
        let compressed = self.compressed.get_or_init(|| {
            let compressed = compression::gzip(self.bytes, Compression::best()).ok()?;
            (compressed.len() < self.bytes.len()).then_some(compressed)
        });
        compressed.as_deref()
    }

    fn tag(&self) -> HeaderValue {
        let tag = format!("W/\"{}\"", &blake3::hash(self.bytes).to_hex()[..32]);
        HeaderValue::from_str(&tag).expect("hexadecimal digits")
    }
}

/// The content policy: the page may load only from this server.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                      base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/// A file of the page.
pub(crate) async fn asset(request: Request) -> Response {
    let Some(path) = request.uri().path().strip_prefix('/') else {
        let message = "the path of a request begins with `/`";
        return ApiError::bad("bad_path", message).into_response();
    };
    let path = if path.is_empty() { "index.html" } else { path };
    let mut served = PAGE.iter().filter(|asset| !asset.path.starts_with(SITE));
    let Some(asset) = served.find(|asset| asset.path == path) else {
        return ApiError::not_found("no_such_page", "there is nothing here").into_response();
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = ApiError::method().into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
        return response;
    }
    let tag = asset.tag();
    let mut response = match names_tag(request.headers(), &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let compressed =
                asset.compressed().filter(|_| compression::takes_gzip(request.headers()));
            let mut response = Response::new(Body::from(compressed.unwrap_or(asset.bytes)));
            if compressed.is_some() {
                let gzip = HeaderValue::from_static("gzip");
                response.headers_mut().insert(header::CONTENT_ENCODING, gzip);
            }
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type()));
    headers.insert(header::ETAG, tag);
    // Not cached for long, as a new version of the program has a new page.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
