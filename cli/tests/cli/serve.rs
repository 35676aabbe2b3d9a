//! `damka serve`: messages, signals and exit codes.

use crate::interrupt::Running;
use crate::{Place, russian_4};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// The address that the server prints.
fn address(server: &Running<'_>) -> String {
    server.wait_until_it_says("serving on http://");
    loop {
        let stderr = server.stderr();
        let line = stderr.lines().find_map(|line| line.split_once("http://"));
        if let (Some((_, address)), true) = (line, stderr.ends_with('\n')) {
            return address.trim().to_owned();
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The server answers as `probe` does, reloads its tables at SIGHUP, and ends cleanly at SIGTERM.
#[test]
fn a_server_answers_until_a_signal_ends_it() {
    let place = Place::holding(russian_4());
    let mut server = Running::start(&place, "stderr", "serve --listen 127.0.0.1:0");
    let address = address(&server);
    let probed = place.damka("probe russian W:WKa1,Kc1,Ke1:BKh8 --json").success();
    let answer = get(&address, "/api/russian/probe?fen=W:WKa1,Kc1,Ke1:BKh8");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.ends_with(&probed), "{answer}");
    server.signal("HUP");
    assert!(get(&address, "/healthz").ends_with("ok\n"));
    server.signal("TERM");
    let ended = server.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(TcpStream::connect(&address).is_err());
}

/// The server reports, to the person who runs it, tables that were added or damaged and requests that failed
/// because of them.
#[test]
fn a_server_reports_new_and_damaged_tables() {
    let place = Place::holding(russian_4());
    let mut server = Running::start(&place, "stderr", "serve --listen 127.0.0.1:0");
    let address = address(&server);
    let table = place.tables().join("russian/KvM.dtw");
    let whole = fs::read(&table).expect("a table");
    fs::write(&table, &whole[..whole.len() / 2]).expect("a cut table");
    fs::remove_file(table.with_extension("wdl")).expect("a table");
    server.signal("HUP");
    server.wait_until_it_says("russian: files have changed: ");
    server.wait_until_it_says("KvM.dtw: ");
    let path = "/api/russian/probe?fen=W:WKd4:Bd8";
    assert!(get(&address, path).starts_with("HTTP/1.1 500 "));
    server.wait_until_it_says(&format!("GET {path}: "));
    server.signal("TERM");
    assert_eq!(server.end().code, Some(0));
}

#[test]
fn a_server_may_listen_on_the_name_of_a_host() {
    let place = Place::holding(russian_4());
    let mut server = Running::start(&place, "stderr", "serve --listen localhost:0");
    let address = address(&server);
    assert!(get(&address, "/healthz").ends_with("ok\n"));
    server.signal("TERM");
    assert_eq!(server.end().code, Some(0));
}

#[test]
fn wrong_usage_ends_at_once() {
    let place = Place::new();
    let refused = |words: &str, code: i32, about: &str| {
        let message = place.damka(words).failure(code);
        assert!(message.contains(about), "{message}");
    };
    refused("serve --listen nowhere", 2, "--listen");
    refused("serve --listen 8080", 2, "such as 127.0.0.1:8080");
    refused("serve --listen :8080", 2, "such as 127.0.0.1:8080");
    refused("serve --listen 127.0.0.1:80800", 2, "a port up to 65535");
    refused("serve --port 8080", 2, "--listen 127.0.0.1:8080");
    refused("serve --listen 127.0.0.1:0 --no-build --origin example", 2, "--origin");
    refused("serve --tables /no/such/directory", 3, "/no/such/directory");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = taken.local_addr().expect("an address");
    refused(&format!("serve --no-build --listen {address}"), 1, "cannot listen on");
}
