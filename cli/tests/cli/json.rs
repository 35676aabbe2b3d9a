//! The objects of `--json`, key by key. docs/JSON.md describes them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The answer of `probe` and `line`.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Answer {
    pub(crate) schema: u32,
    pub(crate) game: String,
    pub(crate) fen: String,
    pub(crate) value: String,
    pub(crate) dtw: Option<i32>,
    pub(crate) dtw_status: String,
    pub(crate) moves: Vec<Move>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<Vec<Ply>>,
}

/// A move, with its result for the side that plays it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Move {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) coordinates: String,
    pub(crate) fen: String,
    pub(crate) value: String,
    pub(crate) dtw: Option<i32>,
    pub(crate) dtw_status: String,
}

/// A move of a line.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Ply {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    pub(crate) coordinates: String,
    pub(crate) fen: String,
}

/// The object of a line of standard input without an answer.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct BadLine {
    pub(crate) schema: u32,
    pub(crate) line: usize,
    pub(crate) error: String,
}

/// The object of `stats` for a signature with one side to move.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Row {
    pub(crate) schema: u32,
    pub(crate) game: String,
    pub(crate) signature: String,
    pub(crate) to_move: String,
    pub(crate) positions: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) dtw_status: String,
    pub(crate) longest_win: Option<i32>,
    pub(crate) longest_win_fen: Option<String>,
    pub(crate) longest_loss: Option<i32>,
    pub(crate) longest_loss_fen: Option<String>,
    pub(crate) wdl_bytes: Option<u64>,
    pub(crate) dtw_bytes: Option<u64>,
    pub(crate) wdl_digest: Option<String>,
    pub(crate) dtw_digest: Option<String>,
}

/// Reads an object. Writing it again must give the same line: exactly these keys in this order.
#[track_caller]
pub(crate) fn read<T: DeserializeOwned + Serialize>(line: &str) -> T {
    let line = line.trim_end_matches('\n');
    let object = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    assert_eq!(serde_json::to_string(&object).expect("JSON"), line);
    object
}

/// Reads one object per line.
#[track_caller]
pub(crate) fn read_all<T: DeserializeOwned + Serialize>(lines: &str) -> Vec<T> {
    lines.lines().map(read).collect()
}

/// A result as a number: the greater, the better.
pub(crate) fn preference(value: &str, dtw: Option<i32>) -> i32 {
    match (value, dtw) {
        ("win", Some(dtw)) if dtw % 2 == 1 => 1000 - dtw,
        ("draw", None) => 0,
        ("loss", Some(dtw)) if dtw % 2 == 0 => dtw - 1000,
        _ => panic!("`{value}` in {dtw:?} plies cannot be"),
    }
}

/// A result as seen by the side that moved to the position.
pub(crate) fn before_move(value: &str, dtw: Option<i32>) -> (&str, Option<i32>) {
    let value = match value {
        "win" => "loss",
        "loss" => "win",
        draw => draw,
    };
    (value, dtw.map(|dtw| dtw + 1))
}
