//! The tags that tell games apart: `GameType`, which PDN has for variants of draughts
//! (<https://pdn.fmjd.org/gametype.html>), and `Variant`, which programs of chess write.

use crate::RecordProblem;
use crate::lexer::quote;
use damka_games::{Color, Game, Position};

/// The standard's types, by damka's names of the games: number, first mover, board,
/// notation with the corner of square 1 as the first mover sees it, and whether that
/// side's left corner is no square. [`AMERICAN_POOL`] shares its number with `pool`.
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

/// American pool checkers, which the standard means by the number alone.
const AMERICAN_POOL: &str = "23,B,8,8,N1,0";

/// What `Variant` may say of games that it is written for, in lower case.
const VARIANTS: [(&str, &[&str]); 1] = [(
    "chess",
    &["", "?", "-", "standard", "normal", "classical", "chess", "standard chess", "from position"],
)];

/// Checks what the tag `Variant` says. Of games that it is not written for it may say anything.
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

/// The game's type, if the standard has one whose squares are named as ours are.
pub(crate) fn of<G: Game>(game: G) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == game.name()).map(|&(_, game_type)| game_type)
}

/// The position from which games with the tag `value` start. Only the number
/// and the first mover count: programs differ in the rest. A value without a
/// number says nothing.
pub(crate) fn start<G: Game>(game: G, value: &str) -> Result<G::Position, RecordProblem> {
    let start = game.start();
    let value = if value.trim() == "23" { AMERICAN_POOL } else { value };
    let mut fields = value.split(',').map(str::trim);
    let Some(Ok(number)) = fields.next().map(str::parse::<u32>) else {
        return Ok(start);
    };
    let own = of(game).and_then(|own| own.split(',').next()?.parse().ok());
    if own != Some(number) {
        return Err(other("GameType", value, game));
    }
    let first = match fields.next() {
        Some("W" | "w") => Color::White,
        Some("B" | "b") => Color::Black,
        _ => start.turn(),
    };
    // In all draughts variants this only changes whose turn it is.
    Ok(if first == start.turn() { start } else { start.flip() })
}
