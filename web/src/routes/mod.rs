//! The routes of the API.

mod annotate;
mod batch;
mod lila;
mod line;
mod list;
mod map;
mod meta;
mod probe;
mod random;
mod stats;

use crate::app::App;
use crate::errors::ApiError;
use crate::params::Params;
use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::routing::{get, post};
use damka::Metric;
use std::sync::Arc;

/// All routes except the page.
pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/api/games", get(meta::games))
        .route("/api/{game}/probe", get(probe::probe).post(batch::batch))
        .route("/api/{game}/line", get(line::line))
        .route("/api/{game}/map", get(map::map))
        .route("/api/{game}/stats", get(stats::all))
        .route("/api/{game}/stats/{signature}", get(stats::one))
        .route("/api/{game}/histogram/{signature}", get(stats::histogram))
        .route("/api/{game}/list/{signature}", get(list::list))
        .route("/api/{game}/random/{signature}", get(random::random))
        .route("/api/{game}/annotate", post(annotate::annotate))
        .route("/standard", get(lila::position))
        .route("/standard/mainline", get(lila::mainline))
        .route("/healthz", get(meta::health))
        .route("/metrics", get(meta::metrics))
        .route("/openapi.json", get(meta::openapi))
}

/// The cost of a request in its client's rate, relative to a probe.
pub(crate) fn cost(request: &Request) -> f64 {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    match path {
        "/api/{game}/probe" if request.method() == axum::http::Method::POST => 100.0,
        "/api/{game}/annotate" => 50.0,
        "/api/{game}/list/{signature}" | "/api/{game}/histogram/{signature}" => 20.0,
        "/api/{game}/map" | "/api/{game}/stats" | "/api/{game}/random/{signature}" => 10.0,
        "/api/{game}/line" | "/standard/mainline" => 5.0,
        _ => 1.0,
    }
}

/// The position of a request; underscores may stand for blanks.
fn fen(params: &mut Params<'_>) -> Result<String, ApiError> {
    Ok(params.required("fen")?.replace('_', " "))
}

/// The metric of a request.
fn metric(params: &mut Params<'_>) -> Result<Metric, ApiError> {
    let words = [("wdl", Metric::Wdl), ("dtw", Metric::Dtw), ("dtm", Metric::Dtw)];
    Ok(params.word("metric", &words)?.unwrap_or(Metric::Dtw))
}
