//! A bot on DagazServer, a site of board games.
//!
//! The server is polled. It checks neither moves nor whose turn it is, so the bot must. `DAGAZ.md` in this
//! crate describes which requests are sent in which order, and why.
//!
//! # Where things are
//!
//! * `account.rs`: the user and the server; games.rs: the games of the site and their numbers
//! * `site.rs`: implements [`Site`](crate::Site): the order of the requests of a turn
//! * `server.rs`: the requests; wire.rs: the answers, read leniently; http.rs: one request on one
//!   connection
//! * `notation/`: positions and moves as the site writes them, a file for each game
//! * `clock.rs`: the time for a move by the server's clock
//! * `scripted.rs`, `tests.rs`: a server for tests, and the bot against it

mod account;
mod clock;
mod games;
mod http;
mod notation;
#[cfg(test)]
mod scripted;
mod server;
mod site;
#[cfg(test)]
mod tests;
mod wire;

use crate::bot::Bot;
use crate::error::BotError;
use crate::options::BotOptions;
pub use account::Account;
pub use games::games;
pub use site::Dagaz;

/// A bot on a DagazServer. Nothing is sent yet.
///
/// # Errors
/// The address is invalid, or a game is not played on the site.
pub fn bot(account: Account, options: BotOptions) -> Result<Bot<Dagaz>, BotError> {
    Bot::new(Dagaz::new(account, &options)?, options)
}
