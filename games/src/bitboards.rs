use crate::{Color, Kind, MAX_KINDS, Pieces, Setup, SquareSet};

/// The pieces of a position, and the side to move, as most programs keep them: a set for each side and one
/// for each kind, where [`Pieces`](crate::Pieces) has one for each kind of each side.
/// [`Game::position_of`](crate::Game::position_of) converts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboards {
    /// White's and Black's pieces.
    pub sides: [SquareSet; 2],
    /// The pieces of each kind, of both sides; empty for kinds that the game does not have.
    pub kinds: [SquareSet; MAX_KINDS],
    /// The side to move.
    pub turn: Color,
}

impl Bitboards {
    /// The squares of `color`'s pieces of a kind.
    #[inline(always)]
    pub(crate) fn pieces(&self, color: Color, kind: Kind) -> SquareSet {
        self.sides[color as usize] & self.kinds[kind.index()]
    }

    /// The setup of the same pieces.
    pub(crate) fn setup(&self) -> Setup {
        let mut pieces = Pieces::default();
        for color in Color::BOTH {
            for kind in (0..MAX_KINDS).map(Kind::new) {
                pieces[(color, kind)] = self.pieces(color, kind);
            }
        }
        Setup::new(pieces, self.turn)
    }
}
