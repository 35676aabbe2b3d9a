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
//!
//! # Where things are
//!
//! * `search/`: negamax with alpha-beta; worker.rs is one thread of it, deepen.rs, negamax.rs and
//!   quiesce.rs what it does. playable.rs has it compiled once for each family of games
//! * `evaluate/`: what positions are worth: each game says what is counted in them, and
//!   weights.rs what that is worth, as learned; weights/ holds what is built in, frames.rs what a
//!   thread remembers of it. Beside it what else the search asks of a game (the trait in
//!   searchable.rs), such as when it is drawn by counting (with draws.rs)
//! * `tune.rs`: learns weights from games, with tables as teacher
//! * `transposition.rs`: what earlier searches found, shared by threads
//! * `endings.rs`: the tables that a search may use, opened before it
//! * `history.rs`: a game so far; control.rs: limits, clocks, stopping, pondering
//! * `solve.rs`: a plain search from the rules alone, for the tests of tables
//! * `bench.rs`: fixed searches, whose node count tells if the search has changed
//! * `book/`: opening books; the file format is described in mod.rs, explore.rs makes them by
//!   search; books/ holds those that are built in
//! * `file.rs`: the head, checksum and errors that books and weights share

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
pub use zobrist::symmetric_key;
