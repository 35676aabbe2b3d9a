use damka_games::draughts::{KING, MAN, Move, Position};
use damka_games::{Color, Draughts, Game, Kind, Pieces, Position as _, Setup, SetupError, Square};
use std::fmt;
use thiserror::Error;

/// A move as numbers of squares. Unless converted by a [`Numbering`](crate::Numbering), squares are
/// numbered as in positions, from the top left corner: 1 is b8, 4 is h8, 32 is g1; on a mirrored board
/// 1 is a8, 4 is g8, 32 is h1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedMove {
    /// The square that the piece leaves.
    pub from: u8,
    /// The square that the piece ends on.
    pub to: u8,
    /// The squares of the captured pieces, in any order; empty for a quiet move.
    pub captured: Vec<u8>,
}

impl NumberedMove {
    /// A legal move of this variant, as numbers of squares.
    pub fn new(variant: Draughts, mv: Move) -> NumberedMove {
        let number = |square| variant.seen(square).index() + 1;
        let captured = mv.captured().into_iter().map(number);
        NumberedMove { from: number(mv.from()), to: number(mv.to()), captured: captured.collect() }
    }

    /// The legal move of `position` with these squares, if there is one.
    pub fn legal(&self, position: &Position) -> Option<Move> {
        let sorted = |mv: &NumberedMove| {
            let mut captured = mv.captured.clone();
            captured.sort_unstable();
            (mv.from, mv.to, captured)
        };
        let squares = sorted(self);
        let is_same = |&mv: &Move| sorted(&NumberedMove::new(position.game(), mv)) == squares;
        position.moves().into_iter().find(is_same)
    }
}

impl fmt::Display for NumberedMove {
    /// Writes `32-28`, or `28x19x23` with the captured squares after origin and target.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NumberedMove { from, to, captured } = self;
        match captured.is_empty() {
            true => write!(f, "{from}-{to}"),
            false => {
                write!(f, "{from}x{to}")?;
                captured.iter().try_for_each(|square| write!(f, "x{square}"))
            }
        }
    }
}

/// How a protocol writes a position: the side to move, and a letter for each square from the top left
/// corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters {
    /// The men of White and Black.
    pub(crate) men: [char; 2],
    /// The kings of White and Black.
    pub(crate) kings: [char; 2],
    pub(crate) empty: char,
    /// White and Black to move.
    pub(crate) turn: [char; 2],
}

/// Why the text of a position is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// The text does not have one character for the side to move and one for each square.
    #[error("expected 33 characters, the side to move and 32 squares, not {0}")]
    Length(usize),
    /// The side to move is neither White nor Black.
    #[error("`{0}`, the first character, is not a side to move")]
    Turn(char),
    /// A character denotes neither a piece nor an empty square.
    #[error("`{0}` is neither a piece nor an empty square")]
    Piece(char),
    /// The position is impossible.
    #[error(transparent)]
    Impossible(#[from] SetupError),
}

impl Letters {
    /// Reads the side to move and the 32 squares of a board of this variant.
    ///
    /// # Errors
    /// The text is not a position.
    pub(crate) fn parse(&self, variant: Draughts, text: &str) -> Result<Position, BoardError> {
        let length = text.chars().count();
        if length != 33 {
            return Err(BoardError::Length(length));
        }
        let mut letters = text.chars();
        let turn = letters.next().unwrap_or_default();
        let turn = self.color(self.turn, turn).ok_or(BoardError::Turn(turn))?;
        let mut pieces = Pieces::default();
        for (square, letter) in Square::all(Draughts::SQUARES).zip(letters) {
            if let Some(piece) = self.piece(letter)? {
                pieces[piece] |= variant.seen(square).into();
            }
        }
        Ok(variant.position(&Setup::new(pieces, turn))?)
    }

    /// Writes the side to move and the 32 squares.
    pub(crate) fn format(&self, position: &Position) -> String {
        let piece = |square| match position.piece_at(position.game().seen(square)) {
            None => self.empty,
            Some((color, KING)) => self.kings[color as usize],
            Some((color, _)) => self.men[color as usize],
        };
        let turn = self.turn[position.turn() as usize];
        std::iter::once(turn).chain(Square::all(Draughts::SQUARES).map(piece)).collect()
    }

    /// The colour and kind of the piece that a letter denotes; `None` for an empty square.
    fn piece(&self, letter: char) -> Result<Option<(Color, Kind)>, BoardError> {
        if letter == self.empty {
            return Ok(None);
        }
        let of = |letters, kind| Some((self.color(letters, letter)?, kind));
        let piece = of(self.men, MAN).or_else(|| of(self.kings, KING));
        piece.map(Some).ok_or(BoardError::Piece(letter))
    }

    fn color(&self, letters: [char; 2], letter: char) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| letters[color as usize] == letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Russian;
    use proptest::prelude::*;

    const LETTERS: Letters =
        Letters { men: ['w', 'b'], kings: ['W', 'B'], empty: 'e', turn: ['W', 'B'] };

    #[test]
    fn boards_are_read_from_square_1() {
        let start = "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
        assert_eq!(LETTERS.parse(Russian, start), Ok(Russian.start()));
        let text = "BWeeeeeeeeeeeeeeeeeeeeeeeeeeebeee";
        let error = LETTERS.parse(Russian, text);
        assert_eq!(error, Err(SetupError::ManOnPromotionRow(Color::Black, "a1".into()).into()));
        let text = "BWeeeeeeeeeeeeeeeeeeeeeeeeeeeBeee";
        let position = LETTERS.parse(Russian, text).unwrap();
        assert_eq!(position, Russian.parse_fen("B:WKb8:BKa1").unwrap());
        assert_eq!(LETTERS.format(&position), text);
    }

    #[test]
    fn invalid_boards_are_refused() {
        let parse = |text: &str| LETTERS.parse(Russian, text).unwrap_err();
        assert_eq!(parse(""), BoardError::Length(0));
        assert_eq!(parse(&"W".repeat(51)), BoardError::Length(51));
        assert_eq!(parse(&"e".repeat(33)), BoardError::Turn('e'));
        assert_eq!(parse(&"Wé".repeat(33)[..33 + 16]), BoardError::Piece('é'));
        assert_eq!(
            parse(&format!("W{}", "e".repeat(32))),
            BoardError::Impossible(SetupError::NoPieces(Color::Black))
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[WB][wbWBe]{32}|.{0,40}") {
            if let Ok(position) = LETTERS.parse(Russian, &text) {
                prop_assert_eq!(LETTERS.format(&position), text);
            }
        }
    }
}
