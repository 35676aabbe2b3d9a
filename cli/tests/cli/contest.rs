//! `damka match` and `damka book`.

use crate::{Place, outcome};
use damka_engine::{book::Book, pdn};
use damka_games::{Game, Russian};
use std::fs;

const MATCH: &str = "match russian --a depth=3,memory=1M --b opponent=plain,depth=2 --games 4";

#[test]
fn a_match_tells_its_result_and_keeps_its_games() {
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
    let games: Vec<_> = pdn::read::<Russian>(&text).collect::<Result<_, _>>().expect("games");
    assert_eq!(games.len(), 4);
    let white: Vec<_> = games.iter().filter_map(|game| game.tags.get("White")).collect();
    assert_eq!(white, ["A", "B", "A", "B"]);
}

#[test]
fn a_match_comes_out_the_same_again() {
    let place = Place::new();
    let result = place.damka(&format!("{MATCH} --json")).success();
    assert_eq!(place.damka(&format!("{MATCH} --json --concurrency 3")).success(), result);
    let object: serde_json::Value = serde_json::from_str(&result).expect("an object");
    assert_eq!(object["games"], 4);
    let sum: u64 = ["wins", "draws", "losses"].iter().filter_map(|key| object[key].as_u64()).sum();
    assert_eq!(sum, 4);
    assert_eq!(object["pairs"].as_array().map(Vec::len), Some(5));
}

/// damka itself is the other engine: the games are those of its own settings.
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

    let mut command = place.command();
    command.args(words).args(["--a", "depth=2", "--b", "depth=1,hub=/nowhere/engine"]);
    let told = outcome(&mut command).failure(1);
    assert!(told.contains("player B cannot be started: /nowhere/engine: "), "{told}");
}

#[test]
fn wrong_matches_are_refused() {
    let place = Place::new();
    let end = "--b depth=1";
    for (words, message) in [
        ("--a depth=1,memory=4000G", "of memory wanted, but there are only"),
        ("--a fast=1", "`fast=1` is no setting"),
        ("--a threads=2", "a search must end"),
        ("--a hub=engine", "a search must end"),
        ("--a hub=engine,threads=2", "tell the program itself"),
        ("--a dxp=host,time=5 --concurrency 2", "one game at a time"),
        ("--a depth=1 --sprt 5,0", "the smaller one first"),
        ("--a depth=1 --sprt 5", "two numbers expected"),
        ("--a depth=1 --openings random:x", "at most 40 plies expected"),
        ("--a depth=1 --openings endings:9-8", "numbers of pieces"),
        ("--a depth=1 --openings nowhere.pdn", "nowhere.pdn"),
        ("--a depth=1 --book nowhere.book", "there is no opening book nowhere.book"),
    ] {
        let told = place.damka(&format!("match russian {words} {end}")).failure(2);
        assert!(told.contains(message), "{words}: {told}");
    }
}

#[test]
fn a_book_is_built_shown_and_grows() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).to_str().expect("a path").to_owned();
    let (book, games) = (path("my.book"), path("games.pdn"));
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n\n1. c3-d4 1/2-1/2\n\n1. e3-f4 0-1\n").expect("games");
    let told = place.damka(&format!("book build russian {book} {games} --min-games 2")).success();
    assert!(told.ends_with("my.book: 1 positions\n"), "{told}");
    place.damka(&format!("book add russian {book} {games}")).success();
    let shown = place.damka(&format!("book show russian {book} --json")).success();
    let object: serde_json::Value = serde_json::from_str(&shown).expect("an object");
    let best = &object["moves"][0];
    assert_eq!((best["move"].as_str(), best["games"].as_u64()), (Some("c3-d4"), Some(4)));
    let shown = place.damka(&format!("book show russian {book}")).success();
    assert!(shown.contains("c3-d4") && shown.ends_with("2 positions in the book\n"), "{shown}");

    let text = "1. c3-d4 1-0\n\n1. c3-c4 1-0\n";
    fs::write(&games, text).expect("games");
    let told = place.damka(&format!("book add russian {book} {games}"));
    assert_eq!(told.code, Some(1), "{told:?}");
    assert!(told.stderr.contains("line 3, column 4"), "{told:?}");
    assert_eq!(Book::<Russian>::open(book.as_ref()).expect("a book").len(), 2);

    fs::write(&book, "no book").expect("a file");
    let told = place.damka(&format!("book show russian {book}")).failure(2);
    assert!(told.contains("this is no opening book"), "{told}");
}

#[test]
fn the_engine_makes_a_book_of_its_own_games() {
    let place = Place::new();
    let book = place.home().join("own.book");
    let mut command = place.command();
    command.args(["book", "build", "russian"]).arg(&book);
    command.args(["--self-play", "4", "--player", "depth=2,memory=1M", "--plies", "8"]);
    outcome(&mut command).success();
    let own = Book::<Russian>::open(&book).expect("a book");
    assert!(!own.moves(&Russian::start()).is_empty());
    // By search; what was searched is forgotten when the book is there.
    let searched = place.home().join("searched.book");
    let mut command = place.command();
    command.args(["book", "build", "russian"]).arg(&searched);
    command.args(["--search", "9", "--nodes", "50", "--self-play", "2", "--concurrency", "2"]);
    outcome(command.args(["--player", "depth=2,memory=1M"])).success();
    let known = Book::<Russian>::open(&searched).expect("a book");
    let games: u64 = known.moves(&Russian::start()).iter().map(|mv| mv.results.games()).sum();
    assert_eq!((known.len(), games), (9, 2 + known.moves(&Russian::start()).len() as u64));
    assert!(!place.home().join("searched.book.searched").exists());

    let mut command = place.command();
    command.args(format!("{MATCH} --plies 3 --book").split(' ')).arg(&book);
    assert!(outcome(&mut command).success().starts_with("games        4: "));
}
