//! Messages to the person who runs the server.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The shortest time between two messages about requests. Without it, many requests for a damaged
/// table could fill the disk.
const INTERVAL: Duration = Duration::from_secs(1);

/// Writes messages, each a line.
pub(crate) struct Log {
    write: fn(&str),
    /// When the last message about a request was written.
    last: Mutex<Option<Instant>>,
}

impl Log {
    pub(crate) fn new(write: fn(&str)) -> Log {
        Log { write, last: Mutex::new(None) }
    }

    pub(crate) fn write(&self, message: &str) {
        (self.write)(message);
    }

    /// Writes that a request failed because of the server, unless such a message was written just
    /// before; `/metrics` counts all of these failures.
    pub(crate) fn failed(&self, request: &str, reason: &str) {
        let now = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| now.duration_since(last) >= INTERVAL) {
            *last = Some(now);
            drop(last);
            self.write(&format!("{request}: {reason}"));
        }
    }
}
