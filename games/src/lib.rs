//! The rules of the games that damka supports: positions, legal moves, un-moves and notation.
//! Nothing here reads files, starts threads or depends on tables.
//!
//! A family of games is a type that implements [`Game`]; its values are the games: the variants of
//! [`Draughts`], [`Alapo`] and [`Chess`]. The rules for a position are methods of [`Position`].
//!
//! ```
//! use damka_games::{Game, Position, Russian};
//! let position = Russian.parse_fen("W:WKa1:BKh8").unwrap();
//! assert_eq!(position.moves().len(), 6);
//! ```
//!
//! # Where things are
//!
//! * `game.rs`: the traits `Game` and `Position`, which every family implements
//! * `setup.rs`: a position that has not been checked; `square.rs`, `square_set.rs`, `kind.rs`,
//!   `pieces.rs`, `material.rs`: what it consists of
//! * `counters.rs`: the move counters of a FEN; `counted.rs`: a position with its counters
//! * `pasted.rs`: finds the FEN among the tags of a game
//! * `any.rs`: the list of all games
//! * `random.rs`: a seeded random generator
//! * `draughts/`: the draughts family: `rules.rs` has the table of rule flags, `capture.rs` and
//!   `quiet.rs` the move generator for all variants, `names.rs` the names of squares
//! * `grid/`: the geometry of square boards, for Alapo and chess
//! * `alapo/`: Alapo
//! * `chess/`: chess: `moves.rs`, `unmoves.rs`, `notation.rs`

pub mod alapo;
mod any;
mod bitboards;
pub mod chess;
mod color;
mod counted;
mod counters;
pub mod draughts;
mod error;
mod foreign;
mod game;
pub mod grid;
mod kind;
mod material;
mod pasted;
mod perft;
mod pieces;
mod random;
mod setup;
mod square;
mod square_set;

pub use alapo::Alapo;
pub use any::{AnyGame, UnknownGame};
pub use bitboards::Bitboards;
pub use chess::Chess;
pub use color::Color;
pub use counted::Counted;
pub use counters::MoveCounters;
pub use draughts::Draughts::{self, *};
pub use error::{CastlingProblem, FenError, FenProblem, MoveError, PositionError, SetupError};
pub use foreign::{excerpt, printable};
pub use game::{Game, MoveList, Position, PositionList};
pub use kind::{Kind, MAX_KINDS};
pub use material::Material;
pub use pieces::Pieces;
pub use random::Random;
pub use setup::Setup;
pub use square::Square;
pub use square_set::{SquareSet, Squares};
