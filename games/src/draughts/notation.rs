//! Moves as text: `c3-d4`, `c3xe5xg7`, `11-15`, `15x22`. Also parses `cd4` and `c:e5:g7`.

use super::capture::Route;
use super::{Draughts, Move, Position, capture, geometry};
use crate::foreign::latin;
use crate::{MoveError, Position as _, Square};

const MOVE: &str = "squares joined by `-` or `x`, as in c3-d4, c3xe5xg7, cd4, 11-15 or 15x22";

const SEPARATORS: [char; 4] = ['-', 'x', 'X', ':'];

/// Formats a move; a capture with every square that it visits. Of several routes with the same
/// captured pieces, the first one found is written.
pub(super) fn format(position: &Position, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    text.push_str(position.game.format_square(mv.from()));
    if mv.captured == 0 {
        text.push('-');
        text.push_str(position.game.format_square(mv.to()));
        return text;
    }
    for square in position.route_of(mv).into_iter().skip(1) {
        text.push('x');
        text.push_str(position.game.format_square(square));
    }
    text
}

/// Parses a move: numeric or algebraic squares separated by `-`, `x` or `:`, or squares of two
/// characters without separators. A capture may omit intermediate squares as long as only one move
/// matches. The first square may be reduced to its file, as in Russian notation: `cd4`, `e:g5`,
/// `c:e5:g7`.
pub(super) fn parse(position: &Position, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let pattern = Pattern::parse(position.game, text);
    let pattern = pattern.ok_or_else(|| MoveError::NotAMove(text.to_owned(), MOVE))?;
    let routes = routes(position);
    let fitting = |fits: fn(&Pattern, &[u8]) -> bool| {
        let mut found: Vec<Move> = Vec::new();
        for route in routes.iter().filter(|route| fits(&pattern, &route.path)) {
            if !found.contains(&route.mv) {
                found.push(route.mv);
            }
        }
        found
    };
    // A full route determines the captured pieces.
    let mut found = fitting(Pattern::is_route);
    if found.is_empty() {
        found = fitting(Pattern::fits);
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

/// A parsed move.
struct Pattern {
    origin: Origin,
    /// The squares after the first one, at least one.
    squares: Vec<u8>,
}

/// The origin of a move as far as it is given.
#[derive(Clone, Copy)]
enum Origin {
    Square(u8),
    /// Only the file, from 0.
    File(u8),
}

impl Pattern {
    fn parse(game: Draughts, text: &str) -> Option<Pattern> {
        let text: String = text.chars().map(latin).collect();
        let words: Vec<&str> = match text.contains(SEPARATORS) {
            true => text.split(SEPARATORS).map(str::trim).collect(),
            false if Pattern::is_paired(&text) => {
                let (first, rest) = text.split_at(2 - text.len() % 2);
                let rest = (0..rest.len()).step_by(2).map(|i| &rest[i..i + 2]);
                std::iter::once(first).chain(rest).collect()
            }
            false => return None,
        };
        let (first, rest) = words.split_first()?;
        let square = |word: &&str| Some(game.parse_square(word)?.index());
        let origin = match *first.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Origin::File(game.parse_file(letter)?),
            _ => Origin::Square(square(first)?),
        };
        let squares: Vec<u8> = rest.iter().map(square).collect::<Option<_>>()?;
        (!squares.is_empty()).then_some(Pattern { origin, squares })
    }

    /// Whether a text without separators may consist of squares of two characters each, the first
    /// of which may be reduced to its file.
    fn is_paired(text: &str) -> bool {
        text.is_ascii()
            && !text.is_empty()
            && (text.len().is_multiple_of(2) || text.starts_with(|c: char| c.is_ascii_alphabetic()))
    }

    fn begins(&self, path: &[u8]) -> bool {
        path.first().is_some_and(|&from| match self.origin {
            Origin::Square(square) => from == square,
            Origin::File(file) => geometry::file(Square::new(from)) == file,
        })
    }

    /// Whether the squares are exactly those of `path`.
    fn is_route(&self, path: &[u8]) -> bool {
        self.begins(path) && path[1..] == self.squares
    }

    /// Whether the squares are the ends of `path` and a subsequence of the squares between.
    fn fits(&self, path: &[u8]) -> bool {
        let mut rest = path.iter().skip(1);
        self.begins(path)
            && path.last() == self.squares.last()
            && self.squares.iter().all(|square| rest.any(|visited| visited == square))
    }
}

/// All routes of all legal moves.
fn routes(position: &Position) -> Vec<Route> {
    let routes = capture::routes(position);
    if !routes.is_empty() {
        return routes;
    }
    let quiet = position.moves().into_iter();
    quiet.map(|mv| Route { mv, path: [mv.from, mv.to].into_iter().collect() }).collect()
}
