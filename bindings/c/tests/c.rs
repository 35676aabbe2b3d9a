//! The interface from C: the example, compiled and run, and calls with all kinds of errors.
#![allow(unsafe_code)]

use damka::generate::{Request, build};
use damka::{Chess, Signature};
use damka_c::{
    DamkaAccess, DamkaResult, DamkaStatus, DamkaTables, damka_best_move, damka_close, damka_dtw,
    damka_error, damka_open, damka_open_with, damka_wdl,
};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::ptr::{null, null_mut};
use std::sync::mpsc;

fn crate_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Tables of Russian draughts: KvK and KvM of both metrics, and some of one metric only.
fn tables() -> PathBuf {
    crate_path("../../tests/data/golden")
}

/// Compiles the example in C as docs/C.md says, and runs it with these arguments.
fn run(directory: &Path, arguments: &[&str]) -> Output {
    // The library is beside the tests.
    let test = std::env::current_exe().expect("a test");
    let library = test.parent().expect("a directory").join("libdamka_c.a");
    let program = directory.join("probe");
    let page = include_str!("../../../docs/C.md");
    let mut commands = page.lines().filter_map(|line| line.strip_prefix("$ cc "));
    let line = commands.find(|line| line.contains(" -o probe ")).expect("a command");
    assert!(line.contains(" target/release/libdamka_c.a "), "{line}");
    let arguments_of_cc = line.split(' ').map(|word| match word {
        "probe" => program.as_os_str(),
        "target/release/libdamka_c.a" => library.as_os_str(),
        word => word.as_ref(),
    });
    let compiled = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic"])
        .args(arguments_of_cc)
        .current_dir(crate_path("../.."))
        .status();
    assert!(compiled.expect("a C compiler").success());
    Command::new(program).args(arguments).output().expect("the example")
}

#[test]
fn the_example_answers() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = tables();
    let tables = tables.to_str().expect("text");
    // Solved by hand: on the main road the king captures the other; elsewhere it keeps the road and
    // draws; the man has one move, after which it is captured.
    let positions = ["W:WKa1:BKg7", "W:WKa1:BKh2", "B:WKg1:Ba7"];
    let good = run(directory.path(), &[&["russian", tables], &positions[..]].concat());
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    let answers = String::from_utf8(good.stdout).expect("text");
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0], "W:WKa1:BKg7: wdl 1, dtw 1 in 1, best a1xh8");
    assert!(answers[1].starts_with("W:WKa1:BKh2: wdl 0, dtw 0 in 0, best a1-"), "{}", answers[1]);
    assert_eq!(answers[2], "B:WKg1:Ba7: wdl -1, dtw -1 in 2, best a7-b6");

    let bad = run(directory.path(), &["russian", tables, "W:WKa1,Kc1,Ke1:BKh2", "nonsense"]);
    assert_eq!(bad.status.code(), Some(1));
    let errors = String::from_utf8(bad.stderr).expect("text");
    assert!(errors.contains("KKKvK.wdl is missing"), "{errors}");
    assert!(errors.contains("`nonsense`"), "{errors}");
}

/// Published: the longest mates with a rook and a queen take 16 and 10 moves.
#[test]
fn the_example_answers_of_chess() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = directory.path().join("tables");
    let signatures = ["KQvK", "KRvK"].map(|text| Signature::parse(Chess, text).expect("pieces"));
    build(&signatures, &Request::new(&tables)).expect("tables");
    let tables = tables.to_str().expect("text");
    let longest = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";
    let mated = "8/8/8/8/8/1K6/8/k2Q4 b - - 0 1";
    let castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let good = run(directory.path(), &["chess", tables, longest, mated]);
    assert!(good.status.success(), "{}", String::from_utf8_lossy(&good.stderr));
    let answers = String::from_utf8(good.stdout).expect("text");
    let answers: Vec<&str> = answers.lines().collect();
    assert!(answers[0].starts_with(&format!("{longest}: wdl 1, dtw 1 in 31, best ")));
    assert_eq!(answers[1], format!("{mated}: wdl -1, dtw -1 in 0, best "));
    let bad = run(directory.path(), &["chess", tables, castles]);
    assert_eq!(bad.status.code(), Some(1));
    let errors = String::from_utf8(bad.stderr).expect("text");
    assert!(errors.contains("a side may castle"), "{errors}");
}

fn c(text: &str) -> CString {
    CString::new(text).expect("no zero byte")
}

fn error() -> String {
    // SAFETY: a string that is valid while the thread runs.
    unsafe { CStr::from_ptr(damka_error()) }.to_str().expect("text").to_owned()
}

#[test]
fn every_game_is_known_by_its_name() {
    let directory = c("no such directory");
    for (game, fen, kind) in [
        ("russian", "W:WKa1:BKh2", "KvK"),
        ("english", "W:WK29:BK32", "KvK"),
        ("brazilian", "W:WKa1:BKh2", "KvK"),
        ("pool", "W:WKa1:BKh2", "KvK"),
        ("alapo", "k5/6/6/6/6/F5 w", "KvF"),
        ("chess", "8/8/8/8/8/1k6/8/K7 w - - 0 1", "KvK"),
        ("chess", "8/8/8/8/8/1k6/7R/K7 w - - 0 1", "KRvK"),
    ] {
        // SAFETY: strings; a handle that is open until it is closed; places of our own.
        unsafe {
            let tables = damka_open(c(game).as_ptr(), directory.as_ptr(), 0);
            assert!(!tables.is_null(), "{}", error());
            let mut result = DamkaResult::DAMKA_DRAW;
            let status = damka_wdl(tables, c(fen).as_ptr(), &mut result);
            assert_eq!(status, DamkaStatus::DAMKA_MISSING, "{}", error());
            assert!(error().contains(&format!("{kind}.wdl is missing")), "{}", error());
            damka_close(tables);
        }
    }
}

/// In this directory KMvK has only a DTW table, and KKvK none.
#[test]
fn tables_of_the_other_metric_are_used() {
    let directory = c(tables().to_str().expect("text"));
    let (with, without) = (c("W:WKg1,c3:BKb8"), c("W:WKa1,Kc1:BKh4"));
    let mut results = [DamkaResult::DAMKA_LOSS; 2];
    let mut plies = 0;
    let mut best = [0 as c_char; 64];
    // SAFETY: strings; a handle that is open until it is closed; places of our own.
    unsafe {
        let tables = damka_open(c"Shashki".as_ptr(), directory.as_ptr(), 1 << 20);
        assert!(!tables.is_null(), "{}", error());
        let ok = DamkaStatus::DAMKA_OK;
        assert_eq!(damka_wdl(tables, with.as_ptr(), &mut results[0]), ok, "{}", error());
        assert_eq!(damka_dtw(tables, with.as_ptr(), &mut results[1], &mut plies), ok);
        assert_eq!(results[0], results[1]);
        assert_eq!(damka_best_move(tables, without.as_ptr(), best.as_mut_ptr(), 64), ok);
        assert_ne!(CStr::from_ptr(best.as_ptr()), c"");
        let missing = DamkaStatus::DAMKA_MISSING;
        assert_eq!(damka_dtw(tables, without.as_ptr(), &mut results[1], &mut plies), missing);
        assert!(error().contains("KKvK.dtw is missing"), "{}", error());
        damka_close(tables);
    }
}

#[test]
fn bad_arguments_are_reported() {
    let (russian, directory) = (c("russian"), c(tables().to_str().expect("text")));
    let fen = c("W:WKa1:BKg7");
    let mut result = DamkaResult::DAMKA_LOSS;
    let mut plies = 0;
    let mut best = [0x7F as c_char; 8];
    // SAFETY: NULL or strings; NULL or a handle that is open until it is closed; NULL or
    // places of our own.
    unsafe {
        assert!(damka_open(null(), directory.as_ptr(), 0).is_null());
        assert_eq!(error(), "game is NULL");
        assert!(damka_open(russian.as_ptr(), null(), 0).is_null());
        assert_eq!(error(), "directory is NULL");
        assert!(damka_open(c("go").as_ptr(), directory.as_ptr(), 0).is_null());
        assert!(
            error().starts_with("there is no game `go`: the games are russian, "),
            "{}",
            error()
        );
        damka_close(null_mut());

        let tables = damka_open(russian.as_ptr(), directory.as_ptr(), 0);
        assert!(!tables.is_null());
        let bad = DamkaStatus::DAMKA_BAD_ARGUMENT;
        assert_eq!(damka_wdl(null(), fen.as_ptr(), &mut result), bad);
        assert_eq!(damka_wdl(tables, null(), &mut result), bad);
        assert_eq!(damka_wdl(tables, fen.as_ptr(), null_mut()), bad);
        assert_eq!(damka_wdl(tables, c"\xFF".as_ptr(), &mut result), bad);
        assert_eq!(error(), "fen is not UTF-8 text");
        assert_eq!(damka_dtw(tables, fen.as_ptr(), &mut result, null_mut()), bad);
        assert_eq!(error(), "plies is NULL");
        assert_eq!(damka_dtw(tables, fen.as_ptr(), null_mut(), &mut plies), bad);
        assert_eq!((result, plies), (DamkaResult::DAMKA_LOSS, 0), "nothing is written");
        assert_eq!(damka_best_move(tables, fen.as_ptr(), null_mut(), 8), bad);
        // `a1xh8` and a zero byte take six bytes.
        assert_eq!(damka_best_move(tables, fen.as_ptr(), best.as_mut_ptr(), 5), bad);
        assert_eq!(error(), "the move takes 6 bytes, there are 5");
        assert_eq!(best, [0x7F; 8]);
        let ok = DamkaStatus::DAMKA_OK;
        assert_eq!(damka_best_move(tables, fen.as_ptr(), best.as_mut_ptr(), 6), ok);
        assert_eq!(CStr::from_ptr(best.as_ptr()), c"a1xh8");
        assert_eq!(best[6..], [0x7F; 2]);
        assert_eq!(damka_dtw(tables, fen.as_ptr(), &mut result, &mut plies), ok);
        assert_eq!((result, plies), (DamkaResult::DAMKA_WIN, 1));
        // A successful call does not change the text.
        assert_eq!(error(), "the move takes 6 bytes, there are 5");
        let text = damka_error();
        damka_close(tables);
        assert!(damka_open_with(russian.as_ptr(), directory.as_ptr(), 0, 2).is_null());
        assert_eq!(damka_error(), text);
        assert_eq!(CStr::from_ptr(text), c"there is no access 2");
    }
}

/// With mapped files, this would end the process.
#[test]
fn a_table_that_is_cut_short_while_it_is_read_is_a_status() {
    let place = tempfile::tempdir().expect("a directory");
    let table = place.path().join("russian/KvM.wdl");
    fs::create_dir(place.path().join("russian")).expect("a directory");
    fs::copy(tables().join("russian/KvM.wdl"), &table).expect("a copy");
    let (russian, directory) = (c("russian"), c(place.path().to_str().expect("text")));
    let (white, black) = (c("W:WKg1:Bc7"), c("B:WKg1:Bc7"));
    let mut result = DamkaResult::DAMKA_LOSS;
    // SAFETY: strings; a handle that is open until it is closed; a place of our own.
    unsafe {
        let read = DamkaAccess::DAMKA_READ as i32;
        let tables = damka_open_with(russian.as_ptr(), directory.as_ptr(), 1 << 20, read);
        let status = damka_wdl(tables, white.as_ptr(), &mut result);
        assert_eq!(status, DamkaStatus::DAMKA_OK, "{}", error());
        fs::File::options()
            .write(true)
            .open(&table)
            .and_then(|file| file.set_len(520))
            .expect("cut");
        // The block of the other side to move was not read yet.
        let status = damka_wdl(tables, black.as_ptr(), &mut result);
        assert_eq!(status, DamkaStatus::DAMKA_DAMAGED);
        assert!(error().contains("KvM.wdl cannot be used"), "{}", error());
        damka_close(tables);
    }
}

/// The library does not wait for files that are not regular.
#[test]
fn a_fifo_is_not_a_table() {
    let place = tempfile::tempdir().expect("a directory");
    fs::create_dir(place.path().join("russian")).expect("a directory");
    let made = Command::new("mkfifo").arg(place.path().join("russian/KvK.wdl")).status();
    assert!(made.expect("mkfifo").success());
    let (russian, directory) = (c("russian"), c(place.path().to_str().expect("text")));
    let mut result = DamkaResult::DAMKA_LOSS;
    // SAFETY: strings; a handle that is open until it is closed; a place of our own.
    unsafe {
        let tables = damka_open(russian.as_ptr(), directory.as_ptr(), 1 << 20);
        let status = damka_wdl(tables, c("W:WKa1:BKh2").as_ptr(), &mut result);
        assert_eq!(status, DamkaStatus::DAMKA_SYSTEM);
        assert!(error().contains("not a regular file"), "{}", error());
        damka_close(tables);
    }
}

/// A cache takes only the memory of its contents; if the system refuses its size, that is an error.
#[test]
fn a_large_cache_is_taken_as_it_is_needed() {
    let (russian, directory) = (c("russian"), c(tables().to_str().expect("text")));
    let mut result = DamkaResult::DAMKA_LOSS;
    // SAFETY: strings; a handle that is open until it is closed; a place of our own.
    unsafe {
        let tables = damka_open(russian.as_ptr(), directory.as_ptr(), 1 << 40);
        match damka_wdl(tables, c("W:WKa1:BKh2").as_ptr(), &mut result) {
            DamkaStatus::DAMKA_OK => assert_eq!(result, DamkaResult::DAMKA_DRAW),
            status => {
                assert_eq!(status, DamkaStatus::DAMKA_SYSTEM);
                assert!(error().contains("MiB of memory requested"), "{}", error());
            }
        }
        damka_close(tables);
    }
}

/// When a thread ends, its stored error may be gone before the caller's destructors run.
#[test]
fn an_exiting_thread_can_probe() {
    struct AtTheEnd(*mut DamkaTables, mpsc::Sender<(DamkaStatus, DamkaStatus, String)>);

    impl Drop for AtTheEnd {
        fn drop(&mut self) {
            let mut result = DamkaResult::DAMKA_LOSS;
            // SAFETY: a handle that is open until it is closed here; strings; a place of our own.
            let answers = unsafe {
                let good = damka_wdl(self.0, c("W:WKa1:BKh2").as_ptr(), &mut result);
                let bad = damka_wdl(self.0, c("nonsense").as_ptr(), &mut result);
                damka_close(self.0);
                (good, bad, error())
            };
            self.1.send(answers).expect("a receiver");
        }
    }

    thread_local! {
        static LAST: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
    }

    let (sender, receiver) = mpsc::channel();
    let ending = std::thread::spawn(move || {
        // Initialised first, and so dropped last.
        LAST.set(None);
        let (russian, directory) = (c("russian"), c(tables().to_str().expect("text")));
        let mut result = DamkaResult::DAMKA_LOSS;
        // SAFETY: strings; a handle that is open; a place of our own.
        unsafe {
            let tables = damka_open(russian.as_ptr(), directory.as_ptr(), 0);
            let status = damka_wdl(tables, c("W:WKa1:BKh2").as_ptr(), &mut result);
            assert_eq!(status, DamkaStatus::DAMKA_OK, "{}", error());
            LAST.set(Some(AtTheEnd(tables, sender)));
        }
    });
    let (good, bad, text) = receiver.recv().expect("an answer");
    assert_eq!((good, bad), (DamkaStatus::DAMKA_OK, DamkaStatus::DAMKA_BAD_ARGUMENT));
    assert!(text.contains("nonsense"), "{text}");
    ending.join().expect("no panic");
}

/// Threads share a handle; an error is stored only for the thread of the failed call.
#[test]
fn threads_share_a_handle() {
    struct Shared(*const damka_c::DamkaTables);
    // SAFETY: the handle is only shared, as the header allows.
    unsafe impl Sync for Shared {}

    let (russian, directory) = (c("russian"), c(tables().to_str().expect("text")));
    // SAFETY: strings; a handle that is open until it is closed; places of our own.
    unsafe {
        let opened = damka_open(russian.as_ptr(), directory.as_ptr(), 1 << 20);
        let shared = &Shared(opened);
        let ask = |fen: &str| {
            let mut result = DamkaResult::DAMKA_LOSS;
            let status = damka_wdl(shared.0, c(fen).as_ptr(), &mut result);
            (status, result, error())
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..1000 {
                    let (status, result, error) = ask("W:WKa1:BKh2");
                    let draw = (DamkaStatus::DAMKA_OK, DamkaResult::DAMKA_DRAW);
                    assert_eq!(((status, result), &error[..]), (draw, ""));
                }
            });
            scope.spawn(|| {
                for _ in 0..1000 {
                    let (status, _, error) = ask("nonsense");
                    assert_eq!(status, DamkaStatus::DAMKA_BAD_ARGUMENT);
                    assert!(error.contains("nonsense"));
                }
            });
        });
        damka_close(opened);
    }
}
