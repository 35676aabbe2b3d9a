//! `damka probe`: one position, or one per line.

use crate::json::{Answer, BadLine, before_move, preference, read, read_all};
use crate::{Place, say};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn a_person_sees_the_board_the_result_and_the_moves_ranked() {
    let text = Place::new().damka("probe english B:W29,K30:BK1").success();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(
        lines,
        [
            "       B 1           2           3           4",
            "   5           6           7           8",
            "         9           10          11          12",
            "   13          14          15          16",
            "         17          18          19          20",
            "   21          22          23          24",
            "         25          26          27          28",
            " w 29        W 30          31          32",
            "",
            "Black to move. Black loses in 30 plies (15 moves).",
            "",
            "  1-5  loses in 30",
            "  1-6  loses in 30",
        ]
    );
}

/// If moves are written with numbers, the board shows them; otherwise it has coordinates at its
/// edges.
#[test]
fn a_board_has_the_names_of_its_squares() {
    let place = Place::new();
    for words in [
        "probe italian W:WK29:BK1",
        "line italian W:WK29:BK1",
        "search italian W:WK29:BK1 --depth 2",
    ] {
        let text = place.damka(words).success();
        // The board is mirrored: 1 is a8, 29 is b1.
        let board: Vec<&str> = text.lines().take(8).collect();
        assert!(
            board[0].starts_with(" B 1 ") && board[7].trim_start().starts_with("W 29"),
            "{text}"
        );
        assert!(!text.contains("a b c d") && !text.contains('\u{1b}'), "{text:?}");
    }
    let text = place.damka("probe russian W:WKa1:BKb8").success();
    assert!(text.contains("   a b c d e f g h\n"), "{text}");
}

#[test]
fn results_are_in_words() {
    let place = Place::new();
    for (position, words) in [
        ("russian W:WKa1,Kc1,Ke1:BKh8", "White to move. White wins in 3 plies (2 moves)."),
        ("russian W:WKa1:BKb2", "White to move. White wins in 1 ply (1 move)."),
        ("russian W:WKa1:BKh8", "White to move. White loses in 2 plies (1 move)."),
        ("russian W:WKc1:BKa3", "White to move. Draw."),
        ("russian W:Wa3:Bb4,c5", "White to move. Black has won: White has no legal move."),
        ("alapo k5/6/6/6/6/F5 w", "White to move. White loses in 10 plies (5 moves)."),
        ("alapo f5/6/6/6/6/F5 w", "White to move. White wins in 9 plies (5 moves)."),
    ] {
        let text = place.damka(&format!("probe {position}")).success();
        assert!(text.lines().any(|line| line == words), "{position}:\n{text}");
    }
}

#[test]
fn every_game_answers_in_its_own_notation() {
    let place = Place::new();
    for (position, fen, first) in [
        ("russian w:wk29:bk4.", "W:WKa1:BKh8", "a1-g7"),
        ("russian W:WKa1:BKb2", "W:WKa1:BKb2", "a1xh8"),
        ("brazilian W:WKa1:BKb2", "W:WKa1:BKb2", "a1xh8"),
        ("pool W:WKa1:BKb2", "W:WKa1:BKb2", "a1xh8"),
        ("english W:Wa1:Bb2", "W:W29:B25", "29x22"),
        ("english B:WK4:B21", "B:WK4:B21", "21-25"),
        ("alapo 6/6/6/6/f5/W5 w", "6/6/6/6/f5/W5 w", "a1-a2"),
    ] {
        let json = place.damka(&format!("probe {position} --json")).success();
        let answer: Answer = read(&json);
        assert_eq!(answer.game, position.split(' ').next().unwrap_or_default());
        assert_eq!(answer.fen, fen);
        assert_eq!(answer.moves[0].mv, first, "{position}");
    }
}

#[test]
fn a_position_needs_no_quotes() {
    let place = Place::new();
    let in_words = place.damka("probe alapo f5/6/6/6/6/F5 w --json").success();
    let quoted = ["probe", "alapo", "--json", "f5/6/6/6/6/F5 w"];
    let quoted = crate::outcome(place.command().args(quoted)).success();
    assert_eq!(in_words, quoted);
}

#[test]
fn a_side_without_moves_has_lost_in_zero_plies() {
    let json = Place::new().damka("probe russian W:Wa3:Bb4,c5 --json").success();
    let expected = concat!(
        r#"{"schema":1,"game":"russian","fen":"W:Wa3:Bc5,b4","value":"loss","dtw":0,"#,
        r#""dtw_status":"known","moves":[]}"#,
    );
    assert_eq!(json.trim_end(), expected);
}

/// Follows best play of long wins and losses, and checks every move of every position on the way.
#[test]
fn every_move_leads_to_its_fen() {
    for (game, start) in [
        ("russian", "W:WKf8,Ke7,Kh6:BKb8"),
        ("english", "B:W29,K30:BK1"),
        ("brazilian", "W:WKc1:BKa3"),
        ("pool", "B:Wa3,Kb2:BKh8"),
        ("alapo", "6/6/6/6/k5/KW4 b"),
    ] {
        let place = Place::new();
        let line: Answer = read(&place.damka(&format!("line {game} {start} --json")).success());
        let mut fens: Vec<String> = line.line.into_iter().flatten().map(|ply| ply.fen).collect();
        // The last position is the end, without moves.
        fens.pop();
        fens.insert(0, start.to_owned());

        let answers = place.damka_reading(&format!("probe {game} - --json"), fens.join("\n"));
        let answers: Vec<Answer> = read_all(&answers.success());
        assert_eq!(answers.len(), fens.len());
        let moves: Vec<_> = answers.iter().flat_map(|answer| &answer.moves).collect();
        let after: Vec<&str> = moves.iter().map(|mv| mv.fen.as_str()).collect();
        let after = place.damka_reading(&format!("probe {game} - --json"), after.join("\n"));
        let after: Vec<Answer> = read_all(&after.success());
        assert_eq!(after.len(), moves.len());

        for answer in &answers {
            let best = &answer.moves[0];
            assert_eq!((&answer.value, answer.dtw), (&best.value, best.dtw), "{answer:?}");
            let preference = answer.moves.iter().map(|mv| preference(&mv.value, mv.dtw));
            assert!(preference.is_sorted_by(|better, worse| better >= worse), "{answer:?}");
        }
        for (mv, after) in moves.iter().zip(after) {
            assert_eq!(after.fen, mv.fen);
            let expected = before_move(&after.value, after.dtw);
            assert_eq!((mv.value.as_str(), mv.dtw), expected, "{mv:?}");
        }
    }
}

#[test]
fn bad_lines_of_a_stream_do_not_stop_the_rest() {
    let input =
        "W:WKa1:BKb2\nnonsense\n\n  \r\nW:WKa1:BKh8\r\nW:WKa1,Kb2,Kc3:BKe7,Kf8\nW:WKc1:BKa3";
    let outcome = Place::new().damka_reading("probe russian - --json", input);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    for (place, fen) in [(0, "W:WKa1:BKb2"), (2, "W:WKa1:BKh8"), (4, "W:WKc1:BKa3")] {
        assert_eq!(read::<Answer>(lines[place]).fen, fen);
    }
    for (place, line, reason) in [(1, 2, "nonsense"), (3, 6, "KKKvKK.dtw is missing")] {
        let bad: BadLine = read(lines[place]);
        assert_eq!(bad.line, line);
        assert!(bad.error.contains(reason), "{bad:?}");
    }
}

#[test]
fn bad_lines_are_reported_on_standard_error_in_text_mode() {
    let place = Place::with("russian 2");
    let outcome = place.damka_reading("probe russian -", "W:WKa1:BKb2\nnonsense\n\nW:WKa1:BKh8\n");
    assert_eq!(outcome.code, Some(1));
    assert_eq!(
        outcome.stdout,
        "W:WKa1:BKb2\tWhite wins in 1 ply (1 move)\ta1xh8\n\
         W:WKa1:BKh8\tWhite loses in 2 plies (1 move)\ta1-g7\n"
    );
    assert!(outcome.stderr.starts_with("damka: line 2: `nonsense`"), "{outcome:?}");
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
}

#[test]
fn a_stream_without_bad_lines_is_a_success() {
    let place = Place::with("russian 2");
    let answers = place.damka_reading("probe russian - --json", "W:WKa1:BKh8\nW:WKc1:BKa3");
    assert_eq!(read_all::<Answer>(&answers.success()).len(), 2);
    assert_eq!(place.damka_reading("probe russian -", "").success(), "");
}

/// Regression: a line that is not UTF-8 ended the whole stream with exit code 2.
#[test]
fn a_line_that_is_not_utf8_is_a_bad_line_like_others() {
    let place = Place::with("russian 2");
    let input = b"W:WKa1:BKh8\n\xff\xfe\nW:WKa1:BKb2\n";
    let outcome = place.damka_reading("probe russian - --json", input);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(read::<BadLine>(lines[1]).line, 2);
    assert_eq!(read::<Answer>(lines[2]).fen, "W:WKa1:BKb2");
}

/// A program may wait for each answer before it sends the next position.
#[test]
fn a_stream_is_answered_line_by_line() {
    let place = Place::with("russian 2");
    let mut command = place.command();
    command.args(["probe", "russian", "-", "--json"]);
    let mut damka =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("damka starts");
    let mut questions = damka.stdin.take().expect("its standard input");
    let mut answers = BufReader::new(damka.stdout.take().expect("its standard output"));
    for fen in ["W:WKa1:BKh8", "W:WKc1:BKa3"] {
        say(&mut questions, fen);
        let mut line = String::new();
        answers.read_line(&mut line).expect("an answer");
        assert_eq!(read::<Answer>(&line).fen, fen);
    }
    drop(questions);
    assert!(damka.wait().expect("damka ends").success());
}

#[test]
fn small_tables_are_built_when_needed_and_kept() {
    let place = Place::new();
    let first = place.damka("probe russian W:WKa1,Kc1:BKh8");
    assert!(first.stderr.starts_with("damka: building KKvK "), "{first:?}");
    assert_eq!(first.stderr.lines().count(), 1, "{first:?}");
    let built = place.files();
    assert!(built.contains_key("russian/KKvK.dtw") && built.contains_key("russian/KvK.wdl"));
    let second = place.damka("probe russian W:WKa1,Kc1:BKh8");
    assert_eq!((second.stdout, second.stderr.as_str()), (first.success(), ""));
}

/// Every command offers to build tables that are not small but take less than a minute.
#[cfg(target_os = "linux")]
#[test]
fn tables_that_are_soon_built_are_offered() {
    let place = Place::new();
    for words in
        ["probe russian B:WKa1,Kc1,Ke1,Kg1:BKb8", "list russian KKKKvK", "stats russian KKKKvK"]
    {
        let outcome = place.damka_on_a_terminal(words, "n\n");
        assert_eq!(outcome.code, Some(3), "{words}: {outcome:?}");
        let output = outcome.stdout;
        assert!(output.contains("Build KKKKvK and what it leads to in "), "{words}: {output}");
        assert!(output.contains(" s)? [y/N] "), "{words}: {output}");
        assert!(output.contains("`damka gen russian KKKKvK --tables "), "{words}: {output}");
    }
    // No question if `--no-build` is given or the build takes too long.
    for words in [
        "probe russian W:Wa1,c1,e1,g1:Bb8,d8,f8,h8 --no-build",
        "list russian KKKKvK --no-build",
        "stats russian MMMMvMMMM",
    ] {
        let outcome = place.damka_on_a_terminal(words, "y\n");
        assert!(!outcome.stdout.contains("[y/N]"), "{words}: {outcome:?}");
        assert_eq!(outcome.code, Some(3), "{words}: {outcome:?}");
    }
    assert!(place.files().is_empty());
    let outcome = place.damka_on_a_terminal("stats russian KKKKvK", "y\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(place.table("russian/KKKKvK.dtw").exists());
}

/// The arguments of the README's first command, and `line` for the same position, print what
/// docs/GUIDE.md shows. (`.ci/nightly` runs the command itself, which compiles damka.)
#[test]
fn the_first_command_of_the_readme_answers_from_nothing() {
    let command = include_str!("../../../README.md").split("```sh\n").nth(1);
    let command = command.and_then(|rest| rest.lines().next()).expect("a command");
    let probe = command.strip_prefix("cargo run -- ").expect("a command of Cargo");
    for words in [probe.to_owned(), probe.replacen("probe", "line", 1)] {
        let guide = include_str!("../../../docs/GUIDE.md");
        let shown = guide.split(&format!("```console\n$ damka {words}\n")).nth(1);
        let shown = shown.and_then(|rest| rest.split("\n```").next()).expect("an example");
        let answer = Place::new().damka(&words.replace('\'', "")).success();
        assert_eq!(answer.trim_end(), shown, "{words}");
    }
}

/// Commands that read tables build small ones, as `probe` does.
#[test]
fn other_commands_build_small_tables_too() {
    for (words, table) in [
        ("list russian KKvK --limit 1", "russian/KKvK.dtw"),
        ("stats alapo KvF", "alapo/KvF.dtw"),
        ("stats chess KQK --histogram", "chess/KQvK.dtw"),
        ("line russian W:WKa1,Kc1:BKh8", "russian/KKvK.dtw"),
    ] {
        let place = Place::new();
        let message = place.damka(&format!("{words} --no-build")).failure(3);
        assert!(message.contains("`damka gen ") && place.files().is_empty(), "{message}");
        let outcome = place.damka(words);
        assert!(outcome.stderr.starts_with("damka: building "), "{words}: {outcome:?}");
        outcome.success();
        assert!(place.table(table).exists(), "{words}");
    }
}

#[test]
fn nothing_is_built_against_the_users_will() {
    let place = Place::new();
    for command in ["probe", "line"] {
        let words = format!("{command} russian W:WKa1,Kc1:BKh8 --no-build");
        let message = place.damka(&words).failure(3);
        assert!(message.contains("`damka gen russian KKvK --tables "), "{message}");
    }
    assert!(place.files().is_empty());
}

#[test]
fn without_distances_the_winner_is_still_known() {
    let place = Place::with("russian 2 --metric wdl");
    let outcome = place.damka("probe russian W:WKd4:Bd8 --no-build --json");
    assert!(outcome.stderr.contains("no distances"), "{outcome:?}");
    let answer: Value = serde_json::from_str(&outcome.success()).expect("JSON");
    assert_eq!((&answer["value"], &answer["dtw"]), (&"win".into(), &Value::Null));
    let text = place.damka("probe russian W:WKd4:Bd8 --no-build").success();
    assert!(text.contains("White to move. White wins.\n\n  d4-"), "{text}");
    // Best play is unknown, but the moves that win are not.
    let outcome = place.damka("line russian W:WKd4:Bd8 --no-build --json");
    let answer: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!((&answer["value"], answer.get("line")), (&"win".into(), None));
    assert_eq!(answer["moves"][0]["value"], "win");
    outcome.failure(3);
}

/// On the main diagonal, every move is answered by a capture of the last piece.
#[test]
fn a_value_that_follows_from_the_moves_needs_no_table() {
    let place = Place::new();
    let outcome = place.damka("probe russian W:WKa1:BKh8 --no-build --json");
    let answer: Value = serde_json::from_str(&outcome.success()).expect("JSON");
    assert_eq!((&answer["value"], &answer["dtw"]), (&"loss".into(), &2.into()));
}

/// Only the moves that lose at once are known; the other moves and the result are not.
#[test]
fn what_is_known_is_printed_and_the_rest_is_unknown() {
    let place = Place::new();
    let outcome = place.damka("probe russian W:WKa1:BKb8 --no-build --json");
    let answer: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(answer["value"], "unknown");
    assert_eq!(answer["missing"][0]["signature"], "KvK");
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!((&moves[0]["move"], &moves[0]["value"]), (&"a1-e5".into(), &"loss".into()));
    assert!(moves[1..].iter().all(|mv| mv["value"] == "unknown"), "{answer}");
    let message = outcome.failure(3);
    assert!(message.contains("`damka gen russian KvK --tables "), "{message}");
}

/// Regression: with several positions this was an error without the known results.
#[test]
fn what_is_known_is_printed_of_each_of_several_positions() {
    let place = Place::new();
    let words = "probe russian W:WKa1:BKb8 W:WKa1:BKb2 --no-build";
    let outcome = place.damka(&format!("{words} --json"));
    assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""), "{outcome:?}");
    let answers = outcome.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let answers: Vec<Value> = answers.collect();
    assert_eq!((&answers[0]["value"], &answers[1]["value"]), (&"unknown".into(), &"win".into()));
    assert_eq!(answers[0]["moves"][0]["value"], "loss");
    let outcome = place.damka(words);
    let first = outcome.stdout.lines().next().expect("a line");
    assert_eq!(first, "W:WKa1:BKb8\tThe result is unknown\ta1-e5 loses in 2");
    let expected = "damka: position 1: tables are missing; `damka gen russian KvK";
    assert!(outcome.failure(1).starts_with(expected));
}

/// Regression: a missing DTW table hid that the WDL table was damaged.
#[test]
fn a_damaged_wdl_table_is_not_called_a_missing_dtw_table() {
    let place = Place::with("russian KKvK --metric wdl");
    place.flip_last_byte("russian/KKvK.wdl");
    let message = place.damka("probe russian B:WKa1,Kc1:BKh2 --no-build").failure(4);
    assert!(message.contains("KKvK.wdl"), "{message}");
}

/// An error quotes a position on one line, even if it has two.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let place = Place::new();
    let fen = "W:WKa1:\u{1b}[31m\nB";
    let outcome = crate::outcome(place.command().args(["probe", "russian", fen]));
    let message = outcome.failure(2);
    assert!(!message.trim_end().contains(char::is_control), "{message:?}");
}
