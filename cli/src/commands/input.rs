//! What the user typed, as what it means.

use crate::args::TablesArg;
use crate::failure::Failure;
use damka_engine::Control;
use damka_games::Game;
use damka_gen::Stop;
use damka_tables::{Layout, Signature};
use etcetera::BaseStrategy;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The directory of tables: as given, or the platform's place for data.
pub(crate) fn directory(tables: &TablesArg) -> Result<PathBuf, Failure> {
    if let Some(directory) = tables.tables.as_ref().filter(|path| !path.as_os_str().is_empty()) {
        return Ok(directory.clone());
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        Failure::Input("there is no home directory for tables: name one with --tables".to_owned())
    })?;
    Ok(strategy.data_dir().join("damka"))
}

/// A position.
pub(crate) fn position<G: Game>(fen: &str) -> Result<G::Position, Failure> {
    G::parse_fen(fen).map_err(|error| Failure::Input(format!("`{fen}`: {error}")))
}

/// Signatures by name.
pub(crate) fn signatures<G: Layout>(names: &[String]) -> Result<Vec<Signature<G>>, Failure> {
    let parse = |name: &String| {
        let signature = name.parse::<Signature<G>>();
        signature.map_err(|error| Failure::Input(error.to_string()))
    };
    names.iter().map(parse).collect()
}

/// A wish to stop that comes with the first Ctrl-C; the second one ends the
/// process at once.
pub(crate) fn stop_on_signal() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let handled = || {
        let stop = Stop::default();
        let asked = stop.clone();
        // Without a handler the signal ends the process, which is sound as well.
        let _ = ctrlc::set_handler(move || {
            if asked.is_requested() {
                std::process::exit(130);
            }
            asked.request();
        });
        stop
    };
    STOP.get_or_init(handled).clone()
}

/// Does something that a search or a match is told to end by the first Ctrl-C.
pub(crate) fn interruptible<T>(work: impl FnOnce(&Control) -> T) -> T {
    /// How soon a signal is noticed.
    const INTERVAL: Duration = Duration::from_millis(20);
    let stop = stop_on_signal();
    let (control, is_done) = (Control::default(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                if stop.is_requested() {
                    control.stop();
                }
                thread::sleep(INTERVAL);
            }
        });
        let result = work(&control);
        is_done.store(true, Ordering::Relaxed);
        result
    })
}

/// What to tell when a file cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::System(format!("cannot write {}: {error}", path.display()))
}
