use std::fmt;

/// A dark square of the 8x8 board. Index 0 is square 1 (b8), index 3 is square
/// 4 (h8), index 31 is square 32 (g1): rows from the top, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square of this index.
    ///
    /// # Panics
    /// If `index` is not below 32.
    #[inline]
    pub fn new(index: u8) -> Square {
        assert!(index < 32, "a draughts square has an index below 32");
        Square(index)
    }

    /// The index, 0 to 31.
    #[inline]
    pub fn index(self) -> u8 {
        self.0
    }

    /// The number in numeric notation, 1 to 32.
    pub fn number(self) -> u8 {
        self.0 + 1
    }

    /// The square of this number, if it is between 1 and 32.
    pub fn from_number(number: u32) -> Option<Square> {
        (1..=32).contains(&number).then(|| Square(number as u8 - 1))
    }

    /// The dark square of this file (0 = a) and rank (0 = rank 1), if it is one.
    pub fn from_file_rank(file: u8, rank: u8) -> Option<Square> {
        let dark = file < 8 && rank < 8 && (file + rank).is_multiple_of(2);
        dark.then(|| Square((7 - rank) * 4 + file / 2))
    }

    /// The rank, 0 to 7 (0 = rank 1).
    pub fn rank(self) -> u8 {
        7 - self.0 / 4
    }

    /// The file, 0 to 7 (0 = a).
    pub fn file(self) -> u8 {
        self.0 % 4 * 2 + self.rank() % 2
    }
}

impl fmt::Display for Square {
    /// Writes the algebraic name: `a1` to `h8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(f, "{file}{}", self.rank() + 1)
    }
}
