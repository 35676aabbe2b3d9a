//! `damka book`.

use crate::{Place, outcome};
use damka_engine::book::{Book, BookMove};
use damka_games::{Game, Russian};
use std::fs;

#[test]
fn a_book_is_built_shown_and_grows() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).to_str().expect("a path").to_owned();
    let (book, games) = (path("my.book"), path("games.pdn"));
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n\n1. c3-d4 1/2-1/2\n\n1. e3-f4 0-1\n").expect("games");
    let output = place.damka(&format!("book build russian {book} {games} --min-games 2")).success();
    assert!(output.ends_with("my.book: 1 position\n"), "{output}");
    place.damka(&format!("book add russian {book} {games}")).success();
    let shown = place.damka(&format!("book show russian {book} --json")).success();
    let object: serde_json::Value = serde_json::from_str(&shown).expect("an object");
    let best = &object["moves"][0];
    assert_eq!((best["move"].as_str(), best["games"].as_u64()), (Some("c3-d4"), Some(4)));
    let shown = place.damka(&format!("book show russian {book}")).success();
    assert!(shown.contains("c3-d4") && shown.ends_with("2 positions in the book\n"), "{shown}");

    let text = "1. c3-d4 1-0\n\n1. c3-c4 1-0\n";
    fs::write(&games, text).expect("games");
    let outcome = place.damka(&format!("book add russian {book} {games}"));
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains("line 3, column 4"), "{outcome:?}");
    assert_eq!(Book::open(Russian, book.as_ref()).expect("a book").len(), 2);

    fs::write(&book, "no book").expect("a file");
    let message = place.damka(&format!("book show russian {book}")).failure(2);
    assert!(message.contains("this is not a valid opening book"), "{message}");
}

#[test]
fn the_book_that_is_built_in_can_be_shown_and_played_from() {
    let place = Place::new();
    let shown = place.damka("book show russian own").success();
    let known = Book::built_in(Russian).expect("a book");
    assert!(shown.contains("c3-d4") && shown.contains("in the book"), "{shown}");
    let json = place.damka("book show russian own --json").success();
    assert!(json.contains(&format!("\"positions\":{}", known.len())), "{json}");
    let message = place.damka("book show russian none").failure(2);
    assert!(message.contains("a book is needed: `own` or a file"), "{message}");
    place.damka("match russian --a depth=1 --b depth=1 --games 2 --plies 4 --book own").success();
}

/// The book, of chess, contains only 1. e4.
#[test]
fn polyglot_books_are_shown_and_played_from() {
    let place = Place::new();
    let book = place.home().join("e4.bin");
    let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
    fs::write(&book, [&key[..], &[0x03, 0x1c, 0, 7], &[0; 4]].concat()).expect("a book");
    let book = book.to_str().expect("a path");
    let shown = place.damka(&format!("book show chess {book}")).success();
    assert!(shown.contains("\nmove    weight    chosen\ne4           7   100.0 %\n"), "{shown}");
    let json = place.damka(&format!("book show chess {book} --json")).success();
    let object: serde_json::Value = serde_json::from_str(&json).expect("an object");
    let only = &object["moves"][0];
    assert_eq!((&only["coordinates"], &only["weight"]), (&"e2e4".into(), &7.into()));
    assert!(only["games"].is_null() && only["wins"].is_null(), "{json}");
    let input = "position startpos\ngo depth 1\n";
    let output = place.damka_reading(&format!("engine chess --book {book}"), input).success();
    assert!(output.contains("bestmove e2e4"), "{output}");
    let message = place.damka(&format!("book add chess {book} {book}")).failure(2);
    assert!(message.contains("this is not a valid opening book"), "{message}");
    let message = place.damka(&format!("book show russian {book}")).failure(2);
    assert!(message.contains("this is not a valid opening book"), "{message}");
    // The name of a Polyglot book must end in .bin.
    let named_otherwise = place.home().join("e4");
    fs::rename(book, &named_otherwise).expect("renamed");
    let message = place.damka(&format!("book show chess {}", named_otherwise.display())).failure(2);
    assert!(message.contains("the name of a Polyglot book ends in .bin"), "{message}");
}

#[test]
fn the_engine_makes_a_book_of_its_own_games() {
    let place = Place::new();
    let book = place.home().join("own.book");
    let mut command = place.command();
    command.args(["book", "build", "russian"]).arg(&book);
    command.args(["--self-play", "4", "--player", "depth=2,memory=1M", "--plies", "8"]);
    outcome(&mut command).success();
    let own = Book::open(Russian, &book).expect("a book");
    assert!(!own.moves(&Russian.start()).is_empty());
    // A book made by search. The journal is removed when the book is complete.
    let searched = place.home().join("searched.book");
    let mut command = place.command();
    command.args(["book", "build", "russian"]).arg(&searched);
    command.args(["--search", "9", "--nodes", "50", "--self-play", "2", "--concurrency", "2"]);
    outcome(command.args(["--player", "depth=2,memory=1M"])).success();
    let known = Book::open(Russian, &searched).expect("a book");
    let results = |mv: &BookMove<_>| mv.results.expect("results").games();
    let games: u64 = known.moves(&Russian.start()).iter().map(results).sum();
    assert_eq!((known.len(), games), (9, 2 + known.moves(&Russian.start()).len() as u64));
    assert!(!place.home().join("searched.book.searched").exists());

    let mut command = place.command();
    let words = "match russian --a depth=1 --b depth=1 --games 4 --plies 3 --json --book";
    let result = outcome(command.args(words.split(' ')).arg(&book)).success();
    let object: serde_json::Value = serde_json::from_str(&result).expect("an object");
    let played = ["games", "identical"].map(|key| object[key].as_u64().expect("a number"));
    assert_eq!(played[0] + played[1], 4, "{object}");
}

/// Regression: a good book was overwritten with an empty one.
#[test]
fn a_book_is_never_replaced_by_an_empty_one() {
    let place = Place::new();
    let path = |name: &str| place.home().join(name).to_str().expect("a path").to_owned();
    let (book, games) = (path("my.book"), path("games.pdn"));
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n").expect("games");
    let outcome = place.damka(&format!("book build russian {book} {games}"));
    assert!(outcome.stderr.contains("games.pdn: 1 game, and 0 without a result"), "{outcome:?}");
    outcome.success();
    let good = fs::read(&book).expect("a book");
    for (text, words) in [
        ("", "build"),
        ("no games\n", "build"),
        ("1. c3-d4 b6-a5 *\n", "build"),
        ("1. c3-c4 1-0\n", "build"),
        ("", "add"),
        ("1. c3-d4 b6-a5 *\n", "add"),
    ] {
        fs::write(path("none.pdn"), text).expect("games");
        let outcome = place.damka(&format!("book {words} russian {book} {}", path("none.pdn")));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{text:?}: {outcome:?}");
        assert!(outcome.stderr.contains("no game with a result was read"), "{outcome:?}");
        assert_eq!(fs::read(&book).expect("a book"), good, "{text:?}");
    }
    let outcome = place.damka(&format!("book build russian {book} {games} --min-games 2"));
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{outcome:?}");
    assert!(outcome.stderr.contains("no move was played in 2 games or more"), "{outcome:?}");
    assert_eq!(fs::read(&book).expect("a book"), good);
}

/// Regression: a games file given as the book was overwritten.
#[test]
fn a_file_that_is_not_a_book_is_not_overwritten() {
    let place = Place::new();
    let games = place.home().join("games.pdn");
    fs::write(&games, "1. c3-d4 b6-a5 1-0\n").expect("games");
    let games = games.display();
    for words in [
        format!("book build russian {games} {games}"),
        format!("book build russian {games} --self-play 2 --player nodes=10"),
        format!("book add russian {games} {games}"),
    ] {
        let message = place.damka(&words).failure(2);
        assert!(message.contains("games.pdn: this is not a valid opening book"), "{message}");
    }
    let text = fs::read_to_string(games.to_string()).expect("games");
    assert_eq!(text, "1. c3-d4 b6-a5 1-0\n");
    // An empty file may be overwritten.
    let empty = place.home().join("empty");
    fs::write(&empty, "").expect("a file");
    place.damka(&format!("book build russian {} {games}", empty.display())).success();
}

/// Regression: control characters of a games file reached the terminal.
#[test]
fn nothing_in_a_file_of_games_steers_the_terminal() {
    let place = Place::new();
    let games = place.home().join("games.pdn");
    let escape = "\u{1b}[2J";
    let long = escape.repeat(500);
    for text in [
        format!("[{long}]\n\n1. c3-d4 1-0\n"),
        format!("[Result \"{escape}\"]\n\n1. c3-d4 1-0\n"),
        format!("[FEN \"{escape}\"]\n\n1. c3-d4 1-0\n"),
        format!("1. {escape} 1-0\n"),
        format!("1. c3-d4 ${escape} 1-0\n"),
        format!("1. {long} 1-0\n"),
    ] {
        fs::write(&games, &text).expect("games");
        for words in ["book build russian new.book", "tune russian new.weights"] {
            let outcome = place.damka(&format!("{words} {}", games.display()));
            assert!(outcome.code == Some(2) && outcome.stderr.lines().count() >= 2, "{outcome:?}");
            assert!(
                !outcome.stderr.contains('\u{1b}') && outcome.stderr.len() < 600,
                "{outcome:?}"
            );
        }
    }
}
