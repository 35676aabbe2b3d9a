//! The log of all bots, which must never contain secrets or reports of bugs.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The number of lines that are kept.
const KEPT: usize = 40;

static LOG: Mutex<Log> = Mutex::new(Log { last: VecDeque::new(), wrong: Vec::new() });

struct Log {
    last: VecDeque<String>,
    /// Lines that must not be in the log.
    wrong: Vec<String>,
}

/// Starts to check the log.
pub(super) fn listen() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE);
        subscriber.with_ansi(false).with_writer(|| Listener).init();
    });
}

fn log() -> MutexGuard<'static, Log> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The last lines of the log.
pub(super) fn last() -> String {
    Vec::from(log().last.clone()).concat()
}

/// Asserts that no bot has logged a secret or a bug of its own.
pub(super) fn assert_clean() {
    assert_eq!(log().wrong, [""; 0]);
}

/// Whether there is a password or a token in a text.
pub(super) fn is_secret(text: &str) -> bool {
    ["pw-", "mock."].iter().any(|beginning| text.contains(beginning))
}

struct Listener;

impl Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes).into_owned();
        let log = &mut *log();
        if is_secret(&line) || line.contains("a bug in the bot") {
            log.wrong.push(line.clone());
        }
        if log.last.len() == KEPT {
            log.last.pop_front();
        }
        log.last.push_back(line);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
