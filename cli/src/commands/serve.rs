use super::input;
use super::missing::build_quick;
use crate::args::{ServeArgs, TablesArg};
use crate::failure::Failure;
use crate::signals;
use crate::words::note;
use damka::{AnyGame, ProbeOptions};
use damka_web::{Control, Limits, Server, ServerError, ServerOptions};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `damka serve`.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    let directories = directories(args)?;
    // Before tables are built: an address that is taken is told at once.
    let listener = TcpListener::bind(&args.listen)
        .map_err(|error| Failure::System(format!("cannot listen on {}: {error}", args.listen)))?;
    if !args.build.no_build && !has_tables(&directories)? {
        build_small(&directories[0])?;
    }
    let options = ServerOptions {
        cache_bytes: args.cache,
        engine_time: args.engine.map(Duration::from_millis),
        origins: args.origin.clone(),
        limits: Limits { rate: args.rate, ..Limits::default() },
        ..ServerOptions::new(directories)
    };
    let server = Server::open(options)?;
    let control = Control::default();
    let (stopped, reloaded) = (control.clone(), control.clone());
    signals::on_end(move || stopped.stop());
    signals::on_hangup(move || reloaded.reload());
    if let Ok(address) = listener.local_addr() {
        note(&format!("serving on http://{address}"));
    }
    Ok(server.run(listener, &control)?)
}

/// The directories that are named, or the default one.
fn directories(args: &ServeArgs) -> Result<Vec<PathBuf>, Failure> {
    match &args.tables[..] {
        [] => Ok(vec![input::directory_to_make(&TablesArg::default())?]),
        named => {
            named.iter().map(|directory| input::directory(&TablesArg::of(directory))).collect()
        }
    }
}

/// Whether there is a table of any game.
fn has_tables(directories: &[PathBuf]) -> Result<bool, Failure> {
    for game in AnyGame::all() {
        let tables = damka::open_all(game, directories, ProbeOptions::default());
        if !tables.signatures()?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Builds the tables of all games that take seconds, so that there is something to show.
fn build_small(directory: &Path) -> Result<(), Failure> {
    for game in AnyGame::all() {
        let tables = damka::open(game, directory, ProbeOptions::default());
        build_quick(game, &*tables, directory)?;
    }
    Ok(())
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Failure {
        match error {
            ServerError::Origin(_) => Failure::Input(format!("--origin: {error}")),
            error => Failure::System(error.to_string()),
        }
    }
}
