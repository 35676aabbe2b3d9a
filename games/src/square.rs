use std::fmt;

/// A square of a board, as an index. The game defines its meaning and
/// [name](crate::Game::square_name).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// If `index` is not below 64.
    #[inline]
    pub const fn new(index: u8) -> Square {
        assert!(index < 64, "a square has an index below 64");
        Square(index)
    }

    /// The squares of a board of `count` squares, in ascending order.
    #[inline]
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..count).map(Square::new)
    }

    /// The lowest square of a non-empty set, given as bits.
    #[inline]
    pub(crate) const fn lowest(bits: u64) -> Square {
        debug_assert!(bits != 0, "a set of squares is empty");
        Square(bits.trailing_zeros() as u8)
    }

    /// The index, 0 to 63.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl From<Square> for usize {
    #[inline]
    fn from(square: Square) -> usize {
        usize::from(square.0)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.0)
    }
}
