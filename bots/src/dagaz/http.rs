//! One request on one connection, and its answer as JSON.

use crate::error::{BotError, CallError};
use crate::options::Pace;
use crate::tally::Tally;
use damka_games::excerpt;
use serde_json::Value;
use std::io;
use ureq::http::Response;
use ureq::{Agent, Body};

/// The maximum size of an answer, in bytes. Lists have at most 200 rows.
const MAX_ANSWER: u64 = 4 << 20;

/// A server. Each request has its own connection: the server drops connections that are idle for some
/// seconds, and a request sent at that moment would be lost.
pub(super) struct Http {
    agent: Agent,
    /// The URL, without `/api` and without a slash at the end.
    url: String,
    tally: Tally,
}

impl Http {
    /// The server at `url`, with or without `/api`.
    ///
    /// # Errors
    /// The URL is invalid, or contains a password.
    pub(super) fn new(url: &str, pace: &Pace) -> Result<Http, BotError> {
        // The error must not quote the URL, which may contain a password.
        if url.contains('@') {
            return Err(BotError::Secret);
        }
        let wrong = || BotError::Url(excerpt(url));
        let uri: ureq::http::Uri = url.trim().parse().map_err(|_| wrong())?;
        let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
        if !is_http || !has_valid_host(&uri) || url.contains(['?', '#']) {
            return Err(wrong());
        }
        let url = url.trim().trim_end_matches('/');
        let url = url.strip_suffix("/api").unwrap_or(url).to_owned();
        let config = Agent::config_builder()
            .timeout_connect(Some(pace.connect))
            .timeout_global(Some(pace.call))
            .http_status_as_error(false)
            // The password must go to the server only: proxies from the environment are not used.
            .proxy(None)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .max_idle_connections_per_host(0)
            .user_agent(concat!("damka/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Http { agent: config.into(), url, tally: Tally::default() })
    }

    /// The URL of the server, without `/api`.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The counts of requests and moves.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    pub(super) fn get(&self, path: &str, token: Option<&str>) -> Result<Value, CallError> {
        let mut request = self.agent.get(format!("{}/api{path}", self.url));
        request = request.header("connection", "close");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.noted(answer(request.call()))
    }

    pub(super) fn post(
        &self,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> Result<Value, CallError> {
        let mut request = self.agent.post(format!("{}/api{path}", self.url));
        request = request.header("connection", "close").content_type("application/json");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.noted(answer(request.send(body.to_string())))
    }

    fn noted(&self, answer: Result<Value, CallError>) -> Result<Value, CallError> {
        self.tally.note(&answer);
        answer
    }
}

/// Whether a URL has a host and, if it names a port, a valid one: the password must not go elsewhere.
fn has_valid_host(uri: &ureq::http::Uri) -> bool {
    let Some(authority) = uri.authority() else { return false };
    let host = authority.host();
    let port = authority.as_str().strip_prefix(host).map(|rest| rest.strip_prefix(':'));
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    !host.is_empty()
        && match port {
            Some(None) => authority.as_str() == host,
            Some(Some(port)) => is_port(port),
            None => false,
        }
}

/// Reads an answer; an empty one is `null`. Errors describe an answer that is not understood, but do
/// not quote it, because it may repeat a secret.
fn answer(result: Result<Response<Body>, ureq::Error>) -> Result<Value, CallError> {
    let mut response = result.map_err(transport_error)?;
    let status = response.status().as_u16();
    let text = response
        .body_mut()
        .with_config()
        .limit(MAX_ANSWER)
        .read_to_vec()
        .map_err(transport_error)?;
    let value: Option<Value> = match text.trim_ascii() {
        [] => Some(Value::Null),
        text => serde_json::from_slice(text).ok(),
    };
    let unknown = || {
        let what = match (&value, text.trim_ascii_start().first()) {
            (Some(value), _) => kind(value),
            (None, Some(b'<')) => "a page",
            (None, Some(b'{' | b'[')) => "JSON that breaks off or has an error",
            (None, _) => "no JSON",
        };
        CallError::NotUnderstood(format!("status {status}, {} bytes, {what}", text.len()))
    };
    match status {
        200..300 if value.is_none() => Err(unknown()),
        200..300 => Ok(value.unwrap_or_default()),
        401 => Err(CallError::Login),
        // An error object of the server means that the token has expired. Other refusals are empty, or
        // repeat the request.
        403 => match value.as_ref().is_some_and(|value| !value["statusCode"].is_null()) {
            true => Err(CallError::Login),
            false => Err(CallError::Refused),
        },
        404 => Err(CallError::NotFound),
        400..600 => Err(CallError::Fault(status)),
        _ => Err(unknown()),
    }
}

/// The type of a JSON value, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Why no answer arrived. The text consists of words of this program or of the system: other text, such
/// as that of a certificate, may come from the server.
fn transport_error(error: ureq::Error) -> CallError {
    let why = match error {
        ureq::Error::Timeout(_) => return CallError::Timeout,
        ureq::Error::Io(error) if error.raw_os_error().is_some() => error.to_string(),
        ureq::Error::Io(error) => match error.kind() {
            io::ErrorKind::UnexpectedEof => "the connection was closed".to_owned(),
            io::ErrorKind::InvalidData => "the connection is not secure".to_owned(),
            kind => kind.to_string(),
        },
        ureq::Error::HostNotFound => "the host is not found".to_owned(),
        ureq::Error::ConnectionFailed => "there is no connection".to_owned(),
        ureq::Error::Rustls(_) | ureq::Error::Tls(_) => "the connection is not secure".to_owned(),
        ureq::Error::BodyExceedsLimit(most) => format!("it has more than {most} bytes"),
        _ => "it is not HTTP".to_owned(),
    };
    CallError::Transport(why)
}

#[cfg(test)]
mod tests {
    use super::super::scripted::{Scripted, answer as answered};
    use super::*;
    use std::thread;
    use std::time::{Duration, Instant};

    fn http(url: &str) -> Http {
        let pace = Pace { call: Duration::from_millis(500), ..Pace::default() };
        Http::new(url, &pace).expect("an address")
    }

    /// The result of a request that is answered by these bytes.
    fn ask(bytes: impl Into<Vec<u8>>) -> Result<Value, CallError> {
        let bytes = bytes.into();
        http(&Scripted::new(move |_| bytes.clone()).url).get("/x", Some("secret"))
    }

    #[test]
    fn answers_are_distinguished() {
        let forbidden = r#"{"statusCode":403,"error":"Forbidden","message":"Forbidden resource"}"#;
        for (status, body, expected) in [
            (200, "[1]", Ok(serde_json::json!([1]))),
            (201, "", Ok(Value::Null)),
            (401, "", Err(CallError::Login)),
            (403, forbidden, Err(CallError::Login)),
            (403, "", Err(CallError::Refused)),
            (403, r#"{"winner":7,"id":null}"#, Err(CallError::Refused)),
            (403, "<html>", Err(CallError::Refused)),
            (404, "", Err(CallError::NotFound)),
            (404, "null", Err(CallError::NotFound)),
            (400, "{}", Err(CallError::Fault(400))),
            (500, r#"{"error":"QueryFailedError"}"#, Err(CallError::Fault(500))),
            (502, "<html>", Err(CallError::Fault(502))),
        ] {
            assert_eq!(ask(answered(status, body)), expected, "{status} {body}");
        }
    }

    #[test]
    fn invalid_answers_are_described() {
        for bytes in
            [answered(200, "<!doctype html>"), answered(200, "[1"), answered(200, "\u{1b}[2J")]
        {
            let error = ask(bytes).unwrap_err();
            assert!(matches!(error, CallError::NotUnderstood(_)), "{error}");
            assert!(error.is_unclear() && !error.to_string().contains('\u{1b}'));
        }
        // Redirects are not followed: they would send the token elsewhere.
        let moved =
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
        assert!(matches!(ask(moved), Err(CallError::NotUnderstood(_))));
        let long = format!("[{}1]", "1,".repeat(MAX_ANSWER as usize));
        for bytes in [
            answered(200, &long),
            Vec::new(),
            b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1".to_vec(),
            b"SSH-2.0-OpenSSH\r\n".to_vec(),
            vec![0; 5000],
        ] {
            let error = ask(bytes).unwrap_err();
            assert!(matches!(error, CallError::Transport(_)), "{error}");
            assert!(!error.to_string().contains("secret"));
        }
        let error = http("http://127.0.0.1:1").get("/x", None).unwrap_err();
        assert!(matches!(error, CallError::Transport(_)), "{error}");
    }

    #[test]
    fn a_slow_answer_times_out() {
        let slow = Scripted::new(|_| {
            thread::sleep(Duration::from_secs(5));
            answered(200, "[]")
        });
        let started = Instant::now();
        assert_eq!(http(&slow.url).get("/x", None), Err(CallError::Timeout));
        assert!(started.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn a_request_is_sent_once_with_its_token() {
        // A lost connection is no reason to send the request again.
        for bytes in [answered(200, "{}"), Vec::new()] {
            let server = Scripted::new(move |_| bytes.clone());
            let _ = http(&format!("{}/api/", server.url)).post(
                "/move",
                Some("t"),
                &serde_json::json!({"a": 1}),
            );
            let requests = server.requests.lock().expect("no panic");
            assert_eq!(requests.len(), 1);
            assert_eq!(requests[0].what, "POST /api/move");
            assert_eq!([&requests[0].token, &requests[0].body], ["Bearer t", r#"{"a":1}"#]);
        }
    }

    #[test]
    fn addresses_are_checked() {
        let pace = Pace::default();
        for url in [
            "http://a",
            "https://a.example/x",
            " http://127.0.0.1:3000/api ",
            "http://[::1]:1/",
            "http://[::1]",
            "http://a:65535",
        ] {
            assert!(Http::new(url, &pace).is_ok(), "{url}");
        }
        // An invalid port must not become port 80, where another server may listen.
        for url in [
            "",
            "a.example",
            "ftp://a",
            "http://",
            "http:///x",
            "http://a?b=c",
            "http://a b",
            "http://a#b",
            "http://a:",
            "http://a:0",
            "http://a:65536",
            "http://a:99999/api",
            "http://a:abc",
            "http://a:-1",
            "http://[::1]:x",
        ] {
            assert!(matches!(Http::new(url, &pace), Err(BotError::Url(_))), "{url}");
        }
        let error = Http::new("https://me:secret@a", &pace).err().expect("an error");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
