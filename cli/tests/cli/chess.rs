//! Chess on the command line: what a new user who knows the game types first.

use crate::Place;
use crate::json::{Answer, Row, read, read_all};
use std::fs;

/// Published: the longest mates with a queen, a rook or a pawn take 10, 16 and 28 moves.
#[test]
fn longest_mates_are_given_in_words_and_as_json() {
    let place = Place::with("chess 3");
    for (fen, plies, moves) in [
        ("8/8/8/5k2/8/8/1Q6/K7 w", 19, 10),
        ("8/8/8/8/8/2k5/1R6/K7 w", 31, 16),
        ("8/8/8/1k6/8/8/K5P1/8 w", 55, 28),
    ] {
        let words = place.damka(&format!("probe chess {fen}")).success();
        let expected = format!("White to move. White wins in {plies} plies ({moves} moves).");
        assert!(words.contains(&expected), "{words}");
        let line: Answer = read(&place.damka(&format!("line chess {fen} --json")).success());
        assert_eq!((line.value.as_str(), line.dtw), ("win", Some(plies)));
        let line = line.line.expect("a line");
        assert_eq!(line.len(), plies as usize);
        assert!(line.last().is_some_and(|ply| ply.mv.ends_with('#')), "{line:?}");
    }
}

#[test]
fn the_end_of_a_game_has_its_name() {
    let place = Place::with("chess 3");
    let mate = "k6R/8/1K6/8/8/8/8/8 b";
    let stalemate = "k7/2Q5/1K6/8/8/8/8/8 b";
    for command in ["probe", "search"] {
        let output = place.damka(&format!("{command} chess {mate}")).success();
        assert!(output.contains("White has won: Black is checkmated."), "{output}");
        let output = place.damka(&format!("{command} chess {stalemate}")).success();
        assert!(output.contains("Draw"), "{output}");
    }
    let line = place.damka("line chess 8/8/8/8/8/2k5/3r4/K7 b").success();
    assert!(line.ends_with("\n1... Kb3 2. Kb1 Rd1#\n"), "{line}");
}

/// The halfmove clock of a FEN matters, although tables ignore it.
#[test]
fn a_mate_after_fifty_moves_does_not_count() {
    let place = Place::with("chess KRvK");
    for (plies, wins) in [(97, true), (98, false), (100, false)] {
        let fen = format!("k7/8/1K6/8/8/8/8/1R6 w - - {plies} 100");
        for words in [&fen[..], &format!("[FEN \"{fen}\"]")] {
            let mut search = place.command();
            search.args(["search", "chess", words, "--depth", "6", "--json"]);
            let found: serde_json::Value =
                serde_json::from_str(&crate::outcome(&mut search).success()).expect("JSON");
            assert_eq!(found["value"] == "win", wins, "{found}");
            assert_eq!(found["score"] == 0, !wins, "{found}");
        }
    }
}

/// Every FEN that follows from another has the right halfmove clock and move number.
#[test]
fn fens_keep_their_counters() {
    let place = Place::with("chess KRvK");
    let fen = "k7/8/1K6/8/8/8/8/1R6 w - - 12 70";
    let damka = |words: &[&str]| crate::outcome(place.command().args(words)).success();
    let answer_of = |command: &str| {
        let answer: Answer = read(&damka(&[command, "chess", fen, "--json"]));
        assert_eq!(answer.fen, fen, "{command}");
        answer
    };
    let probed = answer_of("probe");
    assert!(probed.moves.iter().all(|mv| mv.fen.ends_with(" b - - 13 70")), "{probed:?}");
    let line = answer_of("line").line.expect("a line");
    let counters: Vec<_> = line.iter().map(|ply| ply.fen.split(" - - ").nth(1)).collect();
    assert_eq!(counters[..3], [Some("13 70"), Some("14 71"), Some("15 71")]);
    let searched = damka(&["search", "chess", fen, "--depth", "1", "--json"]);
    assert!(searched.contains(&format!(r#""fen":"{fen}""#)), "{searched}");
    let counted = damka(&["perft", "chess", "1", fen, fen]);
    assert!(counted.starts_with(&format!("{fen}\t")), "{counted}");
    // The counters are also kept in a game, and in the saved file.
    let file = place.table("game.pgn");
    let typed = format!("fen\nRc1\nfen\nsave {}\nquit\n", file.display());
    let words = ["chess", "--fen", fen, "--book", "none"];
    let output = crate::play::play(&place, &words, &typed);
    assert!(output.contains(&format!("{fen}\n")) && output.contains(" w - - 14 71\n"), "{output}");
    let saved = fs::read_to_string(file).expect("a game");
    assert!(saved.contains(&format!("[FEN \"{fen}\"]\n\n70. Rc1 Kb8 ")), "{saved}");
}

/// No table has positions with castling rights. After moves that give them up there may be tables, which are
/// built if they are small.
#[test]
fn a_side_that_may_castle_has_the_values_of_its_moves() {
    let place = Place::new();
    let ask = |words: &[&str]| crate::outcome(place.command().args(words));
    let fen = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1";
    let missing = ask(&["probe", "chess", fen, "--no-build"]).failure(3);
    assert!(missing.contains("KRvK.dtw is missing"), "{missing}");
    let output = ask(&["probe", "chess", fen]).success();
    assert!(output.contains("Black to move. Black wins in "), "{output}");
    assert!(output.contains("  O-O-O") && !output.contains("unknown"), "{output}");
    let refused = ask(&["probe", "chess", "start"]).failure(3);
    assert!(refused.contains("a side may castle") && refused.contains("damka search"), "{refused}");
    let searched = ask(&["search", "chess", "start", "--depth", "2", "--no-build"]).success();
    assert!(searched.contains("White to move. Best is "), "{searched}");
}

/// The first move gives up castling rights; all later positions are in tables.
#[test]
fn best_play_may_begin_with_castling_rights() {
    let place = Place::with("chess KRvK");
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let json = crate::outcome(place.command().args(["line", "chess", "--json", fen])).success();
    let answer: serde_json::Value = serde_json::from_str(&json).expect("an object");
    let line = answer["line"].as_array().expect("a line");
    assert_eq!((line.len(), &answer["dtw"]), (21, &serde_json::json!(21)), "{json}");
    let mate = line[20]["fen"].as_str().expect("a position");
    assert!(line[20]["move"].as_str().is_some_and(|mv| mv.ends_with('#')), "{mate}");
}

/// Wins, draws and losses of the side to move on the full board, and the longest win, as published
/// by two generators.
#[test]
fn counts_are_those_that_are_published() {
    let place = Place::with("chess 3 --metric wdl,dtm");
    let expected = [
        ("KPvK", [[124_960, 38_368, 0], [0, 70_420, 97_604]], 55),
        ("KNvK", [[0, 205_496, 0], [0, 223_944, 0]], 0),
        ("KBvK", [[0, 193_284, 0], [0, 223_944, 0]], 0),
        ("KRvK", [[175_168, 0, 0], [0, 22_244, 201_700]], 31),
        ("KQvK", [[144_508, 0, 0], [0, 23_048, 200_896]], 19),
    ];
    for (signature, counts, longest) in expected {
        let rows: Vec<Row> =
            read_all(&place.damka(&format!("stats chess {signature} --json")).success());
        let actual: Vec<[u64; 3]> =
            rows.iter().map(|row| [row.wins, row.draws, row.losses]).collect();
        assert_eq!(actual, counts, "{signature}");
        assert_eq!(rows[0].longest_win.unwrap_or(0), longest, "{signature}");
    }
}

#[test]
fn a_game_is_played_in_usual_notations_and_saved() {
    let place = Place::new();
    let words = "play chess --depth 2 --memory 1M --book none";
    let output = place.damka_reading(words, "help\ne4\ng1f3\ne5e4\n").success();
    assert!(output.contains("A move, such as Na3; or one of\n  board "), "{output}");
    assert_eq!(output.matches("The engine plays ").count(), 2, "{output}");
    assert!(output.contains("`e5e4` is not legal here"), "{output}");

    let words = ["play", "chess", "--depth", "2", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"];
    let path = place.home().join("mate.pgn");
    let input = place.home().join("input");
    fs::write(&input, format!("Ra8\nsave {}\n", path.display())).expect("the input");
    let mut play = place.command();
    play.args(words).stdin(fs::File::open(input).expect("the input"));
    let output = crate::outcome(&mut play).success();
    assert!(output.contains("White wins: Black is checkmated."), "{output}");
    let saved = fs::read_to_string(path).expect("the game");
    assert!(saved.contains("[Result \"1-0\"]") && saved.ends_with("1. Ra8# 1-0\n"), "{saved}");
}

#[test]
fn books_matches_and_training_are_of_games_in_pgn() {
    let place = Place::new();
    let [games, book, played, weights] =
        ["games.pgn", "my.book", "match.pgn", "new.weights"].map(|name| place.home().join(name));
    fs::write(&games, "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 2. c4 0-1\n").expect("games");
    let [games, book, played, weights] = [&games, &book, &played, &weights].map(|p| p.display());
    place.damka(&format!("book build chess {book} {games}")).success();
    let shown = place.damka(&format!("book show chess {book}")).success();
    assert!(shown.contains("\ne4 ") && shown.contains("100.0 %"), "{shown}");
    let players = "--a nodes=50,memory=1M --b nodes=60,memory=1M --games 2 --longest 60";
    let output = place.damka(&format!("match chess {players} --pdn {played} --json")).success();
    assert!(output.contains("\"games\":2"), "{output}");
    let mate = place.home().join("mate.fen");
    fs::write(&mate, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n").expect("an opening");
    let openings = format!("--openings {} --pgn {played}", mate.display());
    place.damka(&format!("match chess {players} {openings}")).success();
    let written = fs::read_to_string(place.home().join("match.pgn")).expect("games");
    assert!(written.contains("[Termination \"Black is checkmated\"]"), "{written}");
    place.damka(&format!("tune chess {weights} {played} --rounds 1")).success();
}

#[test]
fn uci_is_what_the_engine_speaks() {
    let place = Place::new();
    let script = "uci\nposition startpos moves e2e4\ngo depth 2\n";
    let output = place.damka_reading("engine chess --memory 1M", script).success();
    assert!(output.contains("uciok\n") && output.contains("\nbestmove "), "{output}");
    let refused = place.damka("engine chess --protocol hub").failure(2);
    assert!(refused.contains("chess is played by uci"), "{refused}");
}
