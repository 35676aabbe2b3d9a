use crate::client::{Server, golden, golden_with_histograms, read_all};
use damka_web::{ServerLimits, ServerOptions};
use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

const PROBE: &str = "/api/russian/probe?fen=W:WKa1:BKg7";

#[test]
fn connections_beyond_the_limit_are_refused_with_an_answer() {
    let server = Server::limited(ServerLimits { connections: 2, ..ServerLimits::default() });
    let held = [server.connect(), server.connect()];
    // Connections are counted when they are accepted.
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let reply = server.get(PROBE);
        if reply.status == 503 {
            assert_eq!(reply.header("retry-after"), Some("1"));
            assert_eq!(reply.code(), "busy");
            break;
        }
        assert!(Instant::now() < until, "never refused");
    }
    drop(held);
    while server.get(PROBE).status != 200 {
        assert!(Instant::now() < until, "never served again");
    }
}

/// Batches take the only thread for scans, one at a time; others are refused. Probes are answered
/// meanwhile.
#[test]
fn batches_do_not_hold_up_probes() {
    let limits = ServerLimits { scan_threads: 1, queue: 0, rate: 0, ..ServerLimits::default() };
    let server = Server::limited(limits);
    let body = "W:WKa1:BKg7\n".repeat(10_000);
    thread::scope(|scope| {
        let batches: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| server.request("POST", "/api/russian/probe?moves=true", "", &body))
            })
            .collect();
        for _ in 0..50 {
            assert_eq!(server.get(PROBE).status, 200);
        }
        let replies: Vec<_> =
            batches.into_iter().map(|batch| batch.join().expect("a reply")).collect();
        assert!(replies.iter().any(|reply| reply.status == 200));
        for reply in replies {
            match reply.status {
                200 => assert_eq!(reply.text().lines().count(), 10_000),
                status => assert_eq!((status, &*reply.code()), (503, "busy")),
            }
        }
    });
    let until = Instant::now() + Duration::from_secs(20);
    while server.get("/api/russian/list/KvM").status != 200 {
        assert!(Instant::now() < until, "never recovered");
    }
}

#[test]
fn an_address_with_too_many_requests_gets_a_retry_time() {
    let server = Server::limited(ServerLimits { rate: 1, ..ServerLimits::default() });
    // Programs on this machine are not limited, but clients named by a proxy here are.
    let ask = |client: &str| {
        let header = format!("X-Forwarded-For: 198.51.100.1, {client}\r\n");
        server.request("GET", PROBE, &header, "")
    };
    // A burst may have the requests of ten seconds.
    assert!((0..10).all(|_| ask("192.0.2.1").status == 200));
    let refused = (0..1000).map(|_| ask("192.0.2.1")).find(|reply| reply.status != 200);
    let refused = refused.expect("a limit");
    assert_eq!((refused.status, &*refused.code()), (429, "too_many_requests"));
    assert!(refused.header("retry-after").is_some());
    // A port changes nothing, and text that is not an address is also limited.
    assert_eq!(ask("192.0.2.1:4711").status, 429);
    for client in ["[2001:db8::1]:80", "unknown"] {
        assert!((0..1000).any(|_| ask(client).status == 429), "{client}");
    }
    assert_eq!(ask("192.0.2.2").status, 200);
    assert!((0..30).all(|_| server.get(PROBE).status == 200));
}

#[test]
fn what_is_too_large_is_refused() {
    let server =
        Server::limited(ServerLimits { body_bytes: 1000, batch: 10, ..ServerLimits::default() });
    for head in [
        format!("GET /api/russian/probe?fen={} HTTP/1.1\r\nHost: a\r\n\r\n", "W".repeat(100_000)),
        format!("GET {PROBE} HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n", "x".repeat(100_000)),
        format!("GET {PROBE} HTTP/1.1\r\nHost: a\r\n{}\r\n", "X-Many: x\r\n".repeat(1000)),
        format!("GET {PROBE} HTTP/1.1\r\nHost: a\r\n{}\r\n", "X-Many: x\r\n".repeat(120)),
    ] {
        let replies = server.send(head.as_bytes());
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert!(matches!(statuses[..], [414 | 431]), "{statuses:?}");
    }
    // A large announced length is refused before the body is sent.
    let mut stream = server.connect();
    let head = "POST /api/russian/probe HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("a write");
    let statuses: Vec<u16> = read_all(&mut stream).iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [413]);
    let reply = server.request("POST", "/api/russian/probe", "", &"x".repeat(2000));
    assert_eq!((reply.status, &*reply.code()), (413, "too_large"));
    let reply = server.request("POST", "/api/russian/probe", "", &"W:WKa1:BKg7\n".repeat(11));
    assert_eq!((reply.status, &*reply.code()), (413, "too_large"));
}

#[test]
fn histograms_are_counted_up_to_a_limit_and_read_without() {
    let histogram = |place| {
        let limits = ServerLimits { histogram: 10, ..ServerLimits::default() };
        let options = ServerOptions { limits, ..ServerOptions::new(vec![place]) };
        Server::of(options).get("/api/russian/histogram/KvM")
    };
    let reply = histogram(golden());
    assert_eq!((reply.status, &*reply.code()), (413, "too_large"));
    // Histograms that a table stores need not be counted.
    let reply = histogram(golden_with_histograms());
    let counted = Server::golden().json("/api/russian/histogram/KvM");
    assert_eq!((reply.status, reply.json()), (200, counted));
}

#[test]
fn clients_that_send_too_slowly_are_let_go() {
    let short = Duration::from_millis(200);
    let server = Server::limited(ServerLimits {
        head_time: short,
        transfer_time: short,
        ..ServerLimits::default()
    });
    for partial in ["", "GET /healthz HTTP/1.1\r\nHost: te"] {
        let mut stream = server.connect();
        stream.write_all(partial.as_bytes()).expect("a write");
        let mut rest = Vec::new();
        // The connection ends, with or without an answer.
        let _ = stream.read_to_end(&mut rest);
    }
    let mut stream = server.connect();
    let head = "POST /api/russian/probe HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\nW:";
    stream.write_all(head.as_bytes()).expect("a write");
    let replies = read_all(&mut stream);
    assert_eq!(replies.first().map(|reply| reply.status), Some(408));
    // A connection that is kept alive and idle.
    let mut stream = server.connect();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").expect("a write");
    assert_eq!(read_all(&mut stream).len(), 1);
}

/// Slow bodies do not block other requests, and all bodies together have a memory limit.
#[test]
fn slow_bodies_do_not_hold_up_others() {
    let limits = ServerLimits {
        scan_threads: 1,
        annotation_threads: 1,
        queue: 0,
        uploads_bytes: 1000,
        ..ServerLimits::default()
    };
    let server = Server::limited(limits);
    let begin = |question: &str| {
        let mut stream = server.connect();
        let head = format!(
            "POST /api/russian/{question} HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nW"
        );
        stream.write_all(head.as_bytes()).expect("a write");
        stream
    };
    let _held = ["probe", "probe", "annotate", "annotate"].map(begin);
    assert_eq!(server.get("/api/russian/list/KvM").status, 200);
    let game = "[FEN \"W:WKa1:BKg7\"]\n\n1. a1xh8 1-0\n";
    assert_eq!(server.request("POST", "/api/russian/annotate", "", game).status, 200);
    let reply = server.request("POST", "/api/russian/probe", "", &"W:WKa1:BKg7\n".repeat(100));
    assert_eq!((reply.status, &*reply.code()), (503, "busy"));
    assert_eq!(server.request("POST", "/api/russian/probe", "", "W:WKa1:BKg7\n").status, 200);
}

/// If the server does not read a body, it announces that it closes the connection.
#[test]
fn connections_end_with_notice() {
    let server = Server::limited(ServerLimits { body_bytes: 1000, ..ServerLimits::default() });
    let ask = |path: &str, len: usize| {
        let body = "x".repeat(len);
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len}\r\n\r\n{body}GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        );
        let replies = server.send(request.as_bytes());
        let connection = replies[0].header("connection").map(str::to_owned);
        (replies[0].status, connection.as_deref() == Some("close"), replies.len())
    };
    assert_eq!(ask("/api/russian/line", 300_000), (405, true, 1));
    assert_eq!(ask("/api/russian/probe", 300_000), (413, true, 1));
    assert_eq!(ask("/api/russian/probe", 10), (200, false, 2));
}

/// A client that does not read its answers does not block others, and loses its connection.
#[test]
fn clients_that_do_not_read_are_let_go() {
    let limits = ServerLimits {
        transfer_time: Duration::from_millis(500),
        scan_threads: 1,
        rate: 0,
        ..ServerLimits::default()
    };
    let server = Server::limited(limits);
    let body = "W:WKa1:BKh8\n".repeat(10_000);
    let head = format!(
        "POST /api/russian/probe?moves=true HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).expect("a write");
    stream.write_all(body.as_bytes()).expect("a write");
    assert_eq!(server.get("/api/russian/list/KvM").status, 200);
    let until = Instant::now() + Duration::from_secs(30);
    while !server.get("/metrics").text().contains("damka_connections 1\n") {
        assert!(Instant::now() < until, "the connection stays");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn invalid_requests_are_refused() {
    let server = Server::golden();
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /api/russian/probe HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        b"POST /api/russian/probe HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(bytes).expect("a write");
        stream.shutdown(std::net::Shutdown::Write).expect("the end");
        let statuses: Vec<u16> = read_all(&mut stream).iter().map(|reply| reply.status).collect();
        assert!(matches!(statuses[..], [400]), "{bytes:?}: {statuses:?}");
    }
    // Pipelined requests are answered in their order.
    let two = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /api/russian/probe?fen=x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    let statuses: Vec<u16> = server.send(two.as_bytes()).iter().map(|reply| reply.status).collect();
    assert_eq!(statuses, [200, 400]);
}

#[test]
fn only_named_origins_may_read_answers() {
    let origins = vec!["https://example.org".to_owned()];
    let server = Server::of(ServerOptions { origins, ..ServerOptions::new(vec![golden()]) });
    let from = |origin: &str| {
        let header = format!("Origin: {origin}\r\n");
        let reply = server.request("GET", PROBE, &header, "");
        reply.header("access-control-allow-origin").map(str::to_owned)
    };
    assert_eq!(from("https://example.org").as_deref(), Some("https://example.org"));
    assert_eq!(from("https://example.com"), None);
    let headers = "Origin: https://example.org\r\nAccess-Control-Request-Method: POST\r\n";
    let preflight = server.request("OPTIONS", "/api/russian/probe", headers, "");
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, HEAD, POST"));
}

/// Requests that have begun are answered after the server is stopped.
#[test]
fn a_server_that_stops_finishes_what_has_begun() {
    let server = Server::golden();
    let mut stream = server.connect();
    let body = "W:WKa1:BKg7\n".repeat(10_000);
    let head = format!(
        "POST /api/russian/probe?moves=true HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("a write");
    stream.write_all(body.as_bytes()).expect("a write");
    let mut first = [0];
    stream.read_exact(&mut first).expect("an answer");
    server.control.stop();
    let mut rest = first.to_vec();
    stream.read_to_end(&mut rest).expect("the rest");
    let text = String::from_utf8_lossy(&rest);
    assert!(text.contains("\"line\":10000,"), "cut short");
    assert!(text.ends_with("0\r\n\r\n"), "cut short");
    let address = server.address;
    server.stop();
    assert!(std::net::TcpStream::connect(address).is_err());
}

/// Texts of games are limited in bytes and moves, and do not use the threads of lists.
#[test]
fn annotated_games_are_bounded_and_hold_up_nothing_else() {
    let shuffle = "Rh1 Ka3 Rh2 Kb3 ";
    let game = |times: usize| {
        let moves = shuffle.repeat(times);
        format!("[FEN \"8/8/8/8/8/k7/7R/K7 b - - 0 1\"]\n\n1... Kb3 {moves} *\n")
    };
    let limits = ServerLimits { scan_threads: 1, queue: 0, rate: 0, ..ServerLimits::default() };
    let server = Server::limited(limits);
    let long = game(5_001);
    thread::scope(|scope| {
        let annotated =
            scope.spawn(|| server.request("POST", "/api/chess/annotate", "", &long).status);
        assert_eq!(server.get("/api/russian/list/KvM").status, 200);
        assert_eq!(annotated.join().expect("a reply"), 413);
    });
    let reply = server.request("POST", "/api/chess/annotate", "", &game(70_000));
    assert_eq!((reply.status, &*reply.code()), (413, "too_large"));
    assert!(reply.text().contains("more than 1048576 bytes"), "{}", reply.text());
}
