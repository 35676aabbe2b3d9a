//! `damka list`. tests/tests/all/listing.rs checks completeness against the plain solver.

use crate::json::{Answer, Row, preference, read, read_all};
use crate::{Outcome, Place};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

/// The object of a listed position.
#[derive(Debug, Deserialize, Serialize)]
struct Listed {
    schema: u32,
    game: String,
    fen: String,
    value: String,
    dtw: Option<i32>,
    dtw_status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only_move: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only_move_coordinates: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    passed: Option<Passed>,
    cursor: String,
}

/// The value of the same placement with the other side to move.
#[derive(Debug, Deserialize, Serialize)]
struct Passed {
    value: String,
    dtw: Option<i32>,
    dtw_status: String,
}

fn listed(place: &Place, words: &str) -> Vec<Listed> {
    let outcome: Outcome = place.damka(&format!("list {words} --json"));
    read_all(&outcome.success())
}

#[test]
fn all_positions_are_listed_once_with_the_values_of_probe() {
    let place = Place::with("russian KMvK");
    place.generate("alapo KvF");
    for (game, signature) in [("russian", "KKvK"), ("russian", "KvM"), ("alapo", "KvF")] {
        let all = listed(&place, &format!("{game} {signature} --all --limit 0"));
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
                let words = format!(
                    "{game} {signature} --turn {} --value {value} --all --limit 0",
                    row.to_move
                );
                let some = listed(&place, &words);
                assert_eq!(some.len() as u64, count, "{words}");
                assert!(some.iter().all(|listed| listed.value == value), "{words}");
            }
            let plies = row.longest_win.expect("a win");
            let words = format!("{game} {signature} --turn {} --distance", row.to_move);
            let longest = listed(&place, &format!("{words} {plies} --all --limit 0"));
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
        assert_eq!(preference(&answer.value, answer.dtw), preference("win", Some(9)));
        assert!(answer.moves[1..].iter().all(|other| other.value != "win"), "{answer:?}");
        let json = listed(&place, &words["list ".len()..]);
        assert!(json.iter().any(|listed| listed.only_move.as_ref() == Some(&best.mv)));
    }
}

#[test]
fn the_limit_is_a_hundred_by_default() {
    let place = Place::with("russian KvK");
    let outcome = place.damka("list russian KvK");
    assert!(outcome.stderr.contains("100 positions are listed"), "{outcome:?}");
    assert_eq!(outcome.success().lines().count(), 100);
    // Both sides to move: 2 x 992.
    let outcome = place.damka("list russian KvK --all --limit 0");
    assert_eq!((outcome.stderr.as_str(), outcome.stdout.lines().count()), ("", 1984));
    assert!(place.damka("list russian KvK --limit 1 --turn black").success().starts_with("B:"));
}

#[test]
fn without_distances_values_are_listed() {
    let place = Place::with("russian KvK --metric wdl");
    let words = "list russian KvK --value win --turn white --all --limit 0 --no-build";
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

/// A closed pipe ends the list.
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
    let mut stderr = String::new();
    child.stderr.take().expect("errors").read_to_string(&mut stderr).expect("text");
    assert_eq!(stderr, "");
}

/// The table has 262 numbers for the 992 placements: the board has four symmetries.
#[test]
fn symmetric_positions_are_one() {
    let place = Place::with("russian KvK");
    let count = |words: &str| place.damka(&format!("list russian KvK {words} --count")).success();
    assert_eq!(count(""), "262\n");
    assert_eq!(count("--turn black"), "262\n");
    assert_eq!(count("--all"), "1984\n");
    for words in ["--limit 7 --count", "--sample 7 --from w7", "--seed 7 --limit 1"] {
        let message = place.damka(&format!("list russian KvK {words}")).failure(2);
        assert!(message.contains("cannot be used with"), "{message}");
    }
    let json = place.damka("list russian KvK --count --json").success();
    assert_eq!(
        json,
        "{\"schema\":1,\"game\":\"russian\",\"positions\":262,\"signature\":\"KvK\"}\n"
    );
}

#[test]
fn zugzwangs_are_listed_once_with_the_values_for_both_sides() {
    let place = Place::with("chess KPvK");
    let all = listed(&place, "chess KPvK --zugzwang --all --limit 0");
    let once = listed(&place, "chess KPvK --zugzwang --limit 0");
    // Each also has a mirror image, and both sides to move.
    assert_eq!(all.len(), 4 * once.len());
    let trebuchet = "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1";
    assert!(all.iter().any(|listed| listed.fen == trebuchet));
    let fens: Vec<String> = once.iter().map(|listed| listed.fen.replace(" w ", " b ")).collect();
    let answers = place.damka_reading("probe chess - --json", fens.join("\n")).success();
    let answers: Vec<Answer> = read_all(&answers);
    assert_eq!(answers.len(), once.len());
    for (listed, answer) in once.iter().zip(&answers) {
        let passed = listed.passed.as_ref().expect("the other side's value");
        assert_eq!((&passed.value, passed.dtw), (&answer.value, answer.dtw), "{}", listed.fen);
        assert_eq!((&*listed.value, &*passed.value), ("draw", "loss"));
        assert_eq!((&*listed.dtw_status, &*passed.dtw_status), ("draw", "known"));
    }
    let text = place.damka("list chess KPvK --zugzwang --limit 1").success();
    assert!(text.contains("  # draws; Black to move loses in "), "{text}");
    // The positions pass this filter only with Black to move.
    let lost = listed(&place, "chess KPvK --zugzwang --value loss --limit 0");
    assert_eq!(lost.len(), once.len());
    assert!(lost.iter().all(|listed| listed.fen.contains(" b ")));
}

#[test]
fn white_has_the_side_that_is_named_first() {
    let place = Place::with("russian KvM");
    for sample in ["--limit 0", "--sample 10"] {
        let turned = listed(&place, &format!("russian MvK --turn white --all {sample}"));
        assert!(turned.len() >= 10);
        for Listed { fen, .. } in &turned {
            assert!(fen.starts_with("W:W") && fen.contains(":BK"), "{fen}");
        }
    }
}

#[test]
fn a_list_is_resumed_at_its_cursor() {
    let place = Place::with("russian KvM");
    let whole = listed(&place, "russian KvM --value win --limit 0");
    let mut from = String::new();
    for listed_so_far in (0..whole.len()).step_by(50) {
        let outcome = place.damka(&format!("list russian KvM --value win --limit 50 --json{from}"));
        let page: Vec<Listed> = read_all(&outcome.stdout);
        let expected = whole[listed_so_far..].iter().take(50).map(|listed| &listed.cursor);
        assert!(page.iter().map(|listed| &listed.cursor).eq(expected), "{outcome:?}");
        let command = outcome.stderr.split('`').nth(1).unwrap_or_default();
        from = command
            .rsplit_once(" --from ")
            .map_or(String::new(), |(_, at)| format!(" --from {at}"));
    }
    // The cursor of a position names that position.
    let again = listed(&place, &format!("russian KvM --limit 1 --from {}", whole[9].cursor));
    assert_eq!(again[0].fen, whole[9].fen);
    let message = place.damka("list russian KvM --from b999999999").failure(2);
    assert!(message.contains("the list has no place b999999999"), "{message}");
    let message = place.damka("list russian KvM --from 12").failure(2);
    assert!(message.contains("a cursor is `w` or `b`"), "{message}");
}

#[test]
fn a_sample_is_reproducible_and_uniform() {
    let place = Place::with("russian KKKvK");
    let sample = |words: &str| listed(&place, &format!("russian KKKvK {words}"));
    let fens = |listed: &[Listed]| -> Vec<String> {
        listed.iter().map(|listed| listed.fen.clone()).collect()
    };
    let one = sample("--sample 100 --seed 1");
    assert_eq!(one.len(), 100);
    assert_eq!(fens(&one), fens(&sample("--sample 100 --seed 1")));
    assert_ne!(fens(&one), fens(&sample("--sample 100 --seed 2")));
    // Published: of the 143,840 placements with the three to move 132,240 are won.
    let many = sample("--sample 400 --turn white --all");
    let won = many.iter().filter(|listed| listed.value == "win").count();
    assert!((345..=388).contains(&won), "{won} of 400 where 368 are expected");
    // A sample of more positions than there are has all of them.
    let all = fens(&sample("--value loss --limit 0"));
    assert_eq!(fens(&sample("--value loss --sample 4000000000")), all);
    let some = fens(&sample("--value loss --sample 10"));
    assert!(some.len() == 10 && some.iter().all(|fen| all.contains(fen)));
}

#[test]
fn csv_has_the_keys_of_json_as_columns() {
    let place = Place::with("russian KvM");
    let text = place.damka("list russian KvM --csv --limit 0").success();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("game,fen,value,dtw,cursor"));
    for (line, listed) in lines.zip(listed(&place, "russian KvM --limit 0")) {
        let Listed { game, fen, value, dtw, cursor, .. } = listed;
        let dtw = dtw.map(|dtw| dtw.to_string()).unwrap_or_default();
        assert_eq!(line, format!("{game},\"{fen}\",{value},{dtw},{cursor}"));
    }
    let head = place.damka("list russian KvM --csv --only-move --zugzwang").success();
    let names = "game,fen,value,dtw,only_move,only_move_coordinates,passed_value,passed_dtw,cursor";
    assert_eq!(head.lines().next(), Some(names));
}

/// Reads the array by the specification of NPY and the types in docs/NPY.md.
#[test]
fn arrays_hold_what_is_listed() {
    let place = Place::with("russian KMvM");
    let path = place.home().join("KMvM.npy");
    let words = format!("list russian KMvM --npy {}", path.display());
    let outcome = place.damka(&words);
    assert!(outcome.stderr.contains("positions in "), "{outcome:?}");
    let bytes = fs::read(&path).expect("the array");
    let (header, data) = bytes.split_at(256);
    assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\xf6\x00");
    let all = listed(&place, "russian KMvM --limit 0");
    let descr = "[('white', '<u4', (2,)), ('black', '<u4', (2,)), ('dtw', '<u2'), ('wdl', '|i1'), \
                 ('turn', '|u1')]";
    let head = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({},), }}", all.len());
    assert_eq!(String::from_utf8_lossy(&header[10..]).trim_end(), head);
    let records = data.chunks_exact(20);
    assert_eq!((records.len(), records.remainder().len()), (all.len(), 0));
    for (record, listed) in records.zip(&all) {
        let set = |at: usize| u32::from_le_bytes(record[at..][..4].try_into().expect("four bytes"));
        let names = |set: u32, letter: &str| -> Vec<String> {
            // Square 0 is b8, square 31 is g1.
            let squares = (0..32).filter(|square| set >> square & 1 != 0);
            squares
                .map(|square: u32| {
                    let (row, place) = (square / 4, square % 4);
                    let file = b'a' + (2 * place + (row + 1) % 2) as u8;
                    format!("{letter}{}{}", char::from(file), 8 - row)
                })
                .collect()
        };
        let side = |at| [names(set(at), "K"), names(set(at + 4), "")].concat().join(",");
        let turn = if record[19] == 0 { 'W' } else { 'B' };
        assert_eq!(format!("{turn}:W{}:B{}", side(0), side(8)), listed.fen);
        let plies = u16::from_le_bytes([record[16], record[17]]);
        assert_eq!(listed.dtw.unwrap_or(65535), i32::from(plies));
        let value = ["draw", "win", "loss"][usize::from(record[18]).min(2)];
        assert_eq!(value, listed.value);
    }
    // No other file is left, and a directory is not replaced.
    let names = fs::read_dir(place.home()).expect("a directory").count();
    assert_eq!(names, 2);
    let message = place.damka(&format!("list russian KMvM --npy {}", place.home().display()));
    message.failure(1);
}
