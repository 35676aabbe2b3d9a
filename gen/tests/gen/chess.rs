//! Tables of chess have the published counts, and each value follows from the moves.

use damka_games::Chess;
use damka_gen::{Check, Options, Request, Sample, build, plan, verify};
use damka_probe::{Table, Tables};
use damka_tables::metric::Metric;
use damka_tables::{Side, Signature};
use damka_tests::files;
use std::path::Path;
use tempfile::TempDir;

/// Wins, draws and losses of the side to move, White and Black, and White's longest win in plies,
/// on the full board without en passant. Two independent generators agree on these.
const COUNTS: [(&str, [[u64; 3]; 2], u16); 7] = [
    ("KBvK", [[0, 193_284, 0], [0, 223_944, 0]], 0),
    ("KNvK", [[0, 205_496, 0], [0, 223_944, 0]], 0),
    ("KPvK", [[124_960, 38_368, 0], [0, 70_420, 97_604]], 55),
    ("KQvK", [[144_508, 0, 0], [0, 23_048, 200_896]], 19),
    ("KRvK", [[175_168, 0, 0], [0, 22_244, 201_700]], 31),
    ("KQvKR", [[8_863_768, 71_704, 17_136], [3_090_088, 627_960, 7_062_680]], 69),
    ("KRvKP", [[7_406_204, 680_382, 13_454], [1_633_620, 1_743_898, 6_585_490]], 51),
];

#[test]
fn tables_of_three_men_match_published_counts_and_their_successors() {
    let directory = TempDir::new().expect("a directory");
    build_all(&Signature::all(Chess, 3), directory.path());
    check_counts(directory.path(), &COUNTS[..5]);
    verify_all(directory.path());
}

/// Existing tables are solved again for the signatures that lead to them, and their files do not
/// change.
#[test]
fn existing_successors_are_solved_again_and_not_written() {
    let directory = TempDir::new().expect("a directory");
    let signature = Signature::parse(Chess, "KPvK").expect("a signature");
    build_all(&signature.exits(), directory.path());
    let before = files(Chess, directory.path());
    let plan = plan(&[signature], &Request::new(directory.path()));
    let plan = plan.expect("a plan");
    let built: Vec<Signature<Chess>> = plan.to_build().map(|job| job.signature).collect();
    assert_eq!(built, [signature]);
    let solved_again = plan.jobs.iter().filter(|job| job.is_present());
    let mut solved_again: Vec<Signature<Chess>> = solved_again.map(|job| job.signature).collect();
    solved_again.sort();
    assert_eq!(
        solved_again,
        Tables::open(Chess, directory.path()).signatures().expect("a directory")
    );
    assert_eq!(plan.positions(), plan.jobs.last().expect("a job").positions);
    build_all(&[signature], directory.path());
    let mut after = files(Chess, directory.path());
    after.retain(|name, _| !name.starts_with("KPvK."));
    assert_eq!(after, before);
    check_counts(directory.path(), &COUNTS[2..3]);
}

/// Builds the tables of these signatures and of everything they lead to.
fn build_all(signatures: &[Signature<Chess>], directory: &Path) {
    let options = Options { metrics: Metric::ALL.to_vec(), ..Options::default() };
    build(signatures, &Request { options, ..Request::new(directory) }).expect("they can be built");
}

/// Checks the counts of tables, and the longest wins.
fn check_counts(directory: &Path, expected: &[(&str, [[u64; 3]; 2], u16)]) {
    for (text, published, longest) in expected {
        let signature = Signature::parse(Chess, text).expect("a signature");
        for metric in Metric::ALL {
            let table = Table::open(directory, signature, metric).expect("it is there");
            for (side, published) in [Side::First, Side::Second].into_iter().zip(published) {
                let summary = table.header().summary(side);
                let counts = [summary.wins, summary.draws, summary.losses];
                assert_eq!(counts, *published, "{text} {side:?} {metric:?}");
            }
            if metric == Metric::Dtw {
                let found = table.header().summary(Side::First).longest_win;
                assert_eq!(found.map_or(0, |found| found.plies), *longest, "{text}");
            }
        }
    }
}

/// The longest wins of the side named first, in plies, of signatures of four men. Two independent
/// generators agree on these.
const LONGEST: [(&str, u16); 29] = [
    ("KQvKR", 69),
    ("KRvKQ", 37),
    ("KQvKN", 41),
    ("KQvKB", 33),
    ("KQvKQ", 25),
    ("KRvKR", 37),
    ("KRvKN", 79),
    ("KRvKB", 57),
    ("KBBvK", 37),
    ("KBNvK", 65),
    ("KQQvK", 7),
    ("KRRvK", 13),
    ("KQRvK", 11),
    ("KQBvK", 15),
    ("KQNvK", 17),
    ("KRBvK", 31),
    ("KRNvK", 31),
    ("KQPvK", 19),
    ("KRPvK", 31),
    ("KBPvK", 61),
    ("KNPvK", 53),
    ("KPPvK", 63),
    ("KQvKP", 55),
    ("KRvKP", 51),
    ("KPvKQ", 57),
    ("KPvKR", 85),
    ("KPvKB", 57),
    ("KPvKN", 57),
    ("KPvKP", 65),
];

#[test]
#[ignore = "takes minutes: run with --release"]
fn tables_of_four_men_match_published_figures_and_their_successors() {
    let directory = TempDir::new().expect("a directory");
    build_all(&Signature::all(Chess, 4), directory.path());
    check_counts(directory.path(), &COUNTS);
    check_longest(directory.path(), &LONGEST);
    verify_all(directory.path());
}

/// Signatures with leapers and sliders: published longest wins of five men, in plies.
const LONGEST_OF_FIVE: [(&str, u16); 5] =
    [("KNNvKP", 229), ("KBNvKN", 213), ("KBBvKN", 155), ("KRPvKR", 147), ("KRBvKR", 129)];

#[test]
#[ignore = "takes minutes and 3 GB: run with --release"]
fn tables_of_five_men_have_the_published_longest_wins() {
    let directory = TempDir::new().expect("a directory");
    let signature = |(text, _): (&str, u16)| Signature::parse(Chess, text).expect("a signature");
    build_all(&LONGEST_OF_FIVE.map(signature), directory.path());
    check_longest(directory.path(), &LONGEST_OF_FIVE);
}

/// Checks the longest wins of the sides named first, in plies.
fn check_longest(directory: &Path, expected: &[(&str, u16)]) {
    for (text, plies) in expected {
        let signature = Signature::parse(Chess, text).expect("a signature");
        let table = Table::open(directory, signature, Metric::Dtw).expect("it is there");
        let side = match signature.to_string() == *text {
            true => Side::First,
            false => Side::Second,
        };
        let found = table.header().summary(side).longest_win;
        assert_eq!(found.map(|found| found.plies), Some(*plies), "{text}");
    }
}

/// Checks every value against those of its successors.
fn verify_all(directory: &Path) {
    let all = Tables::open(Chess, directory).signatures().expect("a directory");
    let options = Options { threads: 2, ..Options::default() };
    let request = Request { options, ..Request::new(directory) };
    for check in [Check::Whole, Check::Sample(Sample { positions: 100_000, seed: 1 })] {
        let verified = verify(&all, check, &request);
        let verified = verified.expect("it was not interrupted");
        assert!(verified.findings.is_empty(), "{:?}", verified.findings);
        assert_eq!(verified.tables, 2 * all.len());
    }
}
