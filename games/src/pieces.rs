use crate::{Color, Kind, MAX_KINDS, SquareSet};
use std::ops::{Index, IndexMut};

/// The pieces on a board: a set of squares for each side and kind.
///
/// ```
/// use damka_games::draughts::{KING, MAN};
/// use damka_games::{Color, Game, Pieces, Position, Russian, SquareSet};
/// let mut pieces = Pieces::default();
/// pieces[(Color::White, KING)] = SquareSet::new(1 << 28);
/// pieces[(Color::Black, MAN)] = SquareSet::new(1);
/// assert_eq!(Russian.assemble(&pieces, Color::White).fen(), "W:WKa1:Bb8");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pieces([[SquareSet; MAX_KINDS]; 2]);

impl Pieces {
    /// The squares of each side and kind, White's first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, Kind, SquareSet)> {
        let kinds = |color| (0..MAX_KINDS).map(move |kind| (color, Kind::new(kind)));
        let all = Color::BOTH.into_iter().flat_map(kinds);
        all.map(|(color, kind)| (color, kind, self[(color, kind)]))
    }

    /// The squares of all pieces of a side.
    #[inline]
    pub fn side(&self, color: Color) -> SquareSet {
        self.0[color as usize].into_iter().collect()
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.0.as_flattened().iter().copied().collect()
    }
}

impl Index<(Color, Kind)> for Pieces {
    type Output = SquareSet;

    #[inline]
    fn index(&self, (color, kind): (Color, Kind)) -> &SquareSet {
        &self.0[color as usize][kind.index()]
    }
}

impl IndexMut<(Color, Kind)> for Pieces {
    #[inline]
    fn index_mut(&mut self, (color, kind): (Color, Kind)) -> &mut SquareSet {
        &mut self.0[color as usize][kind.index()]
    }
}
