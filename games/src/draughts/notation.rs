//! Moves as text: `c3-d4`, `c3xe5xg7`, `11-15`, `15x22`.

use super::capture::Route;
use super::{Move, Position, capture};
use crate::{MoveError, Position as _};

const MOVE: &str = "squares joined by `-` or `x`, as in c3-d4, c3xe5xg7, 11-15 or 15x22";

const SEPARATORS: [char; 4] = ['-', 'x', 'X', ':'];

/// Writes a move, a capture with every square it visits. Where several routes
/// take the same pieces, the first one found is written.
pub(super) fn format(position: &Position, mv: Move) -> String {
    if mv.captured == 0 {
        let [from, to] = [mv.from(), mv.to()].map(|square| position.game.format_square(square));
        return format!("{from}-{to}");
    }
    let route = position.route_of(mv).into_iter();
    let squares: Vec<String> = route.map(|square| position.game.format_square(square)).collect();
    squares.join("x")
}

/// Reads a move: numeric or algebraic squares joined by `-`, `x` or `:`, or squares
/// of two characters without anything between. A capture may leave out squares on
/// its way as long as one move fits.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let words: Vec<&str> = match text.contains(SEPARATORS) {
        true => text.split(SEPARATORS).map(str::trim).collect(),
        false if text.is_ascii() && text.len().is_multiple_of(2) => {
            (0..text.len()).step_by(2).map(|i| &text[i..i + 2]).collect()
        }
        false => Vec::new(),
    };
    let squares: Option<Vec<u8>> =
        words.into_iter().map(|word| Some(position.game.parse_square(word)?.index())).collect();
    let squares = squares.filter(|squares| squares.len() >= 2);
    let squares = squares.ok_or_else(|| MoveError::NotAMove(text.to_owned(), MOVE))?;

    let routes = routes(position);
    // A full route says which pieces are taken.
    if let Some(exact) = routes.iter().find(|route| route.path[..] == squares[..]) {
        return Ok(exact.mv);
    }
    let mut found: Vec<Move> = Vec::new();
    for route in &routes {
        if fits(&route.path, &squares) && !found.contains(&route.mv) {
            found.push(route.mv);
        }
    }
    let name = |mv| format(position, mv);
    match found[..] {
        [mv] => Ok(mv),
        [] => {
            let legal = position.moves();
            Err(MoveError::illegal(text, legal.into_iter().map(name)))
        }
        _ => {
            let found: Vec<String> = found.into_iter().map(name).collect();
            Err(MoveError::Ambiguous(text.to_owned(), found.join(", ")))
        }
    }
}

/// Every way to carry out a legal move.
fn routes(position: &Position) -> Vec<Route> {
    let routes = capture::routes(position);
    if !routes.is_empty() {
        return routes;
    }
    let quiet = position.moves().into_iter();
    quiet.map(|mv| Route { mv, path: [mv.from, mv.to].into_iter().collect() }).collect()
}

/// Whether `squares` are the ends of `path` and, in order, some of the squares
/// between.
fn fits(path: &[u8], squares: &[u8]) -> bool {
    let mut rest = path.iter();
    path.first() == squares.first()
        && path.last() == squares.last()
        && squares.iter().all(|square| rest.any(|visited| visited == square))
}
