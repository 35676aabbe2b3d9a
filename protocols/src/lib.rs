//! The protocols by which other programs and the engine play: Hub 2 ([`hub`]) and DXP ([`dxp`]),
//! each from both ends. Over Hub graphical programs drive the engine ([`hub::serve`]), and other
//! engines are driven ([`hub::Client`]); over DXP two programs play each other.
//!
//! Which variant is played is known only when the program runs: see [`Settings`].
//!
//! # Where things are
//!
//! * `fault.rs`: what other programs do wrong
//! * `player/`: a variant chosen at run time, as both protocols need it
//! * `hub/`: Hub 2: graphical programs and libraries drive the engine (session.rs), and it drives
//!   others (client.rs)
//! * `dxp/`: DXP: two engines play each other over TCP; server.rs serves one at a time

pub mod dxp;
mod fault;
pub mod hub;
mod player;

pub use fault::Fault;
pub use player::{BoardError, NumberedMove, Numbering, Settings, SettingsError, UnknownNumbering};
