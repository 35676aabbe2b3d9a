//! Alapo: `rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w`, `a2-a3`.

use super::{Notation, letter};
use damka_games::alapo::{Move, Position};
use damka_games::{Alapo, Color, Counted, Game, Position as _, PositionError, SetupError};

/// The position, with this side to move.
fn parse(text: &str, turn: Color) -> Result<Position, PositionError> {
    let rows = text.split_whitespace().next().unwrap_or_default();
    Alapo.parse_fen(&format!("{rows} {}", letter(Alapo, turn)))
}

impl Notation for Alapo {
    fn read(self, text: &str, turn: Color) -> Option<Counted<Position>> {
        parse(text, turn).ok().map(Counted::from)
    }

    /// A piece has reached its goal and was not taken.
    fn has_won(self, text: &str, turn: Color) -> bool {
        matches!(parse(text, turn), Err(PositionError::Setup(SetupError::MoverOnGoal(..))))
    }

    fn write(position: &Counted<Position>, _: Option<Move>) -> String {
        position.position.fen()
    }

    fn read_move(position: &Position, text: &str) -> Option<Move> {
        position.parse_move(text).ok()
    }

    fn write_move(position: &Position, mv: Move) -> String {
        position.format_move(mv)
    }
}
