//! Tables of one side to move: every answer is that of the complete tables.

use damka_games::{Alapo, Chess, Czech, English, Italian, Position, Russian, Thai};
use damka_gen::{
    Check, DigestList, Family, Options, Request, Sample, TableDigest, build_share, verify,
};
use damka_probe::{Table, Tables};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_tables, build_with, files};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn all<G: Family>(game: G, pieces: u32) -> Vec<Signature<G>> {
    (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect()
}

fn half_options() -> Options {
    Options { half: true, ..Options::default() }
}

/// Complete tables of these signatures, and the same halved.
fn complete_and_half<G: Family>(signatures: &[Signature<G>]) -> [TempDir; 2] {
    let game = signatures[0].game();
    let [complete, half] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    build_tables(signatures, complete.path());
    let of_game = half.path().join(game.name());
    fs::create_dir(&of_game).expect("made");
    for (name, bytes) in files(game, complete.path()) {
        fs::write(of_game.join(name), bytes).expect("written");
    }
    build_with(&half_options(), signatures, half.path());
    [complete, half]
}

/// The tables that leave out a side to move.
fn halves<G: Family>(signatures: &[Signature<G>], directory: &Path) -> Vec<(Signature<G>, Metric)> {
    let names = signatures.iter().flat_map(|&one| Metric::ALL.map(|metric| (one, metric)));
    let is_half = |&(signature, metric): &(Signature<G>, Metric)| {
        let table = Table::open(directory, signature, metric).expect("a table");
        table.header().left_out().is_some()
    };
    names.filter(is_half).collect()
}

#[test]
fn every_value_is_the_same() {
    /// Compares one position in `step`.
    fn check<G: Family>(
        game: G,
        pieces: u32,
        step: usize,
        is_halved: impl Fn(&Signature<G>, Metric) -> bool,
    ) {
        let signatures = all(game, pieces);
        let [complete, half] = complete_and_half(&signatures);
        let halved = halves(&signatures, half.path());
        for &signature in &signatures {
            for metric in Metric::ALL {
                let is_halved = signature.sides().len() == 2 && is_halved(&signature, metric);
                assert_eq!(halved.contains(&(signature, metric)), is_halved, "{signature}");
            }
        }
        let [complete, half] =
            [complete, half].map(|directory| Tables::open(game, directory.keep()));
        for signature in &signatures {
            let table = complete.open_table(*signature, Metric::Dtw).expect("a table");
            for &side in signature.sides() {
                let index = table.side_index(side);
                for position in index.positions(0..index.len()).step_by(step).filter(G::is_legal) {
                    for metric in Metric::ALL {
                        let values = [&complete, &half]
                            .map(|tables| tables.value(&position, metric).expect("a value"));
                        assert_eq!(values[0], values[1], "{} {metric:?}", position.fen());
                    }
                }
            }
        }
        for tables in [complete, half] {
            fs::remove_dir_all(tables.directory()).expect("removed");
        }
    }
    check(Russian, 4, 19, |_, _| true);
    check(English, 3, 1, |_, _| true);
    check(Czech, 3, 1, |_, _| true);
    check(Italian, 3, 1, |_, _| true);
    check(Thai, 3, 1, |_, _| true);
    check(Alapo, 2, 1, |_, _| true);
    // Chess tables with distances have one side to move in any case.
    check(Chess, 3, 3, |_, metric| metric == Metric::Wdl);
}

/// Only one of a signature's two tables is half, the other complete.
#[test]
fn half_and_complete_tables_work_together() {
    let signatures = all(Russian, 3);
    let [complete, half] = complete_and_half(&signatures);
    for (mixed, other) in [(Metric::Wdl, Metric::Dtw), (Metric::Dtw, Metric::Wdl)] {
        let directory = tempfile::tempdir().expect("a directory");
        let of_game = directory.path().join("russian");
        fs::create_dir(&of_game).expect("made");
        for (metric, from) in [(mixed, &half), (other, &complete)] {
            for (name, bytes) in files(Russian, from.path()) {
                if name.ends_with(metric.name()) {
                    fs::write(of_game.join(name), bytes).expect("written");
                }
            }
        }
        verify_all(&signatures, directory.path());
    }
}

/// Checks that every method of verification passes.
#[track_caller]
fn verify_all<G: Family>(signatures: &[Signature<G>], directory: &Path) {
    let request = Request::new(directory);
    let digest = |&(signature, metric): &(Signature<G>, Metric)| {
        let table = Table::open(directory, signature, metric).expect("a table");
        TableDigest::of(&table).to_string()
    };
    let names = signatures.iter().flat_map(|&one| Metric::ALL.map(|metric| (one, metric)));
    let list: Vec<String> = names.map(|name| digest(&name)).collect();
    let list = DigestList::parse(signatures[0].game(), &list.join("\n")).expect("a list");
    let sample = Sample { positions: 50_000, seed: 5 };
    for check in [Check::Whole, Check::Sample(sample), Check::Digests(&list)] {
        let verification = verify(signatures, check, &request).expect("verified");
        assert!(verification.findings.is_empty(), "{check:?}: {:?}", verification.findings);
        assert!(verification.positions > 0);
    }
}

#[test]
fn half_tables_pass_verification_and_keep_their_digests() {
    fn check<G: Family>(game: G, pieces: u32) {
        let signatures = all(game, pieces);
        let [complete, half] = complete_and_half(&signatures);
        for directory in [&complete, &half] {
            verify_all(&signatures, directory.path());
        }
        for &signature in &signatures {
            for metric in Metric::ALL {
                let [complete, half] = [&complete, &half].map(|directory| {
                    let table = Table::open(directory.path(), signature, metric);
                    TableDigest::of(&table.expect("a table"))
                });
                assert_eq!(complete, half);
            }
        }
    }
    check(Russian, 3);
    check(Alapo, 2);
    check(Chess, 3);
}

/// A repeated run has nothing to do. A run that needs the values of half tables builds these again.
#[test]
fn other_tables_are_never_solved_from_halves() {
    let small = all(Russian, 3);
    let [_, half] = complete_and_half(&small);
    let before = files(Russian, half.path());
    build_with(&half_options(), &small, half.path());
    build_tables(&small, half.path());
    assert!(files(Russian, half.path()) == before, "halves stay as they are");

    // One of these looks up KKvK with the first side to move, the other with the second.
    let signature = |name| Signature::parse(Russian, name).expect("a signature");
    let shares = ["KKvKK", "KKKvK"]
        .map(|name| build_share(None, &[signature(name)], half.path(), &Request::new(half.path())));
    let errors: Vec<_> = shares.into_iter().filter_map(Result::err).collect();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.to_string().contains("one side to move"), "{error}");

    let requested = signature("KMvKM");
    build_tables(&[requested], half.path());
    let at_once = tempfile::tempdir().expect("a directory");
    build_tables(&[requested], at_once.path());
    let (half, at_once) = (files(Russian, half.path()), files(Russian, at_once.path()));
    let is_table = |name: &str| name.ends_with(".wdl") || name.ends_with(".dtw");
    for (name, bytes) in at_once.iter().filter(|(name, _)| is_table(name)) {
        assert!(half.get(name) == Some(bytes), "{name}");
    }
}
