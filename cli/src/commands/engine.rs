use super::input;
use super::unbuilt::{self, Offer};
use crate::args::{ProtocolName, ServeArgs};
use crate::failure::Failure;
use crate::words::note;
use damka_games::Color;
use damka_protocols::dxp::{self, Event, Options, Outcome};
use damka_protocols::{Settings, hub};
use std::io::{self, Write};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// `damka engine`.
pub(crate) fn engine(args: &ServeArgs) -> Result<(), Failure> {
    let variant = args.variant.0;
    // Whatever is wrong is told at once.
    args.book.book.open(variant)?;
    if args.protocol == ProtocolName::Hub && (args.connect.is_some() || args.time.is_some()) {
        let message = "--connect and --time are for --protocol dxp";
        return Err(Failure::Input(message.to_owned()));
    }
    let directory = match args.build.build {
        None => input::present_directory(&args.tables)?,
        Some(pieces) => {
            let directory = input::directory(&args.tables)?;
            unbuilt::build_up_to(variant, pieces, &directory)?;
            directory
        }
    };
    // A directory that cannot be read is as good as one without tables.
    let offer = Offer::of(variant, &directory).ok().flatten();
    let settings = Settings {
        variant,
        threads: args.engine.threads(),
        memory: args.engine.memory()?,
        // Where nobody has named a directory, there need not be one.
        tables: Some(directory).filter(|path| path.is_dir()),
        access: args.access.into(),
        numbering: args.numbering,
        book: args.book.book.clone(),
        seed: args.book.seed(),
    };
    if args.protocol == ProtocolName::Hub {
        advise(offer.as_ref());
        return Ok(hub::serve(io::stdin().lock(), io::stdout(), settings)?);
    }
    let options = Options {
        settings,
        move_time: args.time.map(Duration::from_millis),
        longest_move: Duration::from_millis(args.longest_move),
        patience: Duration::from_secs(args.idle),
    };
    match &args.connect {
        Some(address) => connect(address, &options, offer.as_ref()),
        None => listen(&args.listen, &options, offer.as_ref()),
    }
}

/// Tells who has no tables how to get some. Standard output belongs to the protocol.
fn advise(offer: Option<&Offer>) {
    if let Some(offer) = offer {
        note(&offer.advice());
    }
}

/// Asks the program at `address` for a game, and plays it.
fn connect(address: &str, options: &Options, offer: Option<&Offer>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::System(format!("{address}: {error}"));
    let stream = dxp::connect(address).map_err(|error| failed(&error))?;
    advise(offer);
    let outcome = dxp::lead(stream, options).map_err(|error| failed(&error))?;
    tell(&outcome)
}

/// Plays with one program after the other that connects to `address`.
fn listen(address: &str, options: &Options, offer: Option<&Offer>) -> Result<(), Failure> {
    let address = dxp::with_port(address);
    let failed = |error: io::Error| Failure::System(format!("{address}: {error}"));
    let listener = TcpListener::bind(&address).map_err(failed)?;
    note(&format!("waiting on {}", listener.local_addr().map_err(failed)?));
    advise(offer);
    let told = Mutex::new(Ok(()));
    let served = dxp::serve(&listener, options, |event| {
        match event {
            Event::Finished(outcome) => {
                if let Err(failure) = tell(&outcome) {
                    *told.lock().unwrap_or_else(PoisonError::into_inner) = Err(failure);
                    return ControlFlow::Break(());
                }
            }
            Event::Failed { peer, error } => note(&format!("{peer}: {error}")),
            Event::Refused { peer } => note(&format!("{peer}: refused, another program plays")),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    served.map_err(failed)?;
    told.into_inner().unwrap_or_else(PoisonError::into_inner)
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
