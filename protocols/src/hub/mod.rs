//! The Hub protocol, version 2, by which programs such as Hub and pydraughts drive a draughts engine:
//! <https://github.com/rhalbersma/scan/blob/master/protocol.txt>.
//!
//! The parameters are `variant` (a variant of draughts), `threads`, `tt-size` (as in Scan the base-2
//! logarithm of the number of entries of the transposition table, of 16 bytes each), `tables` (a
//! directory; empty for none), `access` (how tables are read, `map` or `read`), `book` (`true` to play
//! from an opening book) and `numbering`. They may be set again after `init`; then the position must be
//! sent again. `bb-size`, `book-margin`, `book-ply`, `eval`, `initial-time` and `ponder`, which clients made
//! for Scan send, are accepted and have no effect.
//!
//! `level handicap=N`, as lidraughts sends it, lets the next search play N [levels](damka_engine::Level)
//! below full strength.
//!
//! The protocol only describes the board of 50 squares, and Scan and Hub have no other. Positions are
//! written in its order, from b8 and h8 to a1 and g1. Moves number the squares as in pydraughts, the
//! usual client for other variants: from a1 (1) and g1 (4) to h8 (32), and in English draughts from g1
//! (1) and a1 (4) to b8 (32), because there pydraughts has White move first on a turned board. For
//! example, `pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="10-14 21-17"` is 1. c3-d4 b6-a5 from the
//! start position of Russian draughts. For other clients, `numbering` may be `top` (1 is b8, 32 is g1,
//! as in positions), `bottom` (1 is a1) or `turned` (1 is g1) instead of `usual`.
//!
//! A command that is not understood or not allowed is answered by `error` and has no effect, with two
//! exceptions: after a refused position there is none to search, and after a refused level a search is
//! answered at once.
//!
//! ```
//! use damka_games::Draughts;
//! use damka_engine::PlayerSettings;
//! use damka_protocols::hub;
//!
//! let settings = PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(Draughts::Russian) };
//! let mut answers = Vec::new();
//! hub::serve("hub\ninit\nping\nquit\n".as_bytes(), &mut answers, settings, None)?;
//! assert!(String::from_utf8_lossy(&answers).ends_with("wait\nready\npong\n"));
//! # std::io::Result::Ok(())
//! ```

mod answer;
mod client;
mod command;
mod error;
mod line;
mod notation;
mod parameters;
mod session;

pub use client::{Client, ScoredMove};
pub use command::{LevelClock, SearchLimits};
use error::HubError;
pub use session::serve;
