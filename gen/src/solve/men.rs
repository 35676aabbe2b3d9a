use damka_games::{Color, Game, Kind, Pieces, Position, Square, SquareSet};
use damka_tables::Indexable;

/// The men of a position, without its kings.
pub(super) fn men_of<G: Indexable>(position: &G::Position) -> Pieces {
    let mut men = Pieces::default();
    for color in Color::BOTH {
        for &kind in G::MEN {
            men[(color, kind)] = position.pieces(color, kind);
        }
    }
    men
}

/// The squares of a set on the flipped board.
pub(super) fn flip_set<G: Game>(game: G, set: u64) -> u64 {
    let kind = G::kinds().find(|kind| !G::MEN.contains(kind)).unwrap_or(Kind::new(0));
    let flip = |square: Square| {
        let mut pieces = Pieces::default();
        pieces[(Color::White, kind)] = square.into();
        game.assemble(&pieces, Color::White).flip().pieces(Color::Black, kind)
    };
    SquareSet::new(set).into_iter().map(flip).collect::<SquareSet>().bits()
}
