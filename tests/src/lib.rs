//! Shared code of damka's cross-crate tests.
//!
//! * `plain/`: a slow solver that shares only rules and numbers of positions with the generator
//! * `dagaz/`: a mock of DagazServer, for tests of the bot

pub mod dagaz;
pub mod plain;

use damka_games::Random;
use damka_gen::{Family, Options, Request, build};
use damka_tables::Signature;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A random number below `bound`, for indices.
pub fn below(random: &mut Random, bound: usize) -> usize {
    random.below(bound as u64) as usize
}

/// Builds all tables of 2 to `pieces` pieces in `directory`.
///
/// # Panics
/// If they cannot be built.
pub fn build_all<G: Family>(game: G, pieces: u32, directory: &Path) {
    let signatures: Vec<Signature<G>> =
        (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
    build_tables(&signatures, directory);
}

/// Builds the tables of `signatures`, and those they lead to, in `directory`.
///
/// # Panics
/// If they cannot be built.
pub fn build_tables<G: Family>(signatures: &[Signature<G>], directory: &Path) {
    build_with(&Options::default(), signatures, directory);
}

/// Builds the tables of `signatures`, and those they lead to, in `directory` with these options.
///
/// # Panics
/// If they cannot be built.
pub fn build_with<G: Family>(options: &Options, signatures: &[Signature<G>], directory: &Path) {
    let options = options.clone();
    build(signatures, &Request { options, ..Request::new(directory) }).expect("tables");
}

/// All files in the game's directory below `directory`, by name, except the manifest, which
/// contains times.
///
/// # Panics
/// If they cannot be read.
pub fn files<G: Family>(game: G, directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory.join(game.name())).expect("a directory of tables");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let named = paths.map(|path| (name(&path), path)).filter(|(name, _)| name != ".manifest");
    named.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect()
}
