//! A server for tests, with the answers that a test specifies.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
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
    pub(super) asked: Arc<Mutex<Vec<Asked>>>,
}

impl Scripted {
    /// Answers each request with the bytes of `answer`, and closes the connection.
    pub(super) fn new(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || {
                    let Some(asked) = read(&stream) else { return };
                    log.lock().expect("no panic").push(asked.clone());
                    let _ = (&stream).write_all(&answer(&asked));
                });
            }
        });
        Scripted { url, asked }
    }

    /// Methods and paths of all requests so far.
    pub(super) fn paths(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").iter().map(|asked| asked.what.clone()).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
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
    Some(Asked { what, token, body: String::from_utf8(body).ok()? })
}

/// An answer with status and body.
pub(super) fn answer(status: u16, body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Some\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body.as_bytes()].concat()
}
