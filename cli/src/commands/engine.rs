use super::input;
use super::missing::{self, Offer};
use crate::args::{EngineServerArgs, ProtocolName};
use crate::failure::Failure;
use crate::words::note;
use damka_engine::book::BookChoice;
use damka_engine::{Playable, PlayerSettings};
use damka_games::{AnyGame, Color, with_game};
use damka_gen::Family;
use damka_protocols::dxp::{self, Event, GameOutcome, Options};
use damka_protocols::{hub, uci};
use std::io::{self, Write};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// `damka engine`.
pub(crate) fn engine(args: &EngineServerArgs) -> Result<(), Failure> {
    let variant = match args.game.0 {
        AnyGame::Draughts(variant) => Some(variant),
        _ => None,
    };
    let usual = if variant.is_some() { ProtocolName::Hub } else { ProtocolName::Uci };
    let protocol = args.protocol.unwrap_or(usual);
    let is_idle = |message: &str| Err(Failure::Input(message.to_owned()));
    let is_for_dxp = args.connect.is_some()
        || args.listen.is_some()
        || args.time.is_some()
        || args.longest_move.is_some()
        || args.idle.is_some();
    if protocol != ProtocolName::Dxp && is_for_dxp {
        return is_idle(
            "--connect, --listen, --time, --longest-move and --idle are for --protocol dxp",
        );
    }
    if protocol == ProtocolName::Uci && args.numbering.is_some() {
        return is_idle("--numbering is for --protocol hub and dxp");
    }
    // Programs that speak UCI have books of their own, and expect the scores of a search.
    let usual_book = if protocol == ProtocolName::Uci { BookChoice::None } else { BookChoice::Own };
    let book = args.book.as_ref().unwrap_or(&usual_book);
    match (protocol, variant) {
        (ProtocolName::Uci, _) => with_game!(args.game.0, game => {
            let (settings, offer) = prepare(game, args, book)?;
            // The engine plays without unreadable tables, and reports the error to the client.
            advise(offer.ok().flatten().as_ref());
            uci::serve(io::stdin().lock(), io::stdout(), settings).map_err(broken)
        }),
        (ProtocolName::Hub, Some(variant)) => {
            let (settings, offer) = prepare(variant, args, book)?;
            advise(offer?.as_ref());
            let (input, output) = (io::stdin().lock(), io::stdout());
            hub::serve(input, output, settings, args.numbering).map_err(broken)
        }
        (ProtocolName::Dxp, Some(variant)) => {
            let (settings, offer) = prepare(variant, args, book)?;
            let offer = offer?;
            let options = Options {
                settings,
                numbering: args.numbering,
                move_time: args.time.map(Duration::from_millis),
                longest_move: Duration::from_millis(args.longest_move.unwrap_or(60_000)),
                patience: Duration::from_secs(args.idle.unwrap_or(300)),
            };
            match &args.connect {
                Some(address) => connect(address, &options, offer.as_ref()),
                None => {
                    let address = args.listen.as_deref().unwrap_or("127.0.0.1");
                    listen(address, &options, offer.as_ref())
                }
            }
        }
        (ProtocolName::Hub | ProtocolName::Dxp, None) => Err(Failure::Input(format!(
            "--protocol: Hub and DXP are for draughts; {} is played by uci",
            args.game.0.name()
        ))),
    }
}

/// The settings of the player; and an offer to build tables if there are none, or the error if the
/// directory of tables cannot be read.
#[expect(clippy::type_complexity)]
fn prepare<G: Playable + Family>(
    game: G,
    args: &EngineServerArgs,
    book: &BookChoice,
) -> Result<(PlayerSettings<G>, Result<Option<Offer>, Failure>), Failure> {
    // Errors are reported before anything is built.
    book.open(game)?;
    args.engine.evaluator(game)?;
    let directory = input::directory(&args.tables)?;
    if let Some(pieces) = args.build.build {
        missing::build_up_to(args.game.0, pieces, &directory)?;
    }
    let offer = Offer::of(args.game.0, &directory);
    let settings = PlayerSettings {
        // The default directory need not exist.
        tables: Some(directory).filter(|path| path.is_dir()),
        access: args.access.access.into(),
        book: book.clone(),
        seed: args.seed.get(),
        ..args.engine.settings(game)?
    };
    Ok((settings, offer))
}

/// The failure if the client cannot be read or written.
fn broken(error: io::Error) -> Failure {
    match damka_system::is_reader_gone(&error) {
        true => Failure::Reader(error),
        false => Failure::System(format!("standard input or output: {error}")),
    }
}

/// Prints how to get tables, on standard error: standard output belongs to the protocol.
fn advise(offer: Option<&Offer>) {
    if let Some(offer) = offer {
        note(&offer.advice());
    }
}

/// Requests a game from the program at `address`, and plays it.
fn connect(address: &str, options: &Options, offer: Option<&Offer>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::System(format!("{address}: {error}"));
    let stream = dxp::connect(address).map_err(|error| failed(&error))?;
    advise(offer);
    let outcome = dxp::lead(stream, options).map_err(|error| failed(&error))?;
    print_result(&outcome)
}

/// Waits on `address` for programs that connect, and plays with one after the other.
fn listen(address: &str, options: &Options, offer: Option<&Offer>) -> Result<(), Failure> {
    let address = dxp::with_port(address);
    let failed = |error: io::Error| Failure::System(format!("{address}: {error}"));
    let listener = TcpListener::bind(&address).map_err(failed)?;
    note(&format!("waiting on {}", listener.local_addr().map_err(failed)?));
    advise(offer);
    let printed = Mutex::new(Ok(()));
    let served = dxp::serve(&listener, options, |event| {
        match event {
            Event::Finished(outcome) => {
                if let Err(failure) = print_result(&outcome) {
                    *printed.lock().unwrap_or_else(PoisonError::into_inner) = Err(failure);
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
    printed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the result of a game.
fn print_result(outcome: &GameOutcome) -> Result<(), Failure> {
    let GameOutcome { opponent, color, result, plies } = outcome;
    let (white, black) = match color {
        Color::White => ("damka", opponent.as_str()),
        Color::Black => (opponent.as_str(), "damka"),
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{white} - {black}  {result}  {plies} plies")?;
    Ok(out.flush()?)
}
