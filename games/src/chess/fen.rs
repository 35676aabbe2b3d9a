//! Positions as text: FEN, and EPD.

use super::castling::CASTLINGS;
use super::geometry::SIZE;
use super::position::{Position, en_passant_square, en_passant_state};
use super::{Chess, castling};
use crate::grid::{Part, named_square, parse_rows, square_name, write_rows};
use crate::{Color, FenError, FenProblem, Setup};

const IN_A_ROW: &str = "a piece (K, Q, R, B, N, P, small for Black), a digit 1 to 8 or `/`";
const CASTLING: &str = "`-` or some of K, Q, k and q, who may castle to which side,";
const COUNTERS: &str = "the numbers of half-moves and moves, or what EPD has (`bm Nf3;`),";

/// Reads a FEN: rows, side to move, castling, en passant, two counters; or an EPD, which has
/// operations for the counters. What is missing after the side to move is `-`.
pub(super) fn parse(text: &str) -> Result<Setup, FenError> {
    let chars: Vec<char> = text.chars().collect();
    let rest = Part { chars: &chars, at: 1 }.trim(char::is_whitespace);
    let (rows, rest) = field(rest);
    if rows.chars.is_empty() {
        return Err(FenError::at(rows.at, FenProblem::NoSideToMove));
    }
    let pieces = parse_rows::<Chess, SIZE>(rows, IN_A_ROW)?;
    let (side, rest) = field(rest);
    if side.chars.is_empty() {
        return Err(FenError::at(rows.end(), FenProblem::NoSideToMove));
    }
    let turn = side.color()?;
    let (rights, rest) = field(rest);
    let (en_passant, rest) = field(rest);
    let state = u16::from(parse_castling(rights)?) | parse_en_passant(en_passant, turn)?;
    check_counters(rest)?;
    Ok(Setup { pieces, turn, state })
}

/// The text up to the first blank, and what follows behind blanks.
fn field(text: Part) -> (Part, Part) {
    let (field, rest) = text.cut(char::is_whitespace);
    (field, rest.cut_start(char::is_whitespace))
}

fn parse_castling(text: Part) -> Result<castling::Rights, FenError> {
    let mut rights = 0;
    if matches!(text.chars, [] | ['-']) {
        return Ok(rights);
    }
    for &c in text.chars {
        match CASTLINGS.iter().position(|castling| castling.letter == c) {
            Some(i) if rights >> i & 1 == 0 => rights |= 1 << i,
            _ => return Err(text.unexpected(CASTLING)),
        }
    }
    Ok(rights)
}

/// The part of the state: which rank it must be follows from the side to move.
fn parse_en_passant(text: Part, turn: Color) -> Result<u16, FenError> {
    let square = match *text.chars {
        [] | ['-'] => return Ok(0),
        [file, rank] => named_square::<SIZE>(file, rank),
        _ => None,
    };
    let state = square.map_or(0, en_passant_state);
    if square.is_none() || en_passant_square(state, turn) != square {
        return Err(text.unexpected(match turn {
            Color::White => "`-` or the square on rank 6 that a black pawn has just passed",
            Color::Black => "`-` or the square on rank 3 that a white pawn has just passed",
        }));
    }
    Ok(state)
}

/// Looks at what comes last, which says nothing about the position.
fn check_counters(text: Part) -> Result<(), FenError> {
    let is_number = |part: Part| part.chars.iter().all(char::is_ascii_digit);
    let (first, rest) = field(text);
    let (second, rest) = field(rest);
    let operations = matches!(text.chars, ['a'..='z' | 'A'..='Z', .., ';']);
    match is_number(first) && is_number(second) && rest.chars.is_empty() || operations {
        true => Ok(()),
        false => Err(text.unexpected(COUNTERS)),
    }
}

/// The first of the counters, if it is there; the largest number, if it is larger than any.
pub(super) fn halfmove_clock(text: &str) -> u16 {
    let clock = text.split_whitespace().nth(4).unwrap_or_default();
    match clock.bytes().all(|byte| byte.is_ascii_digit()) {
        true if clock.is_empty() => 0,
        true => clock.parse().unwrap_or(u16::MAX),
        false => 0,
    }
}

/// Appends all six fields: the counters are those of a game that begins here.
pub(super) fn write(position: &Position, text: &mut String) {
    write_rows::<_, SIZE>(position, text);
    text.push(' ');
    let start = text.len();
    text.extend(castling::of(position.castling()).map(|castling| castling.letter));
    if text.len() == start {
        text.push('-');
    }
    text.push(' ');
    match position.en_passant() {
        Some(square) => text.push_str(&square_name::<SIZE>(square)),
        None => text.push('-'),
    }
    text.push_str(" 0 1");
}
