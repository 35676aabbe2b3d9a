//! Portable Draughts Notation: recorded games as text, of any game damka knows.
//!
//! [`read`] is generous. It takes PDN 3.0 (<https://pdn.fmjd.org>) and what older
//! programs wrote: both notations of squares, moves with `x`, `:` or `*` for a
//! capture, results as `1-0` or `2-0`, comments in braces or after `;`, lines
//! that start with `%`, games without tags or without a result. What is broken
//! is reported with its place, and reading goes on with the next game.
//!
//! Writing is strict: a [`Record`] is displayed as PDN 3.0, in the notation of
//! its game.
//!
//! ```
//! use damka_games::Russian;
//! use damka_records::pdn;
//!
//! let text = "[White \"Ivanov\"]\n\n1. c3-d4 b6-a5 {as usual} 2. d4-c5 1-0\n";
//! let games: Vec<_> = pdn::read(Russian, text).collect::<Result<_, _>>().unwrap();
//! assert_eq!(games[0].tags.get("White"), Some("Ivanov"));
//! assert_eq!(games[0].line.plies[1].comments, ["as usual"]);
//! assert!(games[0].to_string().ends_with("1. c3-d4 b6-a5 {as usual} 2. d4-c5 1-0\n"));
//!
//! let error = pdn::read(Russian, "1. c3-d4 b6-a5\n2. d4-d5 1-0").next().unwrap().unwrap_err();
//! assert_eq!((error.line, error.column), (2, 4));
//! ```

mod decode;
mod error;
mod game_result;
mod game_type;
mod lexer;
mod line;
mod marks;
mod reader;
mod record;
mod tags;
mod writer;

pub use decode::decode;
pub use error::{PdnError, PdnProblem};
pub use game_result::GameResult;
pub use line::{Line, Ply};
pub use reader::{Reader, read};
pub use record::Record;
pub use tags::Tags;

/// How deep variations may be nested in a text that is read.
pub const DEEPEST_VARIATION: usize = 64;

/// The most tags a game may have in a text that is read.
pub const MOST_TAGS: usize = 200;
