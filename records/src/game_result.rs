use damka_games::Position;
use std::fmt;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`, or `2-0`.
    WhiteWins,
    /// `0-1`, or `0-2`.
    BlackWins,
    /// `1/2-1/2`, or `1-1`.
    Draw,
    /// `0-0`: the game was declared lost for both players.
    BothLose,
    /// `*`: the game was not finished, or its result is unknown.
    Unknown,
}

impl GameResult {
    /// Parses a result in any common style.
    pub(crate) fn parse(text: &str) -> Option<GameResult> {
        Some(match hyphens(text).as_str() {
            "1-0" | "2-0" => GameResult::WhiteWins,
            "0-1" | "0-2" => GameResult::BlackWins,
            "1/2-1/2" | "1-1" | "½-½" | "1/2" | "½" => GameResult::Draw,
            "0-0" => GameResult::BothLose,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// The legal move that is written like this result, if there is one: `0-0` may be castling in
    /// chess.
    pub(crate) fn as_move<P: Position>(self, position: &P) -> Option<P::Move> {
        match self {
            GameResult::BothLose => position.parse_move(&self.to_string()).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    /// `1-0`, `0-1`, `1/2-1/2`, `0-0` or `*`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::Unknown => "*",
        })
    }
}

/// The text with all typographical dashes replaced by hyphens.
fn hyphens(text: &str) -> String {
    text.replace(['‐', '‑', '‒', '–', '—', '−'], "-")
}
