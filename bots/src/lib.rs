//! Bots: programs that play on game servers as one of their users, with the damka engine.
//!
//! A [`Bot`] plays any number of games at a time with a bounded number of searches. The [`Site`] trait is
//! its view of a server; [`dagaz`] implements the trait for DagazServer. A bot goes on whatever its server
//! answers, and stores nothing on disk.
//!
//! # Where things are
//!
//! * `site.rs`: the `Site` trait and what a site reports about games
//! * `bot.rs`: the two loops of a bot, one for turns and one for new games; crew.rs distributes turns
//!   over search threads; turn.rs takes one turn
//! * `tracker.rs`: the state of each game: which turn comes next, which games begin and end
//! * `chooser.rs`: chooses what to do in a position; time_budget.rs: how long to think
//! * `seek.rs`: finds new games
//! * `options.rs`, `secret.rs`, `error.rs`: options, passwords, errors
//! * `lock.rs`: keeps a second bot from playing the same games; tally.rs: counts for the log
//! * `foreign.rs`: text from servers and opponents, which is never logged
//! * `dagaz/`: DagazServer

mod bot;
mod chooser;
mod crew;
pub mod dagaz;
mod error;
mod foreign;
mod interrupt;
mod lock;
mod options;
mod secret;
mod seek;
mod site;
mod tally;
#[cfg(test)]
mod testing;
mod time_budget;
mod tracker;
mod turn;

pub use bot::Bot;
pub use error::{BotError, CallError};
pub use foreign::Foreign;
pub use options::{BotOptions, Pace, SeekOptions};
pub use secret::{Password, PasswordError, PasswordFile};
pub use site::{
    Arrived, BotResult, Choice, GameStatus, Idle, IdleKind, Notice, Offer, Opening, Outlook, Phase,
    Ready, Site, Step, Turn,
};
pub use tally::Tally;
pub use time_budget::TimeBudget;
