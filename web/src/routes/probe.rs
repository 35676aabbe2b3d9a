//! The value of a position, and its ranked moves.

use super::{fen, metric};
use crate::engines::Engines;
use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::reply::Reply;
use damka::{Answer, SearchReport};
use serde::Serialize;

/// The object of a position that is in no table, with an engine's result.
#[derive(Serialize)]
struct Estimated {
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<SearchReport>,
}

pub(super) async fn probe(request: GameRequest) -> Result<Reply, ApiError> {
    let mut params = request.params();
    let (fen, metric) = (fen(&mut params)?, metric(&mut params)?);
    let wants_engine = params.flag("engine")?;
    params.finish()?;
    let answered = request.answer(fen, metric).await;
    let engines = request.app.engines.as_ref().filter(|_| wants_engine != Some(false));
    let is_required = wants_engine == Some(true);
    match (answered, engines) {
        (Ok(answer), Some(engines)) if answer.value.is_none() => {
            let engine = opinion(&request, engines, &answer, is_required).await?;
            Ok(request.passing(&Estimated { answer, engine }))
        }
        (Err(mut error), Some(engines)) => {
            if let Some(answer) = &error.answer {
                error.engine = opinion(&request, engines, answer, is_required).await?.map(Box::new);
            }
            Err(error)
        }
        (answered, _) => {
            let answer = answered?;
            Ok(request.cached(&answer, answer.missing.is_empty()))
        }
    }
}

/// An engine's result for a position that is in no table. If no engine is free, there is no result;
/// this is an error if one `is_required`.
async fn opinion(
    request: &GameRequest,
    engines: &Engines,
    answer: &Answer,
    is_required: bool,
) -> Result<Option<SearchReport>, ApiError> {
    match engines.search(&request.game, answer.fen.clone()).await {
        Ok(report) => Ok(Some(report)),
        Err(_) if !is_required => Ok(None),
        Err(error) => Err(error),
    }
}
