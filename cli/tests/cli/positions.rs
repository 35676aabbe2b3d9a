//! The forms of positions in arguments and on standard input.

use crate::json::{Answer, read, read_all};
use crate::{Outcome, Place, outcome, say};
use std::process::Stdio;

/// Runs `damka` with these arguments.
fn damka(place: &Place, words: &[&str]) -> Outcome {
    outcome(place.command().args(words))
}

#[test]
fn positions_are_read_as_they_are_pasted() {
    let place = Place::with("russian KKvK");
    let plain = damka(&place, &["probe", "russian", "W:WKa1,Kc1:BKh8"]).success();
    for words in [
        &["W:WKa1 Kc1:BKh8"][..],
        &["W:WKa1", "Kc1:BKh8"],
        &["W:", "WKa1,", "Kc1", ":BKh8"],
        &["[FEN \"W:WKa1,Kc1:BKh8\"]"],
        &["  [fen   \"W:WKa1,Kc1:BKh8.\"]  "],
        &["[FEN", "W:WKa1,Kc1:BKh8]"],
        // As CheckerBoard writes them, and with Cyrillic letters.
        &["[FEN \"W:WK29,K30:BK4.\"] *"],
        &["\n[FEN \"W:WK29,K30:BK4.\"]\r\n*\r\n"],
        &["[FEN", "W:WK29,K30:BK4.]", "*"],
        &["[Event", "x]", "[FEN", "W:WK29,K30:BK4.]", "*"],
        &["W:WКа1,Кс1:ВКh8"],
    ] {
        let pasted = outcome(place.command().args(["probe", "russian"]).args(words)).success();
        assert_eq!(pasted, plain, "{words:?}");
    }
    for text in [
        "[FEN \"W:WKa1:BKh8\"",
        "[Event \"W:WKa1:BKh8\"]",
        "[FEN]",
        "[",
        "]",
        "[é]",
        "[FEN \"W:WKa1:BKh8\"] 1. a1-b2",
    ] {
        damka(&place, &["probe", "russian", text]).failure(2);
    }
}

#[test]
fn the_start_position_has_a_name() {
    let place = Place::new();
    let counts = place.damka("perft english 3").success();
    assert_eq!(place.damka("perft english 3 start").success(), counts);
    let text = place.damka("search russian start --depth 1 --no-build").success();
    assert!(text.contains("White to move. Best is "), "{text}");
    let message = place.damka("probe russian START").failure(3);
    assert!(message.contains("MMMMMMMMMMMMvMMMMMMMMMMMM"), "{message}");
}

/// Several positions are answered like lines of standard input.
#[test]
fn several_positions_are_answered_line_by_line() {
    let place = Place::with("russian KKvK");
    let fens = ["W:WKa1:BKh8", "W:WKa1,Kc1:BKh8", "W:WKc1:BKa3"];
    for command in ["probe", "line"] {
        for json in [&[][..], &["--json"]] {
            let mut words = [command, "russian"].to_vec();
            words.extend(fens);
            words.extend(json);
            let output = damka(&place, &words).success();
            let words = format!("{command} russian - {}", json.concat());
            let read = place.damka_reading(&words, fens.join("\n")).success();
            assert_eq!(output, read);
            assert_eq!(output.lines().count(), fens.len(), "{output}");
        }
    }
    let place = Place::with("alapo 2");
    let words = "probe alapo k5/6/6/6/6/F5 w k5/6/6/6/6/F5 b --json";
    let answers: Vec<Answer> = read_all(&place.damka(words).success());
    let fens: Vec<&str> = answers.iter().map(|answer| answer.fen.as_str()).collect();
    assert_eq!(fens, ["k5/6/6/6/6/F5 w", "k5/6/6/6/6/F5 b"]);
    let counts = place.damka("perft russian 1 start W:WKa1:BKh8").success();
    assert_eq!(
        counts.lines().map(|line| line.rsplit('\t').next()).collect::<Vec<_>>(),
        [Some("7"), Some("6"),]
    );
    place.damka("perft russian 1 start W:WKa1:BKh8 --divide").failure(2);
}

#[test]
fn a_bad_one_of_several_positions_does_not_stop_the_rest() {
    let place = Place::with("russian 2");
    let fens = "W:WKa1:BKh8 B:nonsense W:WKc1:BKa3";
    let outcome = place.damka(&format!("probe russian {fens}"));
    assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(1), 2), "{outcome:?}");
    assert!(outcome.stderr.starts_with("damka: position 2: `B:nonsense`: "), "{outcome:?}");
    let outcome = place.damka(&format!("probe russian {fens} --json"));
    let bad = outcome.stdout.lines().nth(1).unwrap_or_default();
    assert!(bad.starts_with(r#"{"schema":1,"position":2,"error":"`B:nonsense`: "#), "{bad}");
    // Words that are not positions are not skipped.
    for words in ["W:WKa1:BKh8 nonsense", "nonsense W:WKa1:BKh8", "- W:WKa1:BKh8", "- -"] {
        let outcome = place.damka(&format!("probe russian {words}"));
        assert!(matches!(outcome.code, Some(1 | 2)), "{outcome:?}");
        assert!(outcome.stderr.starts_with("damka: "), "{outcome:?}");
    }
}

#[test]
fn comments_and_empty_lines_are_skipped() {
    let place = Place::with("russian 2");
    let input =
        "# a list\n\nW:WKa1:BKh8\n*\n   # nothing\n[FEN \"W:WKc1:BKa3\"] # a draw\nW:WK29 :BK4\n";
    let answers = place.damka_reading("probe russian - --json", input).success();
    let fens: Vec<String> = read_all::<Answer>(&answers).into_iter().map(|a| a.fen).collect();
    assert_eq!(fens, ["W:WKa1:BKh8", "W:WKc1:BKa3", "W:WKa1:BKh8"]);
}

/// Regression: the byte order mark that some editors write made line 1 an error.
#[test]
fn a_byte_order_mark_is_not_an_error() {
    let place = Place::with("russian 2");
    let input = "\u{FEFF}W:WKa1:BKh8\r\nW:WKc1:BKa3\r\n";
    let answers = place.damka_reading("probe russian - --json", input).success();
    assert_eq!(read_all::<Answer>(&answers).len(), 2);
    let utf16: Vec<u8> = input.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let message = place.damka_reading("probe russian -", utf16).failure(2);
    assert!(message.contains("UTF-16"), "{message}");
}

/// Regression: such a line was read as a whole, copied several times, and printed.
#[test]
fn an_endless_line_is_an_error_like_others() {
    let place = Place::with("russian 2");
    for filling in [b'\0', b'W'] {
        let mut input = b"W:WKa1:BKh8\n".to_vec();
        input.resize(20 << 20, filling);
        input.extend(b"\nW:WKc1:BKa3\n");
        let outcome = place.damka_reading("probe russian -", input);
        assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(1), 2), "{outcome:?}");
        assert!(outcome.stderr.starts_with("damka: line 2: "), "{outcome:?}");
        assert!(outcome.stderr.len() < 200, "{} bytes", outcome.stderr.len());
    }
}

/// A line in `play` that is longer than any command is refused, and the game goes on.
#[test]
fn an_endless_line_does_not_end_a_game() {
    let place = Place::new();
    let mut command = place.command();
    command.args(["play", "russian", "--depth", "1", "--book", "none"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    let mut stdin = damka.stdin.take().expect("its standard input");
    say(&mut stdin, &"c3-d4".repeat(1 << 20));
    say(&mut stdin, "c3-d4");
    say(&mut stdin, "quit");
    let output = Outcome::from(damka.wait_with_output().expect("damka ends")).success();
    assert!(output.len() < 2000 && output.contains("The engine plays "), "{output}");
}

#[test]
fn errors_quote_little() {
    let place = Place::new();
    let long = "x\u{1b}[2J".repeat(5_000);
    for words in [
        &["probe", "russian", &long][..],
        &["probe", "alapo", &long],
        &["perft", "english", "2", &long],
        &["gen", "russian", &long],
        &["stats", "russian", &long],
        &["gen", "russian", "3", "--memory", &long],
        &["gen", "russian", "3", "--threads", &long],
        &["probe", &long],
        &[&long],
        &["probe", "russian", "start", &format!("--{long}")],
    ] {
        let message = damka(&place, words).failure(2);
        assert!(message.len() < 1000, "{:.20}: {} bytes", words[0], message.len());
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
}

/// damka reads every FEN that it prints. Regression: not the one after the last capture.
#[test]
fn a_side_that_has_lost_its_last_piece_has_lost() {
    for (game, fen, diagram) in [
        ("russian", "B:WKh8:B", "8    .   .   .   W\n"),
        ("english", "W:W:BK1,2", "       B 1         b 2           3           4\n"),
        ("brazilian", "W:W:BKc3", "3  .   B   .   .\n"),
        ("pool", "B:Wc3:B", "3  .   w   .   .\n"),
        ("alapo", "6/6/6/6/6/K5 b", "1  K . . . . .\n"),
    ] {
        let place = Place::new();
        for command in ["probe", "line"] {
            let json = damka(&place, &[command, game, fen, "--json", "--no-build"]).success();
            let answer: Answer = read(&json);
            assert_eq!(answer.fen, fen);
            assert_eq!((answer.value.as_str(), answer.dtw), ("loss", Some(0)), "{answer:?}");
            assert!(answer.moves.is_empty() && answer.line.iter().flatten().next().is_none());
            let text = damka(&place, &[command, game, fen, "--no-build"]).success();
            assert!(text.contains(diagram) && text.contains("has no legal move"), "{text}");
        }
        let json = damka(&place, &["search", game, fen, "--json"]).success();
        let found: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&found["value"], &found["dtw"]), (&"loss".into(), &0.into()), "{found}");
        assert!(found["move"].is_null(), "{found}");
        damka(&place, &["search", game, fen]).success();
        assert_eq!(damka(&place, &["perft", game, "3", fen]).success(), "0\n");
        let output = damka(&place, &["play", game, "--fen", fen]).success();
        assert!(output.contains("wins"), "{output}");
        assert!(place.files().is_empty(), "a table was built for {fen}");
    }
}

/// Hub reports that such a game is over, and searches the next position.
#[test]
fn an_engine_reports_that_a_game_without_pieces_is_over() {
    let (lost, start) = ("BeeeW".to_owned() + &"e".repeat(28), "W".to_owned() + START);
    let think = |board: &str| format!("pos pos={board}\nlevel depth=1\ngo think\n");
    let input = format!("hub\ninit\n{}{}quit\n", think(&lost), think(&start));
    let output = Place::new().damka_reading("engine russian --book none", input).success();
    assert!(output.contains("the game is over"), "{output}");
    assert_eq!(output.matches("\ndone move=").count(), 1, "{output}");
}

const START: &str = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
