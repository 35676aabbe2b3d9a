//! The value of a position for each square of one piece.

use crate::answer::DtwStatus;
use crate::ask::position_of;
use crate::{Answer, AskError, Color, Metric, Position, Square, SquareSet, Wdl};
use damka_games::{Counted, Setup};
use damka_probe::{Pending, Storage, Tables};
use damka_tables::Indexable;

/// A square, and the value of the position with the piece there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SquareValue {
    /// The square's name.
    pub square: String,
    /// The position.
    pub fen: String,
    /// Its value for the side to move; `None` if it is unknown.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::answer::value_word"))]
    pub value: Option<Wdl>,
    /// The distance to the win or loss in plies.
    pub dtw: Option<u16>,
    /// Whether the distance is known, and if not, why.
    pub dtw_status: DtwStatus,
}

/// Looks up the position with the piece on the square named `square` where it is, and on every free
/// square where the rules allow it. In order of the squares.
///
/// # Errors
/// There is no piece on the square, or a table is damaged or cannot be read. Without tables the values are
/// unknown.
pub(crate) fn square_map<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    fen: &str,
    square: &str,
    turn: Option<Color>,
    metric: Metric,
) -> Result<Vec<SquareValue>, AskError> {
    let game = Tables::game(tables);
    let position = position_of(tables, fen)?.position;
    let named = |&place: &Square| game.square_name(place).eq_ignore_ascii_case(square);
    let from = (0..G::SQUARES).map(Square::new).find(named);
    let piece = from.and_then(|from| Some((from, position.piece_at(from)?)));
    let Some((from, (color, kind))) = piece else {
        return Err(AskError::NoPiece { square: square.to_owned(), fen: position.fen() });
    };
    let mut pieces = position.all_pieces();
    pieces[(color, kind)] &= !SquareSet::from(from);
    let turn = turn.unwrap_or(position.turn());
    let (mut map, mut pending) = (Vec::new(), Pending::new());
    let is_free = |&to: &Square| to == from || position.piece_at(to).is_none();
    for to in (0..G::SQUARES).map(Square::new).filter(is_free) {
        let mut pieces = pieces;
        pieces[(color, kind)] |= to.into();
        // Only the position itself keeps its castling rights and en passant square.
        let is_asked = to == from && turn == position.turn();
        let setup = if is_asked { position.setup() } else { Setup::new(pieces, turn) };
        let Ok(moved) = game.position(&setup) else { continue };
        let answer = pending.or_later(Answer::value(tables, &moved, metric))?;
        let Some((value, dtw, dtw_status)) = answer else { continue };
        let (square, fen) = (game.square_name(to), Counted::from(moved).fen());
        map.push(SquareValue { square, fen, value, dtw, dtw_status });
    }
    pending.finish()?;
    Ok(map)
}
