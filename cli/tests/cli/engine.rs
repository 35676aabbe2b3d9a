//! `damka engine`: the protocols for other programs.

use crate::{Place, outcome};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Longer than anything that a test waits for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The name that the engine gives.
const NAME: &str = concat!("damka ", env!("CARGO_PKG_VERSION"));

/// A process that is killed at the end of its test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn hub_is_spoken_on_standard_input_and_output() {
    let place = Place::new();
    let script = "hub\nset-param name=variant value=english\ninit\nnonsense\nping\nquit\n";
    let text = place.damka_reading("engine russian", script).success();
    assert!(text.starts_with("id name=damka version="), "{text}");
    let tables = place.tables();
    assert!(text.contains(&format!("param name=tables value={}", tables.display())), "{text}");
    let error = "error message=\"unknown command: nonsense\"";
    assert!(text.ends_with(&format!("wait\nready\n{error}\npong\n")), "{text}");
    // The end of the input also ends the search.
    let script = "init\npos\nlevel infinite\ngo think\n";
    let text = place.damka_reading("engine pool --protocol hub --threads 2", script).success();
    assert!(text.lines().any(|line| line.starts_with("done move=")), "{text}");
}

#[test]
fn two_processes_play_a_game() {
    let place = Place::new();
    let words = "engine russian --protocol dxp --time 2";
    let mut server = place.command();
    server.args(words.split(' ')).args(["--listen", "127.0.0.1:0"]);
    let server = server.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut server = Running(server.expect("damka starts"));
    // The server's output, line by line.
    let (sender, lines) = mpsc::channel();
    let output = server.0.stdout.take().expect("its output");
    let notes = server.0.stderr.take().expect("its notes");
    let also = sender.clone();
    thread::spawn(move || BufReader::new(notes).lines().try_for_each(|line| also.send(line)));
    thread::spawn(move || BufReader::new(output).lines().try_for_each(|line| sender.send(line)));
    let next_line = || lines.recv_timeout(PATIENCE).expect("a line in time").expect("text");
    let note = next_line();
    let address = note.strip_prefix("damka: waiting on ").expect("an address");
    let advice = next_line();
    assert!(advice.contains("no tables of russian"), "{advice}");
    // The server goes on after a client with another protocol.
    let mut hostile = TcpStream::connect(address).expect("a connection");
    hostile.write_all(b"GET / HTTP/1.1\r\n\0").expect("it is written");
    let note = next_line();
    assert!(note.contains("not a message of the protocol: `GET / HTTP/1.1??`"), "{note}");
    let mut client = place.command();
    client.args(words.split(' ')).args(["--connect", address]);
    let (sender, outcomes) = mpsc::channel();
    thread::spawn(move || sender.send(outcome(&mut client)));
    let line = outcomes.recv_timeout(PATIENCE).expect("a game in time").success();
    let game = line.strip_prefix(&format!("damka - {NAME}  ")).expect("a game");
    assert_eq!(next_line(), format!("{NAME} - damka  {}", game.trim_end()));
}

#[test]
fn wrong_usage_is_reported() {
    let place = Place::new();
    for words in [
        "engine nonsense",
        "engine russian --protocol xboard",
        "engine alapo --time 5",
        "engine alapo --numbering top",
        "engine russian --time 5",
        "engine russian --connect 127.0.0.1",
        "engine russian --protocol dxp --listen 127.0.0.1 --connect 127.0.0.1",
        "engine russian --threads 300",
        "engine russian --memory much",
        "engine russian --numbering left",
        "engine russian --access write",
        "engine russian --protocol dxp --longest-move 0",
        "engine russian --protocol dxp --idle 0",
        "engine russian --protocol dxp --listen 127.0.0.1:99999",
        "engine russian --protocol dxp --connect :27531",
        "engine russian --listen 127.0.0.1",
        "engine chess --idle 5",
    ] {
        place.damka(words).failure(2);
    }
    place.damka("engine russian --protocol dxp --listen nowhere.invalid").failure(1);
}

/// Games other than draughts use UCI by default.
#[test]
fn uci_is_spoken_on_standard_input_and_output() {
    let place = Place::new();
    let script = "uci\nisready\nposition startpos\ngo depth 2\nisready\nquit\n";
    for words in ["engine alapo", "engine russian --protocol uci --threads 2 --memory 3M"] {
        let text = place.damka_reading(words, script).success();
        assert!(text.starts_with(&format!("id name {NAME}\n")), "{text}");
        let tables =
            format!("option name TablePath type string default {}", place.tables().display());
        assert!(text.lines().any(|line| line == tables), "{text}");
        let best = text.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!((best, text.matches("readyok\n").count()), (1, 2), "{text}");
    }
    for protocol in ["hub", "dxp"] {
        let message = place.damka(&format!("engine alapo --protocol {protocol}")).failure(2);
        assert!(message.contains("alapo is played by uci"), "{message}");
    }
}

#[test]
fn a_book_is_used_over_uci_if_it_is_named() {
    let place = Place::new();
    let script = "position startpos\ngo depth 2\n";
    for (words, searches) in [
        ("engine chess", true),
        ("engine russian --protocol uci", true),
        ("engine chess --book own", false),
    ] {
        let text = place.damka_reading(words, script).success();
        assert!(text.contains("bestmove "), "{words}: {text}");
        assert_eq!(text.contains("info depth"), searches, "{words}: {text}");
    }
}

/// Without tables, a note on standard error says how to build them.
#[test]
fn tables_are_built_before_the_protocol_begins() {
    let place = Place::new();
    let outcome = place.damka_reading("engine russian", "hub\nquit\n");
    assert!(outcome.stderr.starts_with("damka: there are no tables of russian in "), "{outcome:?}");
    assert!(outcome.stderr.contains("--build 5"), "{outcome:?}");
    let protocol = outcome.success();
    assert!(place.files().is_empty());
    let outcome = place.damka_reading("engine russian --build 2", "hub\nquit\n");
    assert!(place.table("russian/KvK.wdl").exists(), "{outcome:?}");
    assert_eq!(outcome.success(), protocol, "nothing but the protocol");
    let outcome = place.damka_reading("engine russian", "hub\nquit\n");
    assert_eq!(outcome.stderr, "");
}

/// A named directory of tables must exist; the default one need not.
#[test]
fn named_tables_must_be_there() {
    let place = Place::new();
    let nowhere = place.home().join("nowhere");
    let mut command = place.command();
    let message = outcome(command.args(["engine", "russian", "--tables"]).arg(&nowhere)).failure(3);
    assert!(message.contains("there is no directory") && message.contains("nowhere"), "{message}");
    let mut command = place.command();
    outcome(command.args(["engine", "russian"]).env_remove("DAMKA_TABLES")).success();
}

/// By default servers read tables: with mapped files, a truncated file would end them.
#[test]
fn servers_read_tables_by_default() {
    let place = Place::new();
    for (words, access) in [("", "read"), (" --access map", "map"), (" --access read", "read")] {
        let text = place.damka_reading(&format!("engine russian{words}"), "hub\n").success();
        let param = format!("param name=access value={access} type=enum values=\"map read\"");
        assert!(text.lines().any(|line| line == param), "{text}");
    }
}

#[test]
fn squares_are_numbered_as_the_command_line_says() {
    let place = Place::new();
    let script = "init\npos pos=Weeeeeeeeeeeeeeeeeeeeewebeeeeeeee\nlevel depth=1\ngo think\n";
    // The moves are c3-b4 or c3-d4.
    for (words, moves) in [
        ("russian", ["10-13", "10-14"]),
        ("english", ["11-16", "11-15"]),
        ("russian --numbering top", ["22-17", "22-18"]),
    ] {
        let words = format!("engine {words} --book none --memory 1M");
        let text = place.damka_reading(&words, script).success();
        let done = text.lines().find_map(|line| line.strip_prefix("done move="));
        let mv = done.and_then(|done| done.split(' ').next()).expect("a move");
        assert!(moves.contains(&mv), "{words}: {text}");
    }
}
