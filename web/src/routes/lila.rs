//! The protocol of lila-tablebase, for clients of chess servers. Values of moves are for the opponent,
//! and distances to a zeroing move are unknown.

use super::fen;
use crate::errors::ApiError;
use crate::game_request::GameRequest;
use crate::reply::{self, Reply};
use axum::http::StatusCode;
use damka::games::Counted;
use damka::games::chess::{self, BISHOP, KNIGHT, PAWN, QUEEN, ROOK};
use damka::{
    Answer, AnswerMove, AskError, Chess, Color, Game, Kind, Metric, Position, SquareSet, Wdl,
    read_position,
};
use serde::Serialize;

/// The plies without a capture or a pawn move after which the 50-move rule draws the game, unless it is mate.
const FIFTY_MOVES: u16 = 100;

/// The answer about a position.
#[derive(Serialize)]
struct PositionAnswer {
    #[serde(flatten)]
    position: Known,
    moves: Vec<Move>,
}

/// A legal move.
#[derive(Serialize)]
struct Move {
    uci: String,
    san: String,
    /// Whether it is a capture or a pawn move.
    zeroing: bool,
    /// The position after the move, with the value for the opponent.
    #[serde(flatten)]
    after: Known,
}

/// The known values of a position.
#[derive(Serialize)]
struct Known {
    checkmate: bool,
    stalemate: bool,
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
    category: &'static str,
}

/// The best line.
#[derive(Serialize)]
struct Mainline {
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
    winner: Option<&'static str>,
    mainline: Vec<LineMove>,
}

#[derive(Serialize)]
struct LineMove {
    uci: String,
    san: String,
    dtz: Option<i32>,
    precise_dtz: Option<i32>,
    dtm: Option<i32>,
}

/// `/standard`.
pub(super) async fn position(request: GameRequest) -> Result<Reply, ApiError> {
    let answer = answer(&request).await?;
    let is_complete = answer.missing.is_empty();
    let position = known(&answer.fen, answer.value, answer.dtw)?;
    let moves = answer.moves.into_iter().map(|mv| {
        let AnswerMove { name, coordinates, fen, value, dtw, .. } = mv;
        // The opponent loses what the mover wins, one ply later.
        let after = known(&fen, value.map(Wdl::before_move), dtw.map(|dtw| dtw.saturating_sub(1)))?;
        Ok(Move { zeroing: is_zeroing(&name), uci: coordinates, san: name, after })
    });
    let moves = moves.collect::<Result<_, ApiError>>()?;
    Ok(request.tagged(reply::json(&PositionAnswer { position, moves }), is_complete))
}

/// `/standard/mainline`.
pub(super) async fn mainline(request: GameRequest) -> Result<Reply, ApiError> {
    let fen = position_text(&request)?;
    let tables = request.tables();
    let answer = request.app.probes.run(move || tables.line(&fen)).await?.map_err(not_there)?;
    let turn = parse(&answer.fen)?.position.turn();
    let winner = match answer.value {
        Some(Wdl::Win) => Some(turn),
        Some(Wdl::Loss) => Some(!turn),
        _ => None,
    };
    let mut left = signed(answer.value, answer.dtw);
    let moves = answer.line.unwrap_or_default().into_iter().map(|ply| {
        // The other side is to move, and the end is one ply nearer.
        left = left.map(|plies| plies.signum() - plies);
        LineMove { uci: ply.coordinates, san: ply.name, dtz: None, precise_dtz: None, dtm: left }
    });
    let is_complete = answer.missing.is_empty();
    let mainline = Mainline {
        mainline: moves.collect(),
        dtz: None,
        precise_dtz: None,
        dtm: signed(answer.value, answer.dtw),
        winner: winner.map(|color| if color == Color::White { "w" } else { "b" }),
    };
    Ok(request.tagged(reply::json(&mainline), is_complete))
}

/// The requested position. Parameters of other servers are ignored.
fn position_text(request: &GameRequest) -> Result<String, ApiError> {
    fen(&mut request.params())
}

async fn answer(request: &GameRequest) -> Result<Answer, ApiError> {
    let answer = request.answer(position_text(request)?, Metric::Dtw).await;
    answer.map_err(|error| match error.status {
        StatusCode::UNPROCESSABLE_ENTITY => ApiError { status: StatusCode::NOT_FOUND, ..error },
        _ => error,
    })
}

/// The error for a position that no table can have: 404, as clients expect.
fn not_there(error: AskError) -> ApiError {
    let status = if error.is_missing() { Some(StatusCode::NOT_FOUND) } else { None };
    let error = ApiError::from(error);
    ApiError { status: status.unwrap_or(error.status), ..error }
}

fn parse(fen: &str) -> Result<Counted<chess::Position>, ApiError> {
    Ok(read_position(Chess, fen)?)
}

/// The known values of a position with this value for the side to move.
fn known(fen: &str, value: Option<Wdl>, plies: Option<u16>) -> Result<Known, ApiError> {
    let counted = parse(fen)?;
    let position = &counted.position;
    let is_over = position.moves().is_empty();
    let loses = position.loses_when_stuck();
    // The end is certain only if it comes in time: mate with the last of the 50 moves counts.
    let rest = FIFTY_MOVES.saturating_sub(counted.halfmove_clock());
    let is_certain = plies.is_some_and(|plies| plies <= rest);
    let category = match (value, is_certain) {
        (None, _) => "unknown",
        (Some(Wdl::Draw), _) => "draw",
        (Some(Wdl::Win), true) => "win",
        (Some(Wdl::Win), false) => "maybe-win",
        (Some(Wdl::Loss), true) => "loss",
        (Some(Wdl::Loss), false) => "maybe-loss",
    };
    Ok(Known {
        checkmate: is_over && loses,
        stalemate: is_over && !loses,
        variant_win: false,
        variant_loss: false,
        insufficient_material: Color::BOTH.into_iter().all(|color| cannot_mate(position, color)),
        dtz: None,
        precise_dtz: None,
        dtm: signed(value, plies),
        category,
    })
}

/// A distance in the form of these clients: negative for the side that is mated.
fn signed(value: Option<Wdl>, plies: Option<u16>) -> Option<i32> {
    let plies = plies.map(i32::from)?;
    Some(if value == Some(Wdl::Loss) { -plies } else { plies })
}

/// Whether a move is a capture or a pawn move, by its notation.
fn is_zeroing(san: &str) -> bool {
    san.contains('x') || san.starts_with(|first: char| first.is_ascii_lowercase())
}

/// Whether a side cannot mate in any position that play can lead to.
fn cannot_mate(position: &chess::Position, color: Color) -> bool {
    let has = |color, kind: Kind| !position.pieces(color, kind).is_empty();
    if [PAWN, ROOK, QUEEN].into_iter().any(|kind| has(color, kind)) {
        return false;
    }
    if has(color, KNIGHT) {
        let blocks = [PAWN, KNIGHT, BISHOP, ROOK].into_iter().any(|kind| has(!color, kind));
        return position.side(color).len() <= 2 && !blocks;
    }
    if has(color, BISHOP) {
        let bishops = Color::BOTH.map(|color| position.pieces(color, BISHOP));
        let all = bishops[0] | bishops[1];
        let one_color = (all & dark_squares()).is_empty() || (all & !dark_squares()).is_empty();
        let others = Color::BOTH.into_iter().any(|color| has(color, PAWN) || has(color, KNIGHT));
        return one_color && !others;
    }
    true
}

/// The dark squares: a1 and those of its colour.
fn dark_squares() -> SquareSet {
    let board = Chess.board();
    let mut dark = SquareSet::EMPTY;
    for (row, squares) in board.iter().enumerate() {
        for (file, square) in squares.iter().enumerate() {
            if let (Some(square), 1) = (square, (row + file) % 2) {
                dark |= SquareSet::from(*square);
            }
        }
    }
    dark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_cannot_mate_are_known() {
        for (fen, white, black) in [
            ("4k3/8/8/8/8/8/8/4K3 w", true, true),
            ("4k3/8/8/8/8/8/8/4KB2 w", true, true),
            ("4k3/8/8/8/8/8/8/4KN2 w", true, true),
            ("4kn2/8/8/8/8/8/8/4KN2 w", false, false),
            ("4kq2/8/8/8/8/8/8/4KN2 w", true, false),
            ("4k3/8/8/8/8/8/8/4KNN1 w", false, true),
            // Bishops on squares of one colour, and of both.
            ("4k3/8/8/8/8/8/4b3/4KB2 w", true, true),
            ("4k3/8/8/8/8/8/3b4/4KB2 w", false, false),
            ("4k3/8/8/8/8/8/4P3/4K3 w", false, true),
        ] {
            let position = parse(fen).expect("a position").position;
            let found = [Color::White, Color::Black].map(|color| cannot_mate(&position, color));
            assert_eq!(found, [white, black], "{fen}");
        }
    }
}
