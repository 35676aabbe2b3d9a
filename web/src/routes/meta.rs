//! What the server has, and how it is.

use crate::app::App;
use crate::reply::{self, Reply};
use axum::extract::State;
use damka::GameInfo;
use damka::json::Object;
use serde::Serialize;
use std::sync::Arc;

/// The object of all games.
#[derive(Serialize)]
struct Games<'a> {
    version: &'a str,
    /// How long an engine searches a position, in milliseconds; null without one.
    engine_ms: Option<u64>,
    games: Vec<Shelved<'a>>,
}

/// A game, and its tables in numbers.
#[derive(Serialize)]
struct Shelved<'a> {
    #[serde(flatten)]
    info: &'a GameInfo,
    /// The most pieces that a table has; 0 without tables.
    most_pieces: u32,
    /// How many signatures have a table.
    signatures: usize,
    /// How many tables there are.
    tables: usize,
    /// How many of them cannot be used.
    damaged: usize,
    /// Positions in all tables; symmetric ones share one.
    positions: u64,
    /// The size of all tables in bytes.
    bytes: u64,
    /// Identifies the values of all tables.
    digest: &'a str,
}

/// All games.
pub(super) async fn games(State(app): State<Arc<App>>) -> Reply {
    let all: Vec<_> = app.library.all().collect();
    let games = all.iter().map(|game| {
        let tables = &game.inventory.tables;
        let mut signatures: Vec<&str> = tables.iter().map(|table| &*table.signature).collect();
        signatures.sort_unstable();
        signatures.dedup();
        Shelved {
            info: &game.info,
            most_pieces: tables.iter().map(|table| table.pieces).max().unwrap_or(0),
            signatures: signatures.len(),
            tables: tables.len(),
            damaged: game.inventory.damaged.len(),
            positions: tables.iter().map(|table| table.positions).sum(),
            bytes: tables.iter().map(|table| table.bytes).sum(),
            digest: &game.digest,
        }
    });
    let engine_time = app.engines.as_ref().map(|engines| engines.time.as_millis());
    let games = Games {
        version: env!("CARGO_PKG_VERSION"),
        engine_ms: engine_time.and_then(|time| time.try_into().ok()),
        games: games.collect(),
    };
    Reply { cache_control: Some("no-cache"), ..reply::json(&Object::new(games)) }
}

/// That the server answers.
pub(super) async fn health() -> Reply {
    Reply {
        cache_control: Some("no-store"),
        ..reply::text(b"ok\n".to_vec(), "text/plain; charset=utf-8")
    }
}

/// What the server has done.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Reply {
    let text = app.metrics.text(&app).into_bytes();
    Reply {
        cache_control: Some("no-store"),
        ..reply::text(text, "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// The description of the API.
pub(super) async fn openapi() -> Reply {
    Reply { cache_control: Some("no-cache"), ..reply::json(&crate::openapi::document()) }
}
