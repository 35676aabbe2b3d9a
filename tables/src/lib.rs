//! What a damka table is: all positions of one material signature under one
//! metric, in one file.
//!
//! [`Signature`] names a table, [`Index`] numbers its positions, [`Value`] and
//! [`Wdl`] are what it holds, and [`mod@format`] reads and writes its file, whose
//! bytes FORMAT.md describes. Nothing here opens files by name or maps them.
//!
//! In WebAssembly tables are read, by a decompressor in Rust, and none are written.

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
