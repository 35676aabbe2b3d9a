//! Work that is interrupted by the user or by a full disk.

use crate::interrupt::{Running, wait_until, whole_tables};
use crate::{Place, assert_same, outcome, russian_4, say};
use damka_games::Russian;
use damka_probe::list_tables;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Command;

fn temporary_files(place: &Place) -> Vec<String> {
    place.files().into_keys().filter(|name| name.ends_with(".tmp")).collect()
}

/// Interrupts `gen` after the first table of four pieces.
fn interrupted_by(signal: &str) -> Place {
    let place = Place::new();
    let mut damka = Running::start(&place, "stderr", "gen russian 5 --progress plain");
    wait_until("the first table of four pieces is there", || {
        list_tables(Russian, &place.tables())
            .is_ok_and(|tables| tables.iter().any(|signature| signature.pieces() == 4))
    });
    damka.signal(signal);
    let outcome = damka.end();
    let last = outcome.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("damka: interrupted"), "{signal}: {outcome:?}");
    assert_eq!(outcome.code, Some(130), "{signal}");
    assert!(whole_tables(&place) > 18);
    assert_eq!(temporary_files(&place), [""; 0]);
    drop(damka);
    place
}

#[test]
fn an_interrupted_run_leaves_sound_tables_and_can_go_on() {
    interrupted_by("TERM");
    let place = interrupted_by("INT");
    place.damka("verify russian").success();
    place.generate("russian 4");
    let mut files = place.files();
    files.retain(|name, _| name.len() < "russian/KKKvKK.wdl".len());
    assert_same(&files, russian_4());
}

/// A limit of file sizes replaces a full disk: writing fails in the middle.
#[test]
fn a_full_disk_leaves_finished_tables_and_can_go_on() {
    let place = Place::new();
    let limited = |blocks: u32, words: &str| {
        // With the signal ignored, a write beyond the limit fails.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_damka")]).args(words.split(' '));
        outcome(shell.env("DAMKA_TABLES", place.tables()))
    };
    // The tables of 3 pieces and of 4 kings fit into 64 KiB; KKMvK.dtw does not.
    let message = limited(128, "gen russian KKMvK --progress none").failure(1);
    assert!(message.contains("cannot write") && message.contains("KKMvK.dtw"), "{message}");
    assert!(whole_tables(&place) >= 10);
    assert_eq!(temporary_files(&place), [""; 0]);

    place.generate("russian KKMvK");
    assert_same(&place.files(), &Place::with("russian KKMvK").files());
}

/// Regression: a process that waited for another ignored signals.
#[test]
fn waiting_can_be_interrupted() {
    let place = Place::with("russian 2");
    let lock = File::open(place.table("russian/.lock")).expect("the lock");
    lock.lock().expect("the lock is free");
    let mut damka = Running::start(&place, "stderr", "gen russian 3");
    damka.wait_until_it_says("waiting for another damka");
    damka.signal("INT");
    assert_eq!(damka.end().code, Some(130));
}

/// Regression: after building a table, `probe` ignored signals.
#[test]
fn a_stream_can_be_interrupted() {
    let place = Place::new();
    let mut damka = Running::start(&place, "stderr", "probe russian -");
    let mut questions = damka.damka.stdin.take().expect("its standard input");
    let mut answers = BufReader::new(damka.damka.stdout.take().expect("its standard output"));
    say(&mut questions, "W:WKa1:BKh8");
    answers.read_line(&mut String::new()).expect("an answer");
    // Not INT, which background commands of a shell ignore.
    damka.signal("TERM");
    // The code is 130, or none if the signal itself ended the process.
    assert!([Some(130), None].contains(&damka.end().code));
}

#[test]
fn an_interrupted_book_is_not_written() {
    let place = Place::new();
    let book = place.home().join("own.book");
    let words = format!(
        "book build russian {} --self-play 1000000 --player depth=1,memory=1M",
        book.display()
    );
    let mut damka = Running::start(&place, "stderr", &words);
    damka.wait_until_it_says("games played");
    damka.signal("INT");
    let outcome = damka.end();
    assert_eq!(outcome.code, Some(130), "{outcome:?}");
    assert!(outcome.stderr.ends_with("interrupted; no book is written\n"), "{outcome:?}");
    assert!(!book.exists());
}

#[test]
fn an_interrupted_learning_keeps_the_best_weights_so_far() {
    let place = Place::new();
    let [games, weights] = ["games.pdn", "w"].map(|name| place.home().join(name));
    let [games, path] = [&games, &weights].map(|path| path.display());
    let players = "--a nodes=60,memory=1M --b nodes=90,memory=1M --openings endings:8-10:300";
    place.damka(&format!("match russian {players} --games 300 --pdn {games}")).success();
    let words = format!("tune russian {path} {games} --rounds 1000");
    let mut damka = Running::start(&place, "stderr", &words);
    damka.wait_until_it_says("round 20:");
    damka.signal("INT");
    let outcome = damka.end();
    assert_eq!(outcome.code, Some(130), "{outcome:?}");
    assert!(outcome.stderr.contains(" of 1000 rounds learned"), "{outcome:?}");
    place.damka(&format!("bench russian --depth 1 --weights {path}")).success();
}

#[test]
fn an_interrupted_verification_is_reported() {
    let place = Place::holding(russian_4());
    let mut damka = Running::start(&place, "stderr", "verify russian --progress json");
    damka.wait_until_it_says("started");
    damka.signal("INT");
    assert_eq!(damka.end().code, Some(130));
}
