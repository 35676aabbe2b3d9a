//! Output that no one reads, or that cannot be written.

use crate::{Place, say};
use std::fs;
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_closed_pipe_is_not_an_error() {
    let place = Place::with("russian 2");
    let mut command = place.command();
    command.args(["probe", "russian", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    drop(damka.stdout.take());
    let mut questions = damka.stdin.take().expect("its standard input");
    say(&mut questions, "W:WKa1:BKh8");
    drop(questions);
    let outcome = crate::Outcome::from(damka.wait_with_output().expect("damka ends"));
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{outcome:?}");
}

/// Runs a command that writes to a closed pipe.
fn into_closed_pipe(place: &Place, words: &str, input: &str) -> crate::Outcome {
    let mut command = place.command();
    command.args(words.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut damka = command.spawn().expect("damka starts");
    drop(damka.stdout.take());
    // A command that reads nothing may have ended.
    let _ = damka.stdin.take().expect("its standard input").write_all(input.as_bytes());
    crate::Outcome::from(damka.wait_with_output().expect("damka ends"))
}

/// Regression: `verify` of damaged tables exited with 0 if its output was a closed pipe.
#[test]
fn a_closed_pipe_does_not_hide_failures() {
    let place = Place::with("russian 2");
    let table = place.table("russian/KvM.dtw");
    let mut bytes = fs::read(&table).expect("a table");
    *bytes.last_mut().expect("a byte") ^= 1;
    fs::write(&table, bytes).expect("a file");
    for (words, code) in [
        ("verify russian --progress none", 4),
        ("tables russian", 4),
        ("probe russian - --json", 1),
        ("annotate russian - --no-build --time 0", 1),
    ] {
        let outcome = into_closed_pipe(&place, words, "[White \"A\"]\n\n1. c3-c4 *\n\n1. c3-d4 *");
        assert_eq!(outcome.code, Some(code), "{words}: {outcome:?}");
    }
}

/// Regression: the file of games was not written if the summary went to a closed pipe.
#[test]
fn a_closed_pipe_does_not_cost_annotated_games() {
    let place = Place::with("russian 2");
    let output = place.home().join("annotated.pdn");
    let words = format!("annotate russian - --no-build --time 0 -o {}", output.display());
    let outcome = into_closed_pipe(&place, &words, "1. c3-d4 *\n\n1. c3-b4 *");
    assert_eq!((outcome.code, &*outcome.stderr), (Some(0), ""), "{outcome:?}");
    let written = fs::read_to_string(&output).expect("the games");
    assert!(written.contains("1. c3-d4") && written.contains("1. c3-b4"), "{written}");
}

#[cfg(target_os = "linux")]
fn full() -> std::fs::File {
    std::fs::File::options().write(true).open("/dev/full").expect("the full device")
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_reported() {
    let place = Place::with("russian 2");
    for words in [
        "probe russian W:WKa1:BKh8",
        "probe russian W:WKa1:BKh8 --json",
        "line russian W:WKa1:BKh8",
        "stats russian",
        "stats russian --json",
        "verify russian --progress none",
        "perft russian 2",
        "perft russian 2 --divide",
        "perft russian 2 start start",
        "plan russian 3",
        "search russian W:WKa1:BKh8 --depth 1 --json",
        "match russian --a nodes=10 --b nodes=10 --games 2",
        "play russian",
        "bench russian --depth 1",
        "completions bash",
        "rules",
        "man",
        "--help",
        "probe --help",
        "--version",
    ] {
        let mut damka = place.command();
        damka.args(words.split(' ')).stdout(full()).stderr(Stdio::piped());
        let damka = damka.spawn().expect("damka starts").wait_with_output();
        let message = crate::Outcome::from(damka.expect("damka ends")).failure(1);
        assert!(message.contains("cannot write the results: No space left"), "{words}: {message}");
        let closed = format!("exec \"$DAMKA\" {words} >&-");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &closed]).env("DAMKA", env!("CARGO_BIN_EXE_damka"));
        shell.env("DAMKA_TABLES", place.tables()).stdin(Stdio::null());
        let message = crate::outcome(&mut shell).failure(1);
        assert!(message.contains("standard output is closed"), "{words}: {message}");
    }
}

/// Regression: without standard error for notes, there was no answer.
#[cfg(target_os = "linux")]
#[test]
fn notes_that_cannot_be_written_do_not_cost_the_answer() {
    let place = Place::new();
    let mut damka = place.command();
    damka.args(["probe", "russian", "W:WKa1:BKh8"]).stdout(Stdio::piped()).stderr(full());
    let outcome = damka.spawn().expect("damka starts").wait_with_output().expect("damka ends");
    let answer = crate::Outcome::from(outcome).success();
    assert!(answer.contains("White loses in 2 plies"), "{answer}");
    assert!(place.damka("gen russian 3").code == Some(0));
}

/// Regression: the signal for a write beyond the limit ended the process without a message.
#[cfg(unix)]
#[test]
fn a_limit_of_file_sizes_is_an_error_that_names_the_file() {
    let place = Place::with("russian 3");
    let home = place.home().to_owned();
    let path = |name: &str| home.join(name).display().to_string();
    let games = "1. c3-d4 b6-a5 2. d4-c5 d6xb4 3. a3xc5 *\n".repeat(200);
    fs::write(path("games.pdn"), "[GameType \"25\"]\n".to_owned() + &games).expect("games");
    let within = |words: &str| {
        let mut shell = std::process::Command::new("sh");
        // One block has 512 bytes or 1 KiB.
        shell.args(["-c", "ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_damka")]);
        shell.args(words.split(' ')).env("DAMKA_TABLES", place.tables()).stdin(Stdio::null());
        crate::outcome(&mut shell)
    };
    for (words, file) in [
        ("gen russian KKvKK --progress none".to_owned(), "russian/"),
        (format!("tune chess {}", path("new.weights")), "new.weights"),
        (
            format!("match russian --a nodes=5 --b nodes=5 --games 8 --pdn {}", path("new.pdn")),
            "new.pdn",
        ),
        (format!("book build russian {} --search 40 --nodes 10", path("new.book")), "new.book"),
        (
            format!(
                "annotate russian {} --no-build --time 0 -o {}",
                path("games.pdn"),
                path("new.games")
            ),
            "new.games",
        ),
    ] {
        let outcome = within(&words);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        let message = outcome.stderr.lines().last().unwrap_or_default();
        assert!(message.contains("File too large") && message.contains(file), "{message}");
    }
    // Standard output that is a file gives this error, too.
    let list = fs::File::create(path("list")).expect("a file");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_damka")]);
    shell.args(["list", "russian", "KKvK"]).env("DAMKA_TABLES", place.tables());
    let listing = shell.stdout(list).stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
    let listed = listing.expect("a shell").wait_with_output().expect("its end");
    let message = crate::Outcome::from(listed).failure(1);
    assert!(message.contains("cannot write the results: File too large"), "{message}");
    assert!(!place.files().keys().any(|name| name.ends_with(".tmp")));
}
