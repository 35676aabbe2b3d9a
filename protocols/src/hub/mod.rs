//! The Hub protocol, version 2, by which programs such as Hub and pydraughts drive a
//! draughts engine: <https://github.com/rhalbersma/scan/blob/master/protocol.txt>.
//!
//! The parameters are `variant` (`russian`, `english`, `brazilian` or `pool`), `threads`,
//! `tt-size` (as Scan has it: the binary logarithm of the number of entries of the
//! transposition table, of 16 bytes each), `tables` (a directory; empty for none), `access` (how
//! tables are read, `map` or `read`), `book` (`true` to play from an opening book) and
//! `numbering`. They may be set again after `init`; the position must then be sent again.
//!
//! The protocol describes the board of 50 squares only; Scan and Hub know no other. Positions are
//! written in the order that it tells, from b8 and h8 to a1 and g1. Moves number the squares as
//! pydraughts does, the usual client of other variants: from a1 (1) and g1 (4) to h8 (32), and in
//! English draughts from g1 (1) and a1 (4) to b8 (32), as there it has White move first on a
//! board that is turned. From the start `pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww
//! moves="10-14 21-17"` is 1. c3-d4 b6-a5 in Russian draughts. For other clients `numbering` may
//! be `top` (1 is b8, 32 is g1, as in positions), `bottom` (1 is a1) or `turned` (1 is g1) in all
//! variants, instead of `usual`.
//!
//! What is not understood, or must not come now, is answered by `error`, and changes
//! nothing; but after a position that was refused there is none to search, and after a level
//! that was refused a search is answered at once.
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

pub use client::{Answer, Client};
pub use command::{Clock, Level};
use error::HubError;
pub use session::serve;
