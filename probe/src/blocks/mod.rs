//! Decoded blocks: kept in a [cache](Cache) of [frames] that all tables share, or pinned in
//! frames of their table's own.

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
