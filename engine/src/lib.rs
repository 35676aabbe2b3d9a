//! The engine: finds the best move in a position of any game of damka, with or without endgame
//! tables.
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
//! * `search/`: negamax with alpha-beta. worker.rs is the state of one thread; deepen.rs,
//!   negamax.rs and quiesce.rs are the search itself. playable.rs instantiates it for each family
//!   of games
//! * `evaluate/`: the evaluation, an argument of the search (evaluator.rs). Each game counts its
//!   features, and weights.rs holds the learned weights, structure_cache.rs a cache; network/ is the other
//!   kind of evaluation. weights/ has the built-in ones. The folder of each family also implements the
//!   trait of searchable.rs: what else the search needs, such as draw rules (with draws.rs)
//! * `tune/`: learns weights and networks from games and endgame tables
//! * `transposition.rs`: the transposition table, shared by threads
//! * `player.rs`: the engine with a book and the game so far, which all front ends play through
//! * `level.rs`: how well a player plays, and how it chooses a move; handicap.rs: how much it
//!   searches at a level
//! * `endgame_tables.rs`: the endgame tables that a search may use, opened in advance
//! * `history.rs`: a game so far; control.rs: limits, clocks, stopping, pondering
//! * `solve.rs`: a plain search from the rules alone, for the tests of tables
//! * `bench.rs`: searches of fixed positions, whose node total is a checksum of the search
//! * `book/`: opening books. mod.rs describes the file format, explore.rs builds books by search;
//!   books/ holds the built-in ones
//! * `file.rs`: the header, checksum and errors that books, weights and networks share

pub mod bench;
pub mod book;
mod control;
mod draws;
mod endgame_tables;
mod evaluate;
mod file;
mod handicap;
mod history;
mod level;
mod playable;
mod player;
mod score;
mod search;
mod searchable;
mod solve;
mod transposition;
pub mod tune;
mod zobrist;

/// Names that the macro `playable` uses in other crates.
#[doc(hidden)]
pub mod instantiate {
    pub use crate::evaluate::open_any;
    pub use damka_probe::{ProbeError, Tables};
    pub use damka_records::Record;
}

pub use control::{Clock, Control, Limits, MOVE_OVERHEAD, TimeControl};
pub use draws::{Counters, DrawReason};
pub use endgame_tables::EndgameTables;
pub use evaluate::{Evaluated, Evaluator, Network, ThreadEvaluator, Weights};
pub use file::{FileError, FileProblem};
pub use handicap::Handicap;
pub use history::{GameEnd, History};
pub use level::{Level, LevelError};
pub use playable::{Playable, open_evaluator};
pub use player::{MAX_THREADS, Player, PlayerError, PlayerSettings, Resources};
pub use score::{Score, WinRate};
pub use search::{Engine, Report, Variation};
pub use searchable::Searchable;
pub use solve::{Outcome, solve};
pub use zobrist::symmetric_key;
