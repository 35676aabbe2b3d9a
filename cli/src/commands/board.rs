//! The board as text: with colours in `play`, without colours in other commands.

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use damka_games::{Color, Game, Position, Square};

/// The styles of White's and Black's pieces.
const PIECES: [Style; 2] = [Style::new().bold(), AnsiColor::Red.on_default().bold()];
/// The style of the squares of the last move.
const MARK: Style = Style::new().invert();
/// The style of coordinates and hints around the board.
const LABEL: Style = Style::new().dimmed();

/// A position as text, White at the bottom.
pub(crate) fn diagram<G: Game>(game: G, position: &G::Position) -> String {
    if !is_numeric(game) {
        return position.diagram();
    }
    let plain = strip_str(&draw::<G>(position, None, Color::White)).to_string();
    plain.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Whether squares are written as numbers.
fn is_numeric<G: Game>(game: G) -> bool {
    game.square_name(Square::new(0)).bytes().all(|byte| byte.is_ascii_digit())
}

/// Draws a position from the side of `viewer`. The two squares of the last move are in brackets. In games
/// with numbered squares, they show their numbers.
pub(crate) fn draw<G: Game>(
    position: &G::Position,
    last: Option<(Square, Square)>,
    viewer: Color,
) -> String {
    let game = position.game();
    let is_numeric = is_numeric(game);
    let ranks = game.board();
    let mut rows: Vec<_> = (1..=ranks.len()).rev().zip(ranks).collect();
    let mut files: Vec<char> = ('a'..).take(rows.first().map_or(0, |row| row.1.len())).collect();
    if viewer == Color::Black {
        files.reverse();
        rows.reverse();
        rows.iter_mut().for_each(|(_, row)| row.reverse());
    }
    let mut text = String::new();
    for (rank, row) in rows {
        if !is_numeric {
            text += &format!("{LABEL}{rank}{LABEL:#} ");
        }
        let cells = row.into_iter().map(|square| match square {
            Some(square) => cell::<G>(position, square, last, is_numeric),
            None => " ".repeat(if is_numeric { 6 } else { 3 }),
        });
        let cells: String = cells.collect();
        text += cells.trim_end();
        text.push('\n');
    }
    if !is_numeric {
        let files: String = files.iter().map(|file| format!(" {file} ")).collect();
        text += &format!("  {LABEL}{}{LABEL:#}\n", files.trim_end());
    }
    text
}

/// A square and what is on it: ` w `, `[.]`, or with a number ` w 22 ` and `[  18]`.
fn cell<G: Game>(
    position: &G::Position,
    square: Square,
    last: Option<(Square, Square)>,
    is_numeric: bool,
) -> String {
    let game = position.game();
    let (symbol, style) = match position.piece_at(square) {
        Some((color, kind)) => (G::symbol(color, kind), PIECES[color as usize]),
        None => (if is_numeric { ' ' } else { '.' }, LABEL),
    };
    let number =
        if is_numeric { format!(" {:<2}", game.square_name(square)) } else { String::new() };
    match last.is_some_and(|(from, to)| square == from || square == to) {
        true => format!("{MARK}[{symbol}{number}]{MARK:#}"),
        false if number.is_empty() => format!(" {style}{symbol}{style:#} "),
        false => format!(" {style}{symbol}{style:#}{LABEL}{number}{LABEL:#} "),
    }
}
