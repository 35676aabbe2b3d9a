//! A server in this process, and a plain client.

use damka_web::{ServerControl, ServerLimits, ServerOptions};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The committed tables.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden")
}

/// The directory of committed tables with histograms.
pub(crate) fn golden_with_histograms() -> PathBuf {
    golden().with_file_name("golden-1.1")
}

/// A server that runs until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) control: ServerControl,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server of the committed tables.
    pub(crate) fn golden() -> Server {
        Server::of(ServerOptions::new(vec![golden()]))
    }

    /// A server of the committed tables with limits.
    pub(crate) fn limited(limits: ServerLimits) -> Server {
        Server::of(ServerOptions { limits, ..ServerOptions::new(vec![golden()]) })
    }

    pub(crate) fn of(options: ServerOptions) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
        let address = listener.local_addr().expect("an address");
        let control = ServerControl::default();
        let stopped = control.clone();
        let server = damka_web::Server::open(options).expect("tables");
        let run = move || server.run(listener, &stopped).expect("a server");
        Server { address, control, thread: Some(thread::spawn(run)) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends bytes on a new connection, and returns all answers.
    pub(crate) fn send(&self, bytes: &[u8]) -> Vec<Reply> {
        let mut stream = self.connect();
        // A server that refuses a request need not read all of it.
        let _ = stream.write_all(bytes);
        read_all(&mut stream)
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let length = match method {
            "POST" => format!("Content-Length: {}\r\n", body.len()),
            _ => String::new(),
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}{length}\r\n{body}"
        );
        let mut replies = self.send(request.as_bytes());
        assert_eq!(replies.len(), 1, "{method} {path}");
        replies.remove(0)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", "")
    }

    /// The object of an answer that must succeed.
    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// Stops the server and waits for its end.
    pub(crate) fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.control.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking());
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// An answer of the server.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {}", self.text());
        })
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }
}

/// All answers on a connection up to its end.
pub(crate) fn read_all(stream: &mut TcpStream) -> Vec<Reply> {
    let mut bytes = Vec::new();
    // Data that arrived before the connection was reset are used.
    let _ = stream.read_to_end(&mut bytes);
    let mut rest = &bytes[..];
    let mut replies = Vec::new();
    while !rest.is_empty() {
        let (reply, after) = parse(rest);
        replies.push(reply);
        rest = after;
    }
    replies
}

/// The first answer, and the bytes after it.
fn parse(bytes: &[u8]) -> (Reply, &[u8]) {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("the end of a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let mut reply = Reply { status: status.expect("a status"), headers, body: Vec::new() };
    let rest = &bytes[end + 4..];
    let length = reply.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let rest = match (reply.header("transfer-encoding"), length) {
        (Some("chunked"), _) => {
            let (body, rest) = chunks(rest);
            reply.body = body;
            rest
        }
        // Answers to HEAD and with 304 have no body.
        (_, Some(length)) if rest.len() >= length => {
            reply.body = rest[..length].to_owned();
            &rest[length..]
        }
        _ => rest,
    };
    (reply, rest)
}

fn chunks(mut rest: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").expect("the end of a size");
        let size = String::from_utf8_lossy(&rest[..end]).into_owned();
        let size = usize::from_str_radix(&size, 16).expect("a size");
        let chunk = &rest[end + 2..];
        body.extend_from_slice(&chunk[..size]);
        rest = &chunk[size + 2..];
        if size == 0 {
            return (body, rest);
        }
    }
}
