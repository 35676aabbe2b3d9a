//! Square boards of at most 8 by 8 squares, all of them used and numbered along the ranks from
//! a1: what Alapo and chess share.

mod lines;
mod rows;

pub(crate) use lines::{Lines, lines, rays, union};
pub(crate) use rows::{Part, parse_rows, symbol, write_rows};

use crate::Square;
use crate::foreign::latin;

/// `a1`, `b1` and so on.
pub(crate) fn square_name<const SIZE: usize>(square: Square) -> String {
    let (row, file) = (square.index() / SIZE as u8, square.index() % SIZE as u8);
    format!("{}{}", char::from(b'a' + file), row + 1)
}

/// The square of a file's letter, small or capital, and a rank's digit. A Cyrillic letter that
/// looks like the file's will do.
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
