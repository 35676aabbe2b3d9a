//! Lines of play in words.

use damka_games::{Color, Game, Position};
use std::fmt::Display;

/// The moves of a line by name.
pub(crate) fn named<G: Game>(
    position: &G::Position,
    line: impl IntoIterator<Item = G::Move>,
) -> Vec<String> {
    written::<G>(position, line, G::Position::format_move)
}

/// The moves of a line as `write` writes them.
pub(crate) fn written<G: Game>(
    position: &G::Position,
    line: impl IntoIterator<Item = G::Move>,
    write: impl Fn(&G::Position, G::Move) -> String,
) -> Vec<String> {
    let mut position = *position;
    line.into_iter()
        .map(|mv| {
            let name = write(&position, mv);
            position = position.play(mv);
            name
        })
        .collect()
}

/// A line that `turn` begins with its moves numbered: `1. a1-d4 h8-g7 2. ...`, `1... h8-g7 2. ...`.
pub(crate) fn numbered(turn: Color, names: impl IntoIterator<Item = impl Display>) -> String {
    let plies = (turn as usize..).zip(names);
    let words: Vec<String> = plies
        .enumerate()
        .map(|(place, (ply, name))| match (ply % 2, place) {
            (0, _) => format!("{}. {name}", ply / 2 + 1),
            (_, 0) => format!("1... {name}"),
            _ => name.to_string(),
        })
        .collect();
    words.join(" ")
}
