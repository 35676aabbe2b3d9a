//! `damka stats`: counts and sizes of tables.

use crate::Place;
use crate::json::{Answer, Row, preference, read, read_all};
use std::fs;
use std::ops::Range;

/// Material of the side to move and of its opponent, positions, wins, losses, draws, longest win
/// and loss of the side to move in plies. The file names its sources.
const RUSSIAN: &str = include_str!("../../../tests/data/counts_russian.tsv");
const ENGLISH: &str = include_str!("../../../tests/data/counts_english.tsv");

/// Published figures of Alapo, one piece against one with White to move: wins, draws and losses of
/// 1,050 positions, and the longest distance.
const ALAPO: [(&str, [u64; 3], i32); 6] = [
    ("FvF", [546, 0, 504], 9),
    ("WvW", [540, 0, 510], 18),
    ("KvK", [604, 64, 382], 15),
    ("BvB", [782, 0, 268], 4),
    ("RvR", [780, 150, 120], 1),
    ("QvQ", [812, 146, 92], 1),
];

/// The place of the digest in a header.
const DIGEST: Range<usize> = 112..144;

fn rows(place: &Place, words: &str) -> Vec<Row> {
    read_all(&place.damka(&format!("stats {words} --json")).success())
}

#[test]
fn counts_are_the_known_ones() {
    for (game, truth) in [("russian", RUSSIAN), ("english", ENGLISH)] {
        let place = Place::with(&format!("{game} 3"));
        place.generate(&format!("{game} KKKvK"));
        let rows = rows(&place, game);
        let mut checked = 0;
        for line in truth.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [mover, opponent, numbers @ ..] = &fields[..] else { panic!("{line}") };
            let kings = ["KKK", "K"].contains(mover) && ["KKK", "K"].contains(opponent);
            if mover.len() + opponent.len() > 3 && !kings {
                continue;
            }
            checked += 1;
            let row = rows.iter().find(|row| {
                let (white, black) = row.signature.split_once('v').expect("a signature");
                let [first, second] = match row.to_move.as_str() {
                    "white" => [white, black],
                    _ => [black, white],
                };
                [first, second] == [*mover, *opponent]
            });
            let row = row.unwrap_or_else(|| panic!("{game} has no row {mover} to move"));
            let longest = |plies: Option<i32>| plies.map_or("-".to_owned(), |p| p.to_string());
            let found = [row.positions, row.wins, row.losses, row.draws].map(|n| n.to_string());
            let found = [&found[..], &[longest(row.longest_win), longest(row.longest_loss)]];
            assert_eq!(found.concat(), numbers, "{game} {mover} to move against {opponent}");
        }
        assert_eq!(checked, 18, "{game}");
    }
}

#[test]
fn alapo_counts_are_the_published_ones() {
    let place = Place::with("alapo 2");
    let rows = rows(&place, "alapo");
    for (signature, [wins, draws, losses], longest) in ALAPO {
        let row = rows.iter().find(|row| row.signature == signature).expect("a row");
        assert_eq!([row.wins, row.draws, row.losses], [wins, draws, losses], "{signature}");
        assert_eq!(row.longest_win.max(row.longest_loss), Some(longest), "{signature}");
    }
    // All ordered pairs, with both sides to move: the row of FvK also stands for KvF.
    let sum = |count: fn(&Row) -> u64| -> u64 {
        let ordered_pairs =
            |row: &Row| if row.signature[..1] == row.signature[2..] { 1 } else { 2 };
        rows.iter().map(|row| ordered_pairs(row) * count(row)).sum()
    };
    let sums = [sum(|row| row.positions), sum(|row| row.wins), sum(|row| row.draws)];
    assert_eq!(sums, [75_600, 45_008, 1_984]);
}

#[test]
fn the_longest_examples_are_that_long() {
    for (game, signature) in [("russian", "KKKvK"), ("english", "KMvK"), ("alapo", "FvF")] {
        let place = Place::with(&format!("{game} {signature}"));
        for row in rows(&place, &format!("{game} {signature}")) {
            let examples = [
                (row.longest_win_fen, "win", row.longest_win),
                (row.longest_loss_fen, "loss", row.longest_loss),
            ];
            for (fen, value, plies) in examples {
                assert_eq!(fen.is_some(), plies.is_some());
                let Some(fen) = fen else { continue };
                let answer = place.damka(&format!("probe {game} {fen} --json")).success();
                let answer: Answer = read(&answer);
                let found = preference(&answer.value, answer.dtw);
                assert_eq!(found, preference(value, plies), "{game} {fen}");
                let to_move = fen.to_lowercase().contains(&row.to_move[..1]);
                assert!(to_move, "{fen} with {} to move", row.to_move);
            }
        }
    }
}

#[test]
fn digests_are_those_of_the_headers() {
    let place = Place::with("russian KKvM");
    for row in rows(&place, "russian KKvM") {
        for (metric, digest) in [("wdl", row.wdl_digest), ("dtw", row.dtw_digest)] {
            // The digest is at its place in FORMAT.md.
            let bytes = fs::read(place.table(&format!("russian/KKvM.{metric}"))).expect("a file");
            let stored: String = bytes[DIGEST].iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest, Some(stored));
        }
    }
    let place = Place::with("russian KvK --metric wdl");
    assert!(rows(&place, "russian").iter().all(|row| row.dtw_digest.is_none()));
}

#[test]
fn sizes_are_those_of_the_files() {
    let place = Place::with("russian KvK");
    for row in rows(&place, "russian KvK") {
        for (metric, bytes) in [("wdl", row.wdl_bytes), ("dtw", row.dtw_bytes)] {
            let file = place.table(&format!("russian/KvK.{metric}"));
            assert_eq!(bytes, Some(fs::metadata(file).expect("a file").len()));
        }
    }
}

#[test]
fn distances_without_dtw_tables_are_null() {
    let place = Place::with("russian KvK --metric wdl");
    for row in rows(&place, "russian") {
        assert_eq!((row.wins, row.draws, row.losses), (194, 796, 2));
        assert_eq!((row.longest_win, row.longest_win_fen), (None, None));
        assert_eq!((row.longest_loss, row.longest_loss_fen), (None, None));
        assert_eq!(row.dtw_bytes, None);
        assert!(row.wdl_bytes.is_some());
    }
}

#[test]
fn a_person_sees_a_table() {
    let place = Place::with("russian KKKvK");
    let text = place.damka("stats russian KvKKK").success();
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split("  ").map(str::trim).collect()).collect();
    let cells = |line: usize| -> Vec<&str> {
        lines[line].iter().copied().filter(|cell| !cell.is_empty()).collect()
    };
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(cells(0)[..5], ["signature", "to move", "positions", "wins", "draws"], "{text}");
    let white = ["KKKvK", "white", "143,840", "132,240", "11,600", "0", "25", "-"];
    let black = ["KKKvK", "black", "143,840", "1,854", "85,468", "56,518", "3", "26"];
    assert_eq!((&cells(1)[..8], &cells(2)[..8]), (&white[..], &black[..]), "{text}");
    for line in 1..3 {
        let [plies, fen] = [6, 10].map(|cell| cells(line)[cell]);
        let answer: Answer = read(&place.damka(&format!("probe russian {fen} --json")).success());
        let expected = ("win", plies.parse().ok());
        assert_eq!((answer.value.as_str(), answer.dtw), expected, "{text}");
    }
}

#[test]
fn a_number_selects_all_tables_of_up_to_that_many_pieces() {
    let place = Place::with("russian KKvK");
    let names = |words: &str| -> Vec<String> {
        let mut names: Vec<_> = rows(&place, words).into_iter().map(|row| row.signature).collect();
        names.dedup();
        names
    };
    assert_eq!(names("russian 2"), ["KvK"]);
    assert_eq!(names("russian 3"), ["KvK", "KKvK"]);
    assert_eq!(names("russian kvkk 2"), ["KvK", "KKvK"]);
    let message = place.damka("stats russian 1").failure(2);
    assert!(message.contains("numbers of pieces from 2 to 8"), "{message}");
    place.damka("stats russian 99999999999").failure(2);
}

/// Splits a line of CSV into cells; cells must contain no quotes.
fn csv_cells(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let parts = parts.map(|(part, text)| match part % 2 {
        0 => text.replace(',', "\n"),
        _ => text.to_owned(),
    });
    parts.collect::<String>().split('\n').map(str::to_owned).collect()
}

#[test]
fn csv_has_what_json_has() {
    let place = Place::with("russian KKKvK");
    place.generate("russian MvM --metric wdl");
    let text = place.damka("stats russian --csv").success();
    let mut lines = text.lines().map(csv_cells);
    let names = lines.next().expect("names of columns");
    let objects = place.damka("stats russian --json").success();
    let objects = objects.lines().map(|line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        // The schema is the same for all objects: it has no column.
        let cells = names.iter().map(|name| match &object[name] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text.clone(),
            number => number.to_string(),
        });
        assert_eq!(object.as_object().map(|object| object.len()), Some(1 + names.len()), "{line}");
        cells.collect::<Vec<_>>()
    });
    let (lines, objects): (Vec<_>, Vec<_>) = (lines.collect(), objects.collect());
    assert_eq!(lines, objects);
    assert!(lines.iter().any(|line| line.contains(&String::new())), "nothing is unknown");
}

/// The JSON object of a histogram.
#[derive(serde::Deserialize)]
struct Histogram {
    signature: String,
    to_move: String,
    histogram: Vec<Bar>,
}

#[derive(serde::Deserialize)]
struct Bar {
    value: String,
    dtw: Option<i32>,
    positions: u64,
}

#[test]
fn histograms_add_up_to_the_counts() {
    let place = Place::with("russian KMvK");
    place.generate("alapo QvF");
    for game in ["russian", "alapo"] {
        let lines = place.damka(&format!("stats {game} --histogram --json")).success();
        let histograms = lines.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let histograms: Vec<Histogram> = histograms.collect();
        let rows = rows(&place, game);
        assert_eq!(histograms.len(), rows.len());
        for (row, of) in rows.iter().zip(&histograms) {
            assert_eq!((&of.signature, &of.to_move), (&row.signature, &row.to_move));
            let sum = |value: &str| -> u64 {
                let bars = of.histogram.iter().filter(|bar| bar.value == value);
                bars.map(|bar| bar.positions).sum()
            };
            let sums = [sum("win"), sum("draw"), sum("loss")];
            assert_eq!(sums, [row.wins, row.draws, row.losses], "{game} {}", row.signature);
            let longest = |value: &str| {
                let bars = of.histogram.iter().filter(|bar| bar.value == value);
                bars.map(|bar| bar.dtw).max().flatten()
            };
            let longest = (longest("win"), longest("loss"));
            assert_eq!(longest, (row.longest_win, row.longest_loss), "{game} {}", row.signature);
            let best_first = of.histogram.iter().map(|bar| -preference(&bar.value, bar.dtw));
            assert!(best_first.is_sorted(), "{game} {}", row.signature);
        }
    }
}

#[test]
fn a_person_sees_a_histogram() {
    let place = Place::with("russian KvK");
    // Published: 194 are won, 796 drawn, 2 lost.
    let text = place.damka("stats russian KvK --histogram").success();
    let expected = "KvK, white to move: 992 positions\n";
    assert!(text.starts_with(expected), "{text}");
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    let draws = lines.iter().find(|line| line.first() == Some(&"draws")).expect("draws");
    assert_eq!(draws[..], ["draws", "796", &"#".repeat(40)]);
    assert!(text.contains("\n  loses in "), "{text}");
    let csv = place.damka("stats russian KvK --histogram --csv").success();
    assert!(csv.starts_with("game,signature,to_move,value,dtw,positions\n"), "{csv}");
    assert!(csv.contains("\nrussian,KvK,black,draw,,796\n"), "{csv}");
    // Without distances there is no histogram.
    let place = Place::with("russian KvK --metric wdl");
    place.damka("stats russian KvK --histogram --no-build").failure(3);
    place.damka("stats russian KvK --histogram").success();
}

#[test]
fn all_tables_there_are_come_in_order_of_their_pieces() {
    let place = Place::with("russian KMvK");
    let names: Vec<String> = rows(&place, "russian").into_iter().map(|row| row.signature).collect();
    let pieces: Vec<usize> = names.iter().map(String::len).collect();
    assert!(pieces.is_sorted(), "{names:?}");
    assert_eq!(names.len(), 2 * place.files().keys().filter(|n| n.ends_with(".wdl")).count());
}

/// Missing and damaged tables are reported, and the others are counted.
#[test]
fn all_sound_tables_are_counted() {
    let place = Place::with("russian 2");
    let outcome = place.damka("stats russian KKvK KvK --no-build --json");
    assert_eq!(read_all::<Row>(&outcome.stdout).len(), 2, "{outcome:?}");
    assert!(outcome.failure(3).contains("KKvK"));
    place.edit("russian/MvM.dtw", Vec::clear);
    let outcome = place.damka("stats russian --json");
    assert_eq!(read_all::<Row>(&outcome.stdout).len(), 4, "{outcome:?}");
    assert!(outcome.failure(4).contains("MvM.dtw"));
}
