use super::input;
use crate::args::{ProtocolName, ServeArgs};
use crate::failure::Failure;
use crate::words::note;
use damka_engine::dxp::{self, Options, Outcome};
use damka_engine::{DraughtsVariant, Playable, Settings, hub};
use damka_games::Color;
use std::io::{self, Write};
use std::net::TcpListener;
use std::time::Duration;

/// How long a program that plays by DXP may be silent, besides its time for the game.
const PATIENCE: Duration = Duration::from_secs(600);

/// `damka engine`.
pub(crate) fn engine<G: Playable>(args: &ServeArgs) -> Result<(), Failure> {
    let variant = G::NAME.parse::<DraughtsVariant>();
    let settings = Settings {
        variant: variant.map_err(|_| {
            Failure::Input(format!("{}: the protocols are for draughts only", G::NAME))
        })?,
        threads: args.engine.threads(),
        memory: args.engine.memory()?,
        tables: Some(input::directory(&args.tables)?),
        book: args.book.book.clone(),
        seed: args.book.seed(),
    };
    // Whatever is wrong with it is told at once.
    settings.book.open::<G>()?;
    if args.protocol == ProtocolName::Hub {
        if args.connect.is_some() || args.time.is_some() {
            let message = "--connect and --time are for --protocol dxp";
            return Err(Failure::Input(message.to_owned()));
        }
        return Ok(hub::serve(io::stdin().lock(), io::stdout(), settings)?);
    }
    let move_time = args.time.map(Duration::from_millis);
    let options = Options { settings, move_time, patience: PATIENCE };
    match &args.connect {
        Some(address) => connect(address, &options),
        None => listen(&args.listen, &options),
    }
}

/// Asks the program at `address` for a game, and plays it.
fn connect(address: &str, options: &Options) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::System(format!("{address}: {error}"));
    let stream = dxp::connect(address).map_err(|error| failed(&error))?;
    let outcome = dxp::lead(stream, options).map_err(|error| failed(&error))?;
    tell(&outcome)
}

/// Plays with one program after the other that connects to `address`.
fn listen(address: &str, options: &Options) -> Result<(), Failure> {
    let address = dxp::with_port(address);
    let failed = |error: io::Error| Failure::System(format!("{address}: {error}"));
    let listener = TcpListener::bind(&address).map_err(failed)?;
    note(&format!("waiting on {}", listener.local_addr().map_err(failed)?));
    loop {
        let (stream, peer) = match listener.accept() {
            Ok(accepted) => accepted,
            // It has gone again.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return Err(failed(error)),
        };
        let mut told = Ok(());
        let ended = dxp::prepare(&stream).map_err(Into::into).and_then(|()| {
            dxp::follow(stream, options, |outcome| {
                told = std::mem::replace(&mut told, Ok(())).and_then(|()| tell(outcome));
            })
        });
        told?;
        if let Err(error) = ended {
            note(&format!("{peer}: {error}"));
        }
    }
}

/// Prints how a game has ended.
fn tell(outcome: &Outcome) -> Result<(), Failure> {
    let Outcome { opponent, color, result, plies } = outcome;
    let (white, black) = match color {
        Color::White => ("damka", opponent.as_str()),
        Color::Black => (opponent.as_str(), "damka"),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{white} - {black}  {result}  {plies} plies")?;
    Ok(out.flush()?)
}
