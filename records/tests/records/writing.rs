use super::game;
use damka_games::{Alapo, Draughts, English, Game, Pool, Position, Russian};
use damka_records::{GameResult, Line, Ply, Record, Tags};

#[test]
fn a_game_is_written_with_its_seven_tags_first() {
    let mut record = Record::<Draughts>::new(Russian.start());
    record.tags.set("Annotator", "a \"b\" \\ c\nd ");
    record.tags.set("Black", "Petrov");
    record.tags.set("Event", "Cup");
    record.tags.set("Black", "?");
    record.result = GameResult::BothLose;
    let expected = r#"[Event "Cup"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "0-0"]
[GameType "25,W,8,8,A0,0"]
[Annotator "a \"b\" \\ c d"]

0-0
"#;
    assert_eq!(record.to_string(), expected);
    assert_eq!(game(Russian, expected), record);
}

#[test]
fn moves_are_written_with_numbers_where_they_are_needed() {
    let text = "{start} c3-d4! $7 {a} b6-a5 {why} d4-c5 $7 $1 (b2-c3 f6-g5 (d6-c5 (d6-e5)) a1-b2) d6xb4 1-0";
    let moves = "{start} 1. c3-d4! $7 {a} b6-a5 {why} 2. d4-c5 $7 $1 (2. b2-c3 f6-g5 \
                 (2... d6-c5\n(2... d6-e5)) 3. a1-b2) 2... d6xb4 1-0\n";
    let written = game(Russian, text).to_string();
    assert_eq!(written.split_once("\n\n").unwrap().1, moves);
}

#[test]
fn move_numbers_continue_those_of_the_fen() {
    for (text, expected) in [
        (
            "[FEN \"B:WKa1:BKh8,b8\"]\n b8-c7 a1-b2",
            "[FEN \"B:WKa1:BKh8,b8\"]\n\n1... b8-c7 2. a1-b2 *\n",
        ),
        ("[FEN \"W:WKa1:BKh6\"]\n a1-b2 h6-g7", "[FEN \"W:WKa1:BKh6\"]\n\n1. a1-b2 h6-g7 *\n"),
    ] {
        let written = game(Russian, text).to_string();
        assert!(
            written.contains("[GameType \"25,W,8,8,A0,0\"]\n[SetUp \"1\"]\n[FEN "),
            "{written}"
        );
        assert!(written.ends_with(expected), "{written}");
    }
    // Black moves first in English draughts.
    let white = game(English, "[FEN \"W:WK29:BK4,1\"]\n29-25 1-5").to_string();
    assert!(white.ends_with("[FEN \"W:WK29:BK4,1\"]\n\n1... 29-25 2. 1-5 *\n"), "{white}");
    let start = game(English, "11-15 23-19").to_string();
    assert!(start.ends_with("[GameType \"21,B,8,8,N1,0\"]\n\n1. 11-15 23-19 *\n"), "{start}");
}

#[test]
fn games_without_a_type_are_written_without() {
    let written = game(Alapo, "1. a2-a3 a5-a4 2. a3xa4 0-1").to_string();
    assert!(written.ends_with("[Result \"0-1\"]\n\n1. a2-a3 a5-a4 2. a3-a4 0-1\n"), "{written}");
    let american = game(Pool, "[GameType \"23,B,8,8,N1,0\"]\n11-15 *");
    assert_eq!(game(Pool, &american.to_string()), american);
}

#[test]
fn comments_may_hold_anything() {
    let mut record = Record::<Draughts>::new(Russian.start());
    let mv = record.start.position.parse_move("c3-d4").unwrap();
    let comments = ["a } b ; c", "", "50 %", "; { ( \\", "[Event \"x\"]", "}", "1-0"];
    let comments = comments.map(str::to_owned).to_vec();
    record.line.comments = comments.clone();
    let variation = Line { comments: comments.clone(), plies: Vec::new() };
    let other = Line { comments: vec!["ends }".to_owned()], plies: vec![Ply::new(mv)] };
    let variations = vec![variation, other, Line::new()];
    record.line.plies.push(Ply { comments, variations, ..Ply::new(mv) });
    assert_eq!(game(Russian, &record.to_string()), record);
}

#[test]
fn white_space_in_comments_is_written_as_single_spaces() {
    let mut record = Record::<Draughts>::new(Russian.start());
    record.tags.set("White", "A");
    record.line.comments = vec![" a\n\n[White \"B\"]\tc ".to_owned()];
    let read = game(Russian, &record.to_string());
    assert_eq!(read.line.comments, ["a [White \"B\"] c"]);
}

#[test]
fn lines_are_short_and_none_begins_with_a_percent_sign() {
    let mut record = Record::<Draughts>::new(Russian.start());
    let words: Vec<_> = (0..200).map(|i| "x".repeat(i % 7 + 1) + " %").collect();
    record.line.comments = vec![words.join(" "), "x".repeat(200)];
    record.tags.set("White", "A");
    let written = record.to_string();
    let (_, moves) = written.split_once("\n\n").unwrap();
    // A long word is not broken, and a few `%` extend beyond the end of the line.
    let long: Vec<_> = moves.lines().filter(|line| line.len() > 85).collect();
    assert_eq!(long, [format!("{{{}}}", "x".repeat(200))]);
    assert!(moves.lines().count() > 10 && moves.lines().all(|line| !line.starts_with('%')));
    assert_eq!(game(Russian, &written), record);
}

#[test]
#[should_panic(expected = "follows from the rest")]
fn the_result_is_not_stored_as_a_tag() {
    Tags::new().set("Result", "1-0");
}

#[test]
#[should_panic(expected = "cannot be the name")]
fn a_tag_needs_a_name() {
    Tags::new().set("No name", "1-0");
}
