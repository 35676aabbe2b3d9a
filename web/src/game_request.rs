//! A request about a game: its tables, its signature, its parameters.

use crate::app::App;
use crate::errors::ApiError;
use crate::library::GameTables;
use crate::params::Params;
use crate::reply::{self, Reply};
use crate::tags::{names_tag, not_modified, tag};
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use damka::games::AnyGame;
use damka::json::Object;
use damka::{Answer, AnyTables, AskError, Metric};
use serde::Serialize;
use std::sync::Arc;

/// A request about a game.
pub(crate) struct GameRequest {
    pub(crate) app: Arc<App>,
    pub(crate) game: Arc<GameTables>,
    /// The signature of the path, if it has one.
    signature: Option<String>,
    query: Option<String>,
    tag: HeaderValue,
}

impl FromRequestParts<Arc<App>> for GameRequest {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<GameRequest, Response> {
        let path = RawPathParams::from_request_parts(parts, app).await.map_err(|_| {
            ApiError::bad("bad_path", "the path is not text in UTF-8").into_response()
        })?;
        let part = |name| path.iter().find(|&(key, _)| key == name).map(|(_, value)| value);
        // The protocol of lila-tablebase has no game in its paths.
        let name = part("game").unwrap_or("chess");
        let game = name
            .parse()
            .map_err(|error: damka::games::UnknownGame| {
                ApiError::not_found("no_such_game", error.to_string())
            })
            .and_then(|game: AnyGame| {
                let missing = || ApiError::not_found("no_such_game", "there is no such game");
                app.library.game(game).ok_or_else(missing)
            })
            .map_err(ApiError::into_response)?;
        let request = parts.uri.path_and_query().map_or("", |all| all.as_str());
        let tag = tag(&[game.digest.as_bytes(), request.as_bytes()]);
        if parts.method != Method::POST && names_tag(&parts.headers, &tag) {
            return Err(not_modified(tag));
        }
        let signature = part("signature").map(str::to_owned);
        let query = parts.uri.query().map(str::to_owned);
        Ok(GameRequest { app: Arc::clone(app), game, signature, query, tag })
    }
}

impl GameRequest {
    /// The parameters.
    pub(crate) fn params(&self) -> Params<'_> {
        Params::of(self.query.as_deref())
    }

    /// The signature of the path.
    pub(crate) fn signature(&self) -> &str {
        self.signature.as_deref().unwrap_or_default()
    }

    /// The tables.
    pub(crate) fn tables(&self) -> Arc<dyn AnyTables> {
        Arc::clone(&self.game.tables)
    }

    /// A reply with an object as JSON that clients may cache: for a day if it `is_complete`, because
    /// then additional tables do not change it.
    pub(crate) fn cached(&self, object: &impl Serialize, is_complete: bool) -> Reply {
        self.tagged(reply::json(&Object::new(object)), is_complete)
    }

    /// The reply with cache headers: clients may use it for a day if it `is_complete`. Otherwise
    /// they ask each time whether its tag is still the same.
    pub(crate) fn tagged(&self, reply: Reply, is_complete: bool) -> Reply {
        let cache_control = if is_complete { reply::A_DAY } else { reply::REVALIDATE };
        Reply { cache_control: Some(cache_control), tag: Some(self.tag.clone()), ..reply }
    }

    /// An object as JSON that must not be cached.
    pub(crate) fn passing(&self, object: &impl Serialize) -> Reply {
        Reply { cache_control: Some("no-store"), ..reply::json(&Object::new(object)) }
    }

    /// The answer about a position: at once if it follows from decoded blocks, otherwise from a thread that
    /// may read files.
    ///
    /// # Errors
    /// The text is not a position, nothing is known of it, or the server is busy.
    pub(crate) async fn answer(&self, fen: String, metric: Metric) -> Result<Answer, ApiError> {
        if let Some(answer) = self.game.tables.answer_if_decoded(&fen, metric)? {
            return Ok(answer);
        }
        let tables = self.tables();
        let read =
            move || tables.answer(&fen, metric).map_err(|error| explained(&*tables, &fen, error));
        self.app.probes.run(read).await?
    }
}

/// The error for a position, with its legal moves if its tables are missing.
pub(crate) fn explained(tables: &dyn AnyTables, fen: &str, error: AskError) -> ApiError {
    match tables.known_part(fen, &error) {
        Some(answer) => ApiError::from(error).with_answer(answer),
        None => error.into(),
    }
}
