use damka_games::{Color, Game, Pieces, Position};
use damka_tables::Indexable;

/// The men of a position, without its crews.
pub(super) fn men_of<G: Indexable>(position: &G::Position) -> Pieces {
    Color::BOTH.map(|color| {
        std::array::from_fn(|kind| match G::MEN.contains(&kind) {
            true => position.pieces(color, kind),
            false => 0,
        })
    })
}

/// The squares of some pieces.
pub(super) fn squares_of(pieces: &Pieces) -> u64 {
    pieces.as_flattened().iter().fold(0, |all, set| all | set)
}

/// The squares of a set after flipping the board.
pub(super) fn flip_set<G: Game>(game: G, set: u64) -> u64 {
    let kind = (0..G::KINDS.len()).find(|kind| !G::MEN.contains(kind)).unwrap_or(0);
    damka_games::bits(set).fold(0, |flipped, square| {
        let mut pieces = Pieces::default();
        pieces[Color::White as usize][kind] = 1 << square;
        let position = game.assemble(&pieces, Color::White).flip();
        flipped | position.pieces(Color::Black, kind)
    })
}
