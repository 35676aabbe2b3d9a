//! Exact endgame results from a directory of damka tables: value, distance, the
//! moves ranked, best play to the end.
//!
//! ```no_run
//! use damka_games::{Game, Russian};
//! use damka_probe::Tables;
//!
//! let tables = Tables::open(Russian, "/var/lib/damka");
//! let position = Russian.parse_fen("W:WKa1,Kc1,Ke1:BKh8").unwrap();
//! println!("{:?}", tables.dtw(&position)?.plies());
//! # Ok::<(), damka_probe::ProbeError>(())
//! ```
//!
//! # Which call when
//!
//! One [`Tables`] serves all threads. Opening it opens no file: a table is opened when it is
//! first needed, and one that is missing may come later.
//!
//! * [`Tables::wdl`] where the answer is worth a read: at the root, in leaves, after a move
//!   that takes a piece. Blocks that it decodes are kept, up to [`Options::cache_bytes`];
//!   a position in a block that is kept costs a look at memory and takes no lock and no
//!   allocation. Decoding a block takes about a hundred times as long.
//! * [`Tables::value_if_decoded`] where it is not: in interior nodes of a search. It reads
//!   nothing, opens nothing and decodes nothing; [`Tables::prefetch`] then asks the system to
//!   have the bytes ready for a probe that cannot be spared later.
//! * [`Tables::dtw`], [`Tables::moves`] and [`Tables::line`] at the root, which needs the move
//!   that makes progress, not only one that keeps the win.
//! * [`Tables::pin`] for tables that are always needed, such as those of few pieces: decoded
//!   as a whole, beside the cache, for good.
//!
//! *How large a cache?* A block takes 16.3 KiB decoded and holds 65,536 positions of a WDL table,
//! or a quarter of that with distances; blocks of one value, which are many, take nothing. All
//! WDL tables of Russian draughts with up to 6 pieces take 0.5 GB decoded, with up to 5 pieces
//! 40 MB. Besides, every table that was probed keeps 8 bytes for each of its blocks.
//!
//! *Map or pread?* [`Access::Map`] is a little quicker for new blocks and shares memory with
//! other processes. [`Access::Read`] is for disks that may fail while they are read, network
//! file systems, and directories where somebody may cut a file short: there a map ends the
//! process, a read gives an error. Blocks that are decoded cost the same.

mod cache;
#[cfg(all(test, loom))]
mod cache_model;
mod error;
mod frames;
mod known;
mod listing;
mod map;
mod opened;
mod source;
mod sync;
mod table;
mod tables;
mod visits;

pub use error::ProbeError;
pub use listing::{Filter, Histogram, Listed};
pub use source::Access;
pub use table::{Table, list_tables, table_path};
pub use tables::{Options, RankedMove, Tables};
pub use visits::MAX_CAPTURES;
