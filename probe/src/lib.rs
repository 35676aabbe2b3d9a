//! Exact endgame results from damka tables: values, distances, ranked moves, best play to the end.
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
//! * [`Tables`] looks positions up in a game's tables in a [`Storage`], such as a directory of
//!   files. It resolves captures first (`captures.rs`); a catalog finds the table of a position
//!   (`catalog.rs`).
//! * A [`Table`] is one file: the indices of its signature, and a reader that checks everything it
//!   reads.
//! * The blocks of a probed table are decoded when first needed (`opened.rs`) and kept in a cache
//!   of frames shared by all tables (`blocks/`).
//!
//! # Which call to use
//!
//! All threads share one [`Tables`]. Opening it opens no file: each table is opened when first
//! needed, and a missing table may be added later.
//!
//! * [`Tables::wdl`] where the value justifies reading a block: at the root, in leaves, after a
//!   capture. Decoded blocks are cached, up to [`ProbeOptions::cache_bytes`]; a probe of a cached
//!   block takes one memory access, no lock and no allocation. Decoding a block takes about a
//!   hundred times as long.
//! * [`Tables::value_if_decoded`] elsewhere, as in interior nodes of a search. It reads, opens and
//!   decodes nothing. [`Tables::prefetch`] then asks the system to read the bytes for a later
//!   probe.
//! * [`Tables::dtw`], [`Tables::moves`] and [`Tables::line`] at the root, which needs a move that
//!   makes progress, not only one that keeps the win.
//! * [`Tables::values`] for many positions at once.
//! * [`Tables::pin`] for tables that are always needed, such as those of few pieces. They are
//!   decoded whole and permanently, outside of the cache.
//!
//! *Cache size.* A decoded block takes 16.3 KiB and holds 65,536 positions of a WDL table, or a
//! quarter of that with distances; the many blocks of a single value take nothing. All WDL tables
//! of Russian draughts with up to 6 pieces take 0.5 GB decoded, with up to 5 pieces 40 MB. In
//! addition, every probed table needs 8 bytes per block.
//!
//! *Map or pread.* [`Access::Read`], the default, returns an error if the disk fails or a file is
//! truncated. [`Access::Map`] is slightly faster for new blocks and shares memory with other
//! processes, but such a failure kills the process. Decoded blocks cost the same.
//!
//! # Performance
//!
//! A probe of decoded blocks writes nothing that other threads read, takes no lock and allocates
//! nothing.
//!
//! * *Tables* are found by the materials of the side to move and its opponent, in a hash table
//!   whose slots are filled once and never change (`catalog.rs`). No canonical order of sides and
//!   no lock is needed.
//! * *Blocks* are decoded into frames of equal size, which are read and written as atomic words.
//!   Each block of an open table has a *place*: a word that contains its frame, or the byte that
//!   the whole block repeats, or nothing. A reader loads the place, the word, and the place again;
//!   if the place is unchanged, the word belongs to the block (a sequence lock). Before a frame is
//!   given to another block, the place of the previous block is cleared, and it never has the same
//!   value again.
//! * *Memory latency* dominates a probe. Two of three words that are read repeat one byte, nearly
//!   always the most common byte of their block. The place of a block contains this byte; a summary
//!   of the frame, small enough for the processor's cache, marks the words that repeat it, while
//!   the word itself is being fetched. In blocks with few such words the summary is not used.
//! * *Unpredictable branches* (the side to move, the kind of a piece, a value, where captures
//!   begin, whether a word is the common one) are replaced by arithmetic. The most expensive ones
//!   depend on memory, because all speculative work after them is discarded.
//! * *Bits* are counted and gathered by instructions that most processors have (`processor.rs` of
//!   `tables`). Probes and the numbering of positions are compiled with and without them, and
//!   selected once per probe.
//! * *Captures* are probed one by one as they are generated, up to the first win. If the opponent
//!   has one piece left, none are generated: a side that must capture it wins.
//! * *Eviction* uses a clock: the hand passes over a block once if it was read since the hand's
//!   last visit. Readers mark a place only if it is not yet marked, so they rarely write.
//! * *Threads* never wait for each other: threads that need the same block at the same time each
//!   decode it, and one of them stores it. Decoders and buffers belong to threads and are reused.
//! * *Pinned tables* have their own frames, and places that no longer change.
//!
//! # Where things are
//!
//! * `tables/`: `Tables`, its queries, and the three kinds of look-up; `captures.rs`: resolves
//!   captures before the table is read
//! * `batch.rs`: many positions, block by block
//! * `catalog.rs`: finds tables without a lock
//! * `storage.rs`: where tables are kept: `files.rs`, memory, or another implementation; `map.rs`:
//!   memory maps
//! * `present.rs`: lists the tables; `names.rs`: their names
//! * `table.rs`: `Table`, one file; `opened.rs`: a probed table with its blocks
//! * `block_cache.rs`: the cache as callers see it, which several games may share
//! * `blocks/`: decoded blocks, read without a lock: `cache.rs`, `frames.rs`; `cache_model.rs`
//!   checks it with loom
//! * `listing/`: all positions of a signature, by value, distance, zugzwang

mod batch;
mod block_cache;
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

pub use block_cache::BlockCache;
pub use blocks::Words;
pub use error::{Pending, ProbeError};
pub use files::{Access, FileBytes, Files};
pub use listing::{Cursor, CursorError, Filter, Listed, Listing, NoPlace, Query, Sample};
pub use names::table_name;
pub use names::table_path;
pub use present::list_tables;
pub use storage::Storage;
pub use table::{DefaultStorage, Table};
pub use tables::ProbeOptions;
pub use tables::{RankedMove, Tables};
pub use visits::MAX_CAPTURES;
