//! The geometry of square boards of at most 8 by 8 squares, all of them used: Alapo and chess.
//! Squares are numbered along the ranks from a1: row `r` and file `f`, both from 0, have the index
//! `SIZE * r + f`.

mod board;
mod lines;
mod rows;
mod symmetry;

pub use symmetry::{flip, mirror, transpose};

pub(crate) use board::Board;
pub(crate) use lines::{SlidingAttacks, lines, rays, union};
pub(crate) use rows::{Part, parse_rows, symbol, write_rows};

use crate::foreign::latin;
use crate::{Square, SquareSet};

/// The squares of a rank; row 0 is rank 1.
#[inline]
pub const fn rank<const SIZE: usize>(row: usize) -> SquareSet {
    SquareSet::new(!0 >> (64 - SIZE) << (SIZE * row))
}

/// The squares of a file; 0 is file a.
#[inline]
pub const fn file<const SIZE: usize>(file: usize) -> SquareSet {
    let mut bits = 0;
    let mut row = 0;
    while row < SIZE {
        bits |= 1 << (SIZE * row + file);
        row += 1;
    }
    SquareSet::new(bits)
}

/// The distance between two squares in king's moves.
#[inline(always)]
pub const fn distance<const SIZE: usize>(one: Square, other: Square) -> u8 {
    let (one, other, size) = (one.index(), other.index(), SIZE as u8);
    let rows = (one / size).abs_diff(other / size);
    let files = (one % size).abs_diff(other % size);
    if rows > files { rows } else { files }
}

/// The names of the squares of a board of `SIZE` by `SIZE` squares, one after the other.
struct Names<const SIZE: usize>;

impl<const SIZE: usize> Names<SIZE> {
    const BYTES: [[u8; 2]; 64] = {
        let mut names = [[0; 2]; 64];
        let mut index = 0;
        while index < SIZE * SIZE {
            names[index] = [b'a' + (index % SIZE) as u8, b'1' + (index / SIZE) as u8];
            index += 1;
        }
        names
    };
    const TEXT: &str = match str::from_utf8(Self::BYTES.as_flattened()) {
        Ok(text) => text,
        Err(_) => panic!("letters and digits"),
    };
}

/// The name of a square on a board of `SIZE` by `SIZE` squares: the letter of its file and the digit of
/// its rank.
pub(crate) fn square_name<const SIZE: usize>(square: Square) -> &'static str {
    let at = 2 * usize::from(square.index());
    &Names::<SIZE>::TEXT[at..at + 2]
}

/// The square of a file's letter, small or capital, and a rank's digit. A Cyrillic letter that
/// looks like the file's is accepted.
pub(crate) fn named_square<const SIZE: usize>(file: char, rank: char) -> Option<Square> {
    let size = SIZE as u32;
    let file = u32::from(latin(file).to_ascii_lowercase()).checked_sub('a'.into());
    let row = u32::from(rank).checked_sub('1'.into());
    let (file, row) = (file.filter(|&file| file < size)?, row.filter(|&row| row < size)?);
    Some(Square::new((size * row + file) as u8))
}

/// The rows of the board from the top, as it is drawn.
pub(crate) fn board<const SIZE: usize>() -> Vec<Vec<Option<Square>>> {
    let squares: Vec<_> = Square::all((SIZE * SIZE) as u8).map(Some).collect();
    squares.chunks(SIZE).rev().map(<[_]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_step_in_all_directions() {
        let [a1, b3, h8] = [0, 17, 63].map(Square::new);
        let distances = [[a1, a1], [a1, b3], [b3, a1], [a1, h8]];
        assert_eq!(distances.map(|[one, other]| distance::<8>(one, other)), [0, 2, 2, 7]);
        assert_eq!(distance::<6>(Square::new(5), Square::new(6)), 5);
    }

    #[test]
    fn ranks_and_files_are_sets_of_squares() {
        let names = |set: SquareSet| {
            set.into_iter().map(|at| square_name::<6>(at).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(rank::<6>(1)), ["a2", "b2", "c2", "d2", "e2", "f2"]);
        assert_eq!(names(file::<6>(5)), ["f1", "f2", "f3", "f4", "f5", "f6"]);
        assert_eq!(rank::<8>(7).bits(), 0xFF << 56);
    }
}
