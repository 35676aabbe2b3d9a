//! Ctrl-C and other signals.

use damka_gen::Stop;
use std::process;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A signal that follows another one within this time is treated as the same request: `timeout` signals a
/// process, and then the process's group.
const SAME: Duration = Duration::from_millis(300);

/// A handler of signals that calls `first` at the first one. A later one ends the process at once.
fn asked_twice(first: impl Fn() + Send + 'static) -> impl Fn() + Send + 'static {
    let requested = OnceLock::new();
    move || match requested.get() {
        None => {
            let _ = requested.set(Instant::now());
            first();
        }
        Some(since) if Instant::elapsed(since) > SAME => process::exit(130),
        Some(_) => {}
    }
}

/// A request to stop, made by the first Ctrl-C. The second one ends the process at once.
pub(crate) fn stop_on_signal() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let handled = || {
        let stop = Stop::default();
        let requested = stop.clone();
        on_signal(asked_twice(move || requested.request()));
        stop
    };
    STOP.get_or_init(handled).clone()
}

/// Calls `handle` at each signal that asks the program to end, on its own thread. If no handler can be
/// installed, or no thread started, a signal ends the process, which is also safe.
#[cfg(unix)]
fn on_signal(handle: impl Fn() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    // Under `nohup` SIGHUP is ignored, so that the program outlives its terminal: then it gets no
    // handler.
    let hangup = (!may_be_ignored(SIGHUP)).then_some(SIGHUP);
    on_each([SIGINT, SIGTERM].into_iter().chain(hangup).collect(), handle);
}

/// Calls `handle` at each of these signals, on its own thread.
#[cfg(unix)]
fn on_each(signals: Vec<i32>, handle: impl Fn() + Send + 'static) {
    use signal_hook::iterator::Signals;
    use std::sync::mpsc::channel;
    use std::thread;

    let (sender, is_handled) = channel::<()>();
    // Handlers are installed by the thread that serves them: without that thread signals would be lost.
    let handle_all = move || {
        if let Ok(mut signals) = Signals::new(signals) {
            drop(sender);
            signals.forever().for_each(|_| handle());
        }
    };
    if thread::Builder::new().spawn(handle_all).is_ok() {
        let _ = is_handled.recv();
    }
}

/// Calls `handle` at each Ctrl-C and Ctrl-Break, and when the console is closed.
#[cfg(not(unix))]
fn on_signal(handle: impl Fn() + Send + 'static) {
    use std::sync::Mutex;

    /// The functions to call. `ctrlc` allows only one handler, which calls them all.
    static HANDLERS: Mutex<Vec<Box<dyn Fn() + Send>>> = Mutex::new(Vec::new());

    let handlers = || HANDLERS.lock().unwrap_or_else(|lock| lock.into_inner());
    let mut known = handlers();
    known.push(Box::new(handle));
    if known.len() == 1 {
        let _ = ctrlc::set_handler(move || handlers().iter().for_each(|handle| handle()));
    }
}

/// Calls `handle` at the first signal that asks the program to end, Ctrl-C or SIGTERM. The second one
/// ends the process at once.
pub(crate) fn on_end(handle: impl Fn() + Send + 'static) {
    let handle = asked_twice(handle);
    #[cfg(unix)]
    on_each(vec![signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM], handle);
    #[cfg(not(unix))]
    on_signal(handle);
}

/// Calls `handle` at each SIGHUP, which asks a server to read its files again. Only on Unix.
pub(crate) fn on_hangup(handle: impl Fn() + Send + 'static) {
    #[cfg(unix)]
    on_each(vec![signal_hook::consts::SIGHUP], handle);
    #[cfg(not(unix))]
    drop(handle);
}

/// Whether the parent process may have set this signal to be ignored. Only Linux reports it; elsewhere
/// `true`.
#[cfg(unix)]
fn may_be_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask >> (signal - 1) & 1 != 0)
}

/// Makes a write beyond the file size limit (`ulimit -f`) fail with an error that names the file.
/// Unhandled, the signal SIGXFSZ ends the process silently. Child processes do not inherit a handler.
/// Does nothing outside of Unix.
pub(crate) fn survive_file_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}
