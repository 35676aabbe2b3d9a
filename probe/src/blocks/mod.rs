//! Decoded blocks, in a [cache](Cache) of [frames] shared by all tables, or pinned in frames of
//! their table.

mod cache;
#[cfg(all(test, loom))]
mod cache_model;
mod frames;
mod sync;
mod words;

pub(crate) use cache::{Cache, Places};
pub(crate) use frames::word_of;
pub(crate) use sync::Arc;
pub use words::Words;
