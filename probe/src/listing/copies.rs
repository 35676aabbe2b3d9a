use damka_games::{Color, Pieces, Position, SquareSet};
use damka_tables::{Index, Indexable, Side, Signature, Symmetry};
use smallvec::SmallVec;

/// The images of a signature's positions under the symmetries of the board.
pub(super) struct Copies<G> {
    game: G,
    symmetries: &'static [Symmetry],
}

impl<G: Indexable> Copies<G> {
    pub(super) fn new(signature: &Signature<G>, side: Side) -> Copies<G> {
        let [mover, opponent] = signature.to_move(side);
        Copies { game: signature.game(), symmetries: G::symmetries(&mover, &opponent) }
    }

    /// The number of symmetries, including the identity.
    pub(super) fn order(&self) -> u64 {
        1 + self.symmetries.len() as u64
    }

    /// Whether a position represents all its images: its number is the lowest.
    #[inline]
    pub(super) fn is_first(&self, index: &Index<G>, number: u64, position: &G::Position) -> bool {
        G::FOLDS_AFTER_SYMMETRIC_LEADS
            || self.symmetries.is_empty()
            || self.class(index, position) == number
    }

    /// The lowest number of the images of a position with White to move.
    pub(super) fn class(&self, index: &Index<G>, position: &G::Position) -> u64 {
        let own = index.number(position);
        match G::FOLDS_AFTER_SYMMETRIC_LEADS {
            // All images have the same number.
            true => own,
            false => self.images(position).map(|image| index.number(&image)).fold(own, u64::min),
        }
    }

    /// The position and its images, each once.
    pub(super) fn distinct(&self, position: &G::Position) -> SmallVec<[G::Position; 8]> {
        let mut distinct = SmallVec::from_iter([*position]);
        for image in self.images(position) {
            if !distinct.contains(&image) {
                distinct.push(image);
            }
        }
        distinct
    }

    fn images(&self, position: &G::Position) -> impl Iterator<Item = G::Position> {
        self.symmetries.iter().map(move |map| {
            let mut pieces = Pieces::default();
            for color in Color::BOTH {
                for kind in G::kinds() {
                    let squares = position.pieces(color, kind).bits();
                    pieces[(color, kind)] = SquareSet::new(map(squares));
                }
            }
            self.game.assemble(&pieces, position.turn())
        })
    }
}
