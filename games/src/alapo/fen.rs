//! Positions and moves as text.

use super::geometry::SIZE;
use super::{Alapo, Move, Position};
use crate::{
    Color, FenError, FenProblem, Game, Kind, MoveError, Pieces, Position as _, Setup, Square,
};
use std::ops::Range;

const IN_A_ROW: &str = "a piece (Q, R, B, K, W, F, small for Black), a digit 1 to 6 or `/`";

/// A part of a text that knows where in the whole it stands.
#[derive(Clone, Copy)]
struct Part<'a> {
    chars: &'a [char],
    /// Its first character's number, from 1.
    at: usize,
}

impl<'a> Part<'a> {
    fn slice(self, range: Range<usize>) -> Part<'a> {
        Part { at: self.at + range.start, chars: &self.chars[range] }
    }

    /// Up to, and from, the first character that satisfies `stop`.
    fn cut(self, stop: fn(char) -> bool) -> (Part<'a>, Part<'a>) {
        let length = self.chars.len();
        let cut = self.chars.iter().position(|&c| stop(c)).unwrap_or(length);
        (self.slice(0..cut), self.slice(cut..length))
    }

    /// Without the characters at both ends that satisfy `blank`.
    fn trim(self, blank: fn(char) -> bool) -> Part<'a> {
        let end = self.chars.iter().rposition(|&c| !blank(c)).map_or(0, |last| last + 1);
        self.slice(0..end).cut_start(blank)
    }

    /// Without the characters at its start that satisfy `blank`.
    fn cut_start(self, blank: fn(char) -> bool) -> Part<'a> {
        let length = self.chars.len();
        let start = self.chars.iter().position(|&c| !blank(c)).unwrap_or(length);
        self.slice(start..length)
    }

    fn split(self, separator: char) -> impl Iterator<Item = Part<'a>> {
        let mut at = self.at;
        self.chars.split(move |&c| c == separator).map(move |chars| {
            let part = Part { chars, at };
            at = part.end() + 1;
            part
        })
    }

    /// The number of the character after its last.
    fn end(self) -> usize {
        self.at + self.chars.len()
    }

    fn text(self) -> String {
        self.chars.iter().collect()
    }

    fn unexpected(self, wanted: &'static str) -> FenError {
        FenError::at(self.at, FenProblem::Unexpected(self.text(), wanted))
    }
}

/// Reads `rows side`, or the form in which a server sends it,
/// `?turn=0;&setup=<rows> side`, where the side may be missing and other fields
/// mean nothing to us.
pub(super) fn parse(text: &str) -> Result<Setup, FenError> {
    let chars: Vec<char> = text.chars().collect();
    let whole = Part { chars: &chars, at: 1 };
    let (setup, turn) = match field(whole, "setup=") {
        Some(setup) => (setup, field(whole, "turn=")),
        None => (whole.trim(char::is_whitespace), None),
    };
    if setup.chars.is_empty() {
        return Err(FenError::at(setup.at, FenProblem::NoSideToMove));
    }
    let (rows, side) = setup.cut(char::is_whitespace);
    let pieces = parse_rows(rows)?;
    let turn = match (side_letter(side)?, turn.map(turn_number).transpose()?) {
        (None, None) => return Err(FenError::at(rows.end(), FenProblem::NoSideToMove)),
        (Some(side), None) | (None, Some(side)) => side,
        (Some(side), Some(turn)) if side == turn => side,
        (Some(_), Some(turn)) => {
            return Err(side.cut_start(char::is_whitespace).unexpected(match turn {
                Color::White => "`w`, as `turn=` says,",
                Color::Black => "`b`, as `turn=` says,",
            }));
        }
    };
    Ok(Setup { pieces, turn })
}

/// What follows `name` in that field of the server's form, `?a=1;&b=2`.
fn field<'a>(whole: Part<'a>, name: &str) -> Option<Part<'a>> {
    let blank = |c: char| c.is_whitespace() || c == ';';
    let named = |part: &Part| part.chars.iter().take(name.len()).copied().eq(name.chars());
    let fields = match whole.trim(blank) {
        whole @ Part { chars: ['?', ..], .. } => whole.slice(1..whole.chars.len()),
        whole => whole,
    };
    let field = fields.split('&').map(|part| part.trim(blank)).find(named)?;
    Some(field.slice(name.len()..field.chars.len()).trim(blank))
}

fn turn_number(text: Part) -> Result<Color, FenError> {
    match text.chars {
        ['0'] => Ok(Color::White),
        ['1'] => Ok(Color::Black),
        _ => Err(text.unexpected("0 or 1")),
    }
}

fn side_letter(text: Part) -> Result<Option<Color>, FenError> {
    let (side, rest) = text.trim(char::is_whitespace).cut(char::is_whitespace);
    let color = match side.chars {
        [] => return Ok(None),
        ['w' | 'W'] => Color::White,
        ['b' | 'B'] => Color::Black,
        _ => {
            return Err(FenError::at(side.at, FenProblem::BadSideToMove(side.text())));
        }
    };
    match rest.trim(char::is_whitespace) {
        Part { chars: [], .. } => Ok(Some(color)),
        rest => Err(rest.unexpected("the end of the position")),
    }
}

fn parse_rows(text: Part) -> Result<Pieces, FenError> {
    for (i, &c) in text.chars.iter().enumerate() {
        if c != '/' && run(c).is_none() && piece(c).is_none() {
            return Err(text.slice(i..i + 1).unexpected(IN_A_ROW));
        }
    }
    // An error's place is where the first row too many starts, or where the next
    // row is missing.
    let found = text.split('/').count();
    if found != SIZE {
        let at = text.split('/').nth(SIZE).map_or(text.end(), |row| row.at);
        return Err(FenError::at(at, FenProblem::RowCount { found, wanted: SIZE }));
    }
    let mut pieces = Pieces::default();
    for (row, part) in (0..SIZE).rev().zip(text.split('/')) {
        let found = part.chars.iter().map(|&c| run(c).unwrap_or(1)).sum();
        if found != SIZE {
            let problem = FenProblem::RowLength { row: row + 1, found, wanted: SIZE };
            return Err(FenError::at(part.at, problem));
        }
        let mut square = SIZE * row;
        for &c in part.chars {
            if let Some((color, kind)) = piece(c) {
                pieces[(color, kind)] |= Square::new(square as u8).into();
            }
            square += run(c).unwrap_or(1);
        }
    }
    Ok(pieces)
}

/// The length of the run of empty squares that `c` stands for.
fn run(c: char) -> Option<usize> {
    matches!(c, '1'..='6').then(|| c as usize - '0' as usize)
}

fn piece(c: char) -> Option<(Color, Kind)> {
    let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
    let kind = Alapo::kinds().find(|kind| Alapo::KINDS[kind.index()] == c.to_ascii_uppercase())?;
    Some((color, kind))
}

pub(super) fn write(position: &Position) -> String {
    let mut text = String::new();
    for row in (0..SIZE).rev() {
        let mut empty = 0;
        for file in 0..SIZE {
            match position.piece_at(Square::new((SIZE * row + file) as u8)) {
                None => empty += 1,
                Some((color, kind)) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(symbol(color, kind));
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text.push(if row > 0 { '/' } else { ' ' });
    }
    text.push(position.turn().letter().to_ascii_lowercase());
    text
}

/// The letter of a piece, a capital for White.
pub(super) fn symbol(color: Color, kind: Kind) -> char {
    match color {
        Color::White => Alapo::KINDS[kind.index()],
        Color::Black => Alapo::KINDS[kind.index()].to_ascii_lowercase(),
    }
}

pub(super) fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let mv = read_move(text).ok_or_else(|| {
        MoveError::NotAMove(text.to_string(), "two squares of a1 to f6, such as `a2-a3`,")
    })?;
    let legal = position.moves();
    if legal.contains(&mv) {
        return Ok(mv);
    }
    Err(MoveError::illegal(text, legal.iter().map(Move::to_string)))
}

fn read_move(text: &str) -> Option<Move> {
    let square = |file: u8, rank: u8| {
        let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 6)?;
        let row = rank.checked_sub(b'1').filter(|&row| row < 6)?;
        Some(Square::new(SIZE as u8 * row + file))
    };
    match *text.as_bytes() {
        [a, b, c, d] | [a, b, b'-' | b'x' | b'X' | b':', c, d] => {
            Some(Move { from: square(a, b)?, to: square(c, d)? })
        }
        _ => None,
    }
}
