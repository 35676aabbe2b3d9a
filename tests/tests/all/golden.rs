//! Golden tables: committed files of every game that every later version must read.

use damka_games::{AnyGame, with_game};
use damka_gen::Family;
use damka_probe::{Table, Tables, list_tables};
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature};
use damka_tests::build_tables;
use std::path::{Path, PathBuf};

/// The directory of tables of format 1.0 and the index versions of FORMAT.md.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden")
}

/// The directory of tables of format 1.1, which has histograms in DTW tables. Other tables are as
/// in format 1.0.
pub(crate) fn golden_with_histograms() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden-1.1")
}

/// The directory of tables of formats 2.0 and 2.1: half tables, and tables with equal sides, which
/// are as before.
pub(crate) fn golden_halves() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/golden-2")
}

/// The bytes may differ from those of tables built now: another version of zstd may compress differently.
#[test]
fn golden_tables_of_every_game_are_read() {
    for game in AnyGame::all() {
        let compared = with_game!(game, game => compare_all(game, &golden(), false));
        assert!(compared > 1_000, "{}: only {compared} positions", game.name());
    }
}

#[test]
fn golden_tables_with_histograms_are_read_for_ever() {
    for game in ["russian", "alapo", "chess"] {
        let game: AnyGame = game.parse().expect("a game");
        let place = golden_with_histograms();
        let compared = with_game!(game, game => compare_all(game, &place, true));
        assert!(compared > 500, "{}: only {compared} positions", game.name());
    }
}

#[test]
fn golden_halves_are_read_for_ever() {
    for game in ["russian", "alapo", "chess"] {
        let game: AnyGame = game.parse().expect("a game");
        let compared = with_game!(game, game => compare_all(game, &golden_halves(), true));
        assert!(compared > 500, "{}: only {compared} positions", game.name());
    }
}

/// Asserts that the golden tables of a game open, are sound, and have the values of tables built
/// now. Returns the number of compared positions.
fn compare_all<G: Family>(game: G, golden: &Path, has_histograms: bool) -> usize {
    let signatures = list_tables(game, golden).expect("golden tables");
    let fresh = tempfile::tempdir().expect("a directory");
    build_tables(&signatures, fresh.path());
    let mut compared = 0;
    for &signature in &signatures {
        for metric in Metric::ALL {
            let Ok(old) = Table::<G>::open(golden, signature, metric) else { continue };
            old.check().expect("a sound table");
            let new = Table::open(fresh.path(), signature, metric).expect("a table");
            assert_eq!(old.header().digest(), new.header().digest(), "{signature}");
            for &side in signature.sides() {
                assert_eq!(old.header().summary(side), new.header().summary(side));
                let [old, new] = [&old, &new].map(|table| table.histogram(side).expect("sound"));
                assert_eq!(old, new.filter(|_| has_histograms), "{signature}");
            }
            compared += compare(game, signature, metric, [golden, fresh.path()]);
        }
    }
    compared
}

/// Compares the values of golden and new tables; returns their number.
fn compare<G: Family>(
    game: G,
    signature: Signature<G>,
    metric: Metric,
    places: [&Path; 2],
) -> usize {
    let [old, new] = places.map(|directory| Tables::open(game, directory));
    let mut compared = 0;
    for &side in signature.sides() {
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(game, mover, opponent);
        for number in 0..index.len() {
            let position = index.position(number);
            // Captures may lead to tables that are not in the golden directory.
            if G::is_stored(&position) {
                let values = [&old, &new].map(|tables| tables.value(&position, metric).ok());
                assert_eq!(values[0], values[1], "{position:?}");
                compared += usize::from(values[0].is_some());
            }
        }
    }
    compared
}
