//! Perft of a game that is named at run time.

use crate::{AskError, read_position};
use damka_games::{AnyGame, Position, with_game};

/// The number of positions after `depth` plies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// The total.
    pub total: u64,
    /// The number for each legal move, in the notation of the game; empty at depth 0.
    pub moves: Vec<(String, u64)>,
}

/// Counts the positions after `depth` plies, each as often as moves lead to it.
///
/// # Errors
/// The text is not a position.
///
/// ```
/// use damka::{AnyGame, perft};
/// let game: AnyGame = "chess".parse()?;
/// assert_eq!(perft(game, "start", 3)?.total, 8_902);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft(game: AnyGame, fen: &str, depth: u32) -> Result<Perft, AskError> {
    with_game!(game, game => {
        let position = read_position(game, fen)?.position;
        let Some(rest) = depth.checked_sub(1) else {
            return Ok(Perft { total: 1, moves: Vec::new() });
        };
        let count = |&mv| (position.format_move(mv), position.play(mv).perft(rest));
        let moves: Vec<(String, u64)> = position.moves().iter().map(count).collect();
        Ok(Perft { total: moves.iter().map(|(_, count)| count).sum(), moves })
    })
}
