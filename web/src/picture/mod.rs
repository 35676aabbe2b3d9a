//! Pictures of positions as SVG, with arrows, marked squares and the values of a map.

mod glyphs;
#[cfg(feature = "png")]
mod png;

#[cfg(feature = "png")]
pub use png::png;

use damka::{
    AnyGame, AskError, Color, Game, Position, Square, SquareValue, Wdl, read_position, with_game,
};
use glyphs::{Anchor, text};
use std::collections::BTreeMap;
use thiserror::Error;

/// The side of a square and the width of the border, in units of the drawing.
const UNIT: f64 = 45.0;
const BORDER: f64 = 6.0;

/// The drawings of the pieces.
const PIECES: &str = include_str!("../../page/pieces.svg");

/// The colours of the page.
const STYLE: &str = "\
.border{fill:#5d7a69}.light{fill:#ecebe0}.dark{fill:#7f9f8c}
.name path,.value path{fill:none;stroke-linecap:round;stroke-linejoin:round}
.name path{stroke-width:1.3}.on-dark path{stroke:#1d3427}.on-light path{stroke:#4d6a59}
.value path{stroke:#0d1511;stroke-width:1.7}
.mark{fill:none;stroke:#c2491d;stroke-width:3}
.win{fill:#3d84bd}.draw{fill:#a9b0ae}.loss{fill:#d9793a}.unknown{fill:#8d87a0}
.arrow{opacity:.88}.arrow line{stroke-width:8;stroke-linecap:round}
.arrow.plain line{stroke:#1f3a2e}.arrow.plain path{fill:#1f3a2e}
.arrow.win line{stroke:#1262a3}.arrow.win path{fill:#1262a3}
.arrow.draw line{stroke:#4f575c}.arrow.draw path{fill:#4f575c}
.arrow.loss line{stroke:#b5490c}.arrow.loss path{fill:#b5490c}
.arrow.unknown line{stroke:#4b4463}.arrow.unknown path{fill:#4b4463}
.body{stroke-width:1.5;stroke-linejoin:round}.alapo .body{stroke-width:2}
.white .body{fill:#fbf8ef;stroke:#1a211d}.black .body{fill:#2a302d;stroke:#0c100e}
.line,.cross{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.white .line{stroke:#8e8873}.black .line{stroke:#8d978f}
.chess.white .line{stroke:#1a211d}.chess.black .line{stroke:#dfe6e0}
.cross{stroke:#1a211d;stroke-width:3}
.white .dot{fill:#1a211d}.black .dot{fill:#dfe6e0}
.shade{fill:#0d1511;fill-opacity:.3}.white .crown{fill:#3a4a41}.black .crown{fill:#efe9d6}
";

/// A picture of a position.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The game.
    pub game: AnyGame,
    /// The position, as for [`damka::AnyTables`].
    pub fen: String,
    /// Whether Black is at the bottom.
    pub is_flipped: bool,
    /// Width and height in pixels.
    pub size: u32,
    /// Arrows between squares.
    pub arrows: Vec<Arrow>,
    /// Names of squares with a frame.
    pub marks: Vec<String>,
    /// Values that are written on squares and colour them.
    pub values: Vec<SquareValue>,
}

/// An arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The names of its squares: start, bends, end.
    pub squares: Vec<String>,
    /// Its meaning.
    pub tone: Tone,
}

/// The meaning of an arrow, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// No special meaning.
    Plain,
    /// A move of this value for the side that plays it.
    Value(Option<Wdl>),
}

/// Why a picture cannot be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The text is not a position.
    #[error(transparent)]
    Position(#[from] AskError),
    /// A square is not on the board.
    #[error("there is no square `{0}` on the board of {1}")]
    Square(String, &'static str),
    /// An arrow needs at least two squares.
    #[error("an arrow needs at least two squares")]
    Arrow,
    /// The picture cannot be drawn as PNG.
    #[cfg(feature = "png")]
    #[error("the picture cannot be drawn: {0}")]
    Pixels(String),
}

impl Picture {
    /// A picture of a position with 480 by 480 pixels, without arrows and marks.
    pub fn new(game: AnyGame, fen: &str) -> Picture {
        Picture {
            game,
            fen: fen.to_owned(),
            is_flipped: false,
            size: 480,
            arrows: Vec::new(),
            marks: Vec::new(),
            values: Vec::new(),
        }
    }

    /// The picture as an SVG document. It needs no font and no other file.
    ///
    /// # Errors
    /// The text is not a position, or a square does not exist.
    pub fn svg(&self) -> Result<String, PictureError> {
        with_game!(self.game, game => self.draw(game))
    }

    fn draw<G: Game>(&self, game: G) -> Result<String, PictureError> {
        let position = read_position(game, &self.fen)?.position;
        let board = Board::new(game, family(self.game), self.is_flipped);
        let side = UNIT * board.size as f64 + 2.0 * BORDER;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\" \
             viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{fen}\">\n<style>{STYLE}</style>\n\
             <rect class=\"border\" width=\"{side}\" height=\"{side}\" rx=\"4\"/>\n\
             <g transform=\"translate({BORDER} {BORDER})\">\n",
            size = self.size,
            fen = position.fen(),
        );
        board.squares(&mut svg);
        for value in &self.values {
            let place = board.place(&value.square)?;
            place.fill(&mut svg, Tone::Value(value.value).class());
            // There is no room on the square of the piece itself.
            if position.piece_at(place.square).is_none() {
                let (x, y) = (place.x + UNIT / 2.0, place.y + UNIT / 2.0 + 5.0);
                svg += &text(&short(value), x, y, 10.0, Anchor::Middle, "value");
            }
        }
        board.names(&mut svg);
        for mark in &self.marks {
            let place = board.place(mark)?;
            let (x, y, side) = (place.x + 1.5, place.y + 1.5, UNIT - 3.0);
            svg += &format!(
                "<rect class=\"mark\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\"/>\n"
            );
        }
        for place in board.places.values() {
            let Some((color, kind)) = position.piece_at(place.square) else { continue };
            let side = if color == Color::White { "white" } else { "black" };
            let drawing = drawing(board.family, G::KINDS[kind.index()]);
            let (family, x, y) = (board.family, place.x, place.y);
            svg += &format!(
                "<g class=\"{family} {side}\" transform=\"translate({x} {y})\">{drawing}</g>\n"
            );
        }
        for arrow in &self.arrows {
            svg += &board.arrow(arrow)?;
        }
        Ok(svg + "</g>\n</svg>\n")
    }
}

impl Tone {
    /// The class of the style.
    fn class(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Value(None) => "unknown",
            Tone::Value(Some(value)) => value.word(),
        }
    }
}

/// The family's name in the drawings of pieces.
fn family(game: AnyGame) -> &'static str {
    match game {
        AnyGame::Draughts(_) => "draughts",
        AnyGame::Alapo(_) => "alapo",
        AnyGame::Chess(_) => "chess",
    }
}

/// The drawing of a kind of piece.
fn drawing(family: &str, letter: char) -> &'static str {
    let begin = format!("<g id=\"{family}-{letter}\">");
    let drawing = PIECES.split(&begin).nth(1).and_then(|rest| rest.split("</g>").next());
    drawing.unwrap_or_default()
}

/// The short form of a value: `+25` for a win in 25 plies, `-24` for a loss in 24.
fn short(value: &SquareValue) -> String {
    let sign = match value.value {
        Some(Wdl::Win) => "+",
        Some(Wdl::Draw) => "=",
        Some(Wdl::Loss) => "-",
        None => "?",
    };
    let plies = value.dtw.map(|dtw| dtw.to_string()).unwrap_or_default();
    format!("{sign}{plies}")
}

/// The squares for pieces, with their places in a picture.
struct Board {
    game: &'static str,
    family: &'static str,
    /// The number of rows and of columns.
    size: usize,
    is_flipped: bool,
    /// Whether squares have numbers, not names of file and rank.
    is_numbered: bool,
    /// The places of the squares, by name.
    places: BTreeMap<String, SquareBox>,
}

/// The place of a square, with its top left corner.
#[derive(Clone, Copy)]
struct SquareBox {
    square: Square,
    x: f64,
    y: f64,
}

impl SquareBox {
    /// Fills the square.
    fn fill(self, svg: &mut String, class: &str) {
        let SquareBox { x, y, .. } = self;
        svg.push_str(&rectangle(class, x, y));
    }

    fn center(self) -> (f64, f64) {
        (self.x + UNIT / 2.0, self.y + UNIT / 2.0)
    }
}

fn rectangle(class: &str, x: f64, y: f64) -> String {
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{UNIT}\" height=\"{UNIT}\"/>\n")
}

impl Board {
    fn new<G: Game>(game: G, family: &'static str, is_flipped: bool) -> Board {
        let rows = game.board();
        let size = rows.len();
        let mut places = BTreeMap::new();
        for (row, squares) in rows.iter().enumerate() {
            for (column, square) in squares.iter().enumerate() {
                let Some(square) = *square else { continue };
                let [row, column] = match is_flipped {
                    true => [size - 1 - row, size - 1 - column],
                    false => [row, column],
                };
                let (x, y) = (UNIT * column as f64, UNIT * row as f64);
                places.insert(game.square_name(square), SquareBox { square, x, y });
            }
        }
        let is_numbered = places.keys().any(|name| name.starts_with(|c: char| c.is_ascii_digit()));
        Board { game: game.name(), family, size, is_flipped, is_numbered, places }
    }

    fn place(&self, name: &str) -> Result<SquareBox, PictureError> {
        let found = self.places.get(name).copied();
        found.ok_or_else(|| PictureError::Square(name.to_owned(), self.game))
    }

    /// Whether a square is dark: if only some squares are used, these are; else every other square is,
    /// beginning with the left one of White's first rank.
    fn is_dark(&self, row: usize, column: usize) -> bool {
        let (x, y) = (UNIT * column as f64, UNIT * row as f64);
        match self.places.len() < self.size * self.size {
            true => self.places.values().any(|place| (place.x, place.y) == (x, y)),
            false => (row + column + self.size) % 2 == 1,
        }
    }

    fn squares(&self, svg: &mut String) {
        for row in 0..self.size {
            for column in 0..self.size {
                let class = if self.is_dark(row, column) { "dark" } else { "light" };
                svg.push_str(&rectangle(class, UNIT * column as f64, UNIT * row as f64));
            }
        }
    }

    /// Writes the names of squares: numbers on each, or files and ranks at the edge.
    fn names(&self, svg: &mut String) {
        if self.is_numbered {
            for (name, place) in &self.places {
                let (x, y) = (place.x + 3.0, place.y + 9.5);
                svg.push_str(&text(name, x, y, 6.5, Anchor::Start, "name on-dark"));
            }
            return;
        }
        let last = self.size - 1;
        for place in 0..self.size {
            let number = if self.is_flipped { last - place } else { place };
            let class = |row, column| match self.is_dark(row, column) {
                true => "name on-dark",
                false => "name on-light",
            };
            let file = char::from(b'a' + number as u8).to_string();
            let x = UNIT * (place + 1) as f64 - 3.0;
            let y = UNIT * self.size as f64 - 4.5;
            svg.push_str(&text(&file, x, y, 7.5, Anchor::End, class(last, place)));
            let rank = (self.size - number).to_string();
            let y = UNIT * place as f64 + 10.5;
            svg.push_str(&text(&rank, 3.0, y, 7.5, Anchor::Start, class(place, 0)));
        }
    }

    /// An arrow from the middle of its first square to the middle of the last one.
    fn arrow(&self, arrow: &Arrow) -> Result<String, PictureError> {
        let mut points = Vec::new();
        for name in &arrow.squares {
            points.push(self.place(name)?.center());
        }
        let [.., before, end] = points[..] else { return Err(PictureError::Arrow) };
        let (dx, dy) = (end.0 - before.0, end.1 - before.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let tip = (end.0 - 4.0 * ux, end.1 - 4.0 * uy);
        let neck = (tip.0 - 14.0 * ux, tip.1 - 14.0 * uy);
        let wings = [-9.0, 9.0].map(|w| (neck.0 + w * uy, neck.1 - w * ux));
        if let Some(last) = points.last_mut() {
            *last = neck;
        }
        let lines: String = points
            .windows(2)
            .map(|ends| {
                let [(x1, y1), (x2, y2)] = [ends[0], ends[1]];
                format!("<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>")
            })
            .collect();
        let head = format!(
            "M{:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z",
            tip.0, tip.1, wings[0].0, wings[0].1, wings[1].0, wings[1].1
        );
        let class = arrow.tone.class();
        Ok(format!("<g class=\"arrow {class}\">{lines}<path d=\"{head}\"/></g>\n"))
    }
}
