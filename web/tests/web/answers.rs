use crate::client::{Server, golden};
use damka_web::ServerOptions;
use serde_json::{Value, json};

/// The server also gives the answers in docs/JSON.md.
#[test]
fn a_position_is_answered_as_the_command_line_does() {
    let server = Server::golden();
    let expected = json!({
        "schema": 1, "game": "russian", "fen": "W:WKa1:BKg7", "value": "win", "dtw": 1,
        "dtw_status": "known", "moves": [{
            "move": "a1xh8", "coordinates": "a1xh8", "fen": "B:WKh8:B", "value": "win", "dtw": 1,
            "dtw_status": "known",
        }],
    });
    assert_eq!(server.json("/api/russian/probe?fen=W:WKa1:BKg7"), expected);
    // The second answer comes from decoded blocks.
    assert_eq!(server.json("/api/russian/probe?fen=W%3AWKa1%3ABKg7"), expected);
    let without = server.json("/api/russian/probe?fen=W:WKa1:BKg7&metric=wdl");
    assert_eq!((&without["dtw"], &without["dtw_status"]), (&Value::Null, &json!("not_asked")));
    // By another name of the game.
    assert_eq!(server.json("/api/shashki/probe?fen=W:WKa1:BKg7"), expected);
}

#[test]
fn a_line_goes_to_the_end() {
    let server = Server::golden();
    let answer = server.json("/api/russian/line?fen=W:WKa1:BKh8");
    let line: Vec<_> = answer["line"].as_array().expect("a line").iter().collect();
    assert_eq!((line.len(), &answer["dtw"]), (2, &json!(2)));
    assert_eq!(line[1]["move"], "h8xf6");
}

/// Each entry of a map is the answer of a probe of its position.
#[test]
fn a_map_has_each_square_for_both_sides() {
    let server = Server::golden();
    let map = server.json("/api/russian/map?fen=W:WKa1:BKh2&square=h2");
    let mut squares = 0;
    for (side, letter) in [("white", "W:"), ("black", "B:")] {
        for entry in map[side].as_array().expect("entries") {
            let fen = entry["fen"].as_str().expect("a position");
            assert!(fen.starts_with(letter), "{fen}");
            let probed = server.json(&format!("/api/russian/probe?fen={fen}"));
            for key in ["value", "dtw", "dtw_status"] {
                assert_eq!(probed[key], entry[key], "{fen}");
            }
            squares += 1;
        }
    }
    // There is an entry for each free square, and for the piece's own.
    assert_eq!(squares, 2 * 31);
}

/// A map of unknown positions is an error, like a probe of one of them.
#[test]
fn a_map_beyond_all_tables_is_an_error() {
    let server = Server::golden();
    for question in ["probe?", "map?square=a1&"] {
        let reply = server.get(&format!("/api/russian/{question}fen=start"));
        assert_eq!((reply.status, &*reply.code()), (422, "beyond_tables"), "{question}");
    }
}

/// The counts of a published list: 868 placements, of which White to move wins 746.
#[test]
fn signatures_are_counted() {
    let server = Server::golden();
    let one = server.json("/api/russian/stats/KvM");
    let white = &one["stats"][0];
    assert_eq!((&white["positions"], &white["wins"]), (&json!(868), &json!(746)));
    let all = server.json("/api/russian/stats");
    let all = all["stats"].as_array().expect("counts");
    assert!(all.iter().any(|side| side == white));
    for _ in 0..2 {
        let histograms = server.json("/api/russian/histogram/KvM");
        let bars = histograms["histograms"][0]["histogram"].as_array().expect("bars");
        let of = |bar: &Value| bar["positions"].as_u64().expect("a number");
        assert_eq!(bars.iter().map(of).sum::<u64>(), 868);
    }
}

/// Several pages together have the same positions as one large page, and as many as are counted.
#[test]
fn lists_go_on_at_their_cursor() {
    let server = Server::golden();
    let path = "/api/russian/list/KvM?value=win&turn=white";
    let whole = server.json(&format!("{path}&limit=1000"));
    let whole = whole["positions"].as_array().expect("positions").clone();
    assert_eq!(whole.len(), 746);
    let mut pages: Vec<Value> = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = server.json(&format!("{path}&limit=100{cursor}"));
        pages.extend(page["positions"].as_array().expect("positions").iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(pages, whole);
    // By default, positions that are turned or mirrored into each other are listed once.
    let all = |query: &str| {
        let page = server.json(&format!("/api/russian/list/KvK?limit=1000{query}"));
        page["positions"].as_array().expect("positions").len()
    };
    assert!(all("&all=true") > all(""));
    // The answer has the signature in its canonical form.
    assert_eq!(server.json("/api/russian/list/k-m?limit=1")["signature"], "KvM");
    let longest = server.json("/api/russian/list/KvM?value=win&distance=7&turn=white");
    let positions = longest["positions"].as_array().expect("positions");
    assert!(!positions.is_empty() && positions.iter().all(|position| position["dtw"] == 7));
    let unique = server.json("/api/russian/list/KvM?value=win&unique=true&limit=5");
    let has_move = |position: &Value| position["only_move"].is_string();
    assert!(unique["positions"].as_array().expect("positions").iter().all(has_move));
}

#[test]
fn a_seed_gives_the_same_random_position() {
    let server = Server::golden();
    let mut seen = Vec::new();
    for seed in 0..20 {
        let path = format!("/api/russian/random/KvM?value=loss&seed={seed}");
        let position = server.json(&path);
        assert_eq!(position["value"], "loss");
        assert_eq!(server.json(&path), position);
        seen.push(position["fen"].to_string());
    }
    seen.sort();
    seen.dedup();
    assert!(seen.len() > 10, "{seen:?}");
    // White to move never loses.
    let none = server.get("/api/russian/random/KvM?value=loss&turn=white");
    assert_eq!((none.status, &*none.code()), (404, "no_such_position"));
}

#[test]
fn white_has_the_side_that_is_named_first() {
    let server = Server::golden();
    let random = server.json("/api/russian/random/MvK?value=loss&seed=1");
    let list = server.json("/api/russian/list/MvK?limit=5");
    for position in list["positions"].as_array().expect("positions").iter().chain([&random]) {
        let (_, black) = position["fen"].as_str().expect("a FEN").rsplit_once(':').expect("sides");
        assert!(black.starts_with("BK"), "{position}");
    }
}

#[test]
fn a_batch_has_an_object_for_each_line() {
    let server = Server::golden();
    let body = "W:WKa1:BKg7\n\n\"B:WKa1:BKg7\"\n{\"fen\":\"W:WKd4:Bd8\"}\nnonsense\n{\"x\":1}\n{\"fen\":\"a\",\"fen\":\"b\"}\n";
    for moves in [false, true] {
        let path = format!("/api/russian/probe?moves={moves}");
        let reply = server.request("POST", &path, "", body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let text = reply.text();
        let objects: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let lines: Vec<_> = objects.iter().map(|object| object["line"].as_u64()).collect();
        assert_eq!(lines, [1, 3, 4, 5, 6, 7].map(Some));
        assert_eq!(objects[0]["value"], "win");
        assert_eq!(objects[0]["moves"].is_array(), moves);
        assert_eq!(objects[3]["error"]["code"], "bad_fen");
        assert_eq!(objects[3]["error"]["at"], 1);
        assert_eq!(objects[4]["error"]["code"], "bad_line");
        let twice = objects[5]["error"]["message"].as_str().expect("a message");
        assert!(twice.starts_with("duplicate field `fen` (at column "), "{twice}");
    }
    let array = server.request("POST", "/api/russian/probe", "", "[\n\"W:WKa1:BKg7\"\n]");
    assert_eq!((array.status, &array.json()["error"]["code"]), (400, &"bad_body".into()));
    let gzip = "Content-Encoding: gzip\r\n";
    let packed = server.request("POST", "/api/russian/probe", gzip, "W:WKa1:BKg7\n");
    assert_eq!((packed.status, &*packed.code()), (400, "bad_body"));
    let many = "W:WKa1:BKg7\n".repeat(10_000);
    let reply = server.request("POST", "/api/russian/probe", "", &many);
    assert_eq!(reply.text().lines().count(), 10_000);
}

#[test]
fn games_describe_their_boards() {
    let server = Server::golden();
    let games = server.json("/api/games");
    let games = games["games"].as_array().expect("games");
    assert_eq!(games.len(), damka::AnyGame::all().count());
    let of = |name: &str| games.iter().find(|game| game["game"] == name).expect("a game");
    let russian = of("russian");
    assert_eq!(russian["signatures"], 4);
    assert_eq!(russian["most_pieces"], 3);
    assert_eq!(russian["board"][0][1], "b8");
    assert_eq!(russian["board"][0][0], Value::Null);
    assert_eq!(of("english")["board"][7][0], "29");
    assert_eq!(of("chess")["board"][7][0], "a1");
    assert_eq!(of("chess")["pieces"][5]["letter"], "P");
}

#[test]
fn answers_have_tags_that_spare_them() {
    let server = Server::golden();
    let path = "/api/russian/probe?fen=W:WKa1:BKg7";
    let reply = server.get(path);
    let tag = reply.header("etag").expect("a tag").to_owned();
    assert_eq!(reply.header("cache-control"), Some("public, max-age=86400"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    assert_eq!(reply.header("access-control-expose-headers"), Some("ETag, Retry-After"));
    let again = |tag: &str| server.request("GET", path, &format!("If-None-Match: {tag}\r\n"), "");
    let spared = again(&tag);
    assert_eq!((spared.status, spared.body.len()), (304, 0));
    assert_eq!(spared.header("etag"), Some(&*tag));
    assert_eq!(again(&format!("\"x\", {tag}")).status, 304);
    assert_eq!(again("*").status, 304);
    assert_eq!(again("\"x\"").status, 200);
    // Answers that further tables may change are revalidated each time.
    for path in [
        "/api/games",
        "/openapi.json",
        "/api/russian/stats",
        "/api/russian/list/KvM",
        // Some of these values need a table that is missing.
        "/api/russian/map?fen=W:WKa1,Kc1:Bf6&square=a1&metric=wdl",
        "/api/russian/map?fen=W:WKa1,Kc1:BKh8&square=h8&metric=dtw",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.header("cache-control"), Some("no-cache"), "{path}");
        let tag = format!("If-None-Match: {}\r\n", reply.header("etag").expect("a tag"));
        assert_eq!(server.request("GET", path, &tag, "").status, 304, "{path}");
    }
    let other = server.get("/api/russian/probe?fen=B:WKa1:BKg7");
    assert_ne!(other.header("etag"), Some(&*tag));
    let head = server.request("HEAD", path, "", "");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn large_answers_are_compressed() {
    let server = Server::golden();
    let gzip = "Accept-Encoding: br, gzip;q=0.5\r\n";
    let large = server.request("GET", "/api/russian/list/KvM?limit=100", gzip, "");
    assert_eq!(large.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(&large.body[..]);
    std::io::Read::read_to_string(&mut decoder, &mut text).expect("gzip");
    let plain = server.get("/api/russian/list/KvM?limit=100");
    assert_eq!((plain.header("content-encoding"), plain.text()), (None, text));
    let small = server.request("GET", "/api/russian/probe?fen=W:WKa1:BKg7", gzip, "");
    assert_eq!(small.header("content-encoding"), None);
    let refused = "Accept-Encoding: gzip;q=0\r\n";
    let refused = server.request("GET", "/api/russian/list/KvM?limit=100", refused, "");
    assert_eq!(refused.header("content-encoding"), None);
}

#[test]
fn the_page_is_served_with_its_policy() {
    let server = Server::golden();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").is_some_and(|it| it.contains("'self'")));
    let tag = page.header("etag").expect("a tag").to_owned();
    let again = server.request("GET", "/", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!(again.status, 304);
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/etc/passwd",
        "/api",
        "/page/index.html",
        "/site/source.js",
        "/sw.js",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn metrics_count_what_was_answered() {
    let server = Server::golden();
    assert_eq!(server.get("/healthz").text(), "ok\n");
    server.json("/api/russian/probe?fen=W:WKa1:BKg7");
    server.get("/api/russian/probe?fen=nonsense");
    let text = server.get("/metrics").text();
    for line in [
        "damka_requests_total{route=\"/api/{game}/probe\",status=\"2xx\"} 1",
        "damka_requests_total{route=\"/api/{game}/probe\",status=\"4xx\"} 1",
        "damka_tables{game=\"russian\"} 6",
        "damka_request_seconds_count{route=\"/healthz\"} 1",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

/// Positions in no table are searched by an engine, if the server has one.
#[test]
fn an_engine_searches_what_no_table_knows() {
    let engine_time = Some(std::time::Duration::from_millis(20));
    let options = ServerOptions { engine_time, ..ServerOptions::new(vec![golden()]) };
    let server = Server::of(options);
    assert_eq!(server.json("/api/games")["engine_ms"], 20);
    // The man must take the king.
    let path = "/api/russian/probe?fen=W:Wc3,g1:BKd4,h8";
    for path in [path, &format!("{path}&engine=true")] {
        let reply = server.get(path);
        let answer = reply.json();
        assert_eq!((reply.status, &*reply.code()), (404, "missing_table"));
        assert_eq!(
            (&answer["engine"]["move"], &answer["value"]),
            (&json!("c3xe5"), &json!("unknown"))
        );
    }
    assert_eq!(server.get(&format!("{path}&engine=false")).json().get("engine"), None);
    assert_eq!(Server::golden().get(path).json().get("engine"), None);
    let known = server.json("/api/russian/probe?fen=W:WKa1:BKg7&engine=true");
    assert_eq!(known.get("engine"), None);
}

/// Moves are judged, an unreadable game is reported, and too many games are refused.
#[test]
fn games_are_judged_by_tables() {
    let server = Server::golden();
    let text = "[Event \"one\"]\n[White \"A\"]\n[FEN \"W:WKa1:BKg7\"]\n\n1. a1xh8 1-0\n\n\
                [Event \"two\"]\n\n1. a1-b9 *\n";
    let reply = server.request("POST", "/api/russian/annotate", "", text);
    assert_eq!(reply.status, 200, "{}", reply.text());
    let annotated = reply.json();
    let ply = &annotated["games"][0]["plies"][0];
    assert_eq!((&ply["move"], &ply["before"]["value"]), (&json!("a1xh8"), &json!("win")));
    assert_eq!(ply["before"]["dtw"], 1);
    assert_eq!(annotated["failed"][0]["game"], 2);
    let many = "1. c3-d4 *\n\n".repeat(101);
    let reply = server.request("POST", "/api/russian/annotate", "", &many);
    assert_eq!((reply.status, &*reply.code()), (413, "too_large"));
}
