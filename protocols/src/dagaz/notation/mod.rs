//! Positions and moves as the site writes them.
//!
//! A position is `?turn=0;&setup=ROWS w`: what counts is `turn`, 0 if the player is to move who
//! began, not the letter behind the rows. How rows and moves are written each game says.

mod alapo;
mod chess;
mod draughts;

use damka_engine::Playable;
use damka_games::{Color, Game, Position, excerpt};
use thiserror::Error;

/// Why a position of the site was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the position `{position}` is not understood: {problem}")]
pub(super) struct NotationError {
    position: String,
    problem: String,
}

/// A game as the site writes it. Who begins there has the pieces of the side that begins here.
pub(super) trait Notation: Playable {
    /// Reads what follows `setup=`, with this side to move.
    fn read(self, text: &str, turn: Color) -> Result<Self::Position, String>;

    /// Writes what follows `setup=`; `last` is the move that has led to the position, if one has.
    fn write(position: &Self::Position, last: Option<Self::Move>) -> String;

    /// Reads a legal move.
    fn read_move(position: &Self::Position, text: &str) -> Option<Self::Move>;

    /// Writes a legal move.
    fn write_move(position: &Self::Position, mv: Self::Move) -> String;
}

/// The player who has this side, 1 or 2.
pub(super) fn player<G: Game>(game: G, color: Color) -> u64 {
    if color == game.start().turn() { 1 } else { 2 }
}

/// The player who is to move in a position, 1 or 2, if it says so.
pub(super) fn to_move(text: &str) -> Option<u64> {
    match field(text, "turn=")? {
        "0" => Some(1),
        "1" => Some(2),
        _ => None,
    }
}

/// Reads a position.
pub(super) fn read<G: Notation>(game: G, text: &str) -> Result<G::Position, NotationError> {
    let wrong = |problem: String| NotationError { position: excerpt(text), problem };
    let setup = field(text, "setup=").ok_or_else(|| wrong("`setup=` is missing".to_owned()))?;
    let letter = setup.split_whitespace().nth(1);
    let first = game.start().turn();
    let turn = match (to_move(text), letter) {
        (Some(1), _) | (None, Some("w")) => first,
        (Some(_), _) | (None, Some("b")) => !first,
        _ => return Err(wrong("nothing says whose turn it is".to_owned())),
    };
    game.read(setup, turn).map_err(wrong)
}

/// Writes a position; `last` is the move that has led to it, if one has.
pub(super) fn write<G: Notation>(position: &G::Position, last: Option<G::Move>) -> String {
    let turn = player(position.game(), position.turn()) - 1;
    format!("?turn={turn};&setup={}", G::write(position, last))
}

/// What follows `name` in the fields of a text, `?turn=0;&setup=...`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ';' | '?');
    let fields = text.split('&').map(|field| field.trim_matches(is_end));
    fields
        .filter_map(|field| field.strip_prefix(name))
        .next()
        .map(|value| value.trim_matches(is_end))
}

/// The letter behind the rows.
fn letter<G: Game>(game: G, turn: Color) -> char {
    if player(game, turn) == 1 { 'w' } else { 'b' }
}
