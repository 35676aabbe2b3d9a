//! `damka rehearse`: solves a part of a signature to measure the time.

use crate::Place;

/// The number of positions in the report for a signature.
fn positions(report: &str, signature: &str) -> u64 {
    let line = report.lines().find(|line| line.split(' ').next() == Some(signature));
    let number = line.and_then(|line| line.split_whitespace().nth(1)).expect("a number");
    number.replace(',', "").parse().expect("a number")
}

#[test]
fn a_part_and_what_promotions_lead_to_are_solved() {
    let place = Place::with("russian 3 --metric wdl");
    let before = place.files();
    let report = place.damka("rehearse russian KKvKM --steps 5 --progress none").success();
    // The man stands on one of 8 squares; then one king on one of 31, and two on the 30 left.
    // Either side is to move.
    assert_eq!(positions(&report, "KKvKM"), 2 * 8 * 31 * (30 * 29 / 2));
    assert!(positions(&report, "KKvKK") > 0, "{report}");
    assert!(place.files() == before, "nothing is written");
    // Tables of the signature itself change nothing.
    place.generate("russian KKvKM --metric wdl");
    let report = place.damka("rehearse russian KKvKM --steps 5 --progress none").success();
    assert_eq!(positions(&report, "KKvKM"), 2 * 8 * 31 * (30 * 29 / 2));
}

#[test]
fn tables_of_fewer_pieces_must_exist() {
    let message = Place::with("russian 2").damka("rehearse russian KKvKM").failure(3);
    assert!(message.contains("is missing"), "{message}");
}

#[test]
fn what_cannot_be_rehearsed_is_refused() {
    let place = Place::with("russian 2");
    let message = place.damka("rehearse russian 4").failure(2);
    assert!(message.contains("one signature"), "{message}");
    let message = place.damka("rehearse russian KvM --steps 8").failure(2);
    assert!(message.contains("8 steps"), "{message}");
    place.damka("rehearse russian KKKKKKKKKvK").failure(2);
}
