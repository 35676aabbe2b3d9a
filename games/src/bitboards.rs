use crate::{Color, Game, Kind, MAX_KINDS, Pieces, Setup, SquareSet};

/// The pieces of a position by side and by kind, and the side to move, as programs keep them: half as
/// many sets as [`Pieces`](crate::Pieces). [`Game::position_of`] converts them.
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

    /// Whether what must hold in all games does: each piece has a square of the board, a side and a kind,
    /// and neither side has too many pieces or kings, or too few.
    #[inline(always)]
    pub(crate) fn are_plausible<G: Game>(&self) -> bool {
        let Bitboards { sides: [white, black], kinds, turn } = *self;
        let board = SquareSet::new(u64::MAX >> (64 - G::SQUARES));
        let occupied = white | black;
        let (mut of_kinds, mut wrong) = (SquareSet::EMPTY, white & black);
        for kind in &kinds[..G::KINDS.len()] {
            wrong |= of_kinds & *kind;
            of_kinds |= *kind;
        }
        let foreign = kinds[G::KINDS.len()..].iter().copied().collect::<SquareSet>();
        wrong |= of_kinds ^ occupied | occupied & !board | foreign;
        let has_kings = G::ROYAL.is_none_or(|king| {
            let kings = Color::BOTH.map(|color| self.pieces(color, king).bits());
            kings[0].is_power_of_two() & kings[1].is_power_of_two()
        });
        let max = G::MOST_PIECES;
        let are_few = occupied.len() <= max || (white.len() <= max && black.len() <= max);
        wrong.is_empty() & has_kings & !self.sides[!turn as usize].is_empty() & are_few
    }
}
