use damka_games::Game;

/// How Polyglot books encode the positions and moves of a game.
#[derive(Debug)]
pub struct PolyglotCodes<G: Game> {
    /// The key of a position.
    pub(crate) key: fn(&G::Position) -> u64,
    /// The code of a move.
    pub(crate) code: fn(G::Move) -> u16,
}
