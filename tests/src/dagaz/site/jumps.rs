//! Names of draughts moves: the visited squares without separators.

use super::board::Board;
use damka_games::draughts::{KING, Move, Position};
use damka_games::{Color, Draughts, Position as _, Russian, SquareSet};

/// The names of a legal move: one for each route that captures the same pieces, and each square on
/// the way where a king may land.
pub(super) fn names(position: &Position, mv: Move) -> Vec<String> {
    let board = Board::new(position.game());
    let from = board.place(mv.from());
    if mv.captured().is_empty() {
        return vec![board.name(mv.from()) + &board.name(mv.to())];
    }
    let is_king = position.pieces(position.turn(), KING).contains(mv.from());
    let mut found = Vec::new();
    let route = Route { position, mv, board: &board };
    route.walk(from, is_king, SquareSet::EMPTY, board.name(mv.from()), &mut found);
    found
}

struct Route<'a> {
    position: &'a Position,
    mv: Move,
    board: &'a Board<Draughts>,
}

impl Route<'_> {
    /// Continues a capture from a square, after some pieces are taken; `text` has the way so far.
    fn walk(
        &self,
        at: (i32, i32),
        is_king: bool,
        taken: SquareSet,
        text: String,
        found: &mut Vec<String>,
    ) {
        let game = self.position.game();
        let to = self.board.place(self.mv.to());
        if taken == self.mv.captured() {
            if at == to {
                found.push(text);
            }
            return;
        }
        let reach = if is_king && game == Russian { 8 } else { 1 };
        for (dx, dy) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let step = |n: i32| (at.0 + n * dx, at.1 + n * dy);
            let Some(near) = (1..=reach).find(|&n| !self.is_empty(step(n))) else { continue };
            let Some(victim) = self.board.square(step(near)) else { continue };
            // Captured pieces are removed after the move, and cannot be jumped twice.
            if !self.mv.captured().contains(victim) || taken.contains(victim) {
                continue;
            }
            for n in near + 1..=near + reach {
                if !self.is_empty(step(n)) {
                    break;
                }
                let landed = step(n);
                let last_rank = if self.position.turn() == Color::White { 7 } else { 0 };
                let is_king = is_king || game == Russian && landed.1 == last_rank;
                let name = self.board.square(landed).map(|square| self.board.name(square));
                let text = text.clone() + &name.unwrap_or_default();
                self.walk(landed, is_king, taken | victim.into(), text, found);
            }
        }
    }

    /// Whether a square is empty; the moving piece has left its square.
    fn is_empty(&self, place: (i32, i32)) -> bool {
        let Some(square) = self.board.square(place) else { return false };
        square == self.mv.from() || self.position.piece_at(square).is_none()
    }
}
