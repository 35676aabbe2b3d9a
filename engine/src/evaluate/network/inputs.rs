use damka_games::{Color, Game, MAX_KINDS, Position as _, Square, SquareSet};

/// The greatest number of sets of squares in a [`View`].
pub(crate) const INPUT_SETS: usize = 2 * MAX_KINDS;

/// The position from the perspective of a side: the squares of its pieces by kind, strongest first,
/// then those of the other side's pieces.
pub(crate) type View = [SquareSet; INPUT_SETS];

/// The position as `color` sees it: Black turns the board. In chess it is mirrored if that brings
/// the king of that side to the files a to d, so that what is learned about one wing also applies
/// to the other.
#[inline(always)]
pub(crate) fn view<G: Game>(position: &G::Position, color: Color) -> View {
    let position = match color {
        Color::White => *position,
        Color::Black => position.flip(),
    };
    let mut view = [SquareSet::EMPTY; INPUT_SETS];
    for kind in G::kinds() {
        view[kind.index()] = position.pieces(Color::White, kind);
        view[G::KINDS.len() + kind.index()] = position.pieces(Color::Black, kind);
    }
    if let Some(king) = G::ROYAL {
        let king = view[king.index()];
        if G::mirrored(king).bits() < king.bits() {
            view = view.map(G::mirrored);
        }
    }
    view
}

/// The input for a piece of a set of a [`View`] on a square: its row of the feature transformer.
#[inline(always)]
pub(crate) fn input<G: Game>(set: usize, square: Square) -> usize {
    set * usize::from(G::SQUARES) + usize::from(square)
}

/// Calls `found` with each input of these sets of squares.
#[inline(always)]
pub(crate) fn inputs<G: Game>(view: &View, mut found: impl FnMut(usize)) {
    for (set, &squares) in view.iter().enumerate().take(2 * G::KINDS.len()) {
        for square in squares {
            found(input::<G>(set, square));
        }
    }
}
