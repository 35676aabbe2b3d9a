//! Draughts: `1p1p1p1p/p1p1p1p1/.../P1P1P1P1 w`, moves as all squares visited, `c3d4`, `c3e5g7`.
//!
//! On the site White begins in every variant. If Black begins in damka, the board is turned.

use super::{Notation, letter};
use damka_games::draughts::{KING, MAN, Move, Position};
use damka_games::{Color, Counted, Draughts, Game, Kind, Pieces, Position as _, Setup, Square};

/// The number of squares in a row, light ones included.
const SIZE: usize = 8;

impl Notation for Draughts {
    fn read(self, text: &str, turn: Color) -> Option<Counted<Position>> {
        let rows = text.split_whitespace().next().unwrap_or_default();
        let mut pieces = Pieces::default();
        let mut count = 0;
        for (row, letters) in rows.split('/').enumerate() {
            count += 1;
            let mut column = 0;
            for c in letters.chars() {
                if let Some(run @ 1..) = c.to_digit(10) {
                    column += run as usize;
                    continue;
                }
                let piece = piece(self, c)?;
                let square = (row < SIZE && column < SIZE).then(|| square_at(self, row, column));
                let square = square.flatten()?;
                pieces[piece] |= square.into();
                column += 1;
            }
            if column != SIZE {
                return None;
            }
        }
        if count != SIZE {
            return None;
        }
        self.position(&Setup::new(pieces, turn)).ok().map(Counted::from)
    }

    fn write(position: &Counted<Position>, _: Option<Move>) -> String {
        let position = &position.position;
        let game = position.game();
        let mut text = String::new();
        for row in 0..SIZE {
            let mut empty = 0;
            for column in 0..SIZE {
                let there = square_at(game, row, column).and_then(|at| position.piece_at(at));
                match there {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(symbol(game, piece));
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if row + 1 < SIZE { '/' } else { ' ' });
        }
        text.push(letter(game, position.turn()));
        text
    }

    fn read_move(position: &Position, text: &str) -> Option<Move> {
        let game = position.game();
        let squares: Vec<&[u8]> = text.trim().as_bytes().chunks(2).collect();
        let squares: Option<String> = squares.into_iter().map(|name| turned(game, name)).collect();
        position.parse_move(&squares?).ok()
    }

    fn write_move(position: &Position, mv: Move) -> String {
        let game = position.game();
        position.route_of(mv).into_iter().map(|square| name(game, square)).collect()
    }
}

/// Whether the board is turned.
fn is_turned(game: Draughts) -> bool {
    game.start().turn() == Color::Black
}

/// The square in a row, counted from the top, and a column of the site's board; `None` if it is light.
fn square_at(game: Draughts, row: usize, column: usize) -> Option<Square> {
    if row % 2 == column % 2 {
        return None;
    }
    let index = (row * (SIZE / 2) + column / 2) as u8;
    Some(Square::new(if is_turned(game) { Draughts::SQUARES - 1 - index } else { index }))
}

/// The name of a square on the site's board.
fn name(game: Draughts, square: Square) -> String {
    let index = match is_turned(game) {
        true => Draughts::SQUARES - 1 - square.index(),
        false => square.index(),
    };
    let (row, place) = (index / 4, index % 4);
    let column = 2 * place + u8::from(row % 2 == 0);
    format!("{}{}", char::from(b'a' + column), SIZE as u8 - row)
}

/// The name in damka of the square that has this name on the site's board.
fn turned(game: Draughts, name: &[u8]) -> Option<String> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = *name else { return None };
    let [file, rank] = match is_turned(game) {
        true => [b'a' + b'h' - file, b'1' + b'8' - rank],
        false => [file, rank],
    };
    Some(String::from_utf8_lossy(&[file, rank]).into_owned())
}

/// The colour and kind of a piece: capitals belong to the side that begins.
fn piece(game: Draughts, c: char) -> Option<(Color, Kind)> {
    let first = game.start().turn();
    let color = if c.is_ascii_uppercase() { first } else { !first };
    match c.to_ascii_uppercase() {
        'P' => Some((color, MAN)),
        'K' => Some((color, KING)),
        _ => None,
    }
}

fn symbol(game: Draughts, (color, kind): (Color, Kind)) -> char {
    let letter = if kind == KING { 'K' } else { 'P' };
    if color == game.start().turn() { letter } else { letter.to_ascii_lowercase() }
}
