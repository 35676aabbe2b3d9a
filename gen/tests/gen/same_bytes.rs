//! Tables are the same byte for byte, however they are built.

use damka_games::{Alapo, Brazilian, English, Russian};
use damka_gen::{Family, Instructions, Options};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_with, files};
use std::collections::BTreeMap;

type Files = BTreeMap<String, Vec<u8>>;

/// The files of these signatures and of everything they lead to, built step by step: each step
/// finds the tables of the preceding ones on disk.
fn built<G: Family>(options: &Options, steps: &[&[Signature<G>]]) -> Files {
    let game = steps[0][0].game();
    let directory = tempfile::tempdir().expect("a directory");
    for signatures in steps {
        build_with(options, signatures, directory.path());
    }
    files(game, directory.path())
}

fn signatures<G: Family>(game: G, names: &[&str]) -> Vec<Signature<G>> {
    names.iter().map(|name| Signature::parse(game, name).expect("a signature")).collect()
}

/// Asserts that the files are the same; lists those that differ.
#[track_caller]
fn assert_same(left: &Files, right: &Files, how: &str) {
    let names = left.keys().chain(right.keys());
    let differ: Vec<_> = names.filter(|&name| left.get(name) != right.get(name)).collect();
    assert!(differ.is_empty(), "{how}: these files differ: {differ:?}");
}

/// Asserts that tables do not depend on threads and instructions.
fn assert_independent<G: Family>(game: G, names: &[&str]) {
    let requested = signatures(game, names);
    let levels = Instructions::available();
    let build = |threads, instructions| {
        built(&Options { threads, instructions, ..Options::default() }, &[&requested])
    };
    let one = build(1, levels[0]);
    // Threads and instructions change together: bytes that depend on either would differ.
    for number in 1..levels.len().max(3) {
        let (threads, instructions) = ([7, 2][number % 2], levels[number % levels.len()]);
        let how = format!("{threads} threads, {instructions:?}");
        assert_same(&build(threads, instructions), &one, &how);
    }
}

/// Many fibres with kings on both sides, a fibre with symmetries, men against kings.
#[test]
fn tables_do_not_depend_on_threads_and_instructions() {
    assert_independent(Russian, &["KMvKM", "KKvKK", "KMvMM"]);
    assert_independent(Brazilian, &["KMvKM"]);
    assert_independent(English, &["KMvKM"]);
    assert_independent(Alapo, &["QFvW"]);
}

/// Fibres that several threads share.
#[test]
#[ignore = "takes half a minute"]
fn tables_of_5_pieces_do_not_depend_on_threads_and_instructions() {
    assert_independent(Russian, &["KKMvKM", "KKKvKK", "KMMvMM"]);
}

/// Successors may be in memory or be loaded from their tables.
#[test]
fn tables_do_not_depend_on_existing_tables() {
    fn check<G: Family>(game: G, pieces: u32, names: &[&str]) {
        let requested = signatures(game, names);
        for metrics in [vec![Metric::Wdl], Metric::ALL.to_vec()] {
            let options = Options { metrics, ..Options::default() };
            let at_once = built(&options, &[&requested]);
            let there: Vec<Signature<G>> =
                (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
            let all = built(&options, &[&there, &requested]);
            let part: Files =
                all.into_iter().filter(|(name, _)| at_once.contains_key(name)).collect();
            assert_same(&part, &at_once, "after the smaller ones");
            // One signature per run, so that everything is loaded each time.
            let steps: Vec<_> = there.iter().chain(&requested).map(std::slice::from_ref).collect();
            let all = built(&options, &steps);
            let part: Files =
                all.into_iter().filter(|(name, _)| at_once.contains_key(name)).collect();
            assert_same(&part, &at_once, "one after the other");
        }
    }
    check(Russian, 3, &["KKvKM", "KMvMM", "KKvKK"]);
    check(English, 3, &["KMvKM", "KMvMM"]);
    check(Brazilian, 3, &["KKvKM", "KMvKM"]);
    check(Alapo, 2, &["QFvW"]);
}

/// Without distances the solver takes a different path.
#[test]
fn wdl_alone_gives_the_same_wdl_tables() {
    fn check<G: Family>(game: G) {
        let all: Vec<Signature<G>> =
            (2..=4).flat_map(|pieces| Signature::all(game, pieces)).collect();
        let both = built(&Options::default(), &[&all]);
        let alone = built(&Options { metrics: vec![Metric::Wdl], ..Options::default() }, &[&all]);
        let wdl: Files = both.into_iter().filter(|(name, _)| !name.ends_with(".dtw")).collect();
        assert!(wdl.len() > all.len(), "tables and the lock");
        assert_same(&alone, &wdl, "wdl alone");
    }
    check(Russian);
    check(English);
}
