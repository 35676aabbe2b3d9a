//! Lines of play in words.

use damka_games::{Game, Position};
use std::fmt::Display;

/// The moves of a line by name.
pub(crate) fn named<G: Game>(
    position: &G::Position,
    line: impl IntoIterator<Item = G::Move>,
) -> Vec<String> {
    let mut position = *position;
    line.into_iter()
        .map(|mv| {
            let name = position.format_move(mv);
            position = position.play(mv);
            name
        })
        .collect()
}

/// A line with its moves numbered: `1. a1-d4 h8-g7 2. ...`.
pub(crate) fn numbered(names: impl IntoIterator<Item = impl Display>) -> String {
    let plies = names.into_iter().enumerate();
    let words: Vec<String> = plies
        .map(|(ply, name)| match ply.is_multiple_of(2) {
            true => format!("{}. {name}", ply / 2 + 1),
            false => name.to_string(),
        })
        .collect();
    words.join(" ")
}
