//! What damka's cross-crate tests share.

use damka_gen::{Options, Silent, Solvable, Stop, build};
use damka_tables::Signature;
use std::path::Path;

/// Builds all tables of 2 to `pieces` pieces in `directory`.
///
/// # Panics
/// If they cannot be built.
pub fn build_all<G: Solvable>(pieces: u32, directory: &Path) {
    let signatures: Vec<Signature<G>> = (2..=pieces).flat_map(Signature::all).collect();
    build_tables(&signatures, directory);
}

/// Builds the tables of `signatures`, and those they lead to, in `directory`.
///
/// # Panics
/// If they cannot be built.
pub fn build_tables<G: Solvable>(signatures: &[Signature<G>], directory: &Path) {
    let options = Options::default();
    build(signatures, directory, &options, &Silent, &Stop::default()).expect("tables");
}
