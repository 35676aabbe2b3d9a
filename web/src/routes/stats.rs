//! The counts of signatures.

use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::objects::{Histograms, Stats};
use crate::reply::{self, Reply};
use damka::AskError;
use damka::json::Object;
use std::sync::{Arc, PoisonError};

/// The counts of all signatures.
pub(super) async fn all(request: GameRequest) -> Result<Reply, ApiError> {
    request.params().finish()?;
    let game = Arc::clone(&request.game);
    let count = move || {
        if game.stats.get().is_none() {
            let object = Stats::of_all(&game)?;
            let _ = game.stats.set(reply::json(&Object::new(object)).bytes);
        }
        Ok::<_, AskError>(game.stats.get().cloned().unwrap_or_default())
    };
    let bytes = request.app.scans.run(count).await??;
    Ok(request.tagged(reply::text(bytes, "application/json"), false))
}

/// The counts of one signature.
pub(super) async fn one(request: GameRequest) -> Result<Reply, ApiError> {
    request.params().finish()?;
    let (tables, signature) = (request.tables(), request.signature().to_owned());
    let stats = request.app.probes.run(move || tables.stats(&signature)).await??;
    Ok(request.cached(&Stats { game: request.game.info.game, stats: stats.into() }, false))
}

/// The number of positions of a signature for each value.
pub(super) async fn histogram(request: GameRequest) -> Result<Reply, ApiError> {
    request.params().finish()?;
    let (game, signature) = (Arc::clone(&request.game), request.signature().to_owned());
    let most = request.app.limits.histogram;
    let count = move || {
        let signature = game.tables.stats(&signature)?[0].signature.clone();
        let known = || game.histograms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known().get(&signature) {
            return Ok(bytes.clone());
        }
        let object = Histograms::of(&game, &signature, most)?;
        let bytes = reply::json(&Object::new(object)).bytes;
        known().insert(signature, bytes.clone());
        Ok(bytes)
    };
    let bytes: Result<Vec<u8>, ApiError> = request.app.scans.run(count).await?;
    Ok(request.tagged(reply::text(bytes?, "application/json"), false))
}
