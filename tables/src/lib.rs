//! What a damka table is: all positions of one material signature under one
//! metric, in one file.
//!
//! [`Signature`] names a table, [`Index`] numbers its positions, [`Value`] and
//! [`Wdl`] are what it holds, and [`mod@format`] reads and writes its file, whose
//! bytes FORMAT.md describes. Nothing here opens files by name or maps them.
//!
//! In WebAssembly tables are read, by a decompressor in Rust, and none are written.
//!
//! # Where things are
//!
//! * `signature.rs`: which pieces: `KKMvKM`
//! * `index/`: positions <-> numbers, one-to-one
//!   * `shape/`: what is different from game to game: slices that are plain products
//!   * `slice.rs`: a placement ranked step by step; keys.rs finds its slice
//!   * `folded.rs`: symmetric placements share a number
//!   * `count.rs`: how many positions there are, without an index
//! * `value.rs`: win, draw, loss and distance in one number
//! * `metric/`: what is different from one metric to the next: how values are packed, filled,
//!   digested and counted, and which table serves for another
//! * `format/`: the file: header, blocks, writer, reader; FORMAT.md describes it

// What only a writer needs has no user there.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

pub mod format;
mod index;
pub mod metric;
pub mod processor;
mod signature;
mod value;

pub use index::{Index, Indexable, Slice, Step, Symmetry, combinatorics};
pub use signature::{MAX_PIECES, Side, Signature, SignatureError};
pub use value::{Value, Wdl};
