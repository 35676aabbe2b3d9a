//! Formats lines of play as text.

use damka_games::{Counted, Game, MoveCounters, Position};
use std::fmt::Display;

/// The names of the moves of a line.
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

/// A line of play from `start` with numbered moves: `1. a1-d4 h8-g7 2. ...`, or `1... h8-g7 2. ...` if
/// the second player begins. The first number is the move number of the position, or 1.
pub(crate) fn numbered<P: Position>(
    start: &Counted<P>,
    names: impl IntoIterator<Item = impl Display>,
) -> String {
    let position = &start.position;
    let first = start.counters.unwrap_or(MoveCounters::START).fullmove_number;
    let is_second = position.turn() != position.game().start().turn();
    let plies = (usize::from(is_second)..).zip(names);
    let words: Vec<String> = plies
        .enumerate()
        .map(|(place, (ply, name))| {
            let number = usize::from(first) + ply / 2;
            match (ply % 2, place) {
                (0, _) => format!("{number}. {name}"),
                (_, 0) => format!("{number}... {name}"),
                _ => name.to_string(),
            }
        })
        .collect();
    words.join(" ")
}
