//! DagazServer, a site of board games: a bot plays there as one of its users.
//!
//! A bot ([`Bot`]) asks the server again and again in which sessions it is its turn, thinks, and
//! posts its move. It plays any number of games at a time with a bounded number of searches, and
//! what it is answered never ends it. Nothing is kept on disk: what is needed of a game, the server
//! tells. `DAGAZ.md` beside this crate tells what is asked in which order, and why.
//!
//! # Where things are
//!
//! * `bot.rs`: the loop; `crew.rs` the workers that take turns; `desk.rs` which sessions they take, and
//!   which first; `alone.rs` that no other bot does the same
//! * `turn.rs`: one turn in one session: what is asked and sent, in which order, and what is made of
//!   answers that fail
//! * `seek.rs`: games that are looked for; `watch.rs`: which ones begin and end
//! * `mind.rs`: what to play in a position, texts in and texts out; `notation/` the site's texts, a
//!   file a game, `clock.rs` how long to think, `site.rs` which games there are
//! * `server.rs`: what can be asked, by somebody who logs in; `wire.rs` what is answered, read
//!   leniently; `foreign.rs` texts that no log may show; `http.rs` one request on one connection;
//!   `tally.rs` the counts of the summary
//! * `scripted.rs`, `tests.rs`: a server for tests, and the bot against it

mod alone;
mod bot;
mod clock;
mod crew;
mod desk;
mod error;
mod foreign;
mod http;
mod mind;
mod notation;
mod options;
#[cfg(test)]
mod scripted;
mod seek;
mod server;
mod site;
mod tally;
#[cfg(test)]
mod tests;
mod turn;
mod watch;
mod wire;

pub use bot::Bot;
pub use error::{BotError, CallError};
pub use options::{BotOptions, Pace, Password, Seek};
pub use site::games;
