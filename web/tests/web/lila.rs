//! The protocol of lila-tablebase.

use crate::client::Server;
use damka::{AnyGame, Builder};
use damka_web::ServerOptions;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// A server with tables of chess, which are built once.
fn server() -> Server {
    static PLACE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let place = tempfile::tempdir().expect("a directory");
        let game: AnyGame = "chess".parse().expect("a game");
        let builder = Builder::new(game, place.path());
        let signatures = ["KQvK", "KRvK", "KPvK"].map(str::to_owned);
        builder.build(&signatures, &damka::generate::NoProgress).expect("tables");
        place
    });
    Server::of(ServerOptions::new(vec![place.path().to_owned()]))
}

fn move_of(answer: &Value, uci: &str) -> Value {
    let moves = answer["moves"].as_array().expect("moves");
    moves.iter().find(|mv| mv["uci"] == uci).unwrap_or_else(|| panic!("no {uci}")).clone()
}

/// A mate in one move, whose answer follows from the rules.
#[test]
fn a_mate_is_answered_from_the_view_of_each_side() {
    let server = server();
    let answer = server.json("/standard?fen=k7/8/1K6/8/8/8/8/7R_w_-_-_0_1");
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("win"), &json!(1)));
    assert_eq!((&answer["dtz"], &answer["precise_dtz"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["moves"][0]["uci"], "h1h8");
    let mate = move_of(&answer, "h1h8");
    assert_eq!(mate["san"], "Rh8#");
    assert_eq!((&mate["category"], &mate["dtm"]), (&json!("loss"), &json!(0)));
    assert_eq!((&mate["checkmate"], &mate["zeroing"]), (&json!(true), &json!(false)));
    let line = server.json("/standard/mainline?fen=k7/8/1K6/8/8/8/8/7R_w_-_-_0_1");
    assert_eq!((&line["winner"], &line["dtm"]), (&json!("w"), &json!(1)));
    assert_eq!(line["mainline"].as_array().map(Vec::len), Some(1));
    let lost = server.json("/standard?fen=k7/8/1K6/8/8/8/7R/8_b_-_-_0_1");
    assert_eq!((&lost["category"], &lost["dtm"]), (&json!("loss"), &json!(-2)));
    let line = server.json("/standard/mainline?fen=k7/8/1K6/8/8/8/7R/8_b_-_-_0_1");
    assert_eq!(line["winner"], "w");
    let distances: Vec<_> = line["mainline"].as_array().expect("a line").iter().collect();
    assert_eq!((&distances[0]["dtm"], &distances[1]["dtm"]), (&json!(1), &json!(0)));
}

#[test]
fn draws_and_stalemates_are_marked() {
    let server = server();
    let stalemate = server.json("/standard?fen=k7/2Q5/1K6/8/8/8/8/8_b_-_-_0_1");
    assert_eq!((&stalemate["stalemate"], &stalemate["category"]), (&json!(true), &json!("draw")));
    assert_eq!(stalemate["moves"], json!([]));
    let kings = server.json("/standard?fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1");
    assert_eq!(kings["insufficient_material"], json!(true));
    let line = server.json("/standard/mainline?fen=4k3/8/8/8/8/8/8/4K3_w_-_-_0_1");
    assert_eq!((&line["winner"], &line["mainline"]), (&Value::Null, &json!([])));
    // A capture leaves the bare kings.
    let capture = server.json("/standard?fen=8/8/8/8/8/8/1kQ5/4K3_b_-_-_0_1");
    let capture = move_of(&capture, "b2c2");
    assert_eq!((&capture["zeroing"], &capture["category"]), (&json!(true), &json!("draw")));
}

/// Whether a mate comes within 50 moves depends on the halfmove clock.
#[test]
fn wins_that_the_50_move_rule_may_spoil_are_maybes() {
    let server = server();
    let category = |clock: u32| {
        let answer = server.json(&format!("/standard?fen=k7/8/1K6/8/8/8/8/7R_w_-_-_{clock}_80"));
        answer["category"].clone()
    };
    assert_eq!([category(0), category(99), category(100)], ["win", "win", "maybe-win"]);
    // A pawn move resets the clock.
    let answer = server.json("/standard?fen=4k3/8/4K3/4P3/8/8/8/8_w_-_-_90_80");
    assert_eq!(answer["category"], "maybe-win");
}

#[test]
fn a_position_beyond_tables_is_not_found() {
    let server = server();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
        "4k3/8/8/8/8/8/8/R3K2R_w_-_-_0_1",
    ] {
        for path in ["/standard", "/standard/mainline"] {
            assert_eq!(server.get(&format!("{path}?fen={fen}")).status, 404, "{path} {fen}");
        }
    }
    assert_eq!(server.get("/standard?fen=nonsense").status, 400);
    assert_eq!(server.get("/standard").status, 400);
}
