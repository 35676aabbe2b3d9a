//! Requests that are abandoned when the bot is stopped.

use damka_engine::Control;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The interval at which the stop flag is checked.
pub(crate) const INTERVAL: Duration = Duration::from_millis(20);

/// Makes a request on a separate thread, and waits for its result. When the bot is stopped, the wait ends
/// without a result, so the request must not change anything.
pub(crate) fn unless_stopped<S: Send + Sync + 'static, T: Send + 'static>(
    site: &Arc<S>,
    stop: &Control,
    request: impl FnOnce(&S) -> T + Send + 'static,
) -> Option<T> {
    let (sender, result) = channel();
    let site = Arc::clone(site);
    // After a stop the channel is closed and the result is dropped.
    thread::spawn(move || drop(sender.send(request(&site))));
    while !stop.is_stopped() {
        match result.recv_timeout(INTERVAL) {
            Err(RecvTimeoutError::Timeout) => {}
            result => return result.ok(),
        }
    }
    None
}
