//! Opening books: built from games and by search, saved, opened, damaged, played from.

use damka_engine::book::{
    Book, BookChoice, Exploration, Journal, JournalError, Known, OpeningBook, PolyglotBook,
    Results, Scores,
};
use damka_engine::{Control, FileProblem, Playable};
use damka_games::{Alapo, Brazilian, Chess, Draughts, English, Game, Pool, Position, Russian};
use damka_records as records;
use std::collections::{BTreeMap, HashSet};
use std::fs;

/// `count` games of 12 plies, with moves and results chosen by a simple rule.
fn games<G: Playable>(game: G, count: usize) -> Vec<records::Record<G>> {
    let game = |number: usize| {
        let mut record = records::Record::new(game.start());
        let mut position = game.start();
        for ply in 0..12 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(number / (ply + 1) + ply) % moves.len()];
            record.line.plies.push(records::Ply::new(mv));
            position = position.play(mv);
        }
        record.result = [
            records::GameResult::WhiteWins,
            records::GameResult::Draw,
            records::GameResult::BlackWins,
            records::GameResult::Draw,
            records::GameResult::Unknown,
        ][number % 5];
        record
    };
    (0..count).map(game).collect()
}

fn book<G: Playable>(game: G, count: usize) -> Book<G> {
    let mut book = Book::new(game);
    for record in games(game, count) {
        let known = record.result != records::GameResult::Unknown;
        assert_eq!(book.add(&record, 10), known);
    }
    book
}

fn russian(text: &str, plies: usize) -> Book<Draughts> {
    let mut book = Book::new(Russian);
    for record in records::read(Russian, text) {
        book.add(&record.expect("a game"), plies);
    }
    book
}

/// The book moves after `moves` from the start, by name, with their results.
fn named(book: &Book<Draughts>, moves: &str) -> BTreeMap<String, [u32; 3]> {
    let mut position = Russian.start();
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).expect("a move");
        position = position.play(mv);
    }
    let moves = book.moves(&position).into_iter().map(|book| {
        let Results { wins, draws, losses } = book.results.expect("results");
        (position.format_move(book.mv), [wins, draws, losses])
    });
    moves.collect()
}

const GAMES: &str = "1. c3-d4 b6-a5 2. d4-c5 1-0\n\n1. c3-d4 f6-g5 1/2-1/2\n\n\
                     1. c3-d4 b6-a5 0-1\n\n1. e3-f4 b6-a5 0-1\n\n1. a3-b4 *\n";

#[test]
fn results_count_for_the_side_to_move() {
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
fn rare_moves_can_be_removed() {
    let mut book = russian(GAMES, 2);
    book.prune(2);
    assert_eq!(book.len(), 2);
    assert_eq!(named(&book, "").len(), 1);
    book.prune(9);
    assert!(book.is_empty());
}

#[test]
fn a_book_is_read_back_as_it_was_written() {
    fn check<G: Playable>(game: G) {
        let book = book(game, 300);
        assert!(book.len() > 100);
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(game, &bytes).expect("a book"), book);
        assert_eq!(bytes, self::book(game, 300).to_bytes());
    }
    check(Russian);
    check(English);
    check(Brazilian);
    check(Pool);
    check(Alapo);
}

#[test]
fn books_are_saved_and_opened() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("russian.book");
    let mut book = book(Russian, 20);
    book.save(&path).expect("it is written");
    assert_eq!(Book::open(Russian, &path).expect("a book"), book);
    book.prune(3);
    book.save(&path).expect("it is written again");
    assert_eq!(Book::open(Russian, &path).expect("a book"), book);
    assert_eq!(directory.path().read_dir().expect("a directory").count(), 1);
    let error =
        book.save(&directory.path().join("no/such/directory")).expect_err("no such directory");
    assert!(matches!(error.problem, FileProblem::NoDirectory), "{error}");
    let error = Book::open(Russian, &directory.path().join("none")).expect_err("no such file");
    assert!(error.to_string().contains("none"), "{error}");
}

#[test]
fn damage_is_detected() {
    let bytes = book(Russian, 30).to_bytes();
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << (index % 8);
        assert!(Book::from_bytes(Russian, &damaged).is_err(), "byte {index}");
        assert!(Book::from_bytes(Russian, &bytes[..index]).is_err(), "cut at {index}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(Book::from_bytes(Russian, &longer).is_err());
    let other = Book::from_bytes(English, &bytes).expect_err("another game's");
    assert!(matches!(other.problem, FileProblem::OtherGame { .. }), "{other}");
    let other = Book::from_bytes(Russian, b"no book").expect_err("none");
    assert!(matches!(other.problem, FileProblem::OtherKind), "{other}");
}

/// With a valid checksum, changed bytes give either an error or a book from which moves can be
/// read.
#[test]
fn forged_books_cause_no_panic() {
    let bytes = book(Russian, 30).to_bytes();
    let mut accepted = 0;
    for index in 30..bytes.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut forged = bytes.clone();
            forged[index] = value;
            let crc = crc32fast::hash(&forged[30..]);
            forged[26..30].copy_from_slice(&crc.to_le_bytes());
            if let Ok(book) = Book::from_bytes(Russian, &forged) {
                accepted += 1;
                book.choose(&Russian.start(), 1);
                book.moves(&Russian.start());
            }
        }
    }
    assert!(accepted > 0);
}

#[test]
fn choices_are_reproducible_and_follow_the_results() {
    let book = russian("1. c3-d4 1-0\n\n1. c3-d4 1/2-1/2\n\n1. e3-f4 1/2-1/2\n\n1. a3-b4 0-1\n", 9);
    let start = Russian.start();
    let mut counts = BTreeMap::new();
    for seed in 0..4000 {
        let mv = book.choose(&start, seed).expect("a move");
        assert_eq!(book.choose(&start, seed), Some(mv));
        *counts.entry(start.format_move(mv)).or_insert(0) += 1;
    }
    // Weights 3 and 1; a move that has only lost is never played.
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert!((2900..3100).contains(&counts["c3-d4"]), "{counts:?}");
    assert_eq!(russian("1. a3-b4 0-1", 9).choose(&start, 1), None);
}

/// A small book built by search, and the scores of the positions that were searched.
fn explored<G: Playable>(
    game: G,
    threads: usize,
    known: &Known<G>,
) -> (Book<G>, Vec<(G::Position, Scores)>) {
    let plan = Exploration { positions: 40, nodes: 200, margin: 15, threads };
    let mut all = Vec::new();
    let book = Book::explore(game, &plan, known, &Control::default(), |position, scores| {
        all.push((*position, scores.clone()));
        true
    });
    (book.expect("memory").expect("a book"), all)
}

#[test]
fn exploration_is_deterministic_and_resumes_from_its_journal() {
    let (book, all) = explored(Russian, 1, &Known::<Draughts>::default());
    assert_eq!((book.len(), all.len()), (40, 40));
    assert_eq!(explored(Russian, 3, &Known::<Draughts>::default()), (book.clone(), all.clone()));

    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("journal");
    let (mut journal, known) = Journal::open(Russian, &path, 200).expect("a journal");
    let error = Journal::open(Russian, &path, 200).expect_err("two would write to one file");
    assert!(matches!(error, JournalError::Busy { .. }), "{error}");
    assert!(known.is_empty());
    for (position, scores) in &all[..25] {
        journal.add(position, scores).expect("it is written");
    }
    drop(journal);
    // Cut off the last line.
    let text = fs::read_to_string(&path).expect("the journal");
    fs::write(&path, &text[..text.len() - 9]).expect("it is cut");
    let (mut journal, known) = Journal::open(Russian, &path, 200).expect("a journal");
    assert_eq!(known, all[..24].iter().cloned().collect());
    let (again, rest) = explored(Russian, 2, &known);
    assert_eq!((again, &rest[..]), (book, &all[24..]));
    journal.add(&all[24].0, &all[24].1).expect("it is written");
    drop(journal);
    assert_eq!(fs::read_to_string(&path).expect("the journal"), text);

    // A changed score in the second line, and a score out of range with a valid checksum.
    let (head, entries) = text.split_once('\n').expect("a line");
    let (checksum, entry) = entries.split_once(' ').expect("a checksum");
    let (score, others) = entry.split_once(',').expect("scores");
    let changed = format!("{head}\n{checksum} 1{score},{others}");
    let (line, _) = others.split_once('\n').expect("a line");
    let line = format!("{},{line}", i32::MIN);
    let forged = format!("{head}\n{:08x} {line}\n", crc32fast::hash(line.as_bytes()));
    for (nodes, changed) in [(201, text.clone()), (200, changed), (200, forged)] {
        fs::write(&path, changed).expect("a file");
        let error = Journal::open(Russian, &path, nodes).expect_err("something else");
        assert!(matches!(error, JournalError::OtherSearches { .. }), "{error}");
    }
    let (journal, _) = {
        fs::write(&path, "").expect("a file");
        Journal::open(Russian, &path, 200).expect("a new one")
    };
    journal.remove().expect("it is removed");
    assert!(!path.exists());
}

#[test]
fn exploration_can_be_stopped() {
    let plan = Exploration { positions: 40, nodes: 200, margin: 15, threads: 2 };
    let control = Control::default();
    let stopped = Book::explore(Russian, &plan, &Known::<Draughts>::default(), &control, |_, _| {
        control.stop();
        true
    });
    assert_eq!(stopped.expect("memory"), None);
    let stopped_by_callback = Book::explore(
        Russian,
        &plan,
        &Known::<Draughts>::default(),
        &Control::default(),
        |_, _| false,
    );
    assert_eq!(stopped_by_callback.expect("memory"), None);
}

#[test]
fn exploration_keeps_only_moves_near_the_best() {
    let (book, all) = explored(Russian, 2, &Known::<Draughts>::default());
    for (position, scores) in &all {
        let best = scores.iter().max().expect("a move");
        let moves = book.moves(position);
        assert!(
            !moves.is_empty()
                && moves.iter().all(|mv| mv.results.is_some_and(|results| results.games() == 1))
        );
        // Backed-up values may change the order of moves with close scores only.
        if scores.iter().filter(|&&score| score >= best - 100).count() == 1 {
            assert_eq!(moves.len(), 1, "{}", position.fen());
        }
    }
}

#[test]
fn weighing_adds_results_but_no_moves() {
    let mut book = russian("1. c3-d4 b6-a5 1/2-1/2", 9);
    for record in
        records::read(Russian, "1. c3-d4 b6-a5 2. d4-c5 1-0\n\n1. c3-d4 f6-g5 1-0\n\n1. e3-f4 1-0")
    {
        assert!(book.add_results(&record.expect("a game"), 9));
    }
    assert_eq!(named(&book, ""), BTreeMap::from([("c3-d4".to_owned(), [2, 1, 0])]));
    assert_eq!(named(&book, "c3-d4"), BTreeMap::from([("b6-a5".to_owned(), [0, 1, 1])]));
    assert_eq!(book.len(), 2);
}

/// The number of positions of the book that can be reached from the start through positions of the
/// book, by any legal moves.
fn reached<G: Playable>(book: &Book<G>) -> usize {
    let start = book.game().start();
    let mut all = HashSet::from([start]);
    let mut next = vec![start];
    while let Some(position) = next.pop() {
        for mv in position.moves() {
            let after = position.play(mv);
            if !book.moves(&after).is_empty() && all.insert(after) {
                next.push(after);
            }
        }
    }
    all.len()
}

#[test]
fn built_in_books_are_valid_and_small() {
    fn check<G: Playable>(game: G) -> usize {
        let book = Book::built_in(game).expect("a book");
        assert!(book.len() > 100, "{}: {} positions", game.name(), book.len());
        // Every position is reachable and has a legal move, or else it would not be found.
        assert_eq!(reached(&book), book.len(), "{}", game.name());
        let mut position = game.start();
        let mut moves = 0;
        while let Some(mv) = book.choose(&position, 1) {
            assert!(position.moves().contains(&mv));
            position = position.play(mv);
            moves += 1;
        }
        assert!(moves >= 4, "{}: {moves} moves", game.name());
        book.to_bytes().len()
    }
    let draughts: usize = Draughts::ALL.iter().copied().map(check).sum();
    let bytes = draughts + check(Alapo) + check(Chess);
    assert!(bytes < 500_000, "{bytes} bytes");
}

/// An entry of a Polyglot book of the start position.
fn entry(key: u64, code: u16, weight: u16) -> Vec<u8> {
    [&key.to_be_bytes()[..], &code.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

const START: u64 = 0x463b_9618_1691_fc9c;
const E2E4: u16 = 0b000_001_100_011_100;
const D2D4: u16 = 0b000_001_011_011_011;

#[test]
fn polyglot_books_are_played_from() {
    let place = tempfile::tempdir().expect("a directory");
    let path = place.path().join("book.BIN");
    // A move that is not legal is left out; the last one is never chosen.
    let entries =
        [(1, E2E4, 9), (START, D2D4, 1), (START, E2E4, 3), (START, 0, 5), (START, 1 << 6, 0)];
    let bytes: Vec<u8> = entries.into_iter().flat_map(|(k, c, w)| entry(k, c, w)).collect();
    fs::write(&path, &bytes).expect("a file");
    let book = BookChoice::File(path.clone()).open(Chess).expect("a book").expect("a book");
    assert!(matches!(book, OpeningBook::Polyglot(_)) && book.len() == 2);
    let start = Chess.start();
    let moves = book.moves(&start).into_iter().map(|book| {
        assert_eq!(book.results, None);
        (start.format_move(book.mv), book.weight)
    });
    assert_eq!(moves.collect::<Vec<_>>(), [("e4".to_owned(), 3), ("d4".to_owned(), 1)]);
    let chosen: Vec<String> = (0..400)
        .map(|seed| start.format_move(book.choose(&start, seed).expect("a move")))
        .collect();
    let e4 = chosen.iter().filter(|mv| *mv == "e4").count();
    assert!((250..350).contains(&e4), "{e4}");
    let after = start.play(start.parse_move("a2a3").expect("a move"));
    assert!(book.moves(&after).is_empty() && book.choose(&after, 1).is_none());
    // Other games have no such books.
    let error = BookChoice::File(path).open(Russian).expect_err("not a book");
    assert!(matches!(error.problem, FileProblem::OtherKind), "{error}");
}

#[test]
fn damaged_polyglot_books_are_refused() {
    let [low, high] = [entry(1, E2E4, 1), entry(2, E2E4, 1)];
    let error =
        |bytes: &[u8]| PolyglotBook::from_bytes(Chess, bytes).expect_err("damaged").to_string();
    for bytes in [&[][..], &low[1..], &[&low[..], &high[..3]].concat()] {
        assert!(error(bytes).contains("whole entries"));
    }
    assert!(error(&[high, low].concat()).contains("not in order"));
}
