//! The value of a position for each square of one piece, both sides to move.

use super::{fen, metric};
use crate::errors::ApiError;
use crate::game_request::{GameRequest, explained};
use crate::reply::Reply;
use damka::{Color, DtwStatus, SquareValue};
use serde::Serialize;

/// The object of a map.
#[derive(Serialize)]
struct Map {
    game: &'static str,
    fen: String,
    square: String,
    /// The values with White to move, for each possible square of the piece.
    white: Vec<Entry>,
    /// The values with Black to move.
    black: Vec<Entry>,
}

/// The word for a value that no table has.
const UNKNOWN: &str = "unknown";

/// A square of a map.
#[derive(Serialize)]
struct Entry {
    square: String,
    fen: String,
    value: &'static str,
    dtw: Option<u16>,
    dtw_status: DtwStatus,
}

impl From<SquareValue> for Entry {
    fn from(of: SquareValue) -> Entry {
        let value = of.value.map_or(UNKNOWN, damka::Wdl::word);
        let SquareValue { square, fen, dtw, dtw_status, .. } = of;
        Entry { square, fen, value, dtw, dtw_status }
    }
}

pub(super) async fn map(request: GameRequest) -> Result<Reply, ApiError> {
    let mut params = request.params();
    let (fen, metric) = (fen(&mut params)?, metric(&mut params)?);
    let square = params.required("square")?.into_owned();
    params.finish()?;
    let tables = request.tables();
    let read = move || {
        let explained = |error| explained(&*tables, &fen, error);
        let of = |turn| tables.square_map(&fen, &square, Some(turn), metric).map_err(explained);
        let (white, black) = (of(Color::White)?, of(Color::Black)?);
        if white.iter().chain(&black).all(|place| place.value.is_none()) {
            // Probing the position itself gives the error, such as a missing table.
            tables.value(&fen, metric).map_err(explained)?;
        }
        let [white, black] =
            [white, black].map(|map| map.into_iter().map(Entry::from).collect::<Vec<_>>());
        let fen = tables.legal_moves(&fen)?.fen;
        Ok(Map { game: tables.game(), fen, square, white, black })
    };
    let map: Result<Map, ApiError> = request.app.scans.run(read).await?;
    let map = map?;
    let is_known = |entry: &Entry| entry.value != UNKNOWN && entry.dtw_status != DtwStatus::Unknown;
    let is_complete = map.white.iter().chain(&map.black).all(is_known);
    Ok(request.cached(&map, is_complete))
}
