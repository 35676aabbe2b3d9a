//! The positions of a signature, by value, distance and what is special about them.

use super::metric;
use crate::asked::Asked;
use crate::errors::ApiError;
use crate::params::Params;
use crate::reply::Reply;
use damka::{
    AskError, Color, Cursor, Filter, ListPage, ListQuery, ListRequest, ListedPosition, Wdl,
};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How many positions a page has if the request does not say it.
const PAGE: usize = 20;

/// A page that has a position is not waited for longer than this.
const SOON: Duration = Duration::from_secs(1);

/// The object of a page of a list.
#[derive(Serialize)]
struct Page {
    game: &'static str,
    signature: String,
    positions: Vec<ListedPosition>,
    /// Where the list goes on; null at its end.
    next: Option<String>,
}

/// Which positions are listed.
pub(super) fn query(asked: &Asked, params: &mut Params<'_>) -> Result<ListQuery, ApiError> {
    let values = [("win", Wdl::Win), ("draw", Wdl::Draw), ("loss", Wdl::Loss)];
    Ok(ListQuery {
        signature: asked.signature().to_owned(),
        metric: metric(params)?,
        filter: Filter {
            wdl: params.word("value", &values)?,
            plies: params.parsed("distance", "a number of plies")?,
            only_move: params.flag("unique")?.unwrap_or(false),
            zugzwang: params.flag("zugzwang")?.unwrap_or(false),
        },
        turn: params.word("turn", &[("white", Color::White), ("black", Color::Black)])?,
        copies: false,
    })
}

pub(super) async fn list(asked: Asked) -> Result<Reply, ApiError> {
    let mut params = asked.params();
    let query = query(&asked, &mut params)?;
    let from: Option<Cursor> = params.parsed("cursor", "the `next` of a page, such as w12345")?;
    let limit: usize = params.parsed("limit", "a number of positions")?.unwrap_or(PAGE);
    params.finish()?;
    if !(1..=asked.app.limits.page).contains(&limit) {
        let message = format!("limit: 1 to {} positions expected", asked.app.limits.page);
        return Err(ApiError::bad("bad_parameter", message));
    }
    let (tables, work_time) = (asked.tables(), asked.app.limits.work_time);
    let signature = query.signature.clone();
    let read = move || {
        let end = Instant::now() + work_time;
        let mut request = ListRequest { query, from, limit, deadline: None };
        loop {
            let soon = Instant::now() + SOON;
            request.deadline = Some(soon.min(end));
            let page = tables.list(&request)?;
            if !page.positions.is_empty() || page.next.is_none() || soon >= end {
                return Ok::<_, AskError>(page);
            }
            request.from = page.next;
        }
    };
    let ListPage { positions, next } = asked.app.scans.run(read).await??;
    let is_whole = positions.len() == limit || next.is_none();
    let next = next.map(|cursor| cursor.to_string());
    let page = Page { game: asked.game.info.game, signature, positions, next };
    // A page that ends because its time is over is another one next time.
    Ok(if is_whole { asked.lasting(&page) } else { asked.passing(&page) })
}
