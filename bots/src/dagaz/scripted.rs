//! A server for tests, with the answers that a test specifies.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Method and path, `GET /api/session/current`.
    pub(super) what: String,
    /// The header `authorization`.
    pub(super) token: String,
    pub(super) body: String,
}

/// A server on a port of its own, until the test ends.
pub(super) struct Scripted {
    pub(super) url: String,
    /// All requests so far.
    pub(super) requests: Arc<Mutex<Vec<Request>>>,
}

impl Scripted {
    /// Answers each request with the bytes of `answer`, and closes the connection.
    pub(super) fn new(answer: impl Fn(&Request) -> Vec<u8> + Send + Sync + 'static) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    log.lock().expect("no panic").push(request.clone());
                    let _ = (&stream).write_all(&answer(&request));
                });
            }
        });
        Scripted { url, requests }
    }

    /// Methods and paths of all requests so far.
    pub(super) fn paths(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").iter().map(|request| request.what.clone()).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let what = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let (mut token, mut length) = (String::new(), 0);
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => token = value.to_owned(),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { what, token, body: String::from_utf8(body).ok()? })
}

/// An answer with status and body.
pub(super) fn answer(status: u16, body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Some\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body.as_bytes()].concat()
}
