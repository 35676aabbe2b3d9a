//! The front door as programs use it.

#[cfg(feature = "engine")]
mod annotate;
#[cfg(feature = "engine")]
mod engine;
mod front_door;
mod listing;
#[cfg(feature = "engine")]
mod memory;
#[cfg(feature = "generate")]
mod partial;
#[cfg(feature = "chunks")]
mod pending;

use std::path::{Path, PathBuf};

/// The golden tables in this directory of `tests/data`.
fn golden_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

/// The golden tables of the first version of the format.
fn golden() -> PathBuf {
    golden_of("golden")
}
