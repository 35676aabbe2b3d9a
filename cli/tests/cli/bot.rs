//! `damka bot dagaz` with small test servers; the tests of `damka-bots` play games.

#[cfg(unix)]
use crate::interrupt::Running;
use crate::{Outcome, Place, outcome};
use damka_games::Random;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

const PASSWORD: &str = "s3cret-pa55word";

/// Runs `damka bot dagaz` with the password in the environment.
fn bot(place: &Place, words: &str) -> Outcome {
    let mut command = place.command();
    command.args(["bot", "dagaz"]).args(words.split_whitespace()).env("DAMKA_PASSWORD", PASSWORD);
    silent_of_password(outcome(&mut command))
}

fn silent_of_password(outcome: Outcome) -> Outcome {
    assert!(
        !outcome.stdout.contains(PASSWORD) && !outcome.stderr.contains(PASSWORD),
        "{outcome:?}"
    );
    outcome
}

/// A server that answers each request by its path, and closes the connection.
fn server<S: Into<String>>(answer: impl Fn(&str) -> (u16, S) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Some(path) = request(&stream) {
                let (status, body) = answer(&path);
                let body: String = body.into();
                let length = body.len();
                let text = format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\n\r\n{body}");
                let _ = (&stream).write_all(text.as_bytes());
            }
        }
    });
    url
}

/// A server that accepts every login and has no games.
#[cfg(unix)]
fn server_without_games() -> String {
    server(|path| match path {
        "/api/auth/login" => (201, r#"{"access_token":"t0ken"}"#),
        _ => (200, "[]"),
    })
}

/// Writes a password file that only its owner may read.
fn write_password(file: &Path, password: impl AsRef<[u8]>) {
    fs::write(file, password).expect("a file is written");
    #[cfg(unix)]
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("permissions");
}

/// The command line of a bot whose password is in a file.
#[cfg(unix)]
fn words(place: &Place, url: &str, user: &str, game: &str) -> String {
    let file = place.home().join("password");
    write_password(&file, PASSWORD);
    let file = file.display();
    format!("bot dagaz --url {url} --user {user} --memory 1M --game {game} --password-file {file}")
}

/// Reads a whole request, and returns its path.
fn request(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()?;
    first.split(' ').nth(1).map(str::to_owned)
}

#[test]
fn wrong_usage_is_reported() {
    let place = Place::new();
    let named = "--url http://127.0.0.1:1 --user me";
    for (words, expected) in [
        (String::new(), "--url"),
        ("--url http://127.0.0.1:1".to_owned(), "--user"),
        (format!("{named} --game go"), "go"),
        (format!("{named} --game alapo,pool"), "pool is not played on DagazServer"),
        (format!("{named} --max-games 0"), "--max-games"),
        (format!("{named} --searches 0"), "--searches"),
        (format!("{named} --move-time 0"), "--move-time"),
        (format!("{named} --log-format xml"), "--log-format"),
        (format!("{named} --book some.book"), "--book: a book file is for one game"),
        (format!("{named} --weights some.weights"), "--weights: a file of weights is for one game"),
        (format!("{named} --weights nowhere --game alapo"), "nowhere"),
        (format!("{named} --book some.book --game alapo"), "there is no opening book some.book"),
        (format!("{named} --password-file none"), "--password-file: none: "),
        ("--url http://127.0.0.1:1 --user=".to_owned(), "--user"),
        ("--user me --url example.org".to_owned(), "is not the address of a server"),
        ("--user me --url ftp://example.org".to_owned(), "is not the address of a server"),
        (format!("--user me --url http://me:{PASSWORD}@example.org"), "must not have a user"),
    ] {
        let error = bot(&place, &words).failure(2);
        assert!(error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn a_password_is_read_from_a_file_or_the_environment() {
    let place = Place::new();
    let words = "bot dagaz --url http://127.0.0.1:1 --user me --game alapo --memory 1M";
    let error = place.damka(words).failure(2);
    assert!(error.contains("--password-file") && error.contains("DAMKA_PASSWORD"), "{error}");
    let file = place.home().join("password");
    let with_file = format!("{words} --password-file {}", file.display());
    for (text, expected, code) in [
        ("", "the password is empty", 2),
        ("\n", "the password is empty", 2),
        (PASSWORD, "http://127.0.0.1:1: no answer", 1),
        ("s3cret-pa55word\r\n", "http://127.0.0.1:1: no answer", 1),
        ("\ns3cret-pa55word", "more than one line", 2),
        ("s3cret-pa55word\nuser\n", "more than one line", 2),
        (&PASSWORD.repeat(1000), "more than 4096 bytes", 2),
    ] {
        write_password(&file, text);
        let error = silent_of_password(place.damka(&with_file)).failure(code);
        assert!(error.contains(expected), "{error}");
    }
    write_password(&file, b"\xFF");
    assert!(place.damka(&with_file).failure(2).contains("not UTF-8 text"));
}

/// A random password: letters and digits, between characters that a log escapes.
fn random_password(random: &mut Random) -> String {
    const ODD: [char; 14] = [
        '"',
        '\\',
        '/',
        '\'',
        '<',
        '&',
        ' ',
        '\t',
        '\u{1b}',
        '\u{7f}',
        '\u{202e}',
        '\u{feff}',
        'Д',
        '\u{1F980}',
    ];
    let mut odd = |length| -> String {
        (0..random.below(length)).filter_map(|_| random.pick(&ODD)).collect()
    };
    format!("{}Zq7Xw{}Kp3Vy{}", odd(6), odd(3), odd(6))
}

/// No part of a password or token is in the log, in either format, wherever a server repeats them.
#[test]
fn nothing_that_a_server_repeats_is_in_the_log() {
    let place = Place::new();
    let file = place.home().join("password");
    let mut random = Random::new(29);
    for round in 0..12 {
        let password = random_password(&mut random);
        write_password(&file, &password);
        let secret = format!("{password} t0ken");
        let url = server(move |path| {
            let setup = format!("?turn=0;&setup={secret}");
            match path {
                "/api/auth/login" => (201, json!({"access_token": "t0ken"}).to_string()),
                "/api/session/current" => {
                    let row = |id: u64, setup: &str| json!({"id": id, "status": 2, "variant_id": 134, "last_setup": setup});
                    (200, json!([row(7, &setup), row(8, "rbqqbr/6/6/6/6/RBQQBR w")]).to_string())
                }
                "/api/session/my" => {
                    let row =
                        json!({"id": 7, "status": 2, "variant_id": 134, "player_name": secret});
                    (200, json!([row]).to_string())
                }
                "/api/session/waiting/30/134" if round % 2 == 0 => {
                    let row = json!({"id": 9, "status": 1, "player_name": secret});
                    (200, json!([row]).to_string())
                }
                "/api/tournament/game/30/134" => {
                    (200, json!([{"id": 3, "title": secret}]).to_string())
                }
                "/api/session/recovery" => {
                    (200, json!({"uid": 1, "last_setup": setup, "variant_id": 134}).to_string())
                }
                "/api/session/export/7" => {
                    (200, json!([{"turn": 1, "player": 2, "move": secret}]).to_string())
                }
                "/api/session/export/8" => (200, json!({"error": secret}).to_string()),
                _ => (200, format!("<html>{secret}")),
            }
        });
        for format in ["plain", "json"] {
            let words = format!(
                "bot dagaz --url {url} --user me --game alapo --memory 1M --accept --tournaments \
                 --log-format {format} --once --password-file {}",
                file.display()
            );
            let done = place.damka(&words);
            assert_eq!(done.code, Some(1), "{done:?}");
            assert!(!done.stderr.is_empty(), "{done:?}");
            for part in ["Zq7Xw", "Kp3Vy", "t0ken"] {
                assert!(!done.stderr.contains(part), "{password:?}: {}", done.stderr);
            }
        }
    }
}

/// A password that is a common word does not hide words of the program's own messages.
#[test]
fn a_wrong_password_hides_no_words() {
    let place = Place::new();
    let url = server(|_| (401, r#"{"statusCode":401}"#));
    let words = format!("bot dagaz --url {url} --user me --memory 1M");
    let mut command = place.command();
    command.args(words.split(' ')).env("DAMKA_PASSWORD", "password");
    let error = outcome(&mut command).failure(2);
    assert!(error.contains("the user or the password is wrong"), "{error}");
}

/// Regression: hiding such a token in the log took forever.
#[test]
fn a_token_of_any_length_does_not_hang_the_bot() {
    let place = Place::new();
    for length in [5_000, 300_000, 4_000_000] {
        let url = server(move |_| (201, json!({"access_token": "a".repeat(length)}).to_string()));
        let words = format!("--url {url} --user me --memory 1M --game alapo --once");
        let started = Instant::now();
        let error = bot(&place, &words).failure(1);
        assert!(error.contains("the answer is not understood"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    }
}

/// The server accepts connections and never answers.
#[cfg(unix)]
#[test]
fn an_interruption_ends_a_login_that_waits() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let mut running = Running::start(&place, "log", &words(&place, &url, "me", "alapo"));
    let (_stream, _) = listener.accept().expect("a connection");
    let start = Instant::now();
    running.signal("INT");
    let ended = silent_of_password(running.end());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn a_password_file_that_others_may_read_is_warned_of() {
    let place = Place::new();
    let words = words(&place, &server_without_games(), "me", "alapo") + " --once";
    let file = place.home().join("password");
    for (mode, is_open) in [(0o600, false), (0o440, false), (0o604, true), (0o644, true)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("permissions");
        let done = silent_of_password(place.damka(&words));
        assert_eq!(done.code, Some(0), "{done:?}");
        let warned = done.stderr.contains("others may read the password file");
        assert_eq!(warned, is_open, "{mode:o}: {done:?}");
    }
    // Reading a pipe would never end; directories and devices contain no password.
    let pipe = place.home().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for odd in [pipe.as_path(), place.home(), Path::new("/dev/null"), Path::new("/dev/zero")] {
        let words = words.replace(&file.display().to_string(), &odd.display().to_string());
        let error = place.damka(&words).failure(2);
        assert!(error.contains("not a regular file"), "{error}");
    }
}

#[test]
fn a_login_that_fails_ends_the_bot() {
    let place = Place::new();
    let refusing = server(|_| (401, r#"{"statusCode":401,"error":"Unauthorized"}"#));
    let error = bot(&place, &format!("--url {refusing} --user me --memory 1M")).failure(2);
    assert!(error.contains("refuses the login of `me`"), "{error}");
    let page = server(|_| (200, "<!doctype html><html></html>"));
    let words = format!("--url {page} --user me --memory 1M");
    let error = bot(&place, &words).failure(1);
    assert!(error.contains("the answer is not understood"), "{error}");
    // The error is in the log, for programs that read it.
    let ended = bot(&place, &format!("{words} --log-format json"));
    let error: serde_json::Value = serde_json::from_str(&ended.stderr).expect("JSON");
    assert_eq!((ended.code, &error["level"]), (Some(1), &"ERROR".into()), "{error}");
}

/// Ctrl-C ends a bot; its message says how to continue.
#[cfg(unix)]
#[test]
fn an_interruption_ends_the_bot() {
    let place = Place::new();
    let url = server_without_games();
    let mut running = Running::start(&place, "log", &words(&place, &url, "me", "alapo"));
    running.wait_until_it_says("logged in");
    running.signal("INT");
    let ended = silent_of_password(running.end());
    assert_eq!(ended.code, Some(130), "{ended:?}");
    let message = "damka: interrupted; run the same command again to continue\n";
    assert!(ended.stderr.ends_with(message), "{ended:?}");
}

/// Under `nohup`, a program continues when its terminal is closed.
#[cfg(unix)]
#[test]
fn an_ignored_hangup_does_not_end_the_bot() {
    let place = Place::new();
    let words = words(&place, &server_without_games(), "me", "alapo");
    let mut running = Running::start_by(&place, "log", "nohup", &words);
    running.wait_until_it_says("logged in");
    running.signal("HUP");
    thread::sleep(Duration::from_millis(300));
    assert!(!running.stderr().contains("interrupted"), "{}", running.stderr());
    running.signal("TERM");
    assert_eq!(running.end().code, Some(130));
}

/// Two bots would play each move twice. So a second bot for the same user and game does not start.
#[cfg(target_os = "linux")]
#[test]
fn a_second_bot_for_the_same_games_does_not_begin() {
    let place = Place::new();
    let url = server_without_games();
    let words = |user: &str, game: &str| words(&place, &url, user, game);
    let mut first = Running::start(&place, "first", &words("me", "alapo,chess"));
    first.wait_until_it_says("logged in");
    let error = place.damka(&words("me", "english,chess")).failure(1);
    assert!(
        error.contains("another bot on this machine already plays chess on this server as `me`"),
        "{error}"
    );
    for (user, game, rest) in
        [("me", "english", "--once"), ("you", "chess", "--once"), ("me", "chess", "--dry-run")]
    {
        let done = place.damka(&format!("{} {rest}", words(user, game)));
        assert_eq!(done.code, Some(0), "{done:?}");
    }
    first.signal("KILL");
    first.end();
    assert_eq!(place.damka(&format!("{} --once", words("me", "chess"))).code, Some(0));
}

/// The bot looks once at a server where it has nothing to do; the log is plain text or JSON.
#[test]
fn the_log_is_on_standard_error() {
    let place = Place::new();
    let url = server(|path| match path {
        "/api/auth/login" => (201, r#"{"access_token":"t0ken"}"#),
        "/api/session/current" => {
            (200, r#"[{"id":7,"status":2,"variant_id":134,"ai":3,"last_setup":"x"}]"#)
        }
        _ => (404, ""),
    });
    for (format, expected) in
        [("plain", "left alone: the opponent's page"), ("json", r#""session":7"#)]
    {
        let words = format!("--url {url} --user me --memory 1M --game alapo --log-format {format}");
        for end in ["--once", "--dry-run"] {
            let done = bot(&place, &format!("{words} {end}"));
            assert_eq!((done.code, done.stdout.as_str()), (Some(0), ""), "{done:?}");
            assert!(done.stderr.contains(expected), "{}", done.stderr);
            assert!(!done.stderr.contains("t0ken") && !done.stderr.contains('\u{1b}'));
        }
        if format == "json" {
            let done = bot(&place, &format!("{words} --once"));
            for line in done.stderr.lines() {
                let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
                assert!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
            }
        }
    }
}
