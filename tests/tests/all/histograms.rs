//! Compares stored histograms with those counted position by position in tables without histograms.

use crate::fuzz::tamper::{at, histograms_len, seal};
use crate::golden::golden_with_histograms;
use damka_games::{Alapo, AnyGame, Chess, Italian, Russian, with_game};
use damka_gen::Family;
use damka_probe::{Table, Tables, list_tables, table_path};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_all, build_tables};
use std::fs;
use std::ops::ControlFlow::Continue;
use std::path::Path;

/// The table in version 1.0 of the format.
fn without_histograms(mut bytes: Vec<u8>) -> Vec<u8> {
    let histograms = histograms_len(&bytes);
    assert!(histograms > 0);
    bytes.truncate(bytes.len() - histograms);
    bytes[at::MINOR] = 0;
    seal(&mut bytes);
    bytes
}

/// Compares stored with counted histograms of all tables of a game in `directory`; returns their
/// number.
fn compare<G: Family>(game: G, directory: &Path) -> usize {
    let old = tempfile::tempdir().expect("a directory");
    fs::create_dir(old.path().join(game.name())).expect("a directory");
    let signatures: Vec<Signature<G>> = list_tables(game, directory).expect("tables");
    for signature in &signatures {
        let [from, to] =
            [directory, old.path()].map(|place| table_path(place, signature, Metric::Dtw));
        let bytes = fs::read(from).expect("a table");
        fs::write(to, without_histograms(bytes)).expect("a table");
        let open = |place| Table::open(place, *signature, Metric::Dtw).expect("a table");
        let (old, new) = (open(old.path()), open(directory));
        old.check().expect("a sound table");
        new.check().expect("a sound table");
        assert_eq!(old.header().digest(), new.header().digest());
    }
    let (stored, counted) = (Tables::open(game, directory), Tables::open(game, old.path()));
    let mut compared = 0;
    for signature in &signatures {
        for &side in signature.sides() {
            assert_eq!(counted.stored_histogram(signature, side).expect("a table"), None);
            let no_progress = |_, _| panic!("the table holds the counts");
            let stored = stored.histogram(signature, side, no_progress).expect("a histogram");
            let mut calls = 0;
            let counted = counted.histogram(signature, side, |_, _| {
                calls += 1;
                Continue(())
            });
            assert_eq!(stored, counted.expect("a histogram"), "{signature} {side:?}");
            assert!(calls > 0, "{signature}");
            compared += 1;
        }
    }
    compared
}

/// Builds all tables of 2 to `pieces` pieces and those of `more`, and compares their histograms.
fn assert_right<G: Family>(game: G, pieces: u32, more: &[&str]) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(game, pieces, directory.path());
    let more = more.iter().map(|name| Signature::parse(game, name).expect("a signature"));
    let more: Vec<Signature<G>> = more.collect();
    build_tables(&more, directory.path());
    let all = (2..=pieces).flat_map(|pieces| Signature::all(game, pieces));
    let sides: usize = all.map(|signature| signature.sides().len()).sum();
    assert!(compare(game, directory.path()) >= sides + more.len(), "{}", game.name());
}

#[test]
fn histograms_of_russian_tables_are_those_of_all_positions() {
    assert_right(Russian, 4, &[]);
}

#[test]
fn histograms_of_other_draughts_are_those_of_all_positions() {
    assert_right(Italian, 3, &["KMvKM"]);
}

#[test]
fn histograms_of_alapo_are_those_of_all_positions() {
    assert_right(Alapo, 2, &["QWvF", "FFvK"]);
}

/// Includes tables with distances of one side only, and one with two equal pieces.
#[test]
fn histograms_of_chess_are_those_of_all_positions() {
    assert_right(Chess, 3, &["KNNvK"]);
}

/// The histograms of the committed tables of version 1.1 are those of their positions.
#[test]
fn golden_histograms_are_those_of_all_positions() {
    let mut compared = 0;
    for game in AnyGame::all() {
        compared += with_game!(game, game => compare(game, &golden_with_histograms()));
    }
    assert!(compared >= 8, "{compared}");
}
