//! Sessions with clients that send anything. No session panics or runs forever, and all answers are in the
//! words of the protocol.

use damka_engine::book::BookChoice;
use damka_engine::{Playable, PlayerSettings};
use damka_games::{Alapo, Chess, Draughts};
use damka_protocols::dxp::{self, Options};
use damka_protocols::{Numbering, hub, uci};
use std::io::{self, Cursor, Read, Write};
use std::time::Duration;

/// Settings with little memory, as there are many sessions.
fn settings() -> PlayerSettings<Draughts> {
    let variant = Draughts::Russian;
    PlayerSettings { memory: 1 << 14, book: BookChoice::None, ..PlayerSettings::new(variant) }
}

/// Answers a client of Hub. Returns whether the engine became ready.
pub fn hub(bytes: &[u8]) -> bool {
    // Lines that use many resources of the machine, or its files, are left out.
    const LEFT_OUT: [&str; 4] = ["threads", "tt-size", "tables", "book"];
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split_inclusive('\n');
    let lines: String =
        lines.filter(|line| !LEFT_OUT.iter().any(|word| line.contains(word))).collect();
    let mut answers = Vec::new();
    hub::serve(lines.as_bytes(), &mut answers, settings(), None)
        .expect("all can be read and written");
    let answers = String::from_utf8(answers).expect("text");
    let words = ["id", "param", "wait", "ready", "pong", "info", "done", "error"];
    for line in answers.lines() {
        assert!(words.contains(&line.split(' ').next().unwrap_or_default()), "{line:?}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    answers.lines().any(|line| line == "ready")
}

/// Answers a client of UCI. Returns whether the engine played a move.
pub fn uci(bytes: &[u8]) -> bool {
    // Lines that use many resources of the machine, or its files, are left out.
    const LEFT_OUT: [&str; 5] = ["hash", "threads", "table", "book", "multipv"];
    let text = String::from_utf8_lossy(bytes);
    let is_little = |line: &&str| {
        let line = line.to_ascii_lowercase();
        !LEFT_OUT.iter().any(|word| line.contains(word))
    };
    let lines: String = text.split_inclusive('\n').filter(is_little).collect();
    uci_of(Alapo, &lines) | uci_of(Chess, &lines)
}

fn uci_of<G: Playable>(game: G, lines: &str) -> bool {
    let mut answers = Vec::new();
    let settings =
        PlayerSettings { memory: 1 << 14, book: BookChoice::None, ..PlayerSettings::new(game) };
    uci::serve(lines.as_bytes(), &mut answers, settings).expect("all can be read and written");
    let answers = String::from_utf8(answers).expect("text");
    let words = ["id", "option", "uciok", "readyok", "info", "bestmove"];
    for line in answers.lines() {
        assert!(words.contains(&line.split(' ').next().unwrap_or_default()), "{line:?}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    answers.lines().any(|line| line.starts_with("bestmove") && line != "bestmove 0000")
}

/// Answers a client of DXP that sends these bytes and hangs up. Returns whether a game ended.
pub fn dxp(bytes: &[u8]) -> bool {
    let move_time = Some(Duration::from_millis(1));
    let second = Duration::from_secs(1);
    // The numbering of the seeds.
    let options = Options {
        settings: settings(),
        numbering: Some(Numbering::Top),
        move_time,
        longest_move: second,
        patience: second,
    };
    let mut stream = Stream { input: Cursor::new(bytes), output: Vec::new() };
    let mut games = 0;
    // An error of the session is the client's fault.
    let _ = dxp::follow(&mut stream, &options, |outcome| {
        assert!(outcome.plies < bytes.len());
        games += 1;
    });
    for message in stream.output.split_inclusive(|&byte| byte == 0) {
        assert!(message.ends_with(&[0]) && message.len() <= 128, "{message:?}");
        assert!(message[..message.len() - 1].iter().all(|byte| (b' '..=b'~').contains(byte)));
    }
    games > 0
}

/// The bytes from a client and to it.
struct Stream<'a> {
    input: Cursor<&'a [u8]>,
    output: Vec<u8>,
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
