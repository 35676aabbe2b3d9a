//! `damka list`: the positions of a signature by what is known of them. That each is listed
//! which should be is tested against the plain solver: tests/tests/all/listing.rs.

use crate::json::{Answer, Row, goodness, read, read_all};
use crate::{Outcome, Place};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// What is told of a position.
#[derive(Debug, Deserialize, Serialize)]
struct Listed {
    game: String,
    fen: String,
    value: String,
    dtw: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only_move: Option<String>,
}

fn listed(place: &Place, words: &str) -> Vec<Listed> {
    let outcome: Outcome = place.damka(&format!("list {words} --json"));
    read_all(&outcome.success())
}

#[test]
fn all_positions_are_listed_once_with_the_values_that_probe_tells() {
    let place = Place::with("russian KMvK");
    place.generate("alapo KvF");
    for (game, signature) in [("russian", "KKvK"), ("russian", "KvM"), ("alapo", "KvF")] {
        let all = listed(&place, &format!("{game} {signature} --limit 0"));
        let fens: Vec<&str> = all.iter().map(|listed| listed.fen.as_str()).collect();
        let answers = place.damka_reading(&format!("probe {game} - --json"), fens.join("\n"));
        let answers: Vec<Answer> = read_all(&answers.success());
        assert_eq!(answers.len(), all.len());
        for (listed, answer) in all.iter().zip(&answers) {
            assert_eq!(listed.fen, answer.fen);
            assert_eq!((&listed.value, listed.dtw), (&answer.value, answer.dtw), "{}", listed.fen);
        }
        let mut distinct = fens.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), fens.len());
        let rows = place.damka(&format!("stats {game} {signature} --json")).success();
        let rows: Vec<Row> = read_all(&rows);
        assert_eq!(all.len() as u64, rows.iter().map(|row| row.positions).sum::<u64>());
        for row in rows {
            for (value, count) in [("win", row.wins), ("draw", row.draws), ("loss", row.losses)] {
                let words =
                    format!("{game} {signature} --turn {} --value {value} --limit 0", row.to_move);
                let some = listed(&place, &words);
                assert_eq!(some.len() as u64, count, "{words}");
                assert!(some.iter().all(|listed| listed.value == value), "{words}");
            }
            let plies = row.longest_win.expect("a win");
            let words = format!("{game} {signature} --turn {} --distance", row.to_move);
            let longest = listed(&place, &format!("{words} {plies} --limit 0"));
            assert!(longest.iter().any(|listed| Some(&listed.fen) == row.longest_win_fen.as_ref()));
            assert!(longest.iter().all(|listed| listed.dtw == Some(plies)));
            assert!(listed(&place, &format!("{words} {}", plies + 2)).is_empty());
        }
    }
}

#[test]
fn probe_reads_what_a_person_sees() {
    let place = Place::with("russian KMvK");
    let words = "list russian KvKM --value win --distance 9 --only-move --limit 5";
    let outcome = place.damka(words);
    assert!(outcome.stderr.contains("5 positions are listed"), "{outcome:?}");
    let text = outcome.success();
    assert_eq!(text.lines().count(), 5, "{text}");
    let answers = place.damka_reading("probe russian - --json", &text).success();
    for (line, answer) in text.lines().zip(answers.lines()) {
        let answer: Answer = read(answer);
        let best = &answer.moves[0];
        assert_eq!(line, format!("{}  # wins in 9, only with {}", answer.fen, best.mv));
        assert_eq!(goodness(&answer.value, answer.dtw), goodness("win", Some(9)));
        assert!(answer.moves[1..].iter().all(|other| other.value != "win"), "{answer:?}");
        let json = listed(&place, &words["list ".len()..]);
        assert!(json.iter().any(|listed| listed.only_move.as_ref() == Some(&best.mv)));
    }
}

#[test]
fn the_limit_is_a_hundred_unless_told() {
    let place = Place::with("russian KvK");
    let outcome = place.damka("list russian KvK");
    assert!(outcome.stderr.contains("100 positions are listed"), "{outcome:?}");
    assert_eq!(outcome.success().lines().count(), 100);
    // Both sides to move: 2 x 992, and nothing is left to be told.
    let outcome = place.damka("list russian KvK --limit 0");
    assert_eq!((outcome.stderr.as_str(), outcome.stdout.lines().count()), ("", 1984));
    assert!(place.damka("list russian KvK --limit 1 --turn black").success().starts_with("B:"));
}

#[test]
fn without_distances_values_are_listed() {
    let place = Place::with("russian KvK --metric wdl");
    let words = "list russian KvK --value win --turn white --limit 0 --no-build";
    let outcome = place.damka(words);
    assert!(outcome.stderr.contains("no distances"), "{outcome:?}");
    let text = outcome.success();
    assert_eq!(text.lines().count(), 194);
    assert!(text.lines().all(|line| line.ends_with("  # wins")), "{text}");
    let message = place.damka("list russian KvK --distance 3 --no-build").failure(3);
    assert!(message.contains("KvK.dtw is missing; `damka gen russian KvK --tables"), "{message}");
    assert!(place.damka("list russian KKKvK --no-build").failure(3).contains("is missing"));
    assert!(place.damka("list russian KvQ").failure(2).contains("`KvQ` is not a signature"));
}

/// Who reads no more ends it.
#[test]
fn a_closed_pipe_ends_the_list() {
    let place = Place::with("russian KKKvK --metric wdl");
    let mut command = place.command();
    command.args("list russian KKKvK --limit 0 --no-build".split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("damka");
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("output"));
    output.read_line(&mut line).expect("a line");
    drop(output);
    assert!(line.starts_with("W:W"), "{line}");
    assert_eq!(child.wait().expect("its end").code(), Some(0));
    let mut told = String::new();
    child.stderr.take().expect("errors").read_to_string(&mut told).expect("text");
    assert_eq!(told, "");
}
