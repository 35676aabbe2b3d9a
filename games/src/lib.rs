//! The rules of the games damka knows: positions, legal moves, un-moves and
//! notation. Nothing here reads files, starts threads or knows of tables.
//!
//! A family of games is a type that implements [`Game`], and its values are the games: the
//! variants of [`Draughts`], [`Alapo`], and [`Chess`]. What the rules say of a [`Position`] are its methods.
//!
//! ```
//! use damka_games::{Game, Position, Russian};
//! let position = Russian.parse_fen("W:WKa1:BKh8").unwrap();
//! assert_eq!(position.moves().len(), 6);
//! ```
//!
//! # Where things are
//!
//! * `game.rs`: the traits `Game` and `Position`: what a family of games must be able to do
//! * `setup.rs`: what stands where, perhaps impossible; told with Square, SquareSet, Kind and
//!   Pieces, a file each
//! * `counters.rs`: the move counters of a FEN; counted.rs: a position with its counters
//! * `pasted.rs`: the FEN among the tags of a game
//! * `any.rs`: the one list of all games
//! * `random.rs`: the one random generator, seeded
//! * `draughts/`: the draughts family: rules.rs has the table of flags, capture.rs and quiet.rs
//!   the one generator that they drive, names.rs how squares are written
//! * `grid/`: square boards: squares, lines, symmetries, and what stands where; for Alapo and chess
//! * `alapo/`: Alapo
//! * `chess/`: chess: moves.rs and unmoves.rs, notation.rs how moves are written

pub mod alapo;
mod any;
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
pub use chess::Chess;
pub use color::Color;
pub use counted::Counted;
pub use counters::MoveCounters;
pub use draughts::Draughts::{self, *};
pub use error::{FenError, FenProblem, MoveError, PositionError, SetupError};
pub use foreign::{excerpt, printable};
pub use game::{Game, MoveList, Position, PositionList};
pub use kind::{Kind, MAX_KINDS};
pub use material::Material;
pub use pieces::Pieces;
pub use random::Random;
pub use setup::Setup;
pub use square::Square;
pub use square_set::{SquareSet, Squares};
