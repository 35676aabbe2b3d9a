//! The part of HTTP/1.1 that clients of the site need.

use serde_json::Value;
use std::io::{self, BufRead, Read};

/// The longest body that the server reads.
const LONGEST: usize = 100 << 10;

/// A client's request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// `GET`, `POST`...
    pub(super) method: String,
    /// The path without `/api`.
    pub(super) path: String,
    /// Names in lower case, and values.
    headers: Vec<(String, String)>,
    /// The body.
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads a request; `None` if the client has closed the connection.
    pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Request>> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a request");
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let (Some(method), Some(path)) = (words.next(), words.next()) else { return Err(wrong()) };
        let (method, path) = (method.to_owned(), path.to_owned());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line)?;
            match line.trim_end() {
                "" => break,
                line => {
                    let (name, value) = line.split_once(':').ok_or_else(wrong)?;
                    headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
                }
            }
        }
        let path = path.strip_prefix("/api").unwrap_or("/").to_owned();
        let mut request = Request { method, path, headers, body: Vec::new() };
        let length = request.header("content-length").map_or(Ok(0), str::parse::<usize>);
        let length = length.map_err(|_| wrong())?;
        from.take(length as u64).read_to_end(&mut request.body)?;
        Ok(Some(request))
    }

    /// The value of a header, by its name in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(here, _)| here == name).map(|(_, value)| &**value)
    }

    /// Whether the body is longer than the server accepts.
    pub(super) fn is_too_long(&self) -> bool {
        self.body.len() > LONGEST
    }

    /// Whether the connection ends after the answer.
    pub(super) fn is_last(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// A JSON value.
    Json(u16, Value),
    /// An empty body with the type of JSON.
    Empty(u16),
    /// The site's page, the answer to unknown paths.
    Page,
    /// Any bytes.
    Raw(u16, Vec<u8>),
}

impl Reply {
    /// The answer as bytes of HTTP.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let (status, kind, body) = match self {
            Reply::Json(status, value) => (*status, "application/json", value.to_string().into()),
            Reply::Empty(status) => (*status, "application/json", Vec::new()),
            Reply::Page => (200, "text/html", PAGE.as_bytes().to_vec()),
            Reply::Raw(status, body) => (*status, "application/json", body.clone()),
        };
        let head = format!(
            "HTTP/1.1 {status} {}\r\nAccess-Control-Allow-Origin: *\r\n\
             Content-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
             Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n",
            if status < 300 { "OK" } else { "No" },
            body.len()
        );
        [head.into_bytes(), body].concat()
    }
}

const PAGE: &str = "<!doctype html>\n<html lang=\"en\"><head><title>Dagaz</title></head></html>\n";
