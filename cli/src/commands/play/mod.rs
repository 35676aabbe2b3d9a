//! `damka play`: a game between a person and the engine, and a board for analysis.

mod clock;
mod command;
mod files;
mod level;
mod navigate;
mod session;
mod show;
mod walk;

use super::input::{self, Asked};
use super::unbuilt::{self, Offer};
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::lines::{Lines, lines};
use clock::Clocks;
use damka_engine::{History, Limits, Playable};
use damka_games::printable;
use damka_gen::Family;
use session::Session;
use std::io::{self, IsTerminal, StdinLock, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// `damka play`.
pub(crate) fn play<G: Family + Playable>(game: G, args: &PlayArgs) -> Result<(), Failure> {
    let start = match &args.fen {
        Some(fen) => {
            let Asked { position, plies } = input::position(game, fen)?;
            History::resumed(position, plies)
        }
        None => History::new(game.start()),
    };
    let book = args.book.book.open(game)?;
    let mut engine = args.engine.engine(game)?;
    let mut lines = lines();
    let directory = directory(game, args, &mut lines)?;
    let tables = Arc::new(input::tables_in(game, &directory, &args.access));
    engine.set_tables(Some(Arc::new(input::endings(&tables)?)));
    let limits = Limits {
        time: Some(Duration::from_millis(args.time)),
        depth: args.depth,
        ..Limits::default()
    };
    let mut session = Session::new(start, args.color.side(), engine, limits, tables);
    session.set_book(book, args.book.seed());
    session.set_clocks(args.clock.map(Clocks::new));
    session.run(lines)
}

/// The directory of tables, once those are built that the person wants.
fn directory<G: Family>(
    game: G,
    args: &PlayArgs,
    lines: &mut Lines<StdinLock>,
) -> Result<PathBuf, Failure> {
    if let Some(pieces) = args.build.build {
        let directory = input::directory(&args.tables)?;
        unbuilt::build_up_to(game, pieces, &directory)?;
        return Ok(directory);
    }
    let directory = input::present_directory(&args.tables)?;
    let asks = io::stdin().is_terminal() && io::stdout().is_terminal();
    if asks && let Some(offer) = Offer::of(game, &directory)? {
        ask(game, &offer, &directory, lines)?;
    }
    Ok(directory)
}

/// Asks the person whether tables are to be built, and builds them.
fn ask<G: Family>(
    game: G,
    offer: &Offer,
    directory: &Path,
    lines: &mut Lines<StdinLock>,
) -> Result<(), Failure> {
    print_now(&printable(&offer.question()))?;
    let answer = lines.next().transpose()?.and_then(|line| line.text.ok()).unwrap_or_default();
    match answer.to_ascii_lowercase().starts_with('y') {
        true => unbuilt::build_up_to(game, offer.pieces, directory),
        false => Ok(()),
    }
}

fn print_now(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
