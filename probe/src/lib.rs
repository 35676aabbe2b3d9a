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
//! # Three levels
//!
//! * [`Tables`] are a game's tables in a [`Storage`], such as a directory of files, and what
//!   callers ask. Captures come first (`captures.rs`); the table that has a position is looked
//!   up in a catalog of those that were asked for (`catalog.rs`).
//! * A [`Table`] is one file: the indices of its signature, and a reader that checks whatever it
//!   reads.
//! * Of a table that is probed, blocks are decoded when they are first needed (`opened.rs`) and
//!   kept in a cache of frames that all tables share (`blocks/`).
//!
//! # Which call when
//!
//! One [`Tables`] serves all threads. Opening it opens no file: a table is opened when it is
//! first needed, and one that is missing may come later.
//!
//! * [`Tables::wdl`] where the answer is worth a read: at the root, in leaves, after a move
//!   that takes a piece. Blocks that it decodes are kept, up to [`ProbeOptions::cache_bytes`];
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
//! *Map or pread?* [`Access::Read`], which is used unless the other is asked for, gives an error
//! where a disk fails, or somebody cuts a file short. [`Access::Map`] is a little quicker for
//! new blocks and shares memory with other processes, but there such a file ends the process.
//! Blocks that are decoded cost the same.
//!
//! # How a probe stays quick
//!
//! A probe of decoded blocks writes nothing that other threads read, takes no lock and no memory.
//!
//! * *Tables* are found by the materials of the side to move and of its opponent in a hash table
//!   whose slots are filled once and never change (`catalog.rs`): no canonical order, no lock.
//! * *Blocks* are decoded into frames of one size, words that are read and written as atomics.
//!   Each block of an open table has a *place*, one word that tells its frame, or the byte that
//!   all of it is, or nothing. A reader loads the place, then the word, then the place again: if it
//!   is still the same, the word is the block's. A frame that gets another block is first taken
//!   from the place of the one before, and its place is never again what it was.
//! * *Memory* is what a probe waits for. Two of three words that are asked for repeat one byte,
//!   nearly always the commonest of their block. The place of a block tells which byte that is; a
//!   summary of the frame, small enough to stay in the processor's cache, tells which words repeat
//!   it; and the word is fetched meanwhile. Of blocks with few such words only the word is read.
//! * *Branches* that no processor foresees (who is to move, which kind of piece, which value, where
//!   captures begin, whether a word is the common one) are computed, not taken. Dearest are those
//!   that hang on memory: all that was begun behind them is thrown away.
//! * *Bits* are counted and gathered by instructions that most processors have (`tables`,
//!   `processor.rs`). A probe and the numbering of a position are compiled with and without them;
//!   which is run, the processor decides, once for each probe.
//! * *Captures* are probed one by one as they are found, and no more are looked for behind a win;
//!   where the opponent has one piece left, none are: whoever must capture it has won.
//! * *When frames run out*, a hand goes around them: a block that was read since it last came by
//!   is passed over once. Readers mark a place when it is not marked, so rarely.
//! * *Threads* that probe never wait for each other: of those that need the same block at the same
//!   time, each decodes it and one keeps it. Decoder and buffers belong to the thread and are used
//!   again.
//! * *Pinned tables* have frames of their own, and places that do not change any more.
//!
//! # Where things are
//!
//! * `tables.rs`: Tables, what callers ask; captures.rs: captures first, then the table
//! * `catalog.rs`: the tables that were asked for, found without a lock
//! * `storage.rs`: where tables are kept: files.rs, memory, or what a program says; map.rs has
//!   the memory maps
//! * `present.rs`: which tables there are; names.rs: what they are called
//! * `table.rs`: Table, one file; opened.rs: one that is probed
//! * `blocks/`: decoded blocks, found and read without a lock: cache.rs, frames.rs;
//!   cache_model.rs has loom try what threads may do with it
//! * `listing/`: all positions of a signature, by value, distance, zugzwang

mod blocks;
mod captures;
mod catalog;
mod error;
mod files;
mod listing;
mod map;
mod names;
mod opened;
mod present;
mod storage;
mod table;
mod tables;
mod visits;

pub use blocks::Words;
pub use error::ProbeError;
pub use files::{Access, FileBytes, Files};
pub use listing::{
    Cursor, CursorError, Filter, Histogram, Listed, Listing, NoPlace, Query, Sample,
};
pub use names::table_name;
pub use names::table_path;
pub use present::list_tables;
pub use storage::Storage;
pub use table::{DefaultStorage, Table};
pub use tables::ProbeOptions;
pub use tables::{RankedMove, Tables};
pub use visits::MAX_CAPTURES;
