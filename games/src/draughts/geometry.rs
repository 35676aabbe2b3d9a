//! The 32 dark squares as bits of a `u32`, and their neighbours.
//!
//! Rows have four squares; even rows (from the top) start on file b, odd rows
//! on file a, so a diagonal step is a shift by 3, 4 or 5 depending on the row.

use crate::{Square, SquareSet};

/// The four diagonal directions, White at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// Towards a8.
    UpLeft,
    /// Towards h8.
    UpRight,
    /// Towards a1.
    DownLeft,
    /// Towards h1.
    DownRight,
}

use Direction::{DownLeft, DownRight, UpLeft, UpRight};

/// All directions.
pub const DIRECTIONS: [Direction; 4] = [UpLeft, UpRight, DownLeft, DownRight];

/// Computes a value for each direction. The directions are constants, so that the compiled code
/// does not branch on them.
#[inline(always)]
pub(crate) fn in_all<T>(value: impl Fn(Direction) -> T) -> [T; 4] {
    [value(UpLeft), value(UpRight), value(DownLeft), value(DownRight)]
}

/// The four squares of rank 8, White's promotion row.
pub(crate) const RANK_8: u32 = 0x0000_000F;
/// The four squares of rank 1, Black's promotion row.
pub(crate) const RANK_1: u32 = 0xF000_0000;

const EVEN_ROWS: u32 = 0x0F0F_0F0F;
const ODD_ROWS: u32 = !EVEN_ROWS;
const FILE_A: u32 = 0x1010_1010;
const FILE_H: u32 = 0x0808_0808;

/// Marks a missing neighbour in `NEXT`.
const NONE: u8 = 32;

impl Direction {
    /// Whether the direction leads to higher ranks, which is forward for White.
    #[inline]
    pub const fn is_up(self) -> bool {
        matches!(self, UpLeft | UpRight)
    }

    /// The opposite direction.
    #[inline]
    pub const fn opposite(self) -> Direction {
        match self {
            UpLeft => DownRight,
            UpRight => DownLeft,
            DownLeft => UpRight,
            DownRight => UpLeft,
        }
    }

    /// Every square of `set` moved one step; squares that leave the board are dropped.
    #[inline]
    pub const fn step(self, set: SquareSet) -> SquareSet {
        squares(self.step_word(word(set)))
    }

    /// Like [`Direction::step`], for bits.
    #[inline]
    pub(super) const fn step_word(self, set: u32) -> u32 {
        match self {
            UpLeft => ((set & EVEN_ROWS) >> 4) | ((set & ODD_ROWS & !FILE_A) >> 5),
            UpRight => ((set & EVEN_ROWS & !FILE_H) >> 3) | ((set & ODD_ROWS) >> 4),
            DownLeft => ((set & EVEN_ROWS) << 4) | ((set & ODD_ROWS & !FILE_A) << 3),
            DownRight => ((set & EVEN_ROWS & !FILE_H) << 5) | ((set & ODD_ROWS) << 4),
        }
    }

    /// Every square of a [`spread`] set, moved by `steps` steps, at most two. Squares that leave
    /// the board end up in gaps or beyond its end.
    #[inline]
    pub(crate) fn shift(self, spread: u64, steps: u32) -> u64 {
        // A rotation shifts in either direction, and its distance is looked up without a branch.
        const TURNS: [u32; 4] = [64 - 5, 64 - 4, 4, 5];
        let turns = TURNS[self as usize];
        spread.rotate_left(turns * steps)
    }

    /// The squares of a spread set, and those reached from it through up to five `empty` squares,
    /// as many as there can be between a king and a piece that it captures.
    #[inline]
    pub(crate) fn fill(self, spread: u64, empty: u64) -> u64 {
        let two = empty & self.shift(empty, 1);
        let filled = spread | self.shift(spread, 1) & empty;
        let filled = filled | self.shift(filled, 2) & two;
        filled | self.shift(filled, 2) & two
    }

    /// The neighbour of `square`; `None` at the edge of the board.
    #[inline]
    pub fn next(self, square: Square) -> Option<Square> {
        let next = NEXT[self as usize][usize::from(square)];
        (next != NONE).then(|| Square::new(next))
    }

    /// The squares from `square`, exclusive, to the edge.
    #[inline]
    pub(crate) fn ray(self, square: u8) -> u32 {
        RAY[self as usize][square as usize]
    }

    /// The first square of `occupied` in this direction from `square`.
    #[inline]
    pub(crate) fn first(self, square: u8, occupied: u32) -> Option<u8> {
        let met = self.ray(square) & occupied;
        (met != 0).then(|| match self.is_up() {
            true => 31 - met.leading_zeros() as u8,
            false => met.trailing_zeros() as u8,
        })
    }

    /// The squares that a flying king on `square` can slide to in this direction.
    #[inline]
    pub fn slide(self, square: Square, occupied: SquareSet) -> SquareSet {
        squares(self.slide_word(square.index(), word(occupied)))
    }

    /// Like [`Direction::slide`], for bits.
    #[inline]
    pub(super) fn slide_word(self, square: u8, occupied: u32) -> u32 {
        match self.first(square, occupied) {
            None => self.ray(square),
            Some(blocker) => self.ray(square) ^ self.ray(blocker) ^ (1 << blocker),
        }
    }
}

/// The indices of the set bits, in ascending order.
#[inline]
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
        word &= word - 1;
        Some(bit)
    })
}

/// The rank of a square, 0 to 7 (0 = rank 1).
pub(super) fn rank(square: Square) -> u8 {
    7 - square.index() / 4
}

/// The file of a square, 0 to 7 (0 = a).
pub(super) fn file(square: Square) -> u8 {
    square.index() % 4 * 2 + rank(square) % 2
}

/// The dark square on this file and rank; `None` for light squares.
pub(super) fn at(file: u8, rank: u8) -> Option<Square> {
    let dark = file < 8 && rank < 8 && (file + rank).is_multiple_of(2);
    dark.then(|| Square::new((7 - rank) * 4 + file / 2))
}

/// The set as 32 bits.
#[inline]
pub(super) const fn word(set: SquareSet) -> u32 {
    set.bits() as u32
}

/// The set with these bits.
#[inline]
pub(super) const fn squares(word: u32) -> SquareSet {
    SquareSet::new(word as u64)
}

/// The [`spread`] set of all squares.
pub(crate) const SPREAD_BOARD: u64 = spread(u32::MAX);

/// Inserts a gap after every other row, so that a step in a direction is the same shift for all
/// squares.
#[inline]
pub(crate) const fn spread(set: u32) -> u64 {
    let set = set as u64;
    // Moves the upper rows up by two bits, then the rows in every other byte by one. Adding a
    // number to itself shifts it by one bit.
    let set = set + 3 * (set & 0xFFFF_0000);
    set + (set & (0xFF << 8 | 0xFF << 26))
}

/// The inverse of [`spread`].
#[inline]
pub(crate) const fn unspread(spread: u64) -> u32 {
    let set = spread - ((spread & (0xFF << 9 | 0xFF << 27)) >> 1);
    (set - 3 * ((set & 0xFFFF << 18) >> 2)) as u32
}

/// The square in a spread set that has only one.
#[inline]
pub(crate) const fn square_of(spread: u64) -> u8 {
    let place = spread.trailing_zeros() as u8;
    place - place / 9
}

const fn next_table() -> [[u8; 32]; 4] {
    let mut table = [[NONE; 32]; 4];
    let mut d = 0;
    while d < 4 {
        let mut square = 0;
        while square < 32 {
            let next = DIRECTIONS[d].step_word(1 << square);
            if next != 0 {
                table[d][square] = next.trailing_zeros() as u8;
            }
            square += 1;
        }
        d += 1;
    }
    table
}

const fn ray_table() -> [[u32; 32]; 4] {
    let mut table = [[0; 32]; 4];
    let mut d = 0;
    while d < 4 {
        let mut square = 0;
        while square < 32 {
            let mut front = DIRECTIONS[d].step_word(1 << square);
            while front != 0 {
                table[d][square] |= front;
                front = DIRECTIONS[d].step_word(front);
            }
            square += 1;
        }
        d += 1;
    }
    table
}

static NEXT: [[u8; 32]; 4] = next_table();
static RAY: [[u32; 32]; 4] = ray_table();

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of spread sets agree with steps of sets.
    #[test]
    fn spread_sets_are_the_same_sets() {
        for square in 0..32 {
            let set = 1 << square;
            assert_eq!(square_of(spread(set)), square);
            for d in DIRECTIONS {
                let moved = d.shift(spread(set), 1) & SPREAD_BOARD;
                assert_eq!(moved, spread(d.step_word(set)), "{d:?} from {square}");
                assert_eq!(d.fill(spread(set), SPREAD_BOARD), spread(set | far(d, set)));
            }
        }
        for set in [0, u32::MAX, 0x8421_1248, 0x0F0F_00FF, 0xDEAD_BEEF] {
            assert_eq!(unspread(spread(set)), set);
        }
    }

    /// The first five squares from a square.
    fn far(d: Direction, set: u32) -> u32 {
        std::iter::successors(Some(d.step_word(set)), |&set| Some(d.step_word(set))).take(5).sum()
    }
}
