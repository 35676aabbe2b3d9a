use crate::{Bitboards, Color, Kind, Pieces, Square, SquareSet, grid};
use std::hint::select_unpredictable;

/// The number of kinds of piece in chess and Alapo.
const KINDS: usize = 6;

/// The pieces on a board of `SIZE` by `SIZE` squares: by kind for both sides, and by side for all
/// kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board<const SIZE: usize> {
    by_kind: [SquareSet; KINDS],
    sides: [SquareSet; 2],
}

impl<const SIZE: usize> Board<SIZE> {
    #[inline]
    pub(crate) fn new(pieces: &Pieces) -> Board<SIZE> {
        let of_kind = |kind| Color::BOTH.map(|color| pieces[(color, kind)]).into_iter().collect();
        Board {
            by_kind: std::array::from_fn(|kind| of_kind(Kind::new(kind))),
            sides: Color::BOTH.map(|color| pieces.side(color)),
        }
    }

    #[inline(always)]
    pub(crate) fn from_bitboards(bitboards: &Bitboards) -> Board<SIZE> {
        Board { by_kind: bitboards.kinds, sides: bitboards.sides }
    }

    /// The squares on which `color` has pieces.
    #[inline]
    pub(crate) fn side(&self, color: Color) -> SquareSet {
        self.sides[color as usize]
    }

    /// The squares on which either side has pieces of `kind`.
    #[inline]
    pub(crate) fn kind(&self, kind: Kind) -> SquareSet {
        self.by_kind[kind.index()]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// The owner and kind of the piece on a square. The owner is found first, because the search
    /// often asks for empty squares. Only one kind has the square, so a sum over the kinds gives
    /// its index, which is faster than a search.
    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        let color = match self.side(Color::White).contains(square) {
            true => Color::White,
            false if self.side(Color::Black).contains(square) => Color::Black,
            false => return None,
        };
        let kinds = self.by_kind.iter().enumerate();
        let kind = kinds.map(|(kind, squares)| kind * usize::from(squares.contains(square))).sum();
        Some((color, Kind::new(kind)))
    }

    /// Moves a piece of `mover` and removes an enemy piece from its target square.
    #[inline]
    pub(crate) fn play(&mut self, mover: Color, from: Square, to: Square) {
        let [leaves, arrives] = [from, to].map(SquareSet::from);
        // Treats all kinds alike: a branch on the kind of the moved piece would be unpredictable.
        for squares in &mut self.by_kind {
            let moved = u64::from(squares.contains(from)) << to.index();
            *squares = *squares & !(leaves | arrives) | SquareSet::new(moved);
        }
        self.sides[mover as usize] ^= leaves | arrives;
        self.sides[!mover as usize] &= !arrives;
    }

    /// Takes back a quiet move of `mover` by a piece that was of `kind` before it.
    #[inline]
    pub(crate) fn unplay(&mut self, mover: Color, kind: Kind, from: Square, to: Square) {
        let [left, arrived] = [from, to].map(SquareSet::from);
        self.by_kind.iter_mut().for_each(|squares| *squares &= !arrived);
        self.by_kind[kind.index()] |= left;
        self.sides[mover as usize] ^= left | arrived;
    }

    /// Adds pieces of `kind` on the empty squares of a set, and removes those on the others.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, kind: Kind, squares: SquareSet) {
        self.by_kind[kind.index()] ^= squares;
        self.sides[color as usize] ^= squares;
    }

    /// Changes the kind of the piece on a square.
    #[inline]
    pub(crate) fn change(&mut self, square: Square, from: Kind, to: Kind) {
        self.by_kind[from.index()] ^= square.into();
        self.by_kind[to.index()] ^= square.into();
    }

    /// This board, [flipped](Board::flip) if Black is to move. Branchless: the side to move is
    /// unpredictable.
    #[inline(always)]
    pub(crate) fn with_white_to_move(&self, turn: Color) -> Board<SIZE> {
        let choose = |own: SquareSet, other: SquareSet| {
            let flipped = grid::flip::<SIZE>(other.bits());
            SquareSet::new(select_unpredictable(turn == Color::Black, flipped, own.bits()))
        };
        let same = |squares| choose(squares, squares);
        // Written without a loop: the compiler would make two of it, one for each side to move.
        let [a, b, c, d, e, f] = self.by_kind;
        let [white, black] = self.sides;
        Board {
            by_kind: [same(a), same(b), same(c), same(d), same(e), same(f)],
            sides: [choose(white, black), choose(black, white)],
        }
    }

    /// Exchanges top and bottom, and the colours.
    #[inline]
    pub(crate) fn flip(&self) -> Board<SIZE> {
        let flip = |set: SquareSet| SquareSet::new(grid::flip::<SIZE>(set.bits()));
        let [white, black] = self.sides.map(flip);
        Board { by_kind: self.by_kind.map(flip), sides: [black, white] }
    }
}
