//! The names of squares in each variant.

use super::rules::{Corner, Notation, Rules};
use super::{Draughts, geometry};
use crate::{Square, SquareSet};
use std::sync::LazyLock;

/// A piece as FENs write it: `K` for a king, the name of its square, and a comma.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    /// The text, padded with zeros.
    pub(super) bytes: [u8; 4],
    /// The length of the text in bytes.
    pub(super) len: u8,
}

/// The words of kings and of men, by the number of the square minus 1.
pub(super) type Words = [[Word; 32]; 2];

/// The words of each game of the family.
static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let word = |game: Draughts, letter, number| {
        let name = game.numbered(number).map(|square| game.spell(square));
        let text = format!("{letter}{},", name.unwrap_or_default());
        let mut word = Word { len: text.len() as u8, ..Word::default() };
        word.bytes[..text.len()].copy_from_slice(text.as_bytes());
        word
    };
    let words = |&game: &Draughts| {
        ["K", ""].map(|letter| std::array::from_fn(|i| word(game, letter, i as u32 + 1)))
    };
    Draughts::ALL.iter().map(words).collect()
});

/// The names of the squares in each game of the family, by their indices.
static NAMES: LazyLock<Vec<[&str; 32]>> = LazyLock::new(|| {
    let name = |game: Draughts, index| {
        // The word of a man is the name of its square and a comma.
        let number = usize::from(game.number(Square::new(index)));
        let Word { bytes, len } = &game.words()[1][number - 1];
        str::from_utf8(&bytes[..usize::from(len - 1)]).expect("letters and digits")
    };
    let names = |&game: &Draughts| std::array::from_fn(|index| name(game, index as u8));
    Draughts::ALL.iter().map(names).collect()
});

impl Draughts {
    /// The number of a square, 1 to 32.
    pub fn number(self, square: Square) -> u8 {
        match self.corner() {
            Corner::TopLeft => self.seen(square).index() + 1,
            Corner::BottomRight => 32 - self.seen(square).index(),
        }
    }

    /// The square of this number, if it is between 1 and 32.
    pub fn numbered(self, number: u32) -> Option<Square> {
        let number = u8::try_from(number).ok().filter(|number| (1..=32).contains(number))?;
        let index = match self.corner() {
            Corner::TopLeft => number - 1,
            Corner::BottomRight => 32 - number,
        };
        Some(self.seen(Square::new(index)))
    }

    /// The numbers of a set of squares, in ascending order.
    #[inline]
    pub(super) fn numbers(self, squares: SquareSet) -> impl Iterator<Item = u8> {
        let set = geometry::word(squares);
        let seen = match self.rules().mirrored {
            // Within each row of four the order is reversed.
            true => {
                let swapped = (set & 0x5555_5555) << 1 | set >> 1 & 0x5555_5555;
                (swapped & 0x3333_3333) << 2 | swapped >> 2 & 0x3333_3333
            }
            false => set,
        };
        let set = match self.corner() {
            Corner::TopLeft => seen,
            Corner::BottomRight => seen.reverse_bits(),
        };
        SquareSet::new(set.into()).into_iter().map(|place| place.index() + 1)
    }

    /// The words of this game's pieces.
    #[inline]
    pub(super) fn words(self) -> &'static Words {
        &WORDS[self as usize]
    }

    /// Converts between squares and places on the drawn board: the mirror image if the board is
    /// [mirrored](Rules::mirrored). Its own inverse.
    pub fn seen(self, square: Square) -> Square {
        match self.rules().mirrored {
            true => Square::new(square.index() ^ 3),
            false => square,
        }
    }

    /// Parses a square's number or algebraic name.
    pub(super) fn parse_square(self, word: &str) -> Option<Square> {
        if word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit()) {
            return self.numbered(word.parse().ok()?);
        }
        let [file, rank @ b'1'..=b'8'] = *word.as_bytes() else { return None };
        geometry::at(self.parse_file(file)?, rank - b'1')
    }

    /// Parses the letter of a file. Returns its number, from 0.
    pub(super) fn parse_file(self, letter: u8) -> Option<u8> {
        let file = letter.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 8)?;
        Some(if self.rules().mirrored { 7 - file } else { file })
    }

    /// The name of a square.
    pub(super) fn format_square(self, square: Square) -> &'static str {
        NAMES[self as usize][usize::from(square.index())]
    }

    /// Makes the name of a square.
    fn spell(self, square: Square) -> String {
        let Rules { notation, mirrored, .. } = self.rules();
        match notation {
            Notation::Numeric(_) => self.number(square).to_string(),
            Notation::Algebraic => {
                let file = geometry::file(square);
                let file = if *mirrored { 7 - file } else { file };
                format!("{}{}", char::from(b'a' + file), geometry::rank(square) + 1)
            }
        }
    }

    fn corner(self) -> Corner {
        match self.rules().notation {
            Notation::Algebraic => Corner::TopLeft,
            Notation::Numeric(corner) => corner,
        }
    }
}
