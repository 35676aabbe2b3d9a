//! The rules of the games damka knows: positions, legal moves, un-moves and
//! notation. Nothing here reads files, starts threads or knows of tables.
//!
//! A game is a type without data that implements [`Game`]: the draughts
//! variants of [`draughts`], and [`alapo::Alapo`].
//!
//! ```
//! use damka_games::{Game, Russian};
//! let position = Russian::parse_fen("W:WKa1:BKh8").unwrap();
//! assert_eq!(Russian::moves(&position).len(), 6);
//! ```

pub mod alapo;
mod bits;
mod color;
pub mod draughts;
mod error;
mod foreign;
mod game;
mod material;
mod perft;

pub use alapo::Alapo;
pub use bits::bits;
pub use color::Color;
pub use draughts::{Brazilian, English, Pool, Russian};
pub use error::{FenError, FenProblem, MoveError};
pub use foreign::{excerpt, printable};
pub use game::{Game, MoveList, Pieces, PositionList};
pub use material::{MAX_KINDS, Material};
pub use perft::perft;
