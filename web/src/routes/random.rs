//! A random position of a signature.

use super::list::query;
use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::reply::Reply;
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

pub(super) async fn random(request: GameRequest) -> Result<Reply, ApiError> {
    let mut params = request.params();
    let query = query(&request, &mut params)?;
    let seed: Option<u64> = params.parsed("seed", "a number")?;
    params.finish()?;
    let (tables, work_time) = (request.tables(), request.app.limits.work_time);
    let chosen = seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    let read = move || tables.random(&query, chosen, Some(Instant::now() + work_time));
    let found = request.app.scans.run(read).await??;
    let none = || ApiError::not_found("no_such_position", "no such position was found");
    let position = found.ok_or_else(none)?;
    Ok(match seed {
        Some(_) => request.cached(&position, false),
        None => request.passing(&position),
    })
}
