//! Lost positions are played on, with any set of tables.

use crate::{Files, Place, outcome};
use damka_games::{Brazilian, English, Game, Position, Russian};
use damka_gen::Family;
use damka_probe::Tables;
use damka_records as records;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature, Wdl};
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::Stdio;

/// Whether there are tables of this number of pieces and this metric.
type Holds = fn(u32, Metric) -> bool;

/// Tables of up to four pieces, or some of them.
const SETUPS: [(&str, Holds); 7] = [
    ("both", |_, _| true),
    ("WDL only", |_, metric| metric == Metric::Wdl),
    ("DTW only", |_, metric| metric == Metric::Dtw),
    ("WDL of 4, DTW of fewer", |pieces, metric| (pieces == 4) == (metric == Metric::Wdl)),
    ("DTW of 4, WDL of fewer", |pieces, metric| (pieces == 4) == (metric == Metric::Dtw)),
    ("WDL of all, DTW of fewer", |pieces, metric| pieces < 4 || metric == Metric::Wdl),
    ("of fewer", |pieces, _| pieces < 4),
];

/// Lost positions with White to move, with four pieces.
fn lost<G: Family>(game: G, place: &Place) -> Vec<G::Position> {
    let tables = Tables::open(game, place.tables());
    let mut positions = Vec::new();
    for signature in Signature::all(game, 4) {
        let [mover, opponent] = signature.to_move(signature.sides()[0]);
        let index = Index::new(game, mover, opponent);
        let step = (index.len() / 9_973).max(1) as usize;
        let is_lost = |position: &G::Position| {
            tables.wdl(position).is_ok_and(|wdl| wdl == Wdl::Loss) && !position.moves().is_empty()
        };
        let mut all = (0..index.len()).step_by(step).map(|number| index.position(number));
        positions.extend(all.find(is_lost));
    }
    assert!(positions.len() >= 4, "{}: {}", game.name(), positions.len());
    positions
}

fn check<G: Family>(game: G) {
    let full = Place::with(&format!("{} 4", game.name()));
    let positions = lost(game, &full);
    let files = full.files();
    for (name, holds) in SETUPS {
        let is_there = |file: &String| {
            let (signature, ending) = file.rsplit('/').next()?.split_once('.')?;
            let metric = Metric::ALL.into_iter().find(|metric| metric.name() == ending)?;
            Some(holds(Signature::parse(game, signature).ok()?.pieces(), metric))
        };
        let mut some: Files = files.clone();
        some.retain(|file, _| is_there(file) == Some(true));
        let place = Place::holding(&some);
        let case = format!("{}, {name}", game.name());
        search(game, &place, &positions, &case);
        hub(game, &place, &positions, &case);
        dxp(game, &place, &positions, &case);
        contest(game, &place, &positions, &case);
        play(game, &place, &positions, &case);
    }
}

#[test]
fn every_program_moves_in_russian_draughts() {
    check(Russian);
}

#[test]
fn every_program_moves_in_english_draughts() {
    check(English);
}

#[test]
fn every_program_moves_in_brazilian_draughts() {
    check(Brazilian);
}

/// `search` gives a legal move, and does not call the position a draw.
fn search<G: Game>(game: G, place: &Place, positions: &[G::Position], case: &str) {
    for position in &positions[..positions.len().min(3)] {
        let mut command = place.command();
        command.args(["search", game.name(), &position.fen(), "--nodes", "3000", "--json"]);
        let text = outcome(command.args(["--memory", "1M", "--no-build"])).success();
        let object: serde_json::Value = serde_json::from_str(&text).expect("an object");
        let mv = object["move"].as_str().unwrap_or_else(|| panic!("{case}: {text}"));
        assert!(position.parse_move(mv).is_ok(), "{case}: {text}");
        assert!(object["value"] == "loss" || case.ends_with("of fewer"), "{case}: {text}");
    }
}

/// The side to move and the squares of a position, in the letters of a protocol.
fn board<G: Game>(position: &G::Position, men: [char; 2], kings: [char; 2]) -> String {
    let numbers = position.fen();
    let mut letters = ['e'; 32];
    for (part, color) in numbers.split(':').skip(1).zip(0..) {
        for piece in part[1..].split(',').filter(|piece| !piece.is_empty()) {
            let square = piece.trim_start_matches('K');
            let number = match (square.parse::<usize>(), square.as_bytes()) {
                (Ok(number), _) => number - 1,
                (_, [file, rank]) => usize::from(b'8' - rank) * 4 + usize::from(file - b'a') / 2,
                _ => panic!("{numbers}"),
            };
            letters[number] = if square == piece { men[color] } else { kings[color] };
        }
    }
    let turn = kings[usize::from(numbers.starts_with('B'))];
    std::iter::once(turn).chain(letters).collect()
}

/// Hub answers each search with a move.
fn hub<G: Game>(game: G, place: &Place, positions: &[G::Position], case: &str) {
    let mut script = "init\n".to_owned();
    for position in positions {
        let board = board::<G>(position, ['w', 'b'], ['W', 'B']);
        // No other command may come during a search.
        script += &format!("pos pos={board}\nlevel nodes=3000\ngo think\nstop\n");
    }
    let words = format!("engine {} --book none --memory 1M", game.name());
    let text = place.damka_reading(&words, script).success();
    let moves = text.lines().filter(|line| line.starts_with("done move=")).count();
    assert_eq!(moves, positions.len(), "{case}: {text}");
}

/// A DXP server makes a move in each game.
fn dxp<G: Game>(game: G, place: &Place, positions: &[G::Position], case: &str) {
    let mut server = place.command();
    server.args(["engine", game.name(), "--book", "none", "--memory", "1M", "--protocol", "dxp"]);
    server.args(["--listen", "127.0.0.1:0", "--time", "5"]).stderr(Stdio::piped());
    let mut server = crate::engine::Running(server.spawn().expect("damka starts"));
    let mut notes = server.0.stderr.take().expect("its notes");
    let mut note = Vec::new();
    while note.last() != Some(&b'\n') {
        let mut byte = [0];
        notes.read_exact(&mut byte).expect("a note");
        note.extend(byte);
    }
    let note = String::from_utf8(note).expect("text");
    let address = note.trim_end().strip_prefix("damka: waiting on ").expect("an address");
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(crate::engine::PATIENCE)).expect("a stream");
    let message = || {
        let mut bytes = Vec::new();
        while bytes.last() != Some(&0) {
            let mut byte = [0];
            (&stream).read_exact(&mut byte).unwrap_or_else(|error| panic!("{case}: {error}"));
            bytes.extend(byte);
        }
        char::from(bytes[0])
    };
    for position in positions {
        let board = board::<G>(position, ['w', 'z'], ['W', 'Z']);
        let request = format!("R01{:32}{}001000B{board}\0", "Tests", &board[..1]);
        (&stream).write_all(request.as_bytes()).expect("it is written");
        assert_eq!((message(), message()), ('A', 'M'), "{case}: {}", position.fen());
        (&stream).write_all(b"E00\0").expect("it is written");
        assert_eq!(message(), 'E', "{case}");
    }
    stream.shutdown(Shutdown::Both).expect("an end");
}

/// No player resigns in a match.
fn contest<G: Family>(game: G, place: &Place, positions: &[G::Position], case: &str) {
    let (openings, games) = (place.home().join("openings"), place.home().join("games.pdn"));
    let lines: String = positions.iter().map(|position| position.fen() + "\n").collect();
    fs::write(&openings, lines).expect("the openings");
    let count = (2 * positions.len()).to_string();
    let mut command = place.command();
    command.args([
        "match",
        game.name(),
        "--a",
        "nodes=500,memory=1M",
        "--b",
        "nodes=500,memory=1M",
    ]);
    command.args(["--games", &count, "--play-on", "--longest", "40"]);
    command.arg("--openings").arg(&openings).arg("--pdn").arg(&games);
    outcome(&mut command).success();
    let text = fs::read_to_string(&games).expect("the games");
    assert!(!text.contains("resigned"), "{case}: {text}");
    let games: Vec<_> = records::read(game, &text).collect::<Result<_, _>>().expect("games");
    assert_eq!(games.len(), 2 * positions.len(), "{case}");
    assert!(games.iter().all(|record| !record.line.plies.is_empty()), "{case}: {text}");
}

/// The engine moves its own pieces.
fn play<G: Game>(game: G, place: &Place, positions: &[G::Position], case: &str) {
    for position in &positions[..positions.len().min(2)] {
        let fen = position.fen();
        let person = if fen.starts_with('W') { "black" } else { "white" };
        let mut command = place.command();
        command.args(["play", game.name(), "--fen", &fen, "--color", person, "--book", "none"]);
        let text = outcome(command.args(["--depth", "5", "--memory", "1M"])).success();
        assert!(text.contains("The engine plays "), "{case}: {text}");
    }
}
