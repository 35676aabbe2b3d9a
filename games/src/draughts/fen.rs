//! Positions as text: the FEN of PDN, `W:WKa1,c3:Bb8` or `W:WK29,22:B1`.

use super::{Draughts, KING, MAN, Position};
use crate::counters::{parse_counter, push_counter};
use crate::foreign::latin;
use crate::{
    Color, FenError, FenProblem, MoveCounters, Pieces, Position as _, Setup, Square, SquareSet,
};

/// Parses a position: numeric or algebraic squares, kings and ranges (`1-4`), separated by commas
/// or blanks; the sides in either order; the counters of lidraughts (`:H0:F1`); Cyrillic letters
/// that look like Latin ones, and the Russian `Б`, `Ч` and `Д` for `W`, `B` and `K`. A trailing dot
/// and the counter of Frisian draughts (`:+0+0`) are skipped. The side to move may have no pieces, in
/// which case it has lost.
pub(super) fn parse(game: Draughts, text: &str) -> Result<Setup, FenError> {
    let mut reader = Reader::new(game, text);
    let turn = reader.turn()?;
    let mut pieces = Pieces::default();
    let mut listed = [false; 2];
    let (mut clock, mut number) = (None, None);
    while reader.eat(':') {
        let at = reader.at();
        match reader.peek() {
            Some(letter @ ('W' | 'w' | 'B' | 'b')) => {
                reader.advance();
                let color = color_of(letter);
                if std::mem::replace(&mut listed[color as usize], true) {
                    return Err(FenError::at(at, FenProblem::SideTwice(color)));
                }
                reader.side(color, &mut pieces)?;
            }
            Some('H' | 'h') if clock.is_none() => clock = Some(reader.counter()?),
            Some('F' | 'f') if number.is_none() => number = Some(reader.counter()?),
            Some('H' | 'h' | 'F' | 'f') => return Err(reader.unexpected("each counter once")),
            Some('+') => {
                while reader.peek() == Some('+') {
                    reader.counter()?;
                }
            }
            _ => return Err(reader.unexpected("the pieces of a side (`W` or `B` and squares)")),
        }
    }
    reader.eat('.');
    if reader.peek().is_some() {
        return Err(reader.unexpected("`:`, `,` or the end"));
    }
    // The other side must have pieces, which is checked later.
    if !listed[turn as usize] {
        return Err(FenError::at(reader.at(), FenProblem::NotListed(turn)));
    }
    Ok(Setup { counters: MoveCounters::from_parts(clock, number), ..Setup::new(pieces, turn) })
}

fn color_of(letter: char) -> Color {
    match letter {
        'W' | 'w' => Color::White,
        _ => Color::Black,
    }
}

/// The Latin letter for a Russian abbreviation: Б (белые, White), Ч (чёрные, Black), Д (дамка,
/// king).
fn english(c: char) -> char {
    match c {
        'Б' | 'б' => 'W',
        'Ч' | 'ч' => 'B',
        'Д' | 'д' => 'K',
        c => c,
    }
}

/// A cursor over the characters of a FEN that skips white space.
struct Reader {
    game: Draughts,
    /// With Latin letters.
    text: Vec<char>,
    /// As it was typed, for errors.
    typed: Vec<char>,
    /// The number of characters read.
    read: usize,
}

impl Reader {
    fn new(game: Draughts, text: &str) -> Reader {
        let typed: Vec<char> = text.chars().collect();
        let text = typed.iter().copied().map(latin).map(english).collect();
        Reader { game, text, typed, read: 0 }
    }

    /// The next character after white space, without consuming it.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.read).is_some_and(|c| c.is_whitespace()) {
            self.read += 1;
        }
        self.text.get(self.read).copied()
    }

    fn advance(&mut self) {
        self.read += 1;
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.read += usize::from(found);
        found
    }

    /// The place of the next character, from 1.
    fn at(&mut self) -> usize {
        self.peek();
        self.read + 1
    }

    fn unexpected(&mut self, expected: &'static str) -> FenError {
        let at = self.at();
        let found = self.typed.get(at - 1).map_or("the end".to_owned(), |&c| String::from(c));
        FenError::at(at, FenProblem::Unexpected(found, expected))
    }

    /// What was typed from a place, counted from 1, up to the next character.
    fn typed_from(&self, at: usize) -> String {
        self.typed[at - 1..self.read].iter().collect()
    }

    /// Consumes the characters of a word or number.
    fn word(&mut self) -> String {
        self.peek();
        let rest = self.text[self.read.min(self.text.len())..].iter();
        let word: String = rest.take_while(|c| c.is_alphanumeric()).collect();
        self.read += word.chars().count();
        word
    }

    fn turn(&mut self) -> Result<Color, FenError> {
        let at = self.at();
        let word = self.word();
        match word.as_str() {
            "W" | "w" => Ok(Color::White),
            "B" | "b" => Ok(Color::Black),
            // `WKa1:Bb8` begins with a side's pieces instead of the side to move.
            word if word.starts_with(['W', 'B', 'w', 'b']) || word.is_empty() => {
                Err(FenError::at(at, FenProblem::NoSideToMove))
            }
            _ => Err(FenError::at(at, FenProblem::BadSideToMove(self.typed_from(at)))),
        }
    }

    /// Parses one side's pieces and adds them to the board.
    fn side(&mut self, color: Color, pieces: &mut Pieces) -> Result<(), FenError> {
        if matches!(self.peek(), None | Some(':' | '.')) {
            return Ok(());
        }
        loop {
            let at = self.at();
            let kind = if self.king() { KING } else { MAN };
            let squares = self.squares()?;
            if let Some(square) = (squares & pieces.occupied()).first() {
                let square = self.game.format_square(square).to_owned();
                return Err(FenError::at(at, FenProblem::SquareTaken(square)));
            }
            pieces[(color, kind)] |= squares;
            // A blank may replace a comma.
            if !self.eat(',') && !self.peek().is_some_and(char::is_alphanumeric) {
                return Ok(());
            }
        }
    }

    fn king(&mut self) -> bool {
        self.eat('K') || self.eat('k')
    }

    /// Parses a square or a range of squares.
    fn squares(&mut self) -> Result<SquareSet, FenError> {
        let at = self.at();
        let (first, name) = self.square()?;
        if !self.eat('-') {
            return Ok(first.into());
        }
        self.king();
        let (last, last_name) = self.square()?;
        let [first, last] = [first, last].map(|square| self.game.number(square));
        if last < first {
            let range = format!("{name}-{last_name}");
            return Err(FenError::at(at, FenProblem::BackwardRange(range)));
        }
        Ok((first..=last).filter_map(|number| self.game.numbered(number.into())).collect())
    }

    fn square(&mut self) -> Result<(Square, String), FenError> {
        let at = self.at();
        let word = self.word();
        if word.is_empty() {
            return Err(self.unexpected("a square"));
        }
        match self.game.parse_square(&word) {
            Some(square) => Ok((square, self.typed_from(at))),
            None => {
                let squares = match self.game.rules().mirrored {
                    false => "squares are 1 to 32, or the dark squares a1 to h8",
                    true => "squares are 1 to 32, or the dark squares a8 to h1",
                };
                Err(FenError::at(at, FenProblem::NoSuchSquare(self.typed_from(at), squares)))
            }
        }
    }

    /// Parses a move counter, which is a character and a number: `H0`, `F1`, `+0`.
    fn counter(&mut self) -> Result<u16, FenError> {
        const WANTED: &str = "the number of a move counter";
        self.advance();
        let at = self.at();
        let word = self.word();
        match parse_counter(&word) {
            Some(number) => Ok(number),
            None if word.is_empty() => Err(self.unexpected(WANTED)),
            None => Err(FenError::at(at, FenProblem::Unexpected(self.typed_from(at), WANTED))),
        }
    }
}

/// The maximum length of a FEN without counters, in bytes: a king with a comma on each square, the
/// letters and colons of the sides, and the letter of the side to move.
const LONGEST: usize = 4 * 32 + 5;

/// Appends the FEN of a position: each side's kings first, squares in numeric order, then the
/// counters if they are known.
pub(super) fn write(position: &Position, counters: Option<MoveCounters>, text: &mut String) {
    // Each word is copied at a fixed length, and the next word overwrites its padding. This is
    // fast: lists write millions of positions.
    let mut bytes = [0; LONGEST];
    let mut len = 1;
    bytes[0] = position.turn.letter() as u8;
    let (game, words) = (position.game, position.game.words());
    for color in Color::BOTH {
        bytes[len..len + 2].copy_from_slice(&[b':', color.letter() as u8]);
        len += 2;
        for kind in [KING, MAN] {
            for number in game.numbers(position.pieces(color, kind)) {
                let word = words[kind.index()][usize::from(number) - 1];
                bytes[len..len + word.bytes.len()].copy_from_slice(&word.bytes);
                len += usize::from(word.len);
            }
        }
        // No comma after the last piece.
        len -= usize::from(bytes[len - 1] == b',');
    }
    text.push_str(str::from_utf8(&bytes[..len]).expect("letters and digits"));
    if let Some(MoveCounters { halfmove_clock, fullmove_number }) = counters {
        text.push_str(":H");
        push_counter(halfmove_clock, text);
        text.push_str(":F");
        push_counter(fullmove_number, text);
    }
}
