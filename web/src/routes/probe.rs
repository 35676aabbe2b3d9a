//! The value of a position, and its moves ranked.

use super::{fen, metric};
use crate::asked::Asked;
use crate::errors::ApiError;
use crate::reply::Reply;

pub(super) async fn probe(asked: Asked) -> Result<Reply, ApiError> {
    let mut params = asked.params();
    let (fen, metric) = (fen(&mut params)?, metric(&mut params)?);
    params.finish()?;
    let answer = asked.answer(fen, metric).await?;
    Ok(asked.lasting(&answer))
}
