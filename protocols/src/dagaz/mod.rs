//! DagazServer, a site of board games: a bot plays there as one of its users.
//!
//! A bot ([`Bot`]) asks the server again and again in which sessions it is its turn, thinks, and
//! posts its move. It plays any number of games at a time, with a bounded number of searches.

mod bot;
mod clock;
mod desk;
mod error;
mod http;
mod mind;
mod notation;
mod options;
#[cfg(test)]
mod scripted;
mod seek;
mod server;
mod site;
mod turn;
mod wire;

pub use bot::Bot;
pub use error::BotError;
pub use http::CallError;
pub use options::{BotOptions, Pace, Password, Seek};
pub use site::games;
