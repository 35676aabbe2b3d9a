//! Positions and moves as text.

use super::geometry::SIZE;
use super::{Alapo, Move, Position};
use crate::foreign::latin;
use crate::grid::{Part, named_square, parse_rows};
use crate::{Color, FenError, FenProblem, MoveError, Position as _, Setup};

const IN_A_ROW: &str = "a piece (Q, R, B, K, W, F, small for Black), a digit 1 to 6 or `/`";

/// Parses `rows side`, or the form of DagazServer, `?turn=0;&setup=<rows> side`, in which the side
/// may be missing and other fields are ignored.
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
    let pieces = parse_rows::<Alapo, SIZE>(rows, IN_A_ROW)?;
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
    Ok(Setup::new(pieces, turn))
}

/// The value of the field `name` in the server's form, `?a=1;&b=2`.
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
    if side.chars.is_empty() {
        return Ok(None);
    }
    let color = side.color()?;
    match rest.trim(char::is_whitespace) {
        Part { chars: [], .. } => Ok(Some(color)),
        rest => Err(rest.unexpected("the end of the position")),
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
    let square = named_square::<SIZE>;
    // No move is longer, so the rest need not be read.
    let chars: Vec<char> = text.chars().take(6).map(latin).collect();
    match chars[..] {
        [a, b, c, d] | [a, b, '-' | 'x' | 'X' | ':', c, d] => {
            Some(Move { from: square(a, b)?, to: square(c, d)? })
        }
        _ => None,
    }
}
