use crate::client::Server;
use serde_json::Value;

/// Errors have a status and a code, and nothing about the server's files.
#[test]
fn errors_say_what_is_wrong() {
    let server = Server::golden();
    for (path, status, code) in [
        ("/api/russian/probe", 400, "bad_parameter"),
        ("/api/russian/probe?fen=", 400, "bad_fen"),
        ("/api/russian/probe?fen=W:Wz9:Bb8", 400, "bad_fen"),
        ("/api/russian/probe?fen=W:WKa1:BKg7&fen=W:WKa1:BKg7", 400, "bad_parameter"),
        ("/api/russian/probe?fen=W:WKa1:BKg7&metric=dtz", 400, "bad_parameter"),
        ("/api/russian/probe?fen=W:WKa1:BKg7&depth=3", 400, "bad_parameter"),
        ("/api/russian/probe?fen=%FF%FE", 400, "bad_fen"),
        ("/api/%FF/probe?fen=W:WKa1:BKg7", 400, "bad_path"),
        ("/api/go/probe?fen=W:WKa1:BKg7", 404, "no_such_game"),
        ("/api/russian/probe?fen=W:Wa1,c1:Bb8,d8", 404, "missing_table"),
        ("/api/russian/probe?fen=start", 422, "beyond_tables"),
        ("/api/russian/line?fen=start", 422, "beyond_tables"),
        ("/api/russian/map?fen=W:WKa1:BKh2", 400, "bad_parameter"),
        ("/api/russian/map?fen=W:WKa1:BKh2&square=c3", 400, "no_piece"),
        ("/api/russian/map?fen=W:WKa1:BKh2&square=zz", 400, "no_piece"),
        ("/api/russian/stats/XvY", 400, "bad_signature"),
        ("/api/russian/stats/KKvKK", 404, "missing_table"),
        ("/api/russian/histogram/KKvKK", 404, "missing_table"),
        ("/api/russian/list/KKvKK", 404, "missing_table"),
        ("/api/russian/list/KvM?cursor=x", 400, "bad_parameter"),
        ("/api/russian/list/KvM?cursor=w99999999", 400, "bad_cursor"),
        ("/api/russian/list/KvM?limit=0", 400, "bad_parameter"),
        ("/api/russian/list/KvM?limit=1001", 400, "bad_parameter"),
        ("/api/russian/list/KvM?distance=-1", 400, "bad_parameter"),
        ("/api/russian/list/KvM?distance=99999999", 400, "bad_parameter"),
        ("/api/russian/list/KvM?zugzwang=yes", 400, "bad_parameter"),
        ("/api/russian/random/KvM?seed=x", 400, "bad_parameter"),
        ("/api/chess/probe?fen=8/8/8/8/8/8/8/8_w", 400, "bad_fen"),
        ("/standard?fen=4kq2/8/8/8/8/8/8/4K2R_w_-_-_0_1", 404, "missing_table"),
        ("/api/russian/nothing", 404, "no_such_page"),
        ("/nothing", 404, "no_such_page"),
        ("healthz", 400, "bad_path"),
    ] {
        let reply = server.get(path);
        assert_eq!((reply.status, &*reply.code()), (status, code), "{path}: {}", reply.text());
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        assert!(!reply.text().contains("golden"), "{path}: {}", reply.text());
        assert_eq!(reply.json()["schema"], 1);
    }
    for (method, path, allowed) in [
        ("POST", "/api/games", "GET,HEAD"),
        ("DELETE", "/api/russian/probe?fen=W:WKa1:BKg7", "GET,HEAD,POST"),
        ("GET", "/api/russian/annotate", "POST"),
        ("PUT", "/", "GET,HEAD"),
    ] {
        let reply = server.request(method, path, "", "");
        assert_eq!((reply.status, reply.header("allow")), (405, Some(allowed)), "{method} {path}");
    }
}

#[test]
fn a_bad_fen_is_located() {
    let server = Server::golden();
    let error = server.get("/api/russian/probe?fen=B:nonsense").json();
    assert_eq!(error["error"]["at"], 3);
}

/// People can go on with moves until a table has the position: the error contains the legal moves and the
/// missing table.
#[test]
fn a_position_without_tables_has_its_moves() {
    let server = Server::golden();
    let error = server.get("/api/russian/probe?fen=start").json();
    assert_eq!(error["moves"].as_array().map(Vec::len), Some(7));
    assert_eq!((&error["value"], &error["dtw"]), (&"unknown".into(), &Value::Null));
    let error = server.get("/api/russian/probe?fen=W:Wa1,c1:Bb8,d8").json();
    assert_eq!(error["missing"][0]["signature"], "MMvMM");
    assert!(!error["moves"].as_array().expect("moves").is_empty());
    // For this position only distances are missing.
    let known = server.get("/api/russian/line?fen=W:WKa1,Kc1:BKh8").json();
    assert_eq!(known["error"]["code"], "missing_table");
    assert!(known["value"] == "win" || known["value"] == "draw", "{known}");
}

/// A damaged table is an error of its own; requests that do not need it are answered.
#[test]
fn a_damaged_table_is_an_error_for_itself_alone() {
    let place = tempfile::tempdir().expect("a directory");
    let game = place.path().join("russian");
    std::fs::create_dir(&game).expect("a directory");
    for file in std::fs::read_dir(crate::client::golden().join("russian")).expect("tables") {
        let file = file.expect("a table");
        std::fs::copy(file.path(), game.join(file.file_name())).expect("a copy");
    }
    for ending in ["wdl", "dtw"] {
        let path = game.join(format!("KvK.{ending}"));
        let mut bytes = std::fs::read(&path).expect("a table");
        bytes[20] ^= 1;
        std::fs::write(&path, bytes).expect("a damaged table");
    }
    let server = Server::of(damka_web::ServerOptions::new(vec![place.path().to_owned()]));
    let damaged = server.get("/api/russian/probe?fen=W:WKa1:BKh2");
    assert_eq!((damaged.status, &*damaged.code()), (500, "damaged_table"), "{}", damaged.text());
    let directory = place.path().to_string_lossy().into_owned();
    assert!(!damaged.text().contains(&directory), "{}", damaged.text());
    assert_eq!(server.get("/api/russian/probe?fen=W:WKd4:Bd8").status, 200);
    let text = server.get("/metrics").text();
    assert!(text.contains("damka_damaged_tables{game=\"russian\"} 2"), "{text}");
}
