//! Endgame tables and an engine for draughts, chess and Alapo: what a position is worth with best play, which
//! moves keep that, and how the game ends. This is the front door: programs need no other crate of damka.
//!
//! # Asking tables
//!
//! `damka gen russian 4 --tables DIR`, or [`generate::build`], builds tables; [`Tables`] looks
//! positions up in them. Where the game is known when the program is written, positions and moves
//! are typed:
//!
//! ```
//! use damka::{Game, Position, Russian, Tables, Wdl};
//! # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
//!
//! let tables = Tables::open(Russian, directory);
//! // On the main road the king takes the other at once.
//! let position = Russian.parse_fen("W:WKa1:BKg7")?;
//! let value = tables.dtw(&position)?;
//! assert_eq!((value.wdl(), value.plies()), (Wdl::Win, Some(1)));
//! for ranked in tables.moves(&position, damka::Metric::Dtw)? {
//!     println!("{} {}", position.format_move(ranked.mv), ranked.value.wdl());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where the user chooses the game, use [`AnyTables`], which takes and returns text:
//!
//! ```
//! use damka::{AnyGame, Metric, Wdl};
//! # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
//!
//! let game: AnyGame = "russian".parse()?;
//! let tables = damka::open(game, directory, Default::default());
//! let answer = tables.answer("W:WKa1:BKg7", Metric::Dtw)?;
//! assert_eq!((answer.value, answer.dtw), (Some(Wdl::Win), Some(1)));
//! assert_eq!(answer.moves[0].name, "a1xh8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`AnyEngine`] does the same for the engine:
//!
//! ```
//! # #[cfg(feature = "engine")] {
//! use damka::{AnyGame, Control, Limits, PlayerSettings, SearchRequest};
//!
//! let game: AnyGame = "chess".parse()?;
//! let mut engine = damka::open_engine(&PlayerSettings::minimal(game))?;
//! engine.set_position("start", &["f2f3", "e7e5", "g2g4"])?;
//! let request = SearchRequest { limits: Limits::depth(3), lines: None };
//! let report = engine.search(&request, &Control::default(), &mut |_| ());
//! assert_eq!((report.name.as_deref(), report.dtw), (Some("Qh4#"), Some(1)));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where neither is enough, [`with_game`] runs typed code for a game that is chosen when the
//! program runs. The code is a function over any game:
//!
//! ```
//! use damka::{AnyGame, Game, Indexable, Position, ProbeError, Tables, with_game};
//! # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
//!
//! /// How many tables there are, and how many moves the game begins with.
//! fn summary<G: Indexable>(game: G, directory: &str) -> Result<String, ProbeError> {
//!     let tables = Tables::open(game, directory).signatures()?.len();
//!     Ok(format!("{}: {tables} tables, {} moves", game.name(), game.start().moves().len()))
//! }
//!
//! let game: AnyGame = "russian".parse()?;
//! let summary = with_game!(game, game => summary(game, directory))?;
//! assert!(summary.ends_with("7 moves"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The trait bound depends on what the code does: [`Indexable`] to look up positions,
//! `generate::Family` to build tables, `engine::Playable` to search.
//!
//! # Where things are
//!
//! The pages below use the names of the crates: `damka_games` is what a program calls
//! `damka::games`, and so on.
//!
//! * [`games`]: rules, positions, moves, notation. [`Game`] is a game, [`Position`] a position of one.
//! * [`tables`]: what a table is. A [`Signature`] names its pieces, an [`Index`] numbers their
//!   positions, [`Value`] and [`Wdl`] are what it holds.
//! * [`probe`]: reads directories of tables. [`Tables`] and [`Table`].
//! * `generate` (feature `generate`): builds and verifies tables.
//! * `records` (feature `records`): recorded games. `engine` (feature `engine`): the search, books.
//!
//! In this crate:
//!
//! * `any.rs`: [`AnyTables`], tables of a game named at run time; `any_engine.rs`: its engine;
//!   `builder.rs`: builds tables; `inventory.rs`: which tables there are
//! * `answer.rs`: values of a position and of its moves, the best line; `square_map.rs`: values with a piece on each square
//! * `listing.rs`: positions with a property; `stats.rs`: counts of a table; `perft.rs`
//! * `annotate`: games with the values of their moves; `recorded.rs`: recorded games of a game
//!   named at run time
//! * `ask.rs`: reads positions; `error.rs`: errors of queries
//! * `boards.rs`, `npy.rs`: positions as bitboards and as arrays; `json.rs`: objects of JSON; `game_info.rs`: a game for a page
//! * `chunks` (feature `chunks`): tables as small files named by their hashes
//!
//! With the feature `serde` an [`Answer`], a [`ListedPosition`] and a `SearchReport` can be
//! serialized; their `json` is what `damka probe --json`, `damka list --json`
//! and `damka search --json` print.

#[cfg(feature = "records")]
mod annotate;
mod answer;
mod any;
#[cfg(feature = "engine")]
mod any_engine;
mod any_storage;
mod ask;
mod boards;
#[cfg(feature = "generate")]
mod builder;
#[cfg(feature = "chunks")]
pub mod chunks;
mod error;
mod game_info;
mod inventory;
#[cfg(feature = "serde")]
pub mod json;
mod listing;
pub mod npy;
mod perft;
#[cfg(feature = "records")]
mod recorded;
mod square_map;
mod stats;

#[cfg(feature = "records")]
pub use annotate::{
    AnnotatedGame, AnnotatedGames, AnnotatedPly, Annotator, GivenUp, Judgement, PlayerSummary,
    Source, UnreadGame, Verdict,
};
pub use answer::{Answer, AnswerMove, DtwStatus, MissingTable, Ply, PositionValue};
pub use any::{AnyAnswers, AnyTables, open, open_all, open_answers, open_in};
#[cfg(feature = "engine")]
pub use any_engine::{AnyEngine, SearchLine, SearchReport, SearchRequest, open_engine};
pub use ask::{read_fen, read_position, read_setup, setup_fen};
pub use boards::{BoardLayout, BoardWord, Boards};
#[cfg(feature = "generate")]
pub use builder::{BuildError, Builder, Cost};
pub use error::{AskError, RowError};
pub use game_info::{GameInfo, PieceInfo};
pub use inventory::{DamagedTable, Inventory, TableInfo};
pub use listing::{
    AnyListed, AnyListing, ListPage, ListQuery, ListRequest, ListedPosition, PassedPosition,
};
pub use perft::{Perft, perft};
#[cfg(feature = "records")]
pub use recorded::{AnyRecord, Note, RecordedPly, read_records};
pub use square_map::SquareValue;
pub use stats::{Bar, SideHistogram, SideStats};

pub use damka_games as games;
pub use damka_games::Draughts::{self, *};
pub use damka_games::{
    Alapo, AnyGame, Chess, Color, Counted, Game, Kind, Material, MoveCounters, MoveError, Pieces,
    Position, PositionError, Setup, Square, SquareSet, with_game,
};
pub use damka_probe as probe;
pub use damka_probe::{
    Access, BlockCache, Cursor, Filter, Listed, Listing, ProbeError, ProbeOptions, Query,
    RankedMove, Sample, Storage, Table, Tables,
};
pub use damka_tables as tables;
pub use damka_tables::metric::Metric;
pub use damka_tables::{Index, Indexable, Side, Signature, Value, Wdl};

#[cfg(feature = "engine")]
pub use damka_engine as engine;
#[cfg(feature = "engine")]
pub use damka_engine::{Control, Engine, Level, Limits, PlayerError, PlayerSettings};
#[cfg(feature = "generate")]
pub use damka_gen as generate;
#[cfg(feature = "records")]
pub use damka_records as records;
