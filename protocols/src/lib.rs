//! The protocols by which other programs and the engine play, each from both ends: UCI ([`uci`])
//! in any game, Hub 2 ([`hub`]) and DXP ([`dxp`]) in draughts. Over UCI and Hub graphical programs
//! drive the engine ([`uci::serve`], [`hub::serve`]), and other engines are driven
//! ([`uci::Client`], [`hub::Client`]); over DXP two programs play each other. On DagazServer
//! (`dagaz`, with the feature `bot`) a bot plays draughts, chess and Alapo.
//!
//! Which game is played is known only when the program runs: see [`Settings`].
//!
//! # Where things are
//!
//! * `fault.rs`: what other programs do wrong
//! * `player/`: a game chosen at run time, as all protocols need it; `seat.rs`: it searches on a
//!   thread of its own while a client is heard
//! * `input.rs`: lines that are read; `process.rs`: another program that we start and drive
//! * `uci/`: UCI: graphical programs drive the engine (session.rs), and it drives others (client.rs)
//! * `hub/`: Hub 2: graphical programs and libraries drive the engine (session.rs), and it drives
//!   others (client.rs)
//! * `dxp/`: DXP: two engines play each other over TCP; server.rs serves one at a time
//! * `dagaz/`: DagazServer: a bot plays as a user of that site; with the feature `bot` alone

#[cfg(feature = "bot")]
pub mod dagaz;
pub mod dxp;
mod fault;
pub mod hub;
mod input;
mod player;
mod process;
mod seat;
pub mod uci;

pub use fault::Fault;
pub use player::{BoardError, NumberedMove, Numbering, Settings, SettingsError, UnknownNumbering};
