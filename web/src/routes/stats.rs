//! The counts of signatures.

use crate::asked::Asked;
use crate::errors::ApiError;
use crate::reply::{self, Reply};
use damka::json::Object;
use damka::{AskError, SideHistogram, SideStats};
use serde::Serialize;
use std::ops::ControlFlow::Continue;
use std::sync::{Arc, PoisonError};

/// The counts of signatures, with White and with Black to move.
#[derive(Serialize)]
struct Stats {
    game: &'static str,
    stats: Vec<SideStats>,
}

/// How many positions have each value, with White and with Black to move.
#[derive(Serialize)]
struct Histograms {
    game: &'static str,
    signature: String,
    histograms: Vec<SideHistogram>,
}

/// The counts of all signatures.
pub(super) async fn all(asked: Asked) -> Result<Reply, ApiError> {
    asked.params().finish()?;
    let game = Arc::clone(&asked.game);
    let count = move || {
        if game.stats.get().is_none() {
            let mut stats = Vec::new();
            for signature in game.tables.signatures()? {
                match game.tables.stats(&signature) {
                    Ok(sides) => stats.extend(sides),
                    // The others have counts all the same.
                    Err(AskError::Probe(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            let object = Stats { game: game.info.game, stats };
            let _ = game.stats.set(reply::json(&Object::new(object)).bytes);
        }
        Ok(game.stats.get().cloned().unwrap_or_default())
    };
    let bytes = asked.app.scans.run(count).await??;
    Ok(asked.tagged(reply::text(bytes, "application/json")))
}

/// The counts of one signature.
pub(super) async fn one(asked: Asked) -> Result<Reply, ApiError> {
    asked.params().finish()?;
    let (tables, signature) = (asked.tables(), asked.signature().to_owned());
    let stats = asked.app.probes.run(move || tables.stats(&signature)).await??;
    Ok(asked.lasting(&Stats { game: asked.game.info.game, stats: stats.into() }))
}

/// How many positions of a signature have each value.
pub(super) async fn histogram(asked: Asked) -> Result<Reply, ApiError> {
    asked.params().finish()?;
    let (game, signature) = (Arc::clone(&asked.game), asked.signature().to_owned());
    let most = asked.app.limits.histogram;
    let count = move || {
        let stats = game.tables.stats(&signature)?;
        let signature = stats[0].signature.clone();
        let known = || game.histograms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known().get(&signature) {
            return Ok(bytes.clone());
        }
        let histograms = match game.tables.stored_histogram(&signature)? {
            Some(histograms) => histograms,
            None if stats.iter().map(|side| side.positions).sum::<u64>() > most => {
                let message = format!("{signature} has too many positions to be counted here");
                return Err(ApiError::too_large(message));
            }
            None => game.tables.histogram(&signature, &mut |_, _| Continue(()))?,
        };
        let histograms = histograms.into();
        let object = Histograms { game: game.info.game, signature: signature.clone(), histograms };
        let bytes = reply::json(&Object::new(object)).bytes;
        known().insert(signature, bytes.clone());
        Ok(bytes)
    };
    let bytes: Result<Vec<u8>, ApiError> = asked.app.scans.run(count).await?;
    Ok(asked.tagged(reply::text(bytes?, "application/json")))
}
