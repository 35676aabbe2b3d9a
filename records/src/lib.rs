//! Recorded games as text, of any game damka knows: Portable Draughts Notation (PDN) and Portable
//! Game Notation (PGN). They are one notation, in which every game writes moves and positions in
//! its own way.
//!
//! [`read`] is generous. It takes PDN 3.0 (<https://pdn.fmjd.org>), PGN, and what older programs
//! wrote: all notations of moves that the game knows, results as `1-0` or `2-0`, castling as `O-O`
//! or `0-0`, comments in braces or after `;`, lines that start with `%`, games without tags, without
//! a result, or without an empty line between them. What is broken is reported with its place,
//! and reading goes on with the next game.
//!
//! Writing is strict: a [`Record`] is displayed as PDN 3.0, or PGN, in the notation of its game.
//!
//! Clocks, evaluations and other commands in comments (`[%clk 0:10:00]`) are kept as they are, as
//! a part of the comment.
//!
//! ```
//! use damka_games::{Chess, Russian};
//!
//! let text = "[White \"Ivanov\"]\n\n1. c3-d4 b6-a5 {as usual} 2. d4-c5 1-0\n";
//! let games: Vec<_> = damka_records::read(Russian, text).collect::<Result<_, _>>().unwrap();
//! assert_eq!(games[0].tags.get("White"), Some("Ivanov"));
//! assert_eq!(games[0].line.plies[1].comments, ["as usual"]);
//! assert!(games[0].to_string().ends_with("1. c3-d4 b6-a5 {as usual} 2. d4-c5 1-0\n"));
//!
//! let error = damka_records::read(Chess, "1. e4 e5\n2. Ke3 1-0").next().unwrap().unwrap_err();
//! assert_eq!((error.line, error.column), (2, 4));
//! ```
//!
//! # Where things are
//!
//! * `decode.rs`: bytes become text
//! * `lexer.rs` cuts text, `reader.rs` understands it, `writer.rs` writes it
//! * `tree.rs`: a game that is walked and changed, with its variations
//! * `record.rs`: a game, with its `line.rs` and `tags.rs`; `marks.rs` and `game_result.rs`: signs
//!   in it; `game_type.rs`: how PDN names the variants

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
mod tree;
mod writer;

pub use decode::decode;
pub use error::{RecordError, RecordProblem};
pub use game_result::GameResult;
pub use line::{Line, Ply};
pub use reader::{Reader, read};
pub use record::Record;
pub use tags::Tags;
pub use tree::{GameTree, TooDeep};

/// How deep variations may be nested in a text that is read.
pub const DEEPEST_VARIATION: usize = 64;

/// The most tags a game may have in a text that is read.
pub const MOST_TAGS: usize = 200;
