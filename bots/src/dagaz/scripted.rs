//! A server for tests: whatever a test wants it to answer; and what is logged meanwhile.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Method and path, `GET /api/session/current`.
    pub(super) what: String,
    /// What the header `authorization` has.
    pub(super) token: String,
    pub(super) body: String,
}

/// A server on a port of its own, until the test ends.
pub(super) struct Scripted {
    pub(super) url: String,
    /// All that was asked so far.
    pub(super) asked: Arc<Mutex<Vec<Asked>>>,
}

impl Scripted {
    /// Answers each request with the bytes that `answer` makes of it, and closes the connection.
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

    /// What was asked so far, without bodies.
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

/// A whole answer.
pub(super) fn answer(status: u16, body: &str) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Some\r\ncontent-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body.as_bytes()].concat()
}

/// What is logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All that this thread logs while it does something.
pub(super) fn logged(work: impl FnOnce()) -> String {
    let lines = Lines::default();
    let writer = lines.clone();
    let log = tracing_subscriber::fmt().without_time().with_writer(move || writer.clone());
    let log = log.with_max_level(tracing::Level::TRACE).with_target(false).with_ansi(false);
    tracing::subscriber::with_default(log.finish(), work);
    String::from_utf8(lines.0.lock().expect("no panic").clone()).expect("text")
}
