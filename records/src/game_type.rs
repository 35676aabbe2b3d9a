//! The tags that identify games: `GameType` of PDN for variants of draughts
//! (<https://pdn.fmjd.org/gametype.html>), and `Variant` of chess programs.

use crate::RecordProblem;
use crate::lexer::quote;
use damka_games::{Color, Game, Position};

/// The standard's types by name of the game in damka: number, first mover, board, notation with the
/// corner of square 1 as seen by the first mover, and whether that side's left corner is unused.
/// [`AMERICAN_POOL`] has the same number as `pool`.
const TYPES: [(&str, &str); 8] = [
    ("english", "21,B,8,8,N1,0"),
    ("pool", "23,W,8,8,A0,0"),
    ("russian", "25,W,8,8,A0,0"),
    ("brazilian", "26,W,8,8,A0,0"),
    ("czech", "29,W,8,8,A0,0"),
    ("spanish", "24,W,8,8,N1,1"),
    ("italian", "22,W,8,8,N2,1"),
    ("thai", "31,B,8,8,N2,0"),
];

/// The type of American pool checkers, to which the standard assigns the number 23.
const AMERICAN_POOL: &str = "23,B,8,8,N1,0";

/// The valid values of `Variant` for games that use it, in lower case.
const VARIANTS: [(&str, &[&str]); 1] = [(
    "chess",
    &[
        "",
        "?",
        "-",
        "standard",
        "normal",
        "classical",
        "chess",
        "standard chess",
        "from position",
        "chess960",
        "chess 960",
        "fischerandom",
        "fischer random",
        "freestyle",
    ],
)];

/// The value of `Variant` of a game whose start position is one of Chess960.
pub(crate) const CHESS960: &str = "Chess960";

/// Checks the tag `Variant`. Any value is valid for games that do not use it.
pub(crate) fn check_variant<G: Game>(game: G, value: &str) -> Result<(), RecordProblem> {
    let own = VARIANTS.iter().find(|(name, _)| *name == game.name());
    match own.is_none_or(|(_, values)| values.contains(&value.to_lowercase().as_str())) {
        true => Ok(()),
        false => Err(other("Variant", value, game)),
    }
}

fn other<G: Game>(tag: &'static str, value: &str, game: G) -> RecordProblem {
    RecordProblem::OtherGame { tag, found: quote(value), game: game.name() }
}

/// The game's type; `None` if the standard has none with the same names of squares.
pub(crate) fn of<G: Game>(game: G) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == game.name()).map(|&(_, game_type)| game_type)
}

/// The values of a tag that stand for an unknown type.
const NOTHING: [&str; 4] = ["", "?", "-", "*"];

/// The start position of games with this value of the tag. Only the number and the first mover are
/// used, because programs differ in the rest. The name of the game may stand for its number.
pub(crate) fn start<G: Game>(game: G, value: &str) -> Result<G::Position, RecordProblem> {
    let start = game.start();
    let value = if value.trim() == "23" { AMERICAN_POOL } else { value };
    let mut fields = value.split(',').map(str::trim);
    let first = fields.next().unwrap_or_default();
    if NOTHING.contains(&first) {
        return Ok(start);
    }
    let own = of(game).and_then(|own| own.split(',').next());
    if own != Some(first.trim_start_matches('0')) && !game.is_named(first) {
        return Err(other("GameType", value, game));
    }
    let first = match fields.next() {
        Some("W" | "w") => Color::White,
        Some("B" | "b") => Color::Black,
        _ => start.turn(),
    };
    // In all draughts variants this only changes the side to move.
    Ok(if first == start.turn() { start } else { start.flip() })
}
