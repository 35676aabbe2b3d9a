//! Runs long work without the GIL, so that Ctrl-C can end it.

use pyo3::prelude::*;
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The longest time before a signal is handled.
const TICK: Duration = Duration::from_millis(50);

/// Runs handlers of signals. If one raises an exception, such as `KeyboardInterrupt`, stores it and returns
/// `Break`. For threads that do not hold the GIL.
pub(crate) fn check_signals(raised: &mut Option<PyErr>) -> ControlFlow<()> {
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => Continue(()),
        Err(exception) => {
            *raised = Some(exception);
            Break(())
        }
    }
}

/// Runs `work` on another thread. Meanwhile, and once at the end, this thread handles signals and calls
/// `watch`. If that raises an exception, it calls `stop` and waits for the work to end.
///
/// # Errors
/// The raised exception.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    stop: impl Fn(),
    mut watch: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, mut receiver) = channel();
        // Sending fails only if the waiting thread has panicked.
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
        // Only a panic of the work leads here.
        match worker.join() {
            Err(panic) => resume_unwind(panic),
            Ok(()) => unreachable!("the work has sent its result"),
        }
    })
}
