//! The Hub protocol, version 2, by which programs such as Hub and pydraughts drive a
//! draughts engine: <https://github.com/rhalbersma/scan/blob/master/protocol.txt>.
//!
//! The parameters are `variant` (`russian`, `english`, `brazilian` or `pool`), `threads`,
//! `tt-size` (as Scan has it: the binary logarithm of the number of entries of the
//! transposition table, of 16 bytes each), `tables` (a directory; empty for none), `book`
//! (`true` to play from an opening book) and `move-numbering`.
//! They may be set again after `init`; the position must then be sent again.
//!
//! Squares are numbered from 1 (b8) and 4 (h8) to 32 (g1) in all variants, in positions
//! and moves alike: `pos pos=Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww moves="22-18 9-13"`. In
//! English draughts Black has the squares 1 to 12, and moves first. The protocol describes
//! the board of 50 squares only, and some clients number moves otherwise than positions.
//! For them `move-numbering` may be `bottom` (1 is a1, 4 is g1, 32 is h8) or `turned` (1 is g1,
//! 4 is a1, 32 is b8) instead of `top`: pydraughts wants `bottom` for Russian and Brazilian
//! draughts, and `turned` for English.
//!
//! What is not understood, or must not come now, is answered by `error`, and changes
//! nothing; but after a position that was refused there is none to search.
//!
//! ```
//! use damka_engine::{DraughtsVariant, Settings, book::BookChoice, hub};
//!
//! let variant = DraughtsVariant::Russian;
//! let book = BookChoice::Own;
//! let settings = Settings { variant, threads: 1, memory: 1 << 20, tables: None, book, seed: 1 };
//! let mut answers = Vec::new();
//! hub::serve("hub\ninit\nping\nquit\n".as_bytes(), &mut answers, settings)?;
//! assert!(String::from_utf8_lossy(&answers).ends_with("wait\nready\npong\n"));
//! # std::io::Result::Ok(())
//! ```

mod answer;
mod client;
mod command;
mod error;
mod input;
mod line;
mod notation;
mod parameters;
mod process;
mod session;

pub(crate) use client::Client;
pub(crate) use command::{Clock, Level};
use error::HubError;
pub use session::serve;
