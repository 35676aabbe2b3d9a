//! Recorded games as text: Portable Draughts Notation (PDN) and Portable Game Notation (PGN), for
//! all games that damka supports. Both have the same syntax; only moves and positions are written
//! differently.
//!
//! [`read`] is lenient. It accepts PDN 3.0 (<https://pdn.fmjd.org>), PGN, and the output of older
//! programs: all notations of moves of the game, results such as `1-0` or `2-0`, castling as `O-O`
//! or `0-0`, comments in braces or after `;`, lines that start with `%`, and games without tags,
//! without a result, or without an empty line between them. A malformed game is reported with the
//! place of the problem, and parsing continues with the next game.
//!
//! Writing is strict: a [`Record`] is displayed as PDN 3.0, or PGN, in the notation of its game.
//!
//! Clocks, evaluations and other commands in comments (`[%clk 0:10:00]`) are kept as part of the
//! comment.
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
//! * `decode.rs`: decodes bytes to text
//! * `lexer.rs`: splits text into tokens; `reader.rs`: parses games; `writer.rs`: writes them
//! * `tree.rs`: a game with variations that can be navigated and edited
//! * `record.rs`: a game, with its `line.rs` and `tags.rs`; `marks.rs`: strength marks;
//!   `game_result.rs`: results; `game_type.rs`: the tags that identify the game

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

/// The maximum depth of nested variations.
pub const DEEPEST_VARIATION: usize = 64;

/// The comment that marks a move as part of a given opening: no player chose it.
pub const OPENING: &str = "opening";

/// The maximum number of tags of a game.
pub const MOST_TAGS: usize = 200;
