//! `damka play`, a game through a pipe.

use crate::Place;
use damka_engine::pdn;
use damka_games::Russian;
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Types these lines; returns what `damka` says.
fn play(place: &Place, words: &[&str], lines: &str) -> String {
    let mut command = place.command();
    command.arg("play").args(words).args(["--depth", "3", "--memory", "1M"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    let mut stdin = damka.stdin.take().expect("its standard input");
    stdin.write_all(lines.as_bytes()).expect("damka reads");
    drop(stdin);
    crate::Outcome::from(damka.wait_with_output().expect("damka ends")).success()
}

#[test]
fn moves_are_played_answered_and_taken_back() {
    let place = Place::new();
    let told = play(&place, &["russian"], "c3-d4\nundo\n22-18\nundo\nundo\nquit\nc3-d4\n");
    assert_eq!(told.matches("The engine plays ").count(), 2, "{told}");
    assert!(told.ends_with("There is nothing to take back.\n"), "{told}");
}

#[test]
fn what_cannot_be_played_is_told() {
    let place = Place::new();
    let told = play(&place, &["russian"], "a1-b2\nhello\n\nc3-c4\nsave\n\u{1b}[2J\n");
    assert!(told.contains("`a1-b2` is not legal here; legal moves: "), "{told}");
    assert!(told.contains("`hello` is not a move"), "{told}");
    assert!(told.contains("Say: save FILE"), "{told}");
    assert!(!told.contains("The engine plays") && !told.contains('\u{1b}'), "{told:?}");
}

#[test]
fn help_moves_hints_and_tables_are_told() {
    let place = Place::with("russian 2");
    let words = ["russian", "--fen", "W:WKa1:Bb8"];
    let told = play(&place, &words, "help\nmoves\nhint\ntables\nboard\n");
    for words in ["save FILE", "a1-h8", "The engine would play ", " wins in ", "White to move."] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let told = play(&place, &["russian"], "tables\n");
    assert!(told.contains("Unknown: the table"), "{told}");
}

#[test]
fn the_engine_begins_where_it_has_the_first_move() {
    let place = Place::new();
    let told = play(&place, &["english"], "resign\n11-15\n");
    assert!(told.contains("The engine plays "), "{told}");
    assert!(told.contains("White resigns: Black wins."), "{told}");
    assert!(told.ends_with("The game is over. `undo` and `quit` are left.\n"), "{told}");
}

#[test]
fn games_are_saved_and_nothing_is_overwritten() {
    let place = Place::new();
    let path = place.home().join("game.pdn");
    let other = place.home().join("other.pdn");
    fs::write(&other, "precious").expect("a file");
    let lines = format!(
        "c3xe5\nsave {0}\nsave {0}\nsave {1}\nsave /no/such/place\n",
        path.display(),
        other.display()
    );
    let told = play(&place, &["russian", "--fen", "W:Wc3:Bd4"], &lines);
    assert!(told.contains("White wins: Black has no legal move."), "{told}");
    assert_eq!(told.matches("Saved in ").count(), 2, "{told}");
    assert!(told.contains("is there already") && told.contains("cannot be written"), "{told}");
    assert_eq!(fs::read_to_string(&other).expect("a file"), "precious");
    let text = fs::read_to_string(&path).expect("the game");
    let game = pdn::read::<Russian>(&text).next().expect("a game").expect("a sound one");
    assert_eq!((game.line.plies.len(), game.result), (1, pdn::GameResult::WhiteWins));
    assert_eq!(game.tags.get("Black"), Some("damka"));
}
