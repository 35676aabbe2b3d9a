//! `damka annotate`.

use crate::Place;
use serde_json::Value;
use std::fs;

/// Two games of the same players, with an unreadable game between them.
const GAMES: &str = "\
[White \"Ivanov\"]\n[Black \"Petrov\"]\n[FEN \"W:WKb8:Bd4\"]\n\n1. b8-a7 d4-c3 *\n\n\
[White \"Ivanov\"]\n[Black \"Sidorov\"]\n\n1. c3-d5 *\n\n\
[White \"Petrov\"]\n[Black \"Ivanov\"]\n[FEN \"W:WKb8:Bd4\"]\n\n1. b8-f4 d4-c3 2. f4-c1 1/2-1/2\n";

#[test]
fn games_come_in_their_order_and_broken_ones_are_reported() {
    let place = Place::with("russian KvM");
    let output = place.home().join("annotated.pdn").display().to_string();
    fs::write(place.home().join("games.pdn"), GAMES).expect("games");
    let games = place.home().join("games.pdn").display().to_string();
    let words = format!("annotate russian {games} --no-build --nodes 500 --progress none");
    let outcome = place.damka(&format!("{words} -o {output}"));
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stderr.contains("games.pdn: game 2: line 10, column 4: "),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stdout.contains("1. Ivanov - Petrov *; White: wins lost 1\n"),
        "{}",
        outcome.stdout
    );
    // Games are numbered as in the file.
    let given_up = "3. Petrov - Ivanov 1/2-1/2; White: given up 1\n";
    assert!(outcome.stdout.contains(given_up), "{}", outcome.stdout);
    let ivanov = outcome.stdout.lines().find(|line| line.starts_with("Ivanov ")).expect("a player");
    let figures: Vec<&str> = ivanov.split_whitespace().skip(1).collect();
    assert_eq!(figures, ["2", "2", "2", "0", "0", "0", "0", "1", "0", "0"]);
    let written = fs::read_to_string(&output).expect("the games");
    let [first, second] = ["1. b8-a7??", "1. b8-f4 {win in 5 plies, only move}"]
        .map(|text| written.find(text).expect("the move"));
    assert!(first < second);
    // Standard output gets the same text, with one thread or three.
    for threads in [1, 3] {
        let printed = place.damka(&format!("{words} --threads {threads}"));
        assert_eq!((printed.code, &printed.stdout), (Some(1), &written));
    }
    let message = place.damka(&format!("{words} -o {output}")).failure(2);
    assert!(message.contains("annotated.pdn exists, and is not overwritten"), "{message}");
    assert_eq!(fs::read_to_string(&output).expect("the games"), written);
}

/// A name of any length has a line in the summary, which is aligned by letters.
#[test]
fn long_names_are_cut_in_the_summary() {
    let place = Place::with("russian KvM");
    let name = "Ж".repeat(70_000);
    let game = format!("[White \"{name}\"]\n[Black \"B\"]\n[FEN \"W:WKb8:Bd4\"]\n\n1. b8-a7 *\n");
    let outcome = place.damka_reading("annotate russian - --no-build --time 0", &game);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains(&name));
    let summary: Vec<usize> = outcome.stderr.lines().map(|line| line.chars().count()).collect();
    assert_eq!(summary.len(), 4, "{}", outcome.stderr);
    assert!(summary[1..].iter().all(|&len| len == summary[1] && len < 150), "{}", outcome.stderr);
}

#[test]
fn small_tables_are_built_and_standard_input_is_read() {
    let place = Place::new();
    let outcome = place.damka_reading("annotate russian - --time 0 --json", GAMES);
    assert!(
        outcome.stderr.contains("building the tables of russian of up to 4 pieces"),
        "{outcome:?}"
    );
    let objects: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[0]["plies"][0]["judgement"], "threw_away_win");
    assert_eq!((&objects[2]["games"], &objects[2]["failed"]), (&2.into(), &1.into()));
    let outcome = place.damka_reading("annotate russian - --no-build", "1. c3-d5 *\n");
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.ends_with("damka: -: no game can be read\n"), "{}", outcome.stderr);
    let message = place.damka_reading("annotate russian -", "").failure(2);
    assert_eq!(message, "damka: -: there are no games\n");
    let message = place.damka("annotate russian nothing.pdn").failure(2);
    assert!(message.starts_with("damka: nothing.pdn: "), "{message}");
}
