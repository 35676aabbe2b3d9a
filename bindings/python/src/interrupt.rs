//! Long work without the interpreter's lock, which Ctrl-C ends.

use pyo3::prelude::*;
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long a signal may wait.
const TICK: Duration = Duration::from_millis(50);

/// Breaks, and keeps the exception, if a handler of a signal raised one, such as
/// `KeyboardInterrupt`. For threads that do not hold the interpreter's lock.
pub(crate) fn check_signals(raised: &mut Option<PyErr>) -> ControlFlow<()> {
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => Continue(()),
        Err(exception) => {
            *raised = Some(exception);
            Break(())
        }
    }
}

/// Does `work` on another thread. This one looks after signals and calls `watch` meanwhile, and once
/// at the end; if one of them raises an exception, it calls `stop` and waits for the work to end.
///
/// # Errors
/// The exception.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    stop: impl Fn(),
    mut watch: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, mut receiver) = channel();
        // Nobody waits for the result only if this thread panics.
        let worker = scope.spawn(move || drop(sender.send(work())));
        let mut raised = None;
        loop {
            let receiver = &mut receiver;
            let done = py.detach(move || receiver.recv_timeout(TICK));
            if raised.is_none()
                && let Err(exception) = py.check_signals().and_then(|()| watch(py))
            {
                stop();
                raised = Some(exception);
            }
            match (done, worker.is_finished()) {
                (Ok(result), _) => return raised.map_or(Ok(result), Err),
                (Err(RecvTimeoutError::Timeout), _) => {}
                (Err(RecvTimeoutError::Disconnected), _) => break,
            }
        }
        // Only a panic ends the work without a result.
        match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("the work has sent its result"),
        }
    })
}
