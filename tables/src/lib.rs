//! The definition of a damka table: all positions of one material signature under one metric, in
//! one file.
//!
//! [`Signature`] names a table, [`Index`] numbers its positions, [`Value`] and [`Wdl`] are its
//! contents, and [`mod@format`] reads and writes its file, whose bytes FORMAT.md specifies. Nothing
//! here opens or maps files.
//!
//! In WebAssembly, tables can only be read, with a decompressor in Rust.
//!
//! # Modules
//!
//! * `signature.rs`: the pieces of both sides, such as `KKMvKM`
//! * `index/`: positions <-> numbers, one-to-one
//!   * `shape/`: the game-specific part: slices that are plain products
//!   * `slice.rs`: ranks a placement step by step; `keys.rs` finds its slice
//!   * `folded.rs`: gives symmetric placements the same number
//!   * `count.rs`: the number of positions, computed without an index
//! * `value.rs`: win, draw, loss and distance in one number
//! * `metric/`: the metric-specific part: how values are packed, filled, digested and counted, and
//!   which table can replace another
//! * `format/`: the file: header, blocks, writer, reader; FORMAT.md specifies it
//! * `processor.rs`: code compiled for several instruction sets, chosen at run time

// Items that only a writer needs are unused there.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

pub mod format;
mod index;
pub mod metric;
pub mod processor;
mod signature;
mod value;

pub use index::{Index, Indexable, Slice, Step, Symmetry, combinatorics};
pub use signature::{MAX_TABLE_PIECES, Side, Signature, SignatureError};
pub use value::{Value, Wdl};
