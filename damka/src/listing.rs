use crate::answer::{DtwStatus, distance};
use crate::{AskError, Color, Metric, Position, Side, Signature, Wdl};
use damka_probe::{Cursor, Filter, Listed, Query, Storage, Tables};
use damka_tables::Indexable;
use std::ops::ControlFlow::{Break, Continue};
use std::time::Instant;

/// Which positions of a signature to list, and how many at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRequest {
    /// The signature, such as `KKMvKM`.
    pub signature: String,
    /// The metric of the values.
    pub metric: Metric,
    /// The conditions on a position.
    pub filter: Filter,
    /// The side to move; `None` for both.
    pub turn: Option<Color>,
    /// Whether [symmetric copies](Query::copies) are listed one by one.
    pub copies: bool,
    /// Where to begin: [`ListPage::next`] of the page before, or `None` for the first page.
    pub from: Option<Cursor>,
    /// The most positions of a page.
    pub limit: usize,
    /// When to return what has been found; checked every few milliseconds.
    pub deadline: Option<Instant>,
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage {
    /// The positions, in the order of the table.
    pub positions: Vec<ListedPosition>,
    /// Where the list goes on; `None` at its end.
    pub next: Option<Cursor>,
}

/// A position of a list, in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ListedPosition {
    /// The game's name.
    pub game: &'static str,
    /// The position.
    pub fen: String,
    /// Its value for the side to move.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Why there is a distance or none.
    pub dtw_status: DtwStatus,
    /// The only move that keeps the result, if it was asked for, as the game writes it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub only_move: Option<String>,
    /// The only move by its squares.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub only_move_coordinates: Option<String>,
    /// The same placement with the other side to move, if zugzwangs were asked for.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub passed: Option<PassedPosition>,
    /// Its place in the list, a [`Cursor`] as text.
    pub cursor: String,
}

/// A listed placement with the other side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PassedPosition {
    /// The value for the other side.
    pub value: Wdl,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Why there is a distance or none.
    pub dtw_status: DtwStatus,
}

impl ListedPosition {
    /// A position that tables have listed under `metric`. Under [`Metric::Wdl`] distances count
    /// as unknown.
    pub fn of<G: Indexable>(listed: &Listed<G>, metric: Metric) -> ListedPosition {
        let Listed { cursor, position, value, only_move, passed } = listed;
        let distance = |value| match distance(value, metric) {
            (None, DtwStatus::NotAsked) => (None, DtwStatus::Unknown),
            distance => distance,
        };
        let (dtw, dtw_status) = distance(*value);
        ListedPosition {
            game: position.game().name(),
            fen: position.fen(),
            value: value.wdl(),
            dtw,
            dtw_status,
            only_move: only_move.map(|mv| position.format_move(mv)),
            only_move_coordinates: only_move.map(|mv| position.coordinates(mv)),
            passed: passed.map(|value| {
                let (dtw, dtw_status) = distance(value);
                PassedPosition { value: value.wdl(), dtw, dtw_status }
            }),
            cursor: cursor.to_string(),
        }
    }
}

/// A page of what `tables` list.
pub(crate) fn page<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    request: &ListRequest,
) -> Result<ListPage, AskError> {
    let signature = Signature::parse(Tables::game(tables), &request.signature)?;
    let &ListRequest { metric, filter, copies, .. } = request;
    let side = request.turn.map(Side::of_color);
    let mut listing = tables.list(Query { signature, metric, filter, side, copies })?;
    if let Some(cursor) = request.from {
        listing.resume(cursor);
    }
    let mut positions = Vec::new();
    let is_late = || request.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    while positions.len() < request.limit {
        let goes_on = listing.advance(|listed| {
            positions.push(ListedPosition::of(&listed, metric));
            if positions.len() == request.limit { Break(()) } else { Continue(()) }
        })?;
        if !goes_on || is_late() {
            break;
        }
    }
    Ok(ListPage { positions, next: listing.cursor() })
}
