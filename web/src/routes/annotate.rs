//! Judges recorded games move by move, with tables.

use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::reply::Reply;
use axum::extract::Request;
use damka::records::decode;
use damka::{AnnotatedGame, AnnotatedGames, Annotator, AnyTables, UnreadGame, read_records};
use std::ops::ControlFlow::{Break, Continue};
use std::time::{Duration, Instant};

pub(super) async fn annotate(request: GameRequest, body: Request) -> Result<Reply, ApiError> {
    request.params().finish()?;
    let (tables, limits) = (request.tables(), request.app.limits);
    let bytes = request.app.uploads.receive(body, limits.annotated_bytes, &limits).await?;
    let place = request.app.annotations.enter()?;
    let (game, most) = (request.game.game, limits.games);
    let work = move || {
        let until = Instant::now() + limits.work_time;
        let (mut games, mut failed) = (Vec::new(), Vec::new());
        let mut plies = 0;
        for (number, record) in (1..).zip(read_records(game, &decode(&bytes))) {
            if number > most {
                let message = format!("more than {most} games");
                return Err(ApiError::too_large(message));
            }
            plies += record.as_ref().map_or(0, |record| record.ply_count());
            if plies > limits.plies {
                let most = limits.plies;
                return Err(ApiError::too_large(format!("more than {most} moves")));
            }
            match record {
                Ok(record) => games.push(judge(&*tables, &*record, until, limits.work_time)?),
                Err(error) => failed.push(UnreadGame { game: number, error: error.to_string() }),
            }
        }
        match games.is_empty() && failed.is_empty() {
            true => Err(ApiError::bad("bad_body", "the body has no games")),
            false => Ok(AnnotatedGames { games, failed }),
        }
    };
    let annotated: Result<AnnotatedGames, ApiError> = place.run(work).await?;
    Ok(request.passing(&annotated?))
}

fn judge(
    tables: &dyn AnyTables,
    record: &dyn damka::AnyRecord,
    until: Instant,
    work_time: Duration,
) -> Result<AnnotatedGame, ApiError> {
    let progress = &mut || if Instant::now() < until { Continue(()) } else { Break(()) };
    let judged = Annotator::new(tables).annotate(record, progress)?;
    let seconds = work_time.as_secs();
    let too_long = || ApiError::too_large(format!("the games take more than {seconds} seconds"));
    judged.ok_or_else(too_long)
}
