//! The files of the page, which are compiled into the program.

use crate::errors::ApiError;
use crate::kept::Kept;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The folder of the page that only sites use. It has the code that reads tables without a server.
const SITE: &str = "site/";

/// All files of the page of a site.
pub(crate) fn of_site() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PAGE.iter().map(|asset| (asset.path, &*asset.file.bytes))
}

/// The files of the WebAssembly reader, if the program was built with them.
pub(crate) fn reader() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    READER.iter().map(|asset| (asset.path, &*asset.file.bytes))
}

/// A file of the page.
struct Asset {
    /// The path of the file within the page.
    path: &'static str,
    file: Kept,
}

impl Asset {
    const fn new(path: &'static str, bytes: &'static [u8]) -> Asset {
        Asset { path, file: Kept::new(Bytes::from_static(bytes)) }
    }

    /// The media type, by the ending of the name.
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
}

/// A content security policy by which the page may load only from its own server. The arguments are further
/// rules for scripts and frames.
macro_rules! policy {
    ($scripts:literal, $frames:literal) => {
        concat!(
            "default-src 'self'; ",
            $scripts,
            "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; ",
            $frames,
            "form-action 'self'"
        )
    };
}

/// The content security policy of the page, which `damka serve` sends as a header.
const POLICY: &str = policy!("", "frame-ancestors 'none'; ");

/// The content security policy of a site, which also runs the WebAssembly reader. It is in a `meta` element
/// of the page, where browsers ignore `frame-ancestors`.
pub(crate) const SITE_POLICY: &str = policy!("script-src 'self' 'wasm-unsafe-eval'; ", "");

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
    let mut response = asset.file.respond(asset.content_type(), request.headers());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
