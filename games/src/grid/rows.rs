//! Boards written row by row from the top, with letters for pieces and digits for runs of empty
//! squares.

use super::rank;
use crate::{Color, FenError, FenProblem, Game, Kind, Pieces, Position, Square, SquareSet};
use std::ops::Range;

/// A part of a text with its place in the whole.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) chars: &'a [char],
    /// The number of its first character, from 1.
    pub(crate) at: usize,
}

impl<'a> Part<'a> {
    pub(crate) fn slice(self, range: Range<usize>) -> Part<'a> {
        Part { at: self.at + range.start, chars: &self.chars[range] }
    }

    /// Splits before the first character that satisfies `stop`.
    pub(crate) fn cut(self, stop: fn(char) -> bool) -> (Part<'a>, Part<'a>) {
        let length = self.chars.len();
        let cut = self.chars.iter().position(|&c| stop(c)).unwrap_or(length);
        (self.slice(0..cut), self.slice(cut..length))
    }

    /// The part without the characters at both ends that satisfy `blank`.
    pub(crate) fn trim(self, blank: fn(char) -> bool) -> Part<'a> {
        let end = self.chars.iter().rposition(|&c| !blank(c)).map_or(0, |last| last + 1);
        self.slice(0..end).cut_start(blank)
    }

    /// The part without the characters at its start that satisfy `blank`.
    pub(crate) fn cut_start(self, blank: fn(char) -> bool) -> Part<'a> {
        let length = self.chars.len();
        let start = self.chars.iter().position(|&c| !blank(c)).unwrap_or(length);
        self.slice(start..length)
    }

    pub(crate) fn split(self, separator: char) -> impl Iterator<Item = Part<'a>> {
        let mut at = self.at;
        self.chars.split(move |&c| c == separator).map(move |chars| {
            let part = Part { chars, at };
            at = part.end() + 1;
            part
        })
    }

    /// The number of the character after its last.
    pub(crate) fn end(self) -> usize {
        self.at + self.chars.len()
    }

    pub(crate) fn text(self) -> String {
        self.chars.iter().collect()
    }

    pub(crate) fn unexpected(self, expected: &'static str) -> FenError {
        FenError::at(self.at, FenProblem::Unexpected(self.text(), expected))
    }

    /// Parses the letter of the side to move.
    pub(crate) fn color(self) -> Result<Color, FenError> {
        match self.chars {
            ['w' | 'W'] => Ok(Color::White),
            ['b' | 'B'] => Ok(Color::Black),
            _ => Err(FenError::at(self.at, FenProblem::BadSideToMove(self.text()))),
        }
    }
}

/// Parses the rows of a board of `SIZE` by `SIZE` squares. `expected` describes valid characters
/// for error messages.
pub(crate) fn parse_rows<G: Game, const SIZE: usize>(
    text: Part,
    expected: &'static str,
) -> Result<Pieces, FenError> {
    for (i, &c) in text.chars.iter().enumerate() {
        if c != '/' && run::<SIZE>(c).is_none() && piece::<G>(c).is_none() {
            return Err(text.slice(i..i + 1).unexpected(expected));
        }
    }
    // The error is placed where the first excess row starts or the next row is missing.
    let found = text.split('/').count();
    if found != SIZE {
        let at = text.split('/').nth(SIZE).map_or(text.end(), |row| row.at);
        return Err(FenError::at(at, FenProblem::RowCount { found, wanted: SIZE }));
    }
    let mut pieces = Pieces::default();
    for (row, part) in (0..SIZE).rev().zip(text.split('/')) {
        let found = part.chars.iter().map(|&c| run::<SIZE>(c).unwrap_or(1)).sum();
        if found != SIZE {
            let problem = FenProblem::RowLength { row: row + 1, found, wanted: SIZE };
            return Err(FenError::at(part.at, problem));
        }
        let mut square = SIZE * row;
        for &c in part.chars {
            if let Some((color, kind)) = piece::<G>(c) {
                pieces[(color, kind)] |= Square::new(square as u8).into();
            }
            square += run::<SIZE>(c).unwrap_or(1);
        }
    }
    Ok(pieces)
}

/// The length of a run of empty squares; `None` if `c` is not one.
fn run<const SIZE: usize>(c: char) -> Option<usize> {
    c.to_digit(SIZE as u32 + 1).filter(|&run| run > 0).map(|run| run as usize)
}

fn piece<G: Game>(c: char) -> Option<(Color, Kind)> {
    let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
    let kind = G::kinds().find(|kind| G::KINDS[kind.index()] == c.to_ascii_uppercase())?;
    Some((color, kind))
}

/// Appends the rows of a board, a blank and the side to move.
pub(crate) fn write_rows<P: Position, const SIZE: usize>(position: &P, text: &mut String) {
    let mut board = [0; 64];
    let mut occupied = SquareSet::EMPTY;
    for color in Color::BOTH {
        for kind in P::Game::kinds() {
            let squares = position.pieces(color, kind);
            occupied |= squares;
            for square in squares {
                board[usize::from(square.index())] = symbol::<P::Game>(color, kind) as u8;
            }
        }
    }
    // Written to bytes first: pushing characters one by one to a string takes three times as long.
    let mut bytes = [0; 64 + 8 + 1];
    let mut len = 0;
    let mut push = |byte| {
        bytes[len] = byte;
        len += 1;
    };
    for row in (0..SIZE).rev() {
        let mut next = SIZE * row;
        for square in occupied & rank::<SIZE>(row) {
            let place = usize::from(square.index());
            if place > next {
                push(b'0' + (place - next) as u8);
            }
            push(board[place]);
            next = place + 1;
        }
        let end = SIZE * (row + 1);
        if end > next {
            push(b'0' + (end - next) as u8);
        }
        push(if row > 0 { b'/' } else { b' ' });
    }
    push(position.turn().letter().to_ascii_lowercase() as u8);
    text.push_str(str::from_utf8(&bytes[..len]).expect("letters and digits"));
}

/// The letter of a piece, a capital for White.
pub(crate) fn symbol<G: Game>(color: Color, kind: Kind) -> char {
    match color {
        Color::White => G::KINDS[kind.index()],
        Color::Black => G::KINDS[kind.index()].to_ascii_lowercase(),
    }
}
