//! The positions of a signature by value, distance and special properties.

use super::metric;
use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::objects::Page;
use crate::params::Params;
use crate::reply::Reply;
use damka::{Color, Cursor, Filter, ListQuery, ListRequest, Wdl};
use std::sync::Arc;
use std::time::Duration;

/// The default number of positions of a page.
const PAGE: usize = 20;

/// The time after which a page with at least one position is sent.
const SOON: Duration = Duration::from_secs(1);

/// The query of a request.
pub(super) fn query(request: &GameRequest, params: &mut Params<'_>) -> Result<ListQuery, ApiError> {
    let values = [("win", Wdl::Win), ("draw", Wdl::Draw), ("loss", Wdl::Loss)];
    Ok(ListQuery {
        signature: request.signature().to_owned(),
        metric: metric(params)?,
        filter: Filter {
            wdl: params.word("value", &values)?,
            plies: params.parsed("distance", "a number of plies")?,
            only_move: params.flag("unique")?.unwrap_or(false),
            zugzwang: params.flag("zugzwang")?.unwrap_or(false),
        },
        turn: params.word("turn", &[("white", Color::White), ("black", Color::Black)])?,
        copies: params.flag("all")?.unwrap_or(false),
    })
}

pub(super) async fn list(request: GameRequest) -> Result<Reply, ApiError> {
    let mut params = request.params();
    let query = query(&request, &mut params)?;
    let from: Option<Cursor> = params.parsed("cursor", "the `next` of a page, such as w12345")?;
    let limit: usize = params.parsed("limit", "a number of positions")?.unwrap_or(PAGE);
    params.finish()?;
    if !(1..=request.app.limits.page).contains(&limit) {
        let message = format!("limit: expected 1 to {} positions", request.app.limits.page);
        return Err(ApiError::bad("bad_parameter", message));
    }
    let (game, work_time) = (Arc::clone(&request.game), request.app.limits.work_time);
    let list_request = ListRequest { query, from, limit, deadline: None };
    let page =
        request.app.scans.run(move || Page::of(&game, list_request, SOON, work_time)).await??;
    let is_whole = page.positions.len() == limit || page.next.is_none();
    // A page that ended because of the time may be longer next time: it is not cached.
    Ok(if is_whole { request.cached(&page, false) } else { request.passing(&page) })
}
