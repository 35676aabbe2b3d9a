//! `damka search`.

use crate::json::{Answer, read};
use crate::{Place, outcome};
use serde::{Deserialize, Serialize};

/// The object of `search`.
#[derive(Debug, Deserialize, Serialize)]
struct Found {
    schema: u32,
    game: String,
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    coordinates: Option<String>,
    score: i32,
    value: String,
    dtw: Option<i32>,
    dtw_status: String,
    depth: u16,
    nodes: u64,
    tb_hits: u64,
    pv: Vec<String>,
    pv_coordinates: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<Line>>,
}

/// One of the lines of a search.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    #[serde(rename = "move")]
    mv: String,
    coordinates: String,
    score: i32,
    value: String,
    dtw: Option<i32>,
    dtw_status: String,
    pv: Vec<String>,
    pv_coordinates: Vec<String>,
}

#[test]
fn without_a_position_the_start_is_searched() {
    let place = Place::new();
    let words = "--depth 3 --json --no-build";
    let found = place.damka(&format!("search russian {words}")).success();
    assert_eq!(found, place.damka(&format!("search russian start {words}")).success());
    let found: Found = read(&found);
    assert!(found.fen.starts_with("W:Wa3,") && found.lines.is_none() && found.depth == 3);
    assert_eq!(found.mv.as_ref(), found.pv.first());
}

/// A truncated table is not used, and reported.
#[test]
fn damaged_tables_are_reported() {
    let place = Place::with("russian KMvK");
    let table = place.tables().join("russian").join("KMvK.wdl");
    let bytes = std::fs::read(&table).expect("a table");
    std::fs::write(&table, &bytes[..bytes.len() / 2]).expect("a table is cut");
    let done = place.damka("search russian --depth 3 --no-build");
    assert_eq!(done.code, Some(0), "{done:?}");
    let message =
        done.stderr.lines().find(|line| line.contains("KMvK.wdl")).expect("the table's name");
    assert!(message.ends_with("; the engine continues without these values"), "{message}");
}

/// A block is read when a search needs it. `search` reports a damaged one after the search, UCI
/// before `bestmove`.
#[test]
fn damage_found_by_a_search_is_reported() {
    const FEN: &str = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    let place = Place::with("chess KRvK");
    place.edit("chess/KRvK.dtw", |bytes| {
        // Most of the file is blocks.
        let middle = bytes.len() / 2;
        bytes[middle..middle + 100].fill(0x55);
    });
    let words = ["search", "chess", FEN, "--depth", "8", "--no-build"];
    let done = outcome(place.command().args(words));
    assert_eq!(done.code, Some(0), "{done:?}");
    let messages: Vec<&str> =
        done.stderr.lines().filter(|line| line.contains("KRvK.dtw cannot be used")).collect();
    assert_eq!(messages.len(), 1, "{done:?}");

    let script = format!("position fen {FEN}\ngo depth 8\nposition fen {FEN}\ngo depth 9\n");
    let done = place.damka_reading("engine chess", script);
    let lines: Vec<&str> = done.stdout.lines().collect();
    let reported = lines.iter().position(|line| line.starts_with("info string the table KRvK.dtw"));
    let best = lines.iter().position(|line| line.starts_with("bestmove"));
    assert!(reported.is_some() && reported < best, "{done:?}");
}

#[test]
fn several_positions_are_searched_one_by_one() {
    let place = Place::new();
    let fens = ["W:Wc3,e3:Bd6,h8", "B:Wc3,e3,g3:Bb6,d6,f6", "W:Wc3:Bh8"];
    let words = "--depth 5 --no-build";
    let alone =
        fens.map(|fen| place.damka(&format!("search russian {fen} {words} --json")).success());
    let outcome = place.damka(&format!("search russian {} {words} --json", fens.join(" ")));
    assert_eq!(outcome.success(), alone.concat());
    let input = format!("# some\n\n{}\nnonsense\n", fens.join("\n"));
    let outcome = place.damka_reading(&format!("search russian - {words} --json"), &input);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let (good, bad) = outcome.stdout.trim_end().rsplit_once('\n').expect("lines");
    assert_eq!(format!("{good}\n"), alone.concat());
    assert!(bad.starts_with(r#"{"schema":1,"line":6,"error":"#), "{bad}");
    let outcome = place.damka_reading(&format!("search russian - {words} --lines 2"), &input);
    let plain: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(plain.iter().filter(|line| line.starts_with(fens[2])).count(), 2, "{outcome:?}");
    assert!(plain.iter().all(|line| line.split('\t').count() == 3), "{outcome:?}");
}

/// With tables the order of moves is that of `probe`.
#[test]
fn lines_are_ranked_as_tables_rank_them() {
    let place = Place::with("russian KMvK");
    for fen in ["W:WKa1,Kc1:BKb8", "B:WKa1,Kc1:BKb8", "W:WKa1,c3:BKb8", "B:WKa1,c3:BKb8"] {
        let probe: Answer = read(&place.damka(&format!("probe russian {fen} --json")).success());
        let words = format!("search russian {fen} --lines 100 --depth 4 --json");
        let found: Found = read(&place.damka(&words).success());
        let lines = found.lines.expect("lines");
        let values = |value: &str, dtw: Option<i32>| (value.to_owned(), dtw);
        let expected: Vec<_> = probe.moves.iter().map(|mv| values(&mv.value, mv.dtw)).collect();
        let ranked: Vec<_> = lines.iter().map(|line| values(&line.value, line.dtw)).collect();
        assert_eq!(ranked, expected, "{fen}");
        let mut moves = [
            probe.moves.iter().map(|mv| mv.mv.as_str()).collect::<Vec<_>>(),
            lines.iter().map(|line| line.mv.as_str()).collect(),
        ];
        moves.iter_mut().for_each(|moves| moves.sort());
        assert_eq!(moves[0], moves[1], "{fen}");
        for line in &lines {
            let plies = line.dtw.map(|plies| plies as usize);
            assert!(plies.is_none_or(|plies| plies == line.pv.len()), "{fen}: {line:?}");
        }
        assert_eq!((found.mv.as_ref(), &found.pv), (Some(&lines[0].mv), &lines[0].pv));
    }
}

/// Without tables each line is as exact as the best one: its wins are those of tables.
#[test]
fn every_line_is_searched_as_the_best_one() {
    let (place, empty) = (Place::with("russian KKvK"), Place::new());
    for fen in ["W:WKa1,Kc1:BKb8", "W:WKa1,Ke1:BKh2", "W:WKa5,Kg1:BKb8", "B:WKa1,Kc1:BKa3"] {
        let probe: Answer = read(&place.damka(&format!("probe russian {fen} --json")).success());
        let words = format!("search russian {fen} --lines 100 --depth 14 --json --no-build");
        let found: Found = read(&empty.damka(&words).success());
        let lines = found.lines.expect("lines");
        assert_eq!(lines.len(), probe.moves.len());
        assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
        for line in &lines {
            let known = probe.moves.iter().find(|mv| mv.mv == line.mv).expect("a legal move");
            let (value, dtw) = (known.value.as_str(), known.dtw);
            match value {
                "draw" => assert_eq!((line.value.as_str(), line.dtw), ("unknown", None)),
                _ => assert_eq!((line.value.as_str(), line.dtw), (value, dtw), "{fen} {line:?}"),
            }
        }
    }
}

#[test]
fn more_lines_than_moves_are_not_an_error() {
    let place = Place::new();
    let text = place.damka("search russian W:Wc3:Bh8 --lines 9 --depth 3 --no-build");
    assert!(text.stderr.starts_with("depth  score "), "{}", text.stderr);
    let text = text.success();
    assert!(text.contains("\nscore       line\n"), "{text}");
    let moves = text.lines().filter(|line| line.contains("c3-")).count();
    assert_eq!(moves, 3, "the best, and two lines: {text}");
    let none = place.damka("search russian B:WKh8:B --lines 9 --json --no-build").success();
    let found: Found = read(&none);
    assert!(found.mv.is_none() && found.lines.is_some_and(|lines| lines.is_empty()));
    place.damka("search russian --lines 0").failure(2);
}
