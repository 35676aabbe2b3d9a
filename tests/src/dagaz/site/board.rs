//! Reads and writes the rows of a board.

use damka_games::{Color, Game, Kind, Pieces, Position, Setup, Square};

/// A board as it is drawn: files from the left, ranks from the bottom.
pub(super) struct Board<G> {
    game: G,
    /// The rows, from the top.
    rows: Vec<Vec<Option<Square>>>,
}

impl<G: Game> Board<G> {
    pub(super) fn new(game: G) -> Board<G> {
        Board { game, rows: game.board() }
    }

    /// The name of a square: `a1` at the bottom left.
    pub(super) fn name(&self, square: Square) -> String {
        let (file, rank) = self.place(square);
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    /// The file and rank of a square, from 0.
    pub(super) fn place(&self, square: Square) -> (i32, i32) {
        for (row, rank) in self.rows.iter().zip((0..self.rows.len() as i32).rev()) {
            if let Some(file) = row.iter().position(|&here| here == Some(square)) {
                return (file as i32, rank);
            }
        }
        unreachable!("every square is on the board")
    }

    /// The square at a file and rank, if pieces can stand there.
    pub(super) fn square(&self, (file, rank): (i32, i32)) -> Option<Square> {
        let row = self.rows.len() as i32 - 1 - rank;
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        *row.get(usize::try_from(file).ok()?)?
    }

    pub(super) fn write(&self, position: &G::Position) -> String {
        let row = |row: &Vec<Option<Square>>| {
            let mut text = String::new();
            let mut empty = 0;
            for square in row {
                match square.and_then(|square| position.piece_at(square)) {
                    None => empty += 1,
                    Some((color, kind)) => {
                        push_number(&mut text, &mut empty);
                        text.push(letter::<G>(color, kind));
                    }
                }
            }
            push_number(&mut text, &mut empty);
            text
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join("/")
    }

    /// Reads the pieces.
    pub(super) fn read(&self, text: &str) -> Result<Pieces, String> {
        let wrong = || format!("not rows: {text}");
        let rows: Vec<&str> = text.split('/').collect();
        let mut pieces = Pieces::default();
        if rows.len() != self.rows.len() {
            return Err(wrong());
        }
        for (row, squares) in rows.into_iter().zip(&self.rows) {
            let mut file = 0;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(0) => return Err(wrong()),
                    Some(empty) => file += empty as usize,
                    None => {
                        let (color, kind) = piece::<G>(c).ok_or_else(wrong)?;
                        let square = squares.get(file).copied().flatten().ok_or_else(wrong)?;
                        pieces[(color, kind)] |= square.into();
                        file += 1;
                    }
                }
            }
            if file != squares.len() {
                return Err(wrong());
            }
        }
        Ok(pieces)
    }

    /// Reads a position that is given by its rows and side to move alone.
    pub(super) fn plain(&self, rows: &str, turn: Color) -> Result<G::Position, String> {
        let setup = Setup::new(self.read(rows)?, turn);
        self.game.position(&setup).map_err(|error| error.to_string())
    }
}

fn push_number(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// The letter of a piece: a capital for player 1; a man is `P`.
fn letter<G: Game>(color: Color, kind: Kind) -> char {
    let letter = match G::KINDS[kind.index()] {
        'M' => 'P',
        letter => letter,
    };
    if color == Color::White { letter } else { letter.to_ascii_lowercase() }
}

fn piece<G: Game>(c: char) -> Option<(Color, Kind)> {
    let all = Color::BOTH.into_iter().flat_map(|color| G::kinds().map(move |kind| (color, kind)));
    all.into_iter().find(|&(color, kind)| letter::<G>(color, kind) == c)
}
