//! Unusual contents of a directory of tables: damka changes and removes only its own files, and
//! waits for nothing there.

use crate::interrupt::Running;
use crate::{Place, assert_same};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// The message of a command that must fail without waiting.
#[track_caller]
fn refused(place: &Place, words: &str) -> String {
    // A command that waits is killed in the end.
    Running::start(place, "stderr", words).end().failure(1)
}

#[test]
fn a_link_in_the_place_of_a_lock_is_not_followed() {
    let place = Place::with("russian 2");
    let (lock, mine) = (place.table("russian/.lock"), place.home().join("mine"));
    fs::remove_file(&lock).expect("the lock");
    fs::write(&mine, "text").expect("a file");
    symlink(&mine, &lock).expect("a link");
    let message = refused(&place, "gen russian 3");
    assert!(message.contains(".lock: not a regular file"), "{message}");
    assert_eq!(fs::read(&mine).expect("the file"), b"text");
}

#[test]
fn what_a_lock_holds_stays() {
    let place = Place::with("russian 2");
    place.edit("russian/.lock", |bytes| bytes.extend(b"a note"));
    place.generate("russian 3");
    assert_eq!(fs::read(place.table("russian/.lock")).expect("the lock"), b"a note");
}

#[test]
fn a_link_in_the_place_of_a_journal_is_not_followed() {
    let place = Place::with("russian 2");
    let mine = place.home().join("mine");
    fs::write(&mine, "text").expect("a file");
    symlink(&mine, place.table("russian/.KMvK.journal")).expect("a link");
    let message = refused(&place, "gen russian KMvK --checkpoint 0 --progress none");
    assert!(message.contains(".KMvK.journal: not a regular file"), "{message}");
    assert_eq!(fs::read(&mine).expect("the file"), b"text");
    // A journal that is not needed is not touched.
    place.generate("russian KMvK");
    assert!(place.table("russian/.KMvK.journal").is_symlink());
}

#[test]
fn nothing_waits_for_a_fifo() {
    let place = Place::with("russian 2");
    let lock = place.table("russian/.lock");
    fs::remove_file(&lock).expect("the lock");
    make_fifo(&lock);
    let message = refused(&place, "gen russian 3");
    assert!(message.contains(".lock: not a regular file"), "{message}");
    fs::remove_file(&lock).expect("the FIFO");

    make_fifo(&place.table("russian/.KKvK.journal"));
    let message = refused(&place, "gen russian KKvK --checkpoint 0 --progress none");
    assert!(message.contains(".KKvK.journal: not a regular file"), "{message}");

    let table = place.table("russian/KvK.dtw");
    fs::remove_file(&table).expect("a table");
    make_fifo(&table);
    for words in ["gen russian 2", "probe russian W:WKa1:BKh4", "stats russian KvK"] {
        let message = refused(&place, words);
        assert!(message.contains("KvK.dtw"), "{words}: {message}");
        assert!(message.contains("not a regular file"), "{words}: {message}");
    }
    let verified = Running::start(&place, "stderr", "verify russian KvK").end();
    assert_eq!(verified.code, Some(1), "{verified:?}");
}

/// Regression: such a link was reported as a missing table.
#[test]
fn a_broken_link_is_not_a_missing_table() {
    let place = Place::with("russian 2");
    let table = place.table("russian/KvK.dtw");
    fs::remove_file(&table).expect("a table");
    symlink("nowhere", &table).expect("a link");
    for words in ["gen russian 2", "probe russian W:WKa1:BKh4", "stats russian KvK"] {
        let message = refused(&place, words);
        let expected = "KvK.dtw cannot be read: a symbolic link to a file that does not exist";
        assert!(message.contains(expected), "{words}: {message}");
    }
    let inventory = place.damka("tables russian");
    assert_eq!(inventory.code, Some(1), "{inventory:?}");
    assert!(inventory.stdout.contains("unreadable: the table KvK.dtw "), "{inventory:?}");
}

/// Regression: the engine did not report this until it had to move.
#[test]
fn a_directory_of_tables_that_cannot_be_read_is_reported_at_once() {
    let place = Place::new();
    fs::write(place.table("russian"), "no directory").expect("a file");
    let expected = "the directory russian cannot be read: ";
    let outcome = place.damka_reading("engine russian --protocol hub", "hub\ninit\n");
    let message = outcome.failure(1);
    assert!(message.contains(expected), "{message}");
    // By UCI the engine sends a message, and plays.
    let script = "position startpos\ngo depth 1\n";
    let text = place.damka_reading("engine russian --protocol uci --book none", script).success();
    assert!(text.contains(&format!("info string {expected}")), "{text}");
    assert!(text.contains("bestmove "), "{text}");
}

#[test]
fn nothing_is_read_without_end() {
    let place = Place::with("russian 2");
    let fifo = place.home().join("fifo");
    make_fifo(&fifo);
    for words in [
        "verify russian --digests",
        "book show russian",
        "book build russian new.book",
        "match russian --a depth=1 --b depth=1 --games 2 --openings",
        "tune russian new.weights",
        "tune russian new.weights --from",
        "list russian KvK --npy",
    ] {
        for path in [&fifo, Path::new("/dev/zero")] {
            let words = format!("{words} {}", path.display());
            let outcome = Running::start(&place, "stderr", &words).end();
            assert!(matches!(outcome.code, Some(1 | 2)), "{words}: {outcome:?}");
            assert!(outcome.stderr.contains("not a regular file"), "{words}: {outcome:?}");
        }
    }
}

#[test]
fn only_temporary_files_of_its_own_are_removed() {
    let place = Place::with("russian 2");
    let [file, directory, link] = [".notes.tmp", ".KvK.dtw.Xa3b9Z.tmp", ".KvM.dtw.Xa3b9Z.tmp"]
        .map(|name| place.table("russian").join(name));
    fs::write(&file, "mine").expect("a file");
    fs::create_dir(&directory).expect("a directory");
    symlink(&file, &link).expect("a link");
    place.generate("russian 3");
    assert_eq!(fs::read(&file).expect("the file"), b"mine");
    assert!(directory.is_dir() && link.is_symlink());
}

/// Runs `damka` as a user who may not write to the directory.
fn damka_without_rights(place: &Place, words: &str) -> crate::Outcome {
    let mut command = place.command();
    if rustix::process::geteuid().is_root() {
        // Root may write anywhere.
        let program = place.home().join("damka");
        // Copied by another process: a child that another test starts would inherit a file that
        // this process has open for writing, and then the copy could not be run.
        let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_damka")).arg(&program).status();
        assert!(copy.expect("cp").success());
        fs::set_permissions(place.home(), fs::Permissions::from_mode(0o755)).expect("rights");
        command = Command::new(program);
        command.env("DAMKA_TABLES", place.tables()).uid(65534).gid(65534);
    }
    crate::outcome(command.args(words.split(' ')))
}

#[test]
fn a_complete_set_is_served_from_a_directory_that_cannot_be_written_to() {
    let place = Place::with("russian 3");
    // A copied directory has no lock.
    fs::remove_file(place.table("russian/.lock")).expect("the lock");
    let before = place.files();
    let set_mode = |mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(place.table("russian"), mode).expect("rights");
    };
    set_mode(0o555);
    let outcome = damka_without_rights(&place, "gen russian 3");
    assert_eq!(outcome.stderr, "all 9 signatures are already built\n");
    assert_eq!(outcome.success(), "");
    let answer = damka_without_rights(&place, "probe russian W:WKa1:BKh4");
    assert_eq!(answer.code, Some(0), "{answer:?}");
    // Missing tables cannot be built.
    let message = damka_without_rights(&place, "gen russian 4 --progress none").failure(1);
    assert!(message.contains(".lock"), "{message}");
    set_mode(0o755);
    assert_same(&place.files(), &before);
}

/// Tables may have any contents, and their directory any name.
#[test]
fn nothing_foreign_reaches_the_terminal() {
    let place = Place::with("russian 2");
    let evil = place.home().join("\x1b[2Jtables");
    fs::rename(place.tables(), &evil).expect("another name");
    fs::write(evil.join("russian/KvK.dtw"), "no table").expect("a file");
    for words in ["plan russian 2", "gen russian 2 --progress plain"] {
        let mut command = place.command();
        let outcome = crate::outcome(command.args(words.split(' ')).arg("--tables").arg(&evil));
        let output = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(output.contains("\\u{1b}[2J") && !output.contains('\x1b'), "{words}: {output:?}");
        assert_eq!(outcome.code, Some(0));
    }
}
