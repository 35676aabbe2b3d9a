//! Opening books: made from games, written, read back, damaged, played from.

use damka_engine::book::{Book, BookError, Results};
use damka_engine::contest::Openings;
use damka_engine::{Playable, pdn};
use damka_games::{Alapo, Brazilian, English, Game, Pool, Russian};
use std::collections::BTreeMap;

/// Games by the rules alone: the first so many moves, chosen by a simple rule.
fn games<G: Playable>(count: usize) -> Vec<pdn::Record<G>> {
    let game = |number: usize| {
        let mut record = pdn::Record::new(G::start());
        let mut position = G::start();
        for ply in 0..12 {
            let moves = G::moves(&position);
            if moves.is_empty() {
                break;
            }
            let mv = moves[(number / (ply + 1) + ply) % moves.len()];
            record.line.plies.push(pdn::Ply::new(mv));
            position = G::play(&position, mv);
        }
        record.result = [
            pdn::GameResult::WhiteWins,
            pdn::GameResult::Draw,
            pdn::GameResult::BlackWins,
            pdn::GameResult::Draw,
            pdn::GameResult::Unknown,
        ][number % 5];
        record
    };
    (0..count).map(game).collect()
}

fn book<G: Playable>(count: usize) -> Book<G> {
    let mut book = Book::new();
    for record in games::<G>(count) {
        let known = record.result != pdn::GameResult::Unknown;
        assert_eq!(book.add(&record, 10), known);
    }
    book
}

fn russian(text: &str, plies: usize) -> Book<Russian> {
    let mut book = Book::new();
    for record in pdn::read(text) {
        book.add(&record.expect("a game"), plies);
    }
    book
}

/// Moves by name with their results.
fn named(book: &Book<Russian>, moves: &str) -> BTreeMap<String, [u32; 3]> {
    let mut position = Russian::start();
    for mv in moves.split_whitespace() {
        let mv = Russian::parse_move(&position, mv).expect("a move");
        position = Russian::play(&position, mv);
    }
    let moves = book.moves(&position).into_iter().map(|book| {
        let Results { wins, draws, losses } = book.results;
        (Russian::format_move(&position, book.mv), [wins, draws, losses])
    });
    moves.collect()
}

const GAMES: &str = "1. c3-d4 b6-a5 2. d4-c5 1-0\n\n1. c3-d4 f6-g5 1/2-1/2\n\n\
                     1. c3-d4 b6-a5 0-1\n\n1. e3-f4 b6-a5 0-1\n\n1. a3-b4 *\n";

#[test]
fn results_are_counted_for_who_moves() {
    let book = russian(GAMES, 2);
    let expected = |moves: &[(&str, [u32; 3])]| {
        moves.iter().map(|&(name, results)| (name.to_owned(), results)).collect()
    };
    assert_eq!(named(&book, ""), expected(&[("c3-d4", [1, 1, 1]), ("e3-f4", [0, 0, 1])]));
    assert_eq!(named(&book, "c3-d4"), expected(&[("b6-a5", [1, 0, 1]), ("f6-g5", [0, 1, 0])]));
    assert_eq!(named(&book, "c3-d4 b6-a5"), BTreeMap::new());
    assert_eq!(book.len(), 3);
}

#[test]
fn rare_moves_can_be_left_out() {
    let mut book = russian(GAMES, 2);
    book.keep(2);
    assert_eq!(book.len(), 2);
    assert_eq!(named(&book, "").len(), 1);
    book.keep(9);
    assert!(book.is_empty());
}

#[test]
fn a_book_is_read_back_as_it_was_written() {
    fn check<G: Playable>() {
        let book = book::<G>(300);
        assert!(book.len() > 100);
        let bytes = book.to_bytes();
        assert_eq!(Book::<G>::from_bytes(&bytes).expect("a book"), book);
        assert_eq!(bytes, self::book::<G>(300).to_bytes());
    }
    check::<Russian>();
    check::<English>();
    check::<Brazilian>();
    check::<Pool>();
    check::<Alapo>();
}

#[test]
fn files_are_written_whole() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("russian.book");
    let mut book = book::<Russian>(20);
    book.save(&path).expect("it is written");
    assert_eq!(Book::open(&path).expect("a book"), book);
    book.keep(3);
    book.save(&path).expect("it is written again");
    assert_eq!(Book::open(&path).expect("a book"), book);
    assert_eq!(place.path().read_dir().expect("a directory").count(), 1);
    let error = book.save(&place.path().join("no/such/place")).expect_err("no such place");
    assert!(matches!(error, BookError::Io { .. }));
    let error = Book::<Russian>::open(&place.path().join("none")).expect_err("no such file");
    assert!(error.to_string().contains("none"), "{error}");
}

#[test]
fn damage_is_told_and_never_taken_for_a_book() {
    let bytes = book::<Russian>(30).to_bytes();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        assert!(Book::<Russian>::from_bytes(&damaged).is_err(), "byte {place}");
        assert!(Book::<Russian>::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(Book::<Russian>::from_bytes(&longer).is_err());
    let other = Book::<English>::from_bytes(&bytes).expect_err("another game's");
    assert!(matches!(other, BookError::OtherGame { .. }), "{other}");
    assert!(matches!(Book::<Russian>::from_bytes(b"no book"), Err(BookError::NotABook)));
}

/// Even with a right checksum no bytes make the reader fail in any other way than with an
/// error, and what it reads can be asked for moves.
#[test]
fn forged_books_do_no_harm() {
    let bytes = book::<Russian>(30).to_bytes();
    let body = bytes.len() - 4;
    let mut accepted = 0;
    for place in 26..body {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut forged = bytes[..body].to_vec();
            forged[place] = value;
            let crc = crc32fast::hash(&forged);
            forged.extend(crc.to_le_bytes());
            if let Ok(book) = Book::<Russian>::from_bytes(&forged) {
                accepted += 1;
                book.choose(&Russian::start(), 1);
                book.moves(&Russian::start());
            }
        }
    }
    assert!(accepted > 0);
}

#[test]
fn choices_can_be_had_again_and_follow_the_results() {
    let book = russian("1. c3-d4 1-0\n\n1. c3-d4 1/2-1/2\n\n1. e3-f4 1/2-1/2\n\n1. a3-b4 0-1\n", 9);
    let start = Russian::start();
    let mut counts = BTreeMap::new();
    for seed in 0..4000 {
        let mv = book.choose(&start, seed).expect("a move");
        assert_eq!(book.choose(&start, seed), Some(mv));
        *counts.entry(Russian::format_move(&start, mv)).or_insert(0) += 1;
    }
    // Three points of four against one; what has only lost is never played.
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert!((2900..3100).contains(&counts["c3-d4"]), "{counts:?}");
    assert_eq!(russian("1. a3-b4 0-1", 9).choose(&start, 1), None);
}

#[test]
fn openings_come_from_a_book() {
    let book = book::<Russian>(100);
    let openings = Openings::book(book.clone(), 6, 1);
    let mut different = Vec::new();
    for number in 0..20 {
        let game = openings.get(number);
        assert!((1..=6).contains(&game.moves().len()));
        assert_eq!(game.moves(), openings.get(number).moves());
        different.push(Russian::fen(game.position()));
    }
    different.sort();
    different.dedup();
    assert!(different.len() > 5, "{different:?}");
}
