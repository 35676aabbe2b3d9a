//! DagazServer, a site of board games: a bot plays there as one of its users.
//!
//! A bot ([`Bot`]) asks the server again and again in which sessions it is its turn, thinks, and
//! posts its move. It plays any number of games at a time, with a bounded number of searches.

mod bot;
mod error;
mod http;
mod options;
mod server;
mod wire;

pub use bot::Bot;
pub use error::BotError;
pub use http::CallError;
pub use options::{BotOptions, Pace, Password, Seek};

use damka_games::AnyGame;

/// The games that a bot can play: those of the site that damka knows.
pub fn games() -> impl Iterator<Item = AnyGame> {
    AnyGame::all().filter(|&game| is_played(game))
}

/// Whether a bot can play this game.
pub fn is_played(game: AnyGame) -> bool {
    matches!(game.name(), "alapo" | "russian" | "english" | "chess")
}
