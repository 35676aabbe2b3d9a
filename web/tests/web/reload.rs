use crate::client::{Server, golden};
use damka_web::{ServerLimits, ServerOptions};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn copy(names: &[&str], place: &Path) {
    let game = place.join("russian");
    fs::create_dir_all(&game).expect("a directory");
    for name in names {
        // Written under another name and then renamed, as by damka.
        let temporary = game.join("copying");
        fs::copy(golden().join("russian").join(name), &temporary).expect("a copy");
        fs::rename(temporary, game.join(name)).expect("a table");
    }
}

fn options(places: &[&Path]) -> ServerOptions {
    let limits =
        ServerLimits { watch_time: Duration::from_millis(50), rate: 0, ..ServerLimits::default() };
    let directories = places.iter().map(|&place| place.to_owned()).collect();
    ServerOptions { limits, ..ServerOptions::new(directories) }
}

/// Waits until a path is answered with a status.
fn wait_for(server: &Server, path: &str, status: u16) {
    let until = Instant::now() + Duration::from_secs(30);
    while server.get(path).status != status {
        assert!(Instant::now() < until, "{path} is never answered with {status}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Tables are added, replaced, damaged and removed, while requests succeed.
#[test]
fn tables_are_exchanged_while_requests_go_on() {
    const STEADY: &str = "/api/russian/probe?fen=W:WKa1:BKg7";
    const CHANGING: &str = "/api/russian/probe?fen=W:WKd4:Bd8";
    let place = tempfile::tempdir().expect("a directory");
    copy(&["KvK.wdl", "KvK.dtw"], place.path());
    let server = Server::of(options(&[place.path()]));
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let steady = scope.spawn(|| {
            let mut answered = 0;
            while !is_done.load(Ordering::Relaxed) {
                assert_eq!(server.get(STEADY).status, 200);
                answered += 1;
            }
            answered
        });
        assert_eq!(server.get(CHANGING).status, 404);
        let before = server.get(STEADY);
        copy(&["KvM.wdl", "KvM.dtw"], place.path());
        wait_for(&server, CHANGING, 200);
        let until = Instant::now() + Duration::from_secs(30);
        while server.get(STEADY).header("etag") == before.header("etag") {
            assert!(Instant::now() < until, "the tag stays");
        }
        let game = place.path().join("russian");
        let whole = fs::read(game.join("KvM.dtw")).expect("a table");
        for name in ["KvM.dtw", "KvM.wdl"] {
            fs::write(game.join(name), &whole[..whole.len() / 2]).expect("a cut table");
        }
        wait_for(&server, CHANGING, 500);
        for name in ["KvM.dtw", "KvM.wdl"] {
            fs::remove_file(game.join(name)).expect("a table");
        }
        wait_for(&server, CHANGING, 404);
        copy(&["KvM.dtw"], place.path());
        wait_for(&server, CHANGING, 200);
        is_done.store(true, Ordering::Relaxed);
        assert!(steady.join().expect("no failure") > 0);
    });
}

#[test]
fn a_server_reloads_on_request() {
    let place = tempfile::tempdir().expect("a directory");
    copy(&["KvK.dtw"], place.path());
    let mut options = options(&[place.path()]);
    options.limits.watch_time = Duration::from_secs(3600);
    let server = Server::of(options);
    let path = "/api/russian/stats/KvM";
    assert_eq!(server.get(path).status, 404);
    copy(&["KvM.dtw"], place.path());
    // The counts are read from the file; the number of tables is that of the last reload.
    let tables = || server.json("/api/games")["games"][0]["tables"].clone();
    assert_eq!(tables(), 1);
    let until = Instant::now() + Duration::from_secs(30);
    server.control.reload();
    while tables() != 2 {
        assert!(Instant::now() < until, "never looked");
    }
}

/// Each table is read from the first directory that has it.
#[test]
fn several_directories_are_one_library() {
    let places = [0, 1].map(|_| tempfile::tempdir().expect("a directory"));
    copy(&["KvK.wdl", "KvM.dtw"], places[0].path());
    copy(&["KvK.wdl", "KvK.dtw"], places[1].path());
    fs::write(places[1].path().join("russian/KvM.dtw"), "damaged").expect("a file");
    let server = Server::of(options(&[places[0].path(), places[1].path()]));
    assert_eq!(server.json("/api/russian/probe?fen=W:WKa1:BKg7")["dtw"], 1);
    assert_eq!(server.get("/api/russian/probe?fen=W:WKd4:Bd8").status, 200);
    let games = server.json("/api/games");
    assert_eq!(
        (&games["games"][0]["tables"], &games["games"][0]["signatures"]),
        (&3.into(), &2.into())
    );
}
