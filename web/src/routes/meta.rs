//! The games and the state of the server.

use crate::app::App;
use crate::kept::Kept;
use crate::library::GameTables;
use crate::objects::Holdings;
use crate::reply::{self, Reply};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use damka::GameInfo;
use damka::json::Object;
use serde::Serialize;
use std::sync::{Arc, LazyLock, PoisonError};

/// The object of all games.
#[derive(Serialize)]
struct Games<'a> {
    version: &'a str,
    /// The time of an engine for a position, in milliseconds; null without an engine.
    engine_ms: Option<u64>,
    games: Vec<Shelved<'a>>,
}

/// A game, with the numbers and sizes of its tables.
#[derive(Serialize)]
struct Shelved<'a> {
    #[serde(flatten)]
    info: &'a GameInfo,
    #[serde(flatten)]
    holdings: Holdings,
}

/// All games. The answer is kept until tables are replaced.
pub(super) async fn games(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let all: Vec<_> = app.library.all().collect();
    let digests: String = all.iter().map(|game| &*game.digest).collect();
    let mut last = app.games.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = match &*last {
        Some((of, kept)) if *of == digests => Arc::clone(kept),
        _ => {
            let kept = Arc::new(Kept::new(described(&app, &all)));
            *last = Some((digests, Arc::clone(&kept)));
            kept
        }
    };
    drop(last);
    kept.respond("application/json", &headers)
}

/// The object of these games.
fn described(app: &App, games: &[Arc<GameTables>]) -> Bytes {
    let games = games.iter().map(|game| Shelved { info: &game.info, holdings: Holdings::of(game) });
    let engine_time = app.engines.as_ref().map(|engines| engines.time.as_millis());
    let games = Games {
        version: env!("CARGO_PKG_VERSION"),
        engine_ms: engine_time.and_then(|time| time.try_into().ok()),
        games: games.collect(),
    };
    reply::json(&Object::new(games)).bytes.into()
}

/// Liveness check.
pub(super) async fn health() -> Reply {
    Reply {
        cache_control: Some("no-store"),
        ..reply::text(b"ok\n".to_vec(), "text/plain; charset=utf-8")
    }
}

/// Counts for Prometheus.
pub(super) async fn metrics(State(app): State<Arc<App>>) -> Reply {
    let text = app.metrics.text(&app.pools(), &app.library).into_bytes();
    Reply {
        cache_control: Some("no-store"),
        ..reply::text(text, "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// The description of the API.
pub(super) async fn openapi(headers: HeaderMap) -> Response {
    static DESCRIPTION: LazyLock<Kept> =
        LazyLock::new(|| Kept::new(reply::json(&crate::openapi::document()).bytes.into()));
    DESCRIPTION.respond("application/json", &headers)
}
