//! The value of a position, and its ranked moves.

use super::{fen, metric};
use crate::asked::Asked;
use crate::engines::Engines;
use crate::errors::ApiError;
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

pub(super) async fn probe(asked: Asked) -> Result<Reply, ApiError> {
    let mut params = asked.params();
    let (fen, metric) = (fen(&mut params)?, metric(&mut params)?);
    let wants_engine = params.flag("engine")?;
    params.finish()?;
    let answered = asked.answer(fen, metric).await;
    let engines = asked.app.engines.as_ref().filter(|_| wants_engine != Some(false));
    let must = wants_engine == Some(true);
    match (answered, engines) {
        (Ok(answer), Some(engines)) if answer.value.is_none() => {
            let engine = opinion(&asked, engines, &answer, must).await?;
            Ok(asked.passing(&Estimated { answer, engine }))
        }
        (Err(mut error), Some(engines)) => {
            if let Some(answer) = &error.answer {
                error.engine = opinion(&asked, engines, answer, must).await?.map(Box::new);
            }
            Err(error)
        }
        (answered, _) => {
            let answer = answered?;
            Ok(asked.cached(&answer, answer.missing.is_empty()))
        }
    }
}

/// An engine's result for a position that is in no table. If no engine is free, there is no result,
/// or an error if there `must` be one.
async fn opinion(
    asked: &Asked,
    engines: &Engines,
    answer: &Answer,
    must: bool,
) -> Result<Option<SearchReport>, ApiError> {
    match engines.search(&asked.game, answer.fen.clone()).await {
        Ok(report) => Ok(Some(report)),
        Err(_) if !must => Ok(None),
        Err(error) => Err(error),
    }
}
