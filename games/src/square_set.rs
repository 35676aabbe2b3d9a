use crate::Square;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares: bit i of a word is the square with index i.
///
/// ```
/// use damka_games::{Square, SquareSet};
/// let set: SquareSet = [3, 5].into_iter().map(Square::new).collect();
/// assert!(set.contains(Square::new(5)) && set.len() == 2);
/// assert_eq!(set & SquareSet::new(0b1111), Square::new(3).into());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SquareSet(u64);

impl SquareSet {
    /// No squares.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// The set with these bits.
    #[inline]
    pub const fn new(bits: u64) -> SquareSet {
        SquareSet(bits)
    }

    /// The set as a word.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of squares.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are no squares.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains the square.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        match self.0 {
            0 => None,
            bits => Some(Square::lowest(bits)),
        }
    }
}

impl From<Square> for SquareSet {
    #[inline]
    fn from(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }
}

impl FromIterator<Square> for SquareSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | square.into())
    }
}

/// The union of several sets.
impl FromIterator<SquareSet> for SquareSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = SquareSet>>(sets: I) -> SquareSet {
        sets.into_iter().fold(SquareSet::EMPTY, |all, set| all | set)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    /// The squares in ascending order of their indices.
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a [`SquareSet`], in ascending order of their indices.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = SquareSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for SquareSet {
            type Output = SquareSet;

            #[inline]
            fn $method(self, other: SquareSet) -> SquareSet {
                SquareSet(self.0.$method(other.0))
            }
        }

        impl $assign for SquareSet {
            #[inline]
            fn $assign_method(&mut self, other: SquareSet) {
                self.0.$assign_method(other.0);
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for SquareSet {
    type Output = SquareSet;

    /// The complement in 64 squares, including those that the board does not have.
    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_in_order_and_collect_to_themselves() {
        let indices = [0, 7, 31, 32, 63];
        let set: SquareSet = indices.into_iter().map(Square::new).collect();
        assert_eq!(set.bits(), 1 | 1 << 7 | 1 << 31 | 1 << 32 | 1 << 63);
        assert!(set.into_iter().map(Square::index).eq(indices));
        assert_eq!(set.into_iter().len(), 5);
        assert_eq!(set.into_iter().collect::<SquareSet>(), set);
        assert_eq!((!set).len(), 59);
        assert!(
            (0..64).map(Square::new).all(|square| set.contains(square) != (!set).contains(square))
        );
        assert_eq!((set.first(), SquareSet::EMPTY.first()), (Some(Square::new(0)), None));
    }
}
