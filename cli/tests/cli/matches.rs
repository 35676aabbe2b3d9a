//! `damka match`.

use crate::{Place, outcome};
use damka_games::{Draughts, Game, Position, Russian};
use damka_records::{self as records, Ply};
use std::fs;

const MATCH: &str = "match russian --a depth=3,memory=1M --b opponent=plain,depth=2 --games 4";

#[test]
fn a_match_prints_its_result_and_keeps_its_games() {
    let place = Place::new();
    let path = place.home().join("games.pdn");
    let mut command = place.command();
    command.args(MATCH.split(' ')).args(["--concurrency", "2", "--sprt=-50,50", "--pdn"]);
    let table = outcome(command.arg(&path)).success();
    assert!(table.starts_with("games        4: A has won "), "{table}");
    for line in ["pairs ", "score ", "Elo ", "SPRT "] {
        assert!(table.contains(&format!("\n{line}")), "{table}");
    }
    let text = fs::read_to_string(&path).expect("games");
    let games: Vec<_> = records::read(Russian, &text).collect::<Result<_, _>>().expect("games");
    assert_eq!(games.len(), 4);
    let white: Vec<_> = games.iter().filter_map(|game| game.tags.get("White")).collect();
    assert_eq!(white, ["A", "B", "A", "B"]);
}

/// Names stand in results and records. Moves of openings are marked. Games that are written again are
/// reported.
#[test]
fn players_have_names_and_openings_are_marked() {
    let place = Place::new();
    let path = place.home().join("games.pdn");
    let players = "--a nodes=50,memory=1M,name=Anna --b nodes=60,memory=1M,name=Boris";
    let words = format!("match russian {players} --games 2 --pdn {}", path.display());
    let first = place.damka(&words);
    assert_eq!(first.stderr, "");
    assert!(first.success().starts_with("games        2: Anna has won "));
    let text = fs::read_to_string(&path).expect("games");
    let games: Vec<_> = records::read(Russian, &text).collect::<Result<_, _>>().expect("games");
    for (game, names) in games.iter().zip([["Anna", "Boris"], ["Boris", "Anna"]]) {
        assert_eq!(["White", "Black"].map(|tag| game.tags.get(tag)), names.map(Some));
        let is_marked = |ply: &Ply<Draughts>| ply.comments == [records::OPENING];
        assert!(game.line.plies[..8].iter().all(is_marked), "{text}");
        assert!(!game.line.plies[8..].iter().any(is_marked), "{text}");
    }
    let again = place.damka(&words);
    assert!(again.stderr.contains("games.pdn: 2 games were in the file before; another --seed"));

    let marked = fs::read(&path).expect("games");
    let annotated = place.damka_reading(
        "annotate russian - --no-build --nodes 50",
        String::from_utf8(marked).expect("text"),
    );
    for game in records::read(Russian, &annotated.stdout) {
        let game = game.expect("a game");
        assert!(game.line.plies[..8].iter().all(|ply| ply.nags.is_empty()), "{annotated:?}");
    }
    let same = words.replace("Boris", "Anna");
    let message = place.damka(&same).failure(2);
    assert!(message.contains("two players are called Anna: set name= of each"), "{message}");
}

#[test]
fn a_match_is_reproducible() {
    let place = Place::new();
    let result = place.damka(&format!("{MATCH} --json")).success();
    assert_eq!(place.damka(&format!("{MATCH} --json --concurrency 3")).success(), result);
    let object: serde_json::Value = serde_json::from_str(&result).expect("an object");
    assert_eq!(object["games"], 4);
    let sum: u64 = ["wins", "draws", "losses"].iter().filter_map(|key| object[key].as_u64()).sum();
    assert_eq!(sum, 4);
    assert_eq!(object["pairs"].as_array().map(Vec::len), Some(5));
}

/// With one opening and players limited by depth, all pairs of games are identical; with a book
/// there are as many different pairs as the book has lines.
#[test]
fn identical_games_are_reported_and_count_once() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).display().to_string();
    let (openings, games) = (path("openings.pdn"), path("games.pdn"));
    // The second game leads to the same position as the first.
    fs::write(&openings, "1. c3-d4 b6-a5 2. g3-f4 *\n\n1. g3-f4 b6-a5 2. c3-d4 *\n")
        .expect("openings");
    let words = format!("match russian --games 20 --openings {openings} --pdn {games}");
    let outcome = place.damka(&format!("{words} --a depth=2,memory=1M --b depth=1,memory=1M"));
    for message in [
        "1 opening left out: an earlier one is the same",
        "there are too few openings: 9 of 10 pairs began with one that had been played",
    ] {
        assert!(outcome.stderr.contains(message), "{outcome:?}");
    }
    let table = outcome.success();
    assert!(
        table.starts_with("games        2: ") && table.contains("\nidentical    18 more"),
        "{table}"
    );
    let written = fs::read_to_string(&games).expect("games");
    assert_eq!(records::read(Russian, &written).filter(Result::is_ok).count(), 2);

    let start = path("start.fen");
    fs::write(&start, Russian.start().fen()).expect("an opening");
    let play = |seed: u32| -> serde_json::Value {
        let words = format!("match russian --games 20 --openings {start} --json --seed {seed}");
        let players = "--a depth=2,memory=1M,book=own --b depth=1,memory=1M";
        let outcome = place.damka(&format!("{words} {players}"));
        serde_json::from_str(&outcome.success()).expect("an object")
    };
    let [first, second] = [1, 2].map(play);
    let [counted, identical] =
        ["games", "identical"].map(|key| first[key].as_u64().expect("a number"));
    assert!(counted > 6 && counted + identical == 20, "{first}");
    let pairs: u64 =
        first["pairs"].as_array().expect("pairs").iter().filter_map(|n| n.as_u64()).sum();
    assert_eq!(2 * pairs, counted);
    assert_ne!(first, second);
}

/// The other engine is damka itself: the games must be those of a match between its settings.
#[test]
fn another_engine_plays() {
    let place = Place::new();
    let damka = env!("CARGO_BIN_EXE_damka");
    let hub = format!("hub={damka} engine russian --memory 1M --protocol hub");
    let words = ["match", "russian", "--games", "4", "--json", "--concurrency", "2"];
    let play = |player: &str| {
        let mut command = place.command();
        command.args(words).args(["--a", "depth=2,memory=1M", "--b", player]);
        outcome(&mut command).success()
    };
    assert_eq!(play(&format!("{hub},depth=4")), play("depth=4,memory=1M"));
    let result = play(&format!("{hub},clock=500+20"));
    let object: serde_json::Value = serde_json::from_str(&result).expect("an object");
    assert_eq!(object["games"], 4);

    let uci = format!("uci={damka} engine russian --protocol uci --book none");
    assert_eq!(play(&format!("{uci},memory=1M,depth=4")), play("depth=4,memory=1M"));
    let result = play(&format!("{uci},clock=500+20"));
    let object: serde_json::Value = serde_json::from_str(&result).expect("an object");
    assert_eq!(object["games"], 4);

    let mut command = place.command();
    command.args(words).args(["--a", "depth=2", "--b", "depth=1,hub=/nowhere/engine"]);
    let message = outcome(&mut command).failure(1);
    assert!(message.contains("player B cannot be started: /nowhere/engine: "), "{message}");
}

/// Regression: a broken program looked like a weak player.
#[cfg(unix)]
#[test]
fn forfeited_games_are_reported() {
    let place = Place::new();
    let script = place.home().join("engine.sh");
    let text = "while read word rest; do case $word in\n\
                uci) echo uciok;; isready) echo readyok;; go) echo bestmove a1a1;; quit) exit;;\n\
                esac; done\n";
    fs::write(&script, text).expect("a script");
    let player = format!("uci=sh {},depth=1", script.display());
    let words = ["match", "russian", "--games", "4", "--a", "depth=1,memory=1M", "--b", &player];
    let plain = outcome(place.command().args(words));
    let note = "damka: B forfeits a game: the program plays an illegal move: a1a1\n";
    assert_eq!(plain.stderr, note);
    let table = plain.success();
    assert!(table.contains("\nforfeits     A: 0, B: 4, of the games lost\n"), "{table}");
    let output = outcome(place.command().args(words).arg("--json")).success();
    let object: serde_json::Value = serde_json::from_str(&output).expect("an object");
    assert_eq!(object["forfeits"], serde_json::json!([0, 4]));
}

#[test]
fn wrong_matches_are_refused() {
    let place = Place::new();
    let end = "--b depth=1";
    for (words, expected) in [
        ("--a depth=1,memory=4000G", "of memory requested, but there are only"),
        ("--a fast=1", "`fast=1` is not a setting"),
        ("--a threads=2", "a search needs a limit"),
        ("--a hub=engine", "a search needs a limit"),
        ("--a hub=engine,threads=2", "set this in the program itself"),
        ("--a dxp=host,time=5 --concurrency 2", "one game at a time"),
        ("--a depth=1 --sprt 5,0", "the smaller one first"),
        ("--a depth=1 --sprt 5", "expected two numbers"),
        ("--a depth=1 --openings random:x", "expected at most 40 plies"),
        ("--a depth=1 --openings endings:9-8", "numbers of pieces"),
        ("--a depth=1 --openings random:8:-1", "a margin in hundredths of a man"),
        ("--a depth=1 --openings endings:8:wide", "a margin in hundredths of a man"),
        ("--a depth=1 --openings endings:20-25", "numbers of pieces"),
        ("--a depth=1 --openings chess960", "positions of chess"),
        ("--a depth=1 --openings nowhere.pdn", "nowhere.pdn"),
        ("--a depth=1 --book nowhere.book", "there is no opening book nowhere.book"),
    ] {
        let message = place.damka(&format!("match russian {words} {end}")).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

/// Regression: the largest number led to "1980 of 0 games" and an overflow.
#[test]
fn numbers_that_mean_nothing_are_refused() {
    let place = Place::new();
    let matched = "match russian --a depth=1 --b depth=1";
    for words in [
        format!("{matched} --games 18446744073709551615"),
        format!("{matched} --games 0"),
        format!("{matched} --longest 0"),
        format!("{matched} --longest 18446744073709551615"),
        "book build russian x.book --self-play 18446744073709551615".to_owned(),
        "search russian start --time 0".to_owned(),
        "search russian start --nodes 0".to_owned(),
        // Regression: this command ran out of stack.
        "perft russian 4294967295 W:WKa3:BKb8".to_owned(),
    ] {
        let message = place.damka(&words).failure(2);
        assert!(message.contains("invalid value '"), "{words}: {message}");
    }
    let output = place.damka(&format!("{matched} --games 3")).success();
    assert!(output.starts_with("games        4: "), "{output}");
}

/// The games of a match from these openings, with the tables that `gen` builds with the arguments `tables`.
fn games_of(tables: &str, openings: &str) -> Vec<records::Record<Draughts>> {
    let place = Place::new();
    if !tables.is_empty() {
        place.generate(&format!("russian {tables}"));
    }
    let path = |name: &str| place.home().join(name).display().to_string();
    let (fens, games) = (path("fens"), path("games.pdn"));
    fs::write(&fens, openings).expect("openings");
    let players = "--a depth=3,memory=1M --b depth=2,memory=1M";
    let words = format!("match russian {players} --games 6 --openings {fens} --pdn {games}");
    place.damka(&words).success();
    let text = fs::read_to_string(&games).expect("games");
    records::read(Russian, &text).collect::<Result<_, _>>().expect("games")
}

/// Regression: games played without tables were said to have been ended by tables.
#[test]
fn how_a_game_has_ended_is_true() {
    // The first position is quiet; in the others White captures, in one the last piece.
    let openings = "W:WKc1:BKb8\nW:Wc3:Bd4\nW:WKg1,c3:BKa7,d4\n";
    let ends = |games: &[records::Record<Draughts>]| -> Vec<String> {
        let of = |game: &records::Record<Draughts>| game.tags.get("Termination").map(str::to_owned);
        games.iter().map(|game| of(game).expect("a reason")).collect()
    };
    let without = games_of("", openings);
    assert!(ends(&without).iter().all(|end| end != "tables"), "{:?}", ends(&without));
    let with = games_of("KMvK", openings);
    let stuck = "Black has no legal move";
    let expected = ["tables", "tables", stuck, stuck, "tables", "tables"];
    assert_eq!(ends(&with), expected);
    for game in with.iter().zip(expected).filter(|(_, end)| *end == "tables").map(|both| both.0) {
        let last =
            game.line.plies.iter().fold(game.start.position, |position, ply| position.play(ply.mv));
        let pieces: usize = last.fen().matches(['K', ',']).count();
        assert!(pieces <= 4 && !last.captures_only(), "{}", last.fen());
    }
}

/// Regression: a table was overwritten with games.
#[test]
fn a_file_without_games_is_not_overwritten() {
    let place = Place::with("russian 2");
    let openings = place.home().join("openings.pdn");
    fs::write(&openings, "1. c3-d4 1-0\n").expect("a game");
    let table = place.table("russian/KvK.wdl");
    let before = fs::read(&table).expect("a table");
    for (file, words) in [(&table, "it holds no games"), (&openings, "it has the openings")] {
        let outcome = place.damka(&format!(
            "match russian --a depth=1 --b depth=1 --games 2 --openings {} --pdn {}",
            openings.display(),
            file.display(),
        ));
        assert!(outcome.failure(2).contains(words), "{words}");
    }
    assert_eq!(fs::read(&table).expect("a table"), before);
    assert_eq!(fs::read_to_string(&openings).expect("games"), "1. c3-d4 1-0\n");
}

/// PGN and PDN are read from files with either extension, and written with either option.
#[test]
fn games_are_pgn_as_well() {
    let place = Place::new();
    let (openings, games) = (place.home().join("openings.PGN"), place.home().join("games.pgn"));
    fs::write(&openings, "[White \"A\"]\n\n1. c3-d4 d6-c5 {then} 2. b2-c3 *\n").expect("a game");
    let outcome = place.damka(&format!(
        "match russian --a depth=1 --b depth=1 --games 2 --openings {} --pgn {}",
        openings.display(),
        games.display(),
    ));
    outcome.success();
    let text = fs::read_to_string(&games).expect("games");
    let begin = |game: Result<records::Record<Draughts>, _>| {
        let game = game.expect("a sound game");
        game.line.plies[..3].iter().map(|ply| ply.mv).collect::<Vec<_>>()
    };
    let beginnings: Vec<_> = records::read(Russian, &text).map(begin).collect();
    let opening = fs::read_to_string(&openings).expect("a game");
    let opening: Vec<_> = records::read(Russian, &opening).map(begin).collect();
    assert_eq!(beginnings, [&opening[0][..], &opening[0]]);
}

/// Regression: new games replaced old ones.
#[test]
fn a_match_loses_no_games() {
    let place = Place::new();
    let path = place.home().join("games.pdn");
    fs::write(&path, "1. c3-d4 1-0").expect("a game");
    let words = "match russian --a depth=1 --b depth=1,hub=/nowhere/engine --games 2 --pdn";
    place.damka(&format!("{words} {}", path.display())).failure(1);
    assert_eq!(fs::read_to_string(&path).expect("games"), "1. c3-d4 1-0");
    let words = "match russian --a depth=1 --b depth=1 --games 2 --pdn";
    for games in [3, 5] {
        place.damka(&format!("{words} {}", path.display())).success();
        let text = fs::read_to_string(&path).expect("games");
        assert!(text.starts_with("1. c3-d4 1-0\n\n["), "{text}");
        assert_eq!(records::read(Russian, &text).filter(Result::is_ok).count(), games, "{text}");
    }
}

/// Every two players play a match; the table has all results, and the file all games.
#[test]
fn a_round_robin_has_a_cross_table() {
    let place = Place::new();
    let games = place.home().join("games.pdn");
    let players = "--a depth=4,memory=1M --b depth=2,memory=1M --c level=1,memory=1M";
    let words = format!("match russian {players} --games 6 --openings random:4");
    let output = place.damka(&format!("{words} --pdn {}", games.display())).success();
    let lines: Vec<Vec<&str>> =
        output.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.len(), 4, "{output}");
    assert_eq!(lines[0][..4], ["player", "games", "score", "Elo"]);
    assert!(lines[1..].iter().all(|line| line[1] == "12"), "{output}");
    assert_eq!(lines[1..].iter().map(|line| line[0]).collect::<String>(), "ABC", "{output}");
    let text = fs::read_to_string(&games).expect("games");
    let games: Vec<_> = records::read(Russian, &text).map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 18);
    for pair in [["A", "B"], ["A", "C"], ["B", "C"]] {
        let is_theirs = |game: &&records::Record<Draughts>| {
            let names = ["White", "Black"].map(|tag| game.tags.get(tag).unwrap_or_default());
            pair.iter().all(|name| names.contains(name))
        };
        assert_eq!(games.iter().filter(is_theirs).count(), 6, "{pair:?}");
    }
    // In JSON, the points of all players add up to the number of games.
    let output = place.damka(&format!("{words} --json")).success();
    let object: serde_json::Value = serde_json::from_str(&output).expect("an object");
    let players = object["players"].as_array().expect("players");
    let points: f64 = players.iter().filter_map(|player| player["points"].as_f64()).sum();
    assert_eq!((players.len(), points), (3, 18.0));
    let elo: f64 = players.iter().filter_map(|player| player["elo"].as_f64()).sum();
    assert!(elo.abs() < 0.001, "{output}");
    let matches = object["matches"].as_array().expect("matches");
    assert_eq!(matches[2]["players"], serde_json::json!(["B", "C"]));
    assert!(matches.iter().all(|found| found["games"] == 6), "{output}");
    for (words, wrong) in [("--d depth=1", "--c"), ("--c depth=1 --sprt 0,5", "--sprt")] {
        let words = format!("match russian --a depth=1 --b depth=1 {words}");
        assert!(place.damka(&words).failure(2).contains(wrong), "{words}");
    }
}
