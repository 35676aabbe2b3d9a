//! UCI, the Universal Chess Interface, by which graphical programs drive a chess engine:
//! <https://backscattering.de/chess/uci/>. Nothing in it is about chess but the notation of moves
//! and positions, which every game has: it is spoken in any game.
//!
//! The options are `Hash` (the transposition table, in MiB), `Threads`, `TablePath` (a directory;
//! `<empty>` for none), `TableCache` (for what is decoded of tables, in MiB), `Ponder` (which the
//! engine need not know), `MultiPV`, `Move Overhead` (what is lost of the time for each move on the
//! way between client and engine, in milliseconds) and `Book` (`own`, `none` or a file).
//!
//! The protocol has no errors: what is not understood is passed over, up to the next word that is,
//! and what cannot be done is told by `info string`. Where the options cannot be had, for want of
//! memory or because a file is missing, the engine searches with little memory and without tables
//! and book: a legal move is always answered. Behind a position that was refused `go` is
//! answered by `bestmove 0000`, UCI's null move, as it is where the game is over. What must not come
//! during a search ends it.
//!
//! ```
//! use damka_games::Alapo;
//! use damka_engine::PlayerSettings;
//! use damka_protocols::uci;
//!
//! let settings = PlayerSettings { memory: 1 << 20, ..PlayerSettings::new(Alapo) };
//! let mut answers = Vec::new();
//! uci::serve("uci\nisready\nquit\n".as_bytes(), &mut answers, settings)?;
//! assert!(String::from_utf8_lossy(&answers).ends_with("uciok\nreadyok\n"));
//! # std::io::Result::Ok(())
//! ```

mod answer;
mod client;
mod command;
mod error;
mod options;
mod session;

pub use client::{Answer, Client, Pace};
pub use session::serve;

/// The move of who has none.
const NO_MOVE: &str = "0000";
