//! `damka play`: a game between a person and the engine, and a board for analysis.

mod clock;
mod command;
mod files;
mod level;
mod navigate;
mod session;
mod show;
mod walk;

use super::input;
use super::missing::{self, Offer};
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::lines::lines;
use clock::Clocks;
use damka_engine::{History, Limits, Playable, Player, PlayerSettings, Resources};
use damka_gen::Family;
use session::Session;
use std::sync::Arc;
use std::time::Duration;

/// `damka play`.
pub(crate) fn play<G: Family + Playable>(game: G, args: &PlayArgs) -> Result<(), Failure> {
    let start = match &args.fen {
        Some(fen) => History::new(input::position(game, fen)?),
        None => History::new(game.start()),
    };
    let (level, variety) = (args.level, args.variety);
    let settings = PlayerSettings { level, variety, ..args.engine.settings(game)? };
    let mut resources = Resources::built_in(game);
    resources.evaluator = args.engine.evaluator(game)?;
    resources.book = args.book.book.open(game)?.map(Arc::new);
    let directory = input::directory(&args.tables)?;
    match args.build.build {
        Some(pieces) => missing::build_up_to(args.game.0, pieces, &directory)?,
        None => {
            if let Some(offer) = Offer::of(args.game.0, &directory)? {
                offer.make()?;
            }
        }
    }
    let tables = Arc::new(input::tables_in(game, &directory, &args.access));
    resources.tables = Some(Arc::new(input::endings(&tables)?));
    let player = Player::with_resources(&settings, resources);
    let player = player.map_err(|error| Failure::System(format!("--memory: {error}")))?;
    let limits = Limits {
        time: Some(Duration::from_millis(args.time)),
        depth: args.depth,
        ..Limits::default()
    };
    let mut session = Session::new(start, args.color.side(), player, limits, tables);
    session.set_seed(args.seed.get());
    session.set_clocks(args.clock.map(Clocks::new));
    session.run(lines())
}
