//! Alapo: `rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w`, `a2-a3`.

use super::{Notation, letter};
use damka_games::alapo::{Move, Position};
use damka_games::{Alapo, Color, Game, Position as _};

impl Notation for Alapo {
    fn read(self, text: &str, turn: Color) -> Result<Position, String> {
        let rows = text.split_whitespace().next().unwrap_or_default();
        let fen = format!("{rows} {}", letter(self, turn));
        self.parse_fen(&fen).map_err(|error| error.to_string())
    }

    fn write(position: &Position, _: Option<Move>) -> String {
        position.fen()
    }

    fn read_move(position: &Position, text: &str) -> Option<Move> {
        position.parse_move(text).ok()
    }

    fn write_move(position: &Position, mv: Move) -> String {
        position.format_move(mv)
    }
}
