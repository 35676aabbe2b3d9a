//! The protocols by which the engine and other programs play each other. Both sides of each protocol
//! are implemented.
//!
//! * UCI ([`uci`]) for all games and Hub 2 ([`hub`]) for draughts: a graphical program drives the
//!   engine ([`uci::serve`], [`hub::serve`]), or we drive another engine ([`uci::Client`],
//!   [`hub::Client`]).
//! * DXP ([`dxp`]) for draughts: two programs play each other over TCP.
//!
//! On the engine's side of each protocol, a [`Player`](damka_engine::Player) plays.
//!
//! # Where things are
//!
//! * `fault.rs`: what can go wrong with another program
//! * `player_slot.rs`: searches on a separate thread while commands of the client are read
//! * `board.rs`, `numbering.rs`: draughts positions as letters, and squares as numbers
//! * `input.rs`: reads lines; `process.rs`: another program that we start and drive
//! * `uci/`, `hub/`: session.rs serves a client, client.rs drives another engine
//! * `dxp/`: host.rs is our side of a connection, server.rs serves one program at a time, rival.rs
//!   is a program that we play against

mod board;
pub mod dxp;
mod fault;
pub mod hub;
mod input;
mod numbering;
mod player_slot;
mod process;
pub mod uci;

pub use board::{BoardError, NumberedMove};
pub use fault::Fault;
pub use numbering::{Numbering, UnknownNumbering};
