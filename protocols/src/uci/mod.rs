//! UCI, the Universal Chess Interface, by which graphical programs drive an engine:
//! <https://backscattering.de/chess/uci/>. Only the notation of moves and positions depends on the
//! game, so UCI is available for all games.
//!
//! The options are `Hash` (the transposition table, in MiB), `Threads`, `TablePath` (a directory;
//! `<empty>` for none), `TableCache` (the cache of decoded table blocks, in MiB), `Ponder` (has no
//! effect), `MultiPV`, `Move Overhead` (the time lost between client and engine for each move, in
//! milliseconds; 8 are always reserved), `Book` (`own`, `none` or a file), `EvalFile` (a file of
//! weights or of a network; `<empty>` for what is built in), `Variety` (early in a game, plays any move at
//! most this many hundredths of a man worse than the best), `UCI_LimitStrength` and `UCI_Elo` (the
//! [level](damka_engine::Level) whose strength is nearest is played), `UCI_AnalyseMode` (every
//! search is an analysis: at full strength and without the book), `UCI_ShowWDL` (the chances of
//! win, draw and loss), `Clear Hash`, and in chess `UCI_Chess960` (castling is given by the squares
//! of king and rook). Other searches without limits, and those that are `infinite`, are analyses as
//! well.
//!
//! Positions of Chess960 and both notations of castling are read whether or not `UCI_Chess960` is set.
//!
//! The protocol has no errors. Unknown words are skipped, and problems are reported by `info string`.
//! If the options cannot be honoured, because memory or a file is missing, the engine searches with
//! little memory and without tables and book, so that it always answers with a legal move. After a position
//! that was refused, and if the game is over, `go` is answered by `bestmove 0000`, UCI's null move.
//! A command that is not allowed during a search ends it.
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

pub use client::{Client, Options, ScoredMove, SearchLimits};
pub use session::serve;

use damka_games::Position;

/// The notation of moves: standard UCI, or with castling as the option `UCI_Chess960` requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Standard,
    Chess960,
}

impl Notation {
    fn format<P: Position>(self, position: &P, mv: P::Move) -> String {
        match self {
            Notation::Standard => position.coordinates(mv),
            Notation::Chess960 => position.coordinates_960(mv),
        }
    }
}

/// The null move, for a position without legal moves.
const NO_MOVE: &str = "0000";
