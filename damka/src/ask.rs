//! Positions as people type them.

use crate::error::AskError;
use damka_games::{AnyGame, Counted, Game, Position, Setup, with_game};
use damka_probe::{Storage, Tables};
use damka_tables::Indexable;

/// Reads a position as people type or paste it: a FEN, a PDN or PGN tag `[FEN "..."]`, or `start`.
///
/// # Errors
/// The text is not a position of the game.
///
/// ```
/// use damka::{Game, Position, Russian, read_position};
/// assert_eq!(read_position(Russian, " START ")?.position, Russian.start());
/// assert_eq!(read_position(Russian, "[FEN \"W:WKa1:BKh8\"] *")?.fen(), "W:WKa1:BKh8");
/// # Ok::<(), damka::AskError>(())
/// ```
pub fn read_position<G: Game>(game: G, text: &str) -> Result<Counted<G::Position>, AskError> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("start") {
        return Ok(game.start().into());
    }
    let counted = Counted::parse(game, text);
    counted.map_err(|error| AskError::Fen { fen: text.to_owned(), error })
}

/// The FEN of a position that people type or paste, with its move counters.
///
/// # Errors
/// The text is not a position of the game.
pub fn read_fen(game: AnyGame, text: &str) -> Result<String, AskError> {
    with_game!(game, game => Ok(read_position(game, text)?.fen()))
}

/// The position that people type or paste, as a setup without move counters.
///
/// # Errors
/// The text is not a position of the game.
pub fn read_setup(game: AnyGame, text: &str) -> Result<Setup, AskError> {
    with_game!(game, game => {
        let position = read_position(game, text)?.position;
        Ok(position.setup())
    })
}

/// The FEN of a setup.
///
/// # Errors
/// The setup is impossible.
///
/// ```
/// use damka::{AnyGame, read_setup, setup_fen};
/// let chess: AnyGame = "chess".parse()?;
/// let fen = "8/8/8/8/4Pp2/8/8/k2K4 b - e3 0 1";
/// assert_eq!(setup_fen(chess, &read_setup(chess, fen)?)?, fen);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn setup_fen(game: AnyGame, setup: &Setup) -> Result<String, AskError> {
    with_game!(game, game => Ok(Counted::from(game.position(setup)?).fen()))
}

/// The position that `fen` describes, of the game of `tables`.
pub(crate) fn position_of<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    fen: &str,
) -> Result<Counted<G::Position>, AskError> {
    read_position(Tables::game(tables), fen)
}
