//! The engine: searches a position of any game damka knows for the best move, with
//! or without tables.
//!
//! ```
//! use damka_engine::{Control, Engine, History, Limits};
//! use damka_games::{Game, Russian};
//!
//! let mut engine = Engine::new(Russian, 1 << 20);
//! let game = History::new(Russian.parse_fen("W:Wc3,e3:Bd6,h8").unwrap());
//! let found = engine.search(&game, &Limits::depth(9), &Control::default(), |_| ());
//! println!("{:?}", found.best());
//! ```

pub mod bench;
pub mod book;
mod control;
mod draws;
mod endings;
mod evaluate;
mod file;
mod history;
mod playable;
mod score;
mod search;
mod searchable;
mod solve;
mod transposition;
pub mod tune;
mod zobrist;

pub use control::{Clock, Control, Limits, TimeControl};
pub use draws::{Counters, DrawReason};
pub use endings::Endings;
pub use evaluate::{Evaluated, Weights};
pub use file::{FileError, FileProblem};
pub use history::{End, History};
pub use playable::Playable;
pub use score::Score;
pub use search::{Engine, Line, Report};
pub use searchable::Searchable;
pub use solve::{Outcome, solve};
