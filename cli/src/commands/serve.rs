use super::input;
use super::missing::build_small;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::signals;
use crate::words::note;
use damka::AnyGame;
use damka_system::check_memory;
use damka_web::{Server, ServerControl, ServerError, ServerLimits, ServerOptions};
use std::net::TcpListener;
use std::time::Duration;

/// `damka serve`.
pub(crate) fn serve(args: &ServeArgs) -> Result<(), Failure> {
    check_memory(args.cache).map_err(|error| Failure::Input(format!("--cache: {error}")))?;
    let directories = input::directories(&args.tables)?;
    // Before tables are built, so that an address in use is reported at once.
    let listener = TcpListener::bind(&args.listen)
        .map_err(|error| Failure::System(format!("cannot listen on {}: {error}", args.listen)))?;
    if !args.build.no_build {
        let all: Vec<_> = AnyGame::all().collect();
        build_small(&all, &directories, input::has_named_directories(&args.tables))?;
    }
    let options = ServerOptions {
        cache_bytes: args.cache,
        engine_time: args.engine.map(Duration::from_millis),
        origins: args.origin.clone(),
        limits: ServerLimits { rate: args.rate, ..ServerLimits::default() },
        log: note,
        ..ServerOptions::new(directories)
    };
    let server = Server::open(options)?;
    let control = ServerControl::default();
    let (stopped, reloaded) = (control.clone(), control.clone());
    signals::on_end(move || stopped.stop());
    signals::on_hangup(move || reloaded.reload());
    Ok(server.run(listener, &control)?)
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Failure {
        match error {
            ServerError::Origin(_) => Failure::Input(format!("--origin: {error}")),
            error => Failure::System(error.to_string()),
        }
    }
}
