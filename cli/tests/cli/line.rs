//! `damka line`: best play to the end.

use crate::Place;
use crate::json::{Answer, read, read_all};

/// The distances are published (three kings against one, Alapo), or checked by two solvers.
#[test]
fn a_line_ends_after_the_distance_without_a_move_left() {
    for (game, start, plies) in [
        ("russian", "W:WKf8,Ke7,Kh6:BKb8", 25),
        ("russian", "W:WKa1:BKh8", 2),
        ("english", "B:W29,K30:BK1", 30),
        ("alapo", "k5/6/6/6/6/F5 w", 10),
        ("alapo", "f5/6/6/6/6/F5 w", 9),
        ("alapo", "6/6/6/6/k5/KW4 b", 30),
    ] {
        let place = Place::new();
        let mut answer: Answer =
            read(&place.damka(&format!("line {game} {start} --json")).success());
        let line = answer.line.take().expect("a line");
        assert_eq!((answer.dtw, line.len()), (Some(plies), plies as usize), "{game} {start}");

        // Each move is the best one in its position.
        let fens: Vec<&str> = line.iter().map(|ply| ply.fen.as_str()).collect();
        let answers = place.damka_reading(&format!("probe {game} - --json"), fens.join("\n"));
        let mut answers: Vec<Answer> = read_all(&answers.success());
        let end = answers.pop().expect("an answer");
        answers.insert(0, answer);
        let best: Vec<&String> = answers.iter().map(|answer| &answer.moves[0].mv).collect();
        let played: Vec<&String> = line.iter().map(|ply| &ply.mv).collect();
        assert_eq!(played, best, "{game} {start}");

        // At the end a side has no pieces or no move.
        assert_eq!((end.dtw, end.moves.len()), (Some(0), 0), "{end:?}");
    }
}

#[test]
fn a_line_is_the_probe_object_and_the_moves() {
    let place = Place::with("russian 2");
    let probe = place.damka("probe russian W:WKa1:BKh8 --json").success();
    let line = place.damka("line russian W:WKa1:BKh8 --json").success();
    let played = concat!(
        r#","line":[{"move":"a1-g7","coordinates":"a1-g7","fen":"B:WKg7:BKh8"},"#,
        r#"{"move":"h8xf6","coordinates":"h8xf6","fen":"W:W:BKf6"}]}"#,
    );
    assert_eq!(line.trim_end(), probe.trim_end().trim_end_matches('}').to_owned() + played);
}

#[test]
fn a_person_sees_the_moves_numbered() {
    let place = Place::with("russian 2");
    let text = place.damka("line russian W:WKa1:BKh8").success();
    assert!(text.ends_with("White loses in 2 plies (1 move).\n\n1. a1-g7 h8xf6\n"), "{text}");
}

#[test]
fn positions_without_play_to_an_end_have_no_line() {
    let place = Place::new();
    for (fen, result) in
        [("W:WKc1:BKa3", "Draw."), ("W:Wa3:Bb4,c5", "Black has won: White has no legal move.")]
    {
        let answer: Answer = read(&place.damka(&format!("line russian {fen} --json")).success());
        assert!(answer.line.is_some_and(|line| line.is_empty()), "{fen}");
        let text = place.damka(&format!("line russian {fen}")).success();
        assert!(text.ends_with(&format!("White to move. {result}\n")), "{text}");
    }
}

#[test]
fn lines_are_shown_for_a_stream() {
    let place = Place::with("russian 2");
    let outcome = place.damka_reading("line russian -", "W:WKa1:BKh8\nnonsense\nW:WKc1:BKa3\n");
    assert_eq!(outcome.code, Some(1));
    let expected = "W:WKa1:BKh8\tWhite loses in 2 plies (1 move)\t1. a1-g7 h8xf6\n";
    assert!(outcome.stdout.starts_with(expected), "{outcome:?}");
    assert_eq!(outcome.stdout.lines().count(), 2, "{outcome:?}");
}
