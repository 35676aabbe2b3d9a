//! Positions as text: FEN and EPD.

use super::geometry::SIZE;
use super::position::{Position, is_en_passant_rank};
use super::{CastlingRights, Chess};
use crate::counters::{parse_counter, push_counter};
use crate::grid::{Part, named_square, parse_rows, square_name, write_rows};
use crate::{Color, FenError, FenProblem, MoveCounters, Pieces, Position as _, Setup, Square};

const IN_A_ROW: &str = "a piece (K, Q, R, B, N, P, small for Black), a digit 1 to 8 or `/`";
const CASTLING: &str = "`-` or castling rights (some of K, Q, k and q, or files of rooks)";
const NUMBER: &str = "a number from 0 to 959";

/// The prefix of the number of a Chess960 start position, which may be written instead of a FEN.
const CHESS960: &str = "chess960:";
const COUNTERS: &str = "halfmove clock and move number, or operations of EPD (`bm Nf3;`),";

/// Parses a FEN (rows, side to move, castling rights, en passant square, two counters), or an EPD,
/// which has operations in place of the counters. Fields missing after the side to move are read as
/// `-`. Or parses the number of a start position of Chess960, as in `chess960:518`.
pub(super) fn parse(text: &str) -> Result<Setup, FenError> {
    let chars: Vec<char> = text.chars().collect();
    if let Some(number) = text.trim().strip_prefix(CHESS960) {
        let position = number.parse().ok().and_then(super::chess960);
        let at = 1 + text.chars().take_while(|c| c.is_whitespace()).count() + CHESS960.len();
        let error = || FenError::at(at, FenProblem::Unexpected(number.to_owned(), NUMBER));
        return Ok(position.ok_or_else(error)?.setup());
    }
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
    let castling = parse_castling(rights, &pieces)?;
    let en_passant = parse_en_passant(en_passant, turn)?;
    let counters = parse_counters(rest)?;
    Ok(Setup { castling, en_passant, counters, ..Setup::new(pieces, turn) })
}

/// Splits a text at the first blanks.
fn field(text: Part) -> (Part, Part) {
    let (field, rest) = text.cut(char::is_whitespace);
    (field, rest.cut_start(char::is_whitespace))
}

fn parse_castling(text: Part, pieces: &Pieces) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if matches!(text.chars, [] | ['-']) {
        return Ok(rights);
    }
    for &c in text.chars {
        match CastlingRights::of_letter(c, pieces) {
            Some(right) if !rights.contains(right) => rights = rights | right,
            _ => return Err(text.unexpected(CASTLING)),
        }
    }
    Ok(rights)
}

fn parse_en_passant(text: Part, turn: Color) -> Result<Option<Square>, FenError> {
    let square = match *text.chars {
        [] | ['-'] => return Ok(None),
        [file, rank] => named_square::<SIZE>(file, rank),
        _ => None,
    };
    match square.filter(|&square| is_en_passant_rank(square, turn)) {
        Some(square) => Ok(Some(square)),
        None => Err(text.unexpected(match turn {
            Color::White => "`-` or the square on rank 6 that a black pawn has just passed",
            Color::Black => "`-` or the square on rank 3 that a white pawn has just passed",
        })),
    }
}

/// Parses the last fields: the two counters, or the operations of EPD, of which `hmvc` and `fmvn`
/// are the counters.
fn parse_counters(text: Part) -> Result<Option<MoveCounters>, FenError> {
    if matches!(text.chars, ['a'..='z' | 'A'..='Z', .., ';']) {
        let operand = |name: &str| {
            let text = text.text();
            let mut operations = text.split(';').map(str::split_whitespace);
            operations
                .find_map(|mut words| (words.next() == Some(name)).then(|| words.next())?)
                .and_then(parse_counter)
        };
        return Ok(MoveCounters::from_parts(operand("hmvc"), operand("fmvn")));
    }
    let (first, rest) = field(text);
    let (second, rest) = field(rest);
    let counter = |part: Part| match part.chars {
        [] => Ok(None),
        _ => parse_counter(&part.text()).map(Some).ok_or(()),
    };
    match (counter(first), counter(second), rest.chars) {
        (Ok(clock), Ok(number), []) => Ok(MoveCounters::from_parts(clock, number)),
        _ => Err(text.unexpected(COUNTERS)),
    }
}

/// Appends all six fields.
pub(super) fn write(position: &Position, counters: MoveCounters, text: &mut String) {
    write_rows::<_, SIZE>(position, text);
    text.push(' ');
    match position.castling() {
        CastlingRights::NONE => text.push('-'),
        rights => rights.write(&position.all_pieces(), text),
    }
    text.push(' ');
    match position.en_passant() {
        Some(square) => text.push_str(square_name::<SIZE>(square)),
        None => text.push('-'),
    }
    for counter in [counters.halfmove_clock, counters.fullmove_number] {
        text.push(' ');
        push_counter(counter, text);
    }
}
