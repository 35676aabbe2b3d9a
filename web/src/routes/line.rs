//! Best play to the end.

use super::fen;
use crate::errors::ApiError;
use crate::game_request::{GameRequest, explained};
use crate::reply::Reply;
use damka::Metric;

pub(super) async fn line(request: GameRequest) -> Result<Reply, ApiError> {
    let mut params = request.params();
    let fen = fen(&mut params)?;
    params.finish()?;
    let tables = request.tables();
    let read = move || match tables.line(&fen) {
        Ok(answer) => Ok(answer),
        // The known part of the answer is sent with the error.
        Err(error) if error.is_missing() => Err(match tables.answer(&fen, Metric::Dtw) {
            Ok(answer) => ApiError::from(error).with_answer(answer),
            Err(_) => explained(&*tables, &fen, error),
        }),
        Err(error) => Err(error.into()),
    };
    let answer = request.app.probes.run(read).await??;
    Ok(request.cached(&answer, answer.missing.is_empty()))
}
