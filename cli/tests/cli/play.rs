//! `damka play` with commands through a pipe.

use crate::Place;
use damka_games::{Game, Position, Russian};
use damka_records as records;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Plays with these lines as input; returns the output.
pub(crate) fn play(place: &Place, words: &[&str], lines: &str) -> String {
    play_with(place, words, lines, &[])
}

/// Plays with these variables in the environment.
fn play_with(place: &Place, words: &[&str], lines: &str, env: &[(&str, &str)]) -> String {
    let mut command = place.command();
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(env.iter().copied());
    command.arg("play").args(words).args(["--depth", "3", "--memory", "1M"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    let mut stdin = damka.stdin.take().expect("its standard input");
    stdin.write_all(lines.as_bytes()).expect("damka reads");
    drop(stdin);
    crate::Outcome::from(damka.wait_with_output().expect("damka ends")).success()
}

/// On a terminal damka asks whether to build tables.
#[cfg(target_os = "linux")]
#[test]
fn a_person_is_asked_for_tables() {
    let place = Place::new();
    let output = place.damka_on_a_terminal("play russian --depth 1", "n\nquit\n").success();
    assert!(output.contains("There are no tables of russian in "), "{output}");
    assert!(output.contains("Build those of up to 5 pieces (") && output.contains("White to move"));
    assert!(place.files().is_empty());
}

#[test]
fn moves_are_played_answered_and_taken_back() {
    let place = Place::new();
    let output = play(&place, &["russian"], "c3-d4\nundo\n22-18\nundo\nundo\nquit\nc3-d4\n");
    assert_eq!(output.matches("The engine plays ").count(), 2, "{output}");
    assert!(output.ends_with("There is nothing to take back.\n"), "{output}");
}

#[test]
fn illegal_moves_are_reported() {
    let place = Place::new();
    let output = play(&place, &["russian"], "a1-b2\nhello\n\nc3-c4\nsave\n\u{1b}[2J\n");
    assert!(output.contains("`a1-b2` is not legal here; legal moves: "), "{output}");
    assert!(output.contains("`hello` is not a move"), "{output}");
    assert!(output.contains("Say: save FILE"), "{output}");
    assert!(!output.contains("The engine plays") && !output.contains('\u{1b}'), "{output:?}");
}

#[test]
fn help_moves_hints_and_tables_are_shown() {
    let place = Place::with("russian 2");
    let words = ["russian", "--fen", "W:WKa1:Bb8"];
    let output = play(&place, &words, "help\nmoves\nhint\ntables\nboard\n");
    for words in ["save FILE", "a1-h8", "The engine would play ", " wins in ", "White to move."] {
        assert!(output.contains(words), "{words}: {output}");
    }
    let output = play(&place, &["russian"], "tables\n");
    assert!(output.contains("Unknown: MMMMMMMMMMMMvMMMMMMMMMMMM has 24 pieces"), "{output}");
}

#[test]
fn the_engine_begins_where_it_has_the_first_move() {
    let place = Place::new();
    let output = play(&place, &["english"], "resign\n11-15\n");
    assert!(output.contains("The engine plays "), "{output}");
    assert!(output.contains("White resigns: Black wins."), "{output}");
    assert!(
        output.ends_with("`undo`, `back`, `new`, `save FILE` and `quit` are left.\n"),
        "{output}"
    );
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
    let output = play(&place, &["russian", "--fen", "W:Wc3:Bd4"], &lines);
    assert!(output.contains("White wins: Black has no legal move."), "{output}");
    assert_eq!(output.matches("Saved in ").count(), 2, "{output}");
    assert!(
        output.contains("is there already") && output.contains("cannot be written"),
        "{output}"
    );
    assert_eq!(fs::read_to_string(&other).expect("a file"), "precious");
    let text = fs::read_to_string(&path).expect("the game");
    let game = records::read(Russian, &text).next().expect("a game").expect("a sound one");
    assert_eq!((game.line.plies.len(), game.result), (1, records::GameResult::WhiteWins));
    assert_eq!(game.tags.get("Black"), Some("damka"));
}

/// A row of the board: its label, and three characters for each square.
fn row(label: &str, squares: [&str; 8]) -> String {
    format!("{label} {}", squares.concat().trim_end())
}

/// Regression: with Black, the board was shown from White's side.
#[test]
fn the_board_is_turned_to_the_person() {
    let place = Place::new();
    let words = ["russian", "--fen", "B:Wc3:Bh8", "--book", "none"];
    let none = "   ";
    let white = [
        row("8", [none, " . ", none, " . ", none, " . ", none, " b "]),
        row("3", [" . ", none, " w ", none, " . ", none, " . ", none]),
        "   a  b  c  d  e  f  g  h".to_owned(),
    ];
    let black = [
        row("3", [none, " . ", none, " . ", none, " w ", none, " . "]),
        row("8", [" b ", none, " . ", none, " . ", none, " . ", none]),
        "   h  g  f  e  d  c  b  a".to_owned(),
    ];
    let has = |output: &str, lines: &[String; 3]| {
        let places =
            lines.each_ref().map(|line| output.lines().position(|printed| printed == line));
        places.iter().all(Option::is_some) && places.is_sorted()
    };
    let output = play(&place, &[&words[..], &["--color", "black"]].concat(), "");
    assert!(has(&output, &black) && !has(&output, &white), "{output}");
    let output = play(&place, &[&words[..], &["--color", "black"]].concat(), "flip\n");
    assert!(has(&output, &black) && has(&output, &white), "{output}");
    let output = play(&place, &["russian", "--fen", "W:Wc3:Bh8"], "");
    assert!(has(&output, &white) && !has(&output, &black), "{output}");
}

#[test]
fn the_last_move_is_marked() {
    let place = Place::new();
    let output = play(&place, &["russian", "--fen", "W:Wc3:Bh8"], "c3-b4\n");
    let none = "   ";
    for line in [
        row("8", [none, " . ", none, " . ", none, " . ", none, "[.]"]),
        row("7", [" . ", none, " . ", none, " . ", none, "[b]", none]),
        row("4", [none, " w ", none, " . ", none, " . ", none, " . "]),
    ] {
        assert!(output.lines().any(|printed| printed == line), "{line}: {output}");
    }
    assert_eq!(output.matches('[').count(), 2, "{output}");
}

#[test]
fn squares_have_numbers_where_moves_have() {
    let place = Place::new();
    let output = play(&place, &["english", "--color", "black"], "");
    for square in [" b 1 ", " b 12", "   13", "   20", " w 21", " w 32"] {
        assert!(output.contains(square), "{square}: {output}");
    }
    assert!(!output.contains("a  b  c"), "{output}");
    let place = Place::with("english 2");
    let output = play(&place, &["english", "--color", "black", "--fen", "B:WK32:BK1"], "moves\n");
    assert!(output.contains("\n  1-5  ") && output.contains("\n  1-6  "), "{output}");
}

#[test]
fn what_was_taken_back_can_be_played_again() {
    let place = Place::new();
    let lines = "fen\nredo\nc3-d4\nfen\nundo\nfen\nredo\nfen\nundo\ng3-f4\nredo\n";
    let output = play(&place, &["russian"], lines);
    let fens: Vec<&str> = output.lines().filter(|line| Russian.parse_fen(line).is_ok()).collect();
    let [start, moved, back, again] = fens[..] else { panic!("{output}") };
    assert_eq!(start, Russian.start().fen());
    assert_eq!((back, again), (start, moved));
    assert_ne!(start, moved);
    // Once before anything was taken back, once after another move.
    assert_eq!(output.matches("There is no move to replay.").count(), 2, "{output}");
}

#[test]
fn a_game_can_begin_again_with_either_side() {
    let place = Place::new();
    let output = play(&place, &["russian", "--book", "none"], "c3-d4\nnew\nfen\nnew black\n");
    assert_eq!(output.matches("You play White.").count(), 2, "{output}");
    assert!(output.contains(&format!("\n{}\n", Russian.start().fen())), "{output}");
    let (_, black) = output.split_once("You play Black.").expect("the other side");
    assert!(black.contains("The engine plays ") && black.contains("h  g  f"), "{black}");
}

#[test]
fn the_level_is_shown_and_changed() {
    let place = Place::new();
    let words = ["russian", "--time", "60000", "--book", "none"];
    let lines =
        "level\nlevel depth=1\nc3-d4\nlevel 4 nodes=100, depth=2\nlevel depth=0\nlevel 11\n";
    let output = play(&place, &words, lines);
    assert!(output.contains("The engine plays at level 10, with time=60000,depth=3."), "{output}");
    assert!(output.contains("The engine plays at level 10, with depth=1."), "{output}");
    assert!(output.contains(", depth 1)."), "{output}");
    assert!(output.contains("The engine plays at level 4, with depth=2,nodes=100."), "{output}");
    assert_eq!(output.matches("time=MS, depth=N or nodes=N").count(), 2, "{output}");
}

/// At a low level the engine plays worse moves; the same seed gives the same moves.
#[test]
fn a_beginner_plays_the_same_game_for_the_same_seed() {
    let place = Place::new();
    let moves = |level: &str, seed: &str| {
        let words = ["chess", "--color", "black", "--level", level, "--seed", seed];
        let output = play(&place, &words, "go\ngo\ngo\ngo\n");
        let moves = output.lines().filter_map(|line| line.strip_prefix("The engine plays "));
        moves.filter_map(|line| Some(line.split_once(" (")?.0.to_owned())).collect::<Vec<_>>()
    };
    let game = moves("1", "5");
    assert!(game.len() > 4, "{game:?}");
    assert_eq!(moves("1", "5"), game);
    assert_ne!(moves("1", "6"), game);
    let message = place.damka("play chess --level 11").failure(2);
    assert!(message.contains("expected a level from 1 to 10"), "{message}");
}

/// With tables a hint is a line of play, and moves are ranked.
#[test]
fn tables_rank_moves_and_lead_to_the_end() {
    let place = Place::with("russian 3");
    let words = ["russian", "--fen", "W:WKa1,Kc1:BKa3"];
    let output = play(&place, &words, "moves\nhint\n");
    let probe = place.damka("probe russian W:WKa1,Kc1:BKa3").success();
    let ranked = |text: &str| -> Vec<String> {
        let outcomes = ["  wins", "  draws", "  loses"];
        let lines = text.lines().filter(|line| outcomes.iter().any(|word| line.contains(word)));
        lines.map(str::to_owned).collect()
    };
    assert!(!ranked(&probe).is_empty() && ranked(&output) == ranked(&probe), "{output}{probe}");
    // Equal moves are interchangeable: only the lengths of the lines are compared.
    let line = place.damka("line russian W:WKa1:Bb8").success();
    let plies = |text: &str| -> Option<usize> {
        let line = text.lines().map(str::trim).find(|line| line.starts_with("1. "))?;
        Some(line.split(' ').filter(|word| !word.ends_with('.')).count())
    };
    let output = play(&place, &["russian", "--fen", "W:WKa1:Bb8"], "hint\n");
    assert!(plies(&line).is_some() && plies(&output) == plies(&line), "{output}{line}");
}

/// Colours are used only on terminals, and only if the user wants them.
#[test]
fn colours_are_for_terminals() {
    let place = Place::new();
    let colours =
        |env: &[(&str, &str)]| play_with(&place, &["russian"], "flip\n", env).contains('\u{1b}');
    assert!(!colours(&[]));
    assert!(colours(&[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn tables_are_built_before_the_game() {
    let place = Place::new();
    let words = ["russian", "--fen", "W:WKa1:BKb8"];
    let output = play(&place, &words, "tables\n");
    assert!(output.contains("Unknown: the table") && place.files().is_empty(), "{output}");
    let output = play(&place, &[&words[..], &["--build", "2"]].concat(), "tables\n");
    assert!(output.contains("\nDraw.\n"), "{output}");
    assert!(place.table("russian/KvK.dtw").exists());
}

/// Moves are read as Russian players type them, and saved as damka writes them.
#[test]
fn moves_are_typed_in_short_notation() {
    let place = Place::new();
    let file = place.table("game.pdn");
    let words = ["russian", "--fen", "W:Wc3,f2:Bh8,d6", "--book", "none"];
    let typed = format!("сd4\nsave {}\nquit\n", file.display());
    play(&place, &words, &typed);
    let saved = fs::read_to_string(file).expect("a game");
    assert!(saved.contains("\n1. c3-d4 "), "{saved}");
}

#[test]
fn both_sides_can_be_moved_by_hand_and_the_engine_moves_on_command() {
    let place = Place::new();
    let output = play(&place, &["russian", "--color", "both"], "c3-d4\nb6-a5\ng3-f4\n");
    assert!(
        output.contains("You move for both sides.") && !output.contains("The engine"),
        "{output}"
    );
    let output = play(&place, &["russian", "--color", "both"], "c3-d4\ngo\ngo\ncolor white\n");
    assert_eq!(
        output.matches("The engine plays ").count(),
        3,
        "two when told to, one as Black: {output}"
    );
    // In a game against the engine, `go` plays the move and the engine's answer.
    let output = play(&place, &["russian", "--book", "none"], "go\ncolor both\nc3-d4\n");
    assert_eq!(output.matches("The engine plays ").count(), 2, "{output}");
}

/// The moves of a saved game.
fn saved_moves(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a game");
    let (_, moves) = text.split_once("\n\n").expect("tags and moves");
    moves.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn going_back_and_playing_on_makes_variations() {
    let place = Place::new();
    let path = place.home().join("game.pdn");
    let save = format!("save {}\n", path.display());
    let lines = format!("c3-d4\nb6-a5\nback 2\ng3-f4\nback\n{save}");
    let output = play(&place, &["russian", "--color", "both"], &lines);
    assert!(output.contains("\nNext: c3-d4\n"), "{output}");
    assert!(
        output
            .ends_with(&format!("Next: c3-d4; variations: g3-f4\nSaved in {}.\n", path.display()))
    );
    assert_eq!(saved_moves(&path), "1. c3-d4 (1. g3-f4) 1... b6-a5 *");
    fs::remove_file(&path).expect("the game");
    let output = play(
        &place,
        &["russian", "--color", "both"],
        &format!("back\n{lines}main\nforward\nmain\n{save}"),
    );
    assert!(output.contains("This is the start of the game."), "{output}");
    assert_eq!(saved_moves(&path), "1. g3-f4 (1. c3-d4 b6-a5) *");
    // A move that replaces one that was taken back is in the main line, not in a variation.
    fs::remove_file(&path).expect("the game");
    let words = ["russian", "--fen", "W:Wc3,g3:Bh8"];
    play(&place, &words, &format!("c3-d4\nundo\nmoves\ng3-f4\n{save}"));
    let moves = saved_moves(&path);
    assert!(moves.starts_with("1. g3-f4 (1. c3-d4 ") && moves.ends_with("h8-g7 *"), "{moves}");
}

#[test]
fn games_are_loaded_with_their_variations_and_walked_through() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).display().to_string();
    let (games, saved) = (path("two games.pdn"), path("saved.pdn"));
    let second =
        "[White \"Ivanov\"]\n[Date \"1980.??.??\"]\n\n1. c3-d4 {good} (1. g3-f4 b6-c5) b6-a5 0-1\n";
    fs::write(&games, format!("1. a3-b4 1-0\n\n{second}")).expect("games");
    let lines = format!(
        "load {games} 2\nforward\nback\nforward g3-f4\nforward a1-b2\nforward 9\nback 1\nb6-a5\nsave {saved}\n"
    );
    let output = play(&place, &["russian"], &lines);
    assert!(output.contains("Game 2: Ivanov - ?, 0-1. You move for both sides"), "{output}");
    for message in ["No line here begins with `a1-b2`.", "This is the end of the line."] {
        assert!(output.contains(message), "{output}");
    }
    assert_eq!(
        saved_moves(saved.as_ref()),
        "1. c3-d4 {good} (1. g3-f4 b6-c5 (1... b6-a5)) 1... b6-a5 0-1"
    );
    let text = fs::read_to_string(&saved).expect("a game");
    assert!(
        text.contains("[White \"Ivanov\"]") && text.contains("[Date \"1980.??.??\"]"),
        "{text}"
    );

    let bad = path("bad.pdn");
    fs::write(&bad, "1. c3-c4 1-0\n").expect("a game");
    let lines = format!("load\nload {games} 3\nload {games}.x\nload {bad}\nload {games} 0\nfen\n");
    let output = play(&place, &["russian"], &lines);
    for message in ["Say: load FILE", "the last game in it is number 2", "line 1, column 4"] {
        assert!(output.contains(message), "{message}: {output}");
    }
    assert!(
        output.ends_with(&format!("{}\n", Russian.start().fen())),
        "nothing has changed: {output}"
    );

    let pgn = path("game.pgn");
    fs::write(&pgn, "1. e4 (1. d4 d5) e5 2. Nf3 *\n").expect("a game");
    let lines = format!("load {pgn}\nforward 3\nNc6\nsave {}\n", path("saved.pgn"));
    play(&place, &["chess"], &lines);
    assert_eq!(saved_moves(path("saved.pgn").as_ref()), "1. e4 (1. d4 d5) 1... e5 2. Nf3 Nc6 *");
}

/// Going through a resigned game does not continue it.
#[test]
fn a_result_stays_while_the_game_is_walked_through() {
    let place = Place::new();
    let path = place.home().join("game.pdn");
    let lines = format!("c3-d4\nresign\nback 2\nsave {}\n", path.display());
    play(&place, &["russian", "--color", "both"], &lines);
    assert_eq!(saved_moves(&path), "1. c3-d4 1-0");
}

#[test]
fn after_a_resignation_no_move_is_played_until_it_is_taken_back() {
    let place = Place::new();
    let output = play(&place, &["russian"], "resign\ncolor black\ngo\nc3-d4\nresign\n");
    assert!(output.contains("You play Black. The game is over: `undo` goes on"), "{output}");
    assert!(!output.contains("The engine plays") && !output.contains("Black resigns"), "{output}");
    // Then the engine is to move.
    let output = play(&place, &["russian"], "resign\ncolor black\nundo\n");
    assert!(output.contains("The engine plays "), "{output}");
}

#[test]
fn what_is_saved_has_a_date() {
    let place = Place::new();
    let path = place.home().join("game.pdn");
    play(&place, &["russian"], &format!("save {}\n", path.display()));
    let text = fs::read_to_string(&path).expect("a game");
    let game = records::read(Russian, &text).next().expect("a game").expect("a sound one");
    let date = game.tags.get("Date").expect("a date");
    let parts: Vec<u32> = date.split('.').filter_map(|part| part.parse().ok()).collect();
    assert!(date.len() == 10 && parts.len() == 3 && parts[0] >= 2026, "{date}");
}

#[test]
fn moves_and_evaluations_are_shown_with_each_board_on_request() {
    let place = Place::with("russian 2");
    let words = ["russian", "--color", "both", "--fen", "W:WKa1:Bb8"];
    let output =
        play(&place, &words, "eval\nmoves on\neval on\na1-b2\nmoves off\neval off\nback\n");
    assert_eq!(output.matches("Evaluation for White: ").count(), 2, "{output}");
    assert_eq!(output.matches("Evaluation for Black: ").count(), 2, "{output}");
    assert_eq!(
        output.matches(" wins in ").count(),
        output.matches("a1-h8  wins in ").count() * 7,
        "{output}"
    );
    assert!(
        !output.split("Evaluation for Black").last().expect("an end").contains("  wins in "),
        "{output}"
    );
}

#[test]
fn clocks_are_shown_and_running_out_of_time_loses() {
    let place = Place::new();
    let output = play(&place, &["russian", "--clock", "5+3"], "c3-d4\nlevel\nundo\n");
    assert!(output.contains("White to move. White 5:00, Black 5:00."), "{output}");
    assert!(
        output.contains("White 5:0") && output.contains("and by the clock while it runs"),
        "{output}"
    );
    assert!(output.contains("(stopped)."), "going back stops the clocks: {output}");

    let path = place.home().join("game.pdn");
    let mut command = place.command();
    command.args(["play", "russian", "--clock", "0.005+0", "--book", "none", "--memory", "1M"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    let mut stdin = damka.stdin.take().expect("its standard input");
    thread::sleep(Duration::from_secs(2));
    write!(stdin, "c3-d4\nc3-d4\nsave {}\n", path.display()).expect("damka reads");
    drop(stdin);
    let output = crate::Outcome::from(damka.wait_with_output().expect("damka ends")).success();
    assert_eq!(output.matches("White has no time left: Black wins.").count(), 1, "{output}");
    assert!(
        output.contains("The game is over.") && !output.contains("The engine plays"),
        "{output}"
    );
    assert_eq!(saved_moves(&path), "0-1");

    for clock in ["5", "0+3", "-1+0", "5+x", "1e9+0"] {
        let message = place.damka(&format!("play russian --clock={clock}")).failure(2);
        assert!(message.contains("such as 5+3"), "{message}");
    }
}
