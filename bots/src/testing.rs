//! Captures the log in tests.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// The bytes of a log, shared with the writer of its lines.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything that this thread logs during some work.
pub(crate) fn logged(work: impl FnOnce()) -> String {
    let buffer = LogBuffer::default();
    let writer = buffer.clone();
    let log = tracing_subscriber::fmt().without_time().with_writer(move || writer.clone());
    let log = log.with_max_level(tracing::Level::TRACE).with_target(false).with_ansi(false);
    tracing::subscriber::with_default(log.finish(), work);
    String::from_utf8(buffer.0.lock().expect("no panic").clone()).expect("text")
}
