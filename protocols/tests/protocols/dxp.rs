use super::{NUMBERING, PATIENCE, aside, board, settings};
use damka_games::{Color, Draughts};
use damka_protocols::dxp::{self, DxpError, Event, GameOutcome, Options};
use damka_records::GameResult;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

fn options(variant: Draughts) -> Options {
    let move_time = Some(Duration::from_millis(2));
    let longest_move = Duration::from_secs(10_000);
    let settings = settings(variant);
    Options { settings, numbering: NUMBERING, move_time, longest_move, patience: PATIENCE }
}

type Followed = (Result<(), DxpError>, Vec<GameOutcome>);

/// A program that follows, on another thread, and a connection to it.
fn follower(options: Options) -> (TcpStream, Receiver<Followed>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let followed = aside(move || {
        let (stream, _) = listener.accept().unwrap();
        dxp::prepare(&stream).unwrap();
        let mut outcomes = Vec::new();
        let ended = dxp::follow(stream, &options, |outcome| outcomes.push(outcome.clone()));
        (ended, outcomes)
    });
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    (stream, followed)
}

/// Sends bytes to a program that follows, and closes the connection. Returns how the program ends, and
/// its answers.
fn say(bytes: &[u8], options: Options) -> (Followed, Vec<String>) {
    let (mut stream, followed) = follower(options);
    let mut answers = Vec::new();
    // The other side may close the connection before it has read everything.
    let _ = stream
        .write_all(bytes)
        .and_then(|()| stream.shutdown(Shutdown::Write))
        .and_then(|()| stream.read_to_end(&mut answers));
    let answers = String::from_utf8(answers).unwrap();
    let answers = answers.split_terminator('\0').map(str::to_owned).collect();
    (followed.recv_timeout(PATIENCE).expect("an end in time"), answers)
}

/// The beginning of a request for a game.
const REQUEST: &str = "R01Tornado voor Windows 4.0        ";

/// The name of the engine.
const NAME: &str = concat!("damka ", env!("CARGO_PKG_VERSION"));

#[test]
fn two_programs_play_a_whole_game() {
    for &variant in Draughts::ALL {
        let (stream, followed) = follower(options(variant));
        dxp::prepare(&stream).unwrap();
        let led = aside(move || dxp::lead(stream, &options(variant)));
        let led = led.recv_timeout(PATIENCE).expect("an end in time").unwrap();
        let (ended, outcomes) = followed.recv_timeout(PATIENCE).expect("an end in time");
        assert!(ended.is_ok(), "{ended:?}");
        let [their] = &outcomes[..] else { panic!("{outcomes:?}") };
        assert_eq!((led.color, their.color), (Color::White, Color::Black));
        assert_eq!((led.result, led.plies), (their.result, their.plies));
        assert!(led.result != GameResult::Unknown && led.plies > 20, "{led:?}");
        assert_eq!((led.opponent.as_str(), their.opponent.as_str()), (NAME, NAME));
    }
}

#[test]
fn several_games_are_played_on_one_connection() {
    // White takes one piece, and the other cannot move.
    let start = board(&[(16, 'w'), (19, 'w'), (22, 'w'), (12, 'z'), (18, 'z')]);
    let game = format!("{REQUEST}Z001000BW{start}\0CHello!\0B001W\0M000022150118\0E00\0");
    let text = game.repeat(2) + "E01\0";
    let ((ended, outcomes), answers) = say(text.as_bytes(), options(Draughts::English));
    assert!(ended.is_ok(), "{ended:?}");
    let opponent = "Tornado voor Windows 4.0".to_owned();
    let (color, result) = (Color::Black, GameResult::WhiteWins);
    let outcome = GameOutcome { opponent, color, result, plies: 1 };
    assert_eq!(outcomes, [outcome.clone(), outcome]);
    let accepted = format!("A{NAME:32}0");
    assert_eq!(answers, [&accepted, "K1", "E10", &accepted, "K1", "E10"]);
}

/// Some programs end a game without a result.
#[test]
fn the_result_may_follow_from_the_position() {
    // We take the last piece.
    let start = board(&[(22, 'w'), (18, 'z')]);
    let text = format!("{REQUEST}W001000BW{start}\0E00\0E01\0");
    let ((ended, outcomes), answers) = say(text.as_bytes(), options(Draughts::Russian));
    assert!(ended.is_ok(), "{ended:?}");
    assert_eq!((outcomes[0].result, outcomes[0].plies), (GameResult::WhiteWins, 1));
    assert_eq!(answers, [format!("A{NAME:32}0"), "M000022150118".to_owned(), "E00".to_owned()]);
}

#[test]
fn games_end_after_the_moves_agreed_on() {
    let (mut stream, followed) = follower(options(Draughts::Russian));
    // Black's move 9-13 is legal after every first move of White.
    stream.write_all(format!("{REQUEST}W000001A\0M0000091300\0E01\0").as_bytes()).unwrap();
    let (ended, outcomes) = followed.recv_timeout(PATIENCE).expect("an end in time");
    assert!(ended.is_ok(), "{ended:?}");
    assert_eq!((outcomes[0].result, outcomes[0].plies), (GameResult::Unknown, 2));
}

#[test]
fn games_that_cannot_be_played_are_refused() {
    let stuck = board(&[(12, 'z'), (16, 'w'), (19, 'w')]);
    for (rest, code) in [
        (format!("R02{:32}W060065A", "Other"), '1'),
        (format!("R01{:32}W060065BZ{stuck}", "Other"), '2'),
    ] {
        let text = format!("{rest}\0");
        let ((ended, outcomes), answers) = say(text.as_bytes(), options(Draughts::English));
        assert!(ended.is_ok() && outcomes.is_empty(), "{ended:?}");
        assert_eq!(answers, [format!("A{NAME:32}{code}")]);
    }
    let (mut stream, led) = leader();
    stream.write_all(format!("A{:32}3\0", "Other").as_bytes()).unwrap();
    let led = led.recv_timeout(PATIENCE).expect("an end in time");
    assert!(matches!(led, Err(DxpError::Refused('3'))), "{led:?}");
}

/// A program that leads, on another thread, and a connection to it.
fn leader() -> (TcpStream, Receiver<Result<GameOutcome, DxpError>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let led = aside(move || {
        let stream = TcpStream::connect(address).unwrap();
        dxp::prepare(&stream).unwrap();
        dxp::lead(stream, &options(Draughts::Russian))
    });
    (listener.accept().unwrap().0, led)
}

#[test]
fn hostile_bytes_end_the_connection() {
    let request = format!("{REQUEST}Z001000A\0");
    let answered = |text: &str| format!("{request}{text}").into_bytes();
    let zeros = vec![0; 1 << 16];
    let mut cases: Vec<Vec<u8>> = vec![
        zeros,
        vec![b'C'; 1 << 16],
        b"\xFF\xFF\xFF\0".to_vec(),
        b"GET / HTTP/1.1\r\n\r\n\0".to_vec(),
        b"M000009130\0".to_vec(),
        b"M0000091300\0".to_vec(),
        format!("{REQUEST}Z001000BWeee\0").into_bytes(),
        format!("{REQUEST}Z001000B{}\0", "W".repeat(51)).into_bytes(),
        format!("A{:32}0\0", "Other").into_bytes(),
    ];
    for text in [
        "M0000091300\0",
        "M00000913000\0",
        "M0000329900\0",
        "M0000221899\0",
        "M00002218991818\0",
        "M0000221801\0",
        "M000022180118\0",
        "R01\0",
        "K0\0",
        "\0",
        "E4\0",
    ] {
        cases.push(answered(text));
    }
    cases.push(answered(&request));
    for bytes in cases {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        let ((ended, outcomes), _) = say(&bytes, options(Draughts::Russian));
        let error = ended.expect_err(&shown);
        assert!(
            matches!(
                error,
                DxpError::Garbled(_)
                    | DxpError::TooLong
                    | DxpError::OutOfPlace(_)
                    | DxpError::IllegalMove(_)
                    | DxpError::Connection(_)
                    | DxpError::Closed
            ),
            "{shown}: {error:?}"
        );
        assert!(outcomes.is_empty(), "{shown}");
        let mut connection = leader();
        // The connection may be closed before everything is written.
        let _ = connection.0.write_all(&bytes);
        drop(connection.0);
        let led = connection.1.recv_timeout(PATIENCE).expect("an end in time");
        assert!(led.is_err(), "{shown}: {led:?}");
    }
}

/// The connection may end within a message.
#[test]
fn half_messages_end_the_connection() {
    let script = format!("{REQUEST}W001000A\0M0000091300\0CHello!\0");
    for end in 0..script.len() {
        let ((_, outcomes), _) = say(&script.as_bytes()[..end], options(Draughts::Russian));
        assert!(outcomes.is_empty(), "{end}");
    }
}

#[test]
fn silence_ends_the_connection() {
    let patience = Duration::from_millis(10);
    let silent = Options { patience, ..options(Draughts::Russian) };
    for text in [
        "",
        "R",
        "CHello!\0",
        "R01Tornado voor Windows 4.0        Z000000A\0M0",
        // The time limit does not depend on the game clock.
        "R01Tornado voor Windows 4.0        Z999000A\0",
    ] {
        let (mut stream, followed) = follower(silent.clone());
        stream.write_all(text.as_bytes()).unwrap();
        let (ended, _) = followed.recv_timeout(PATIENCE).expect("an end in time");
        assert!(matches!(ended, Err(DxpError::Silent)), "{text}: {ended:?}");
    }
}

/// A server, and its events until the receiver is dropped.
fn server(options: Options) -> (SocketAddr, Receiver<Event>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, events) = mpsc::channel();
    aside(move || {
        dxp::serve(&listener, &options, |event| match sender.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })
    });
    (address, events)
}

/// Requests a game from a server. Returns the connection and the answer.
fn ask(address: SocketAddr, rest: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(format!("{REQUEST}{rest}\0").as_bytes()).unwrap();
    let answer = message(&mut stream);
    (stream, answer)
}

/// The next message.
fn message(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    while bytes.last() != Some(&0) {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("a message in time");
        bytes.extend(byte);
    }
    String::from_utf8(bytes).unwrap().trim_end_matches('\0').to_owned()
}

/// 999 minutes for the game: the first move gets minutes.
const LONG_GAME: &str = "W999000A";

/// A search ends with its connection, and the next program is served.
#[test]
fn a_closed_connection_ends_the_search() {
    let endless = Options { move_time: None, ..options(Draughts::Russian) };
    let (address, events) = server(endless);
    for _ in 0..3 {
        let (stream, answer) = ask(address, LONG_GAME);
        assert_eq!(answer, format!("A{NAME:32}0"));
        drop(stream);
        let event = events.recv_timeout(PATIENCE).expect("an end in time");
        assert!(
            matches!(
                event,
                Event::Failed { error: DxpError::Closed | DxpError::Connection(_), .. }
            ),
            "{event:?}"
        );
    }
}

#[test]
fn the_longest_move_is_limited() {
    let longest_move = Duration::from_millis(20);
    let limited = Options { move_time: None, longest_move, ..options(Draughts::Russian) };
    let (address, _events) = server(limited);
    let (mut stream, _) = ask(address, LONG_GAME);
    assert!(message(&mut stream).starts_with("M0000"));
}

#[test]
fn a_second_program_is_refused_at_once() {
    let (address, events) = server(options(Draughts::Russian));
    // The first program does not move.
    let (first, answer) = ask(address, "Z999000A");
    assert_eq!(answer, format!("A{NAME:32}0"));
    for _ in 0..3 {
        assert_eq!(ask(address, LONG_GAME).1, format!("A{NAME:32}2"));
        let event = events.recv_timeout(PATIENCE).expect("an event in time");
        assert!(matches!(event, Event::Refused { .. }), "{event:?}");
    }
    // Connections that arrive together wait at the same time. One after the other, they would take 20 s.
    let began = Instant::now();
    let others: Vec<_> =
        (0..40).map(|_| TcpStream::connect(address).expect("a connection")).collect();
    for _ in &others {
        let event = events.recv_timeout(PATIENCE).expect("an event in time");
        assert!(matches!(event, Event::Refused { .. }), "{event:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "one after the other");
    // A program that connects while another is leaving is not refused.
    drop(first);
    assert_eq!(ask(address, LONG_GAME).1, format!("A{NAME:32}0"));
}

/// Moves number squares as in PDN, unless set otherwise. Positions do not depend on the numbering.
#[test]
fn the_usual_numbering_is_that_of_pdn() {
    // White takes d4, with the only move.
    let start = board(&[(22, 'w'), (18, 'z'), (4, 'z')]);
    for (variant, numbering, taken) in [
        (Draughts::Russian, None, "10190114"),
        (Draughts::Brazilian, None, "10190114"),
        (Draughts::Pool, None, "10190114"),
        (Draughts::English, None, "22150118"),
        (Draughts::Russian, Some("top"), "22150118"),
        (Draughts::English, Some("turned"), "11180115"),
    ] {
        let numbering = numbering.map(|name| name.parse().unwrap());
        // The only move is played at once.
        let move_time = Some(100 * PATIENCE);
        let (address, _events) = server(Options { numbering, move_time, ..options(variant) });
        let (mut stream, _) = ask(address, &format!("W001000BW{start}"));
        assert_eq!(message(&mut stream), format!("M0000{taken}"), "{variant:?} {numbering:?}");
        stream.write_all(b"E01\0").unwrap();
    }
}
