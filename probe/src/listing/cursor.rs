use damka_games::Color;
use damka_tables::Side;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A place in a list: the side to move and a number, written `w123` or `b123`. It is valid for the
/// same signature and the same choice of symmetric copies; other conditions may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor {
    /// The side to move.
    pub side: Side,
    /// The number: in a list without copies, the position's number in the table.
    pub place: u64,
}

/// The text is not a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a cursor is `w` or `b`, the side to move, and a number, as in w12345")]
pub struct CursorError;

/// A list does not have the place of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the list has no place {0}: a cursor is valid only for the list that returned it")]
pub struct NoPlace(pub Cursor);

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.side.color().letter().to_ascii_lowercase();
        write!(f, "{letter}{}", self.place)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Cursor, CursorError> {
        let (color, place) = match text.split_at_checked(1) {
            Some(("w", place)) => (Color::White, place),
            Some(("b", place)) => (Color::Black, place),
            _ => return Err(CursorError),
        };
        let is_number = place.bytes().all(|byte| byte.is_ascii_digit());
        let place = place.parse().ok().filter(|_| is_number).ok_or(CursorError)?;
        Ok(Cursor { side: Side::of_color(color), place })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_read_as_they_are_written() {
        let cursor = Cursor { side: Side::Second, place: 1_234_567 };
        assert_eq!(cursor.to_string(), "b1234567");
        assert_eq!("b1234567".parse(), Ok(cursor));
        for text in ["", "w", "x1", "w-1", "w+1", "w1.5", "12", "w99999999999999999999"] {
            assert_eq!(text.parse::<Cursor>(), Err(CursorError), "{text}");
        }
    }
}
