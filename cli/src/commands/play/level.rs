//! The level of the engine, and the limits of its moves.

use damka_engine::{Level, Limits};
use damka_games::excerpt;
use std::time::Duration;

/// The syntax of levels and limits.
const EXPECTED: &str =
    "expected a level from 1 to 10, time=MS, depth=N or nodes=N, or several of these";

/// Reads a level, `3`, and limits of a move, `time=500` (milliseconds), `depth=6` (plies) or
/// `nodes=20000`: one or several, with commas or blanks between them.
///
/// # Errors
/// A message about the error in the text.
pub(super) fn parse(text: &str) -> Result<(Option<Level>, Option<Limits>), String> {
    let (mut level, mut limits) = (None, Limits::default());
    for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
        let wrong = || format!("`{}`: {EXPECTED}", excerpt(part));
        let Some((key, value)) = part.split_once('=') else {
            level = Some(part.parse().map_err(|_| wrong())?);
            continue;
        };
        let number = value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        match key {
            "time" => limits.time = Some(Duration::from_millis(number)),
            "depth" => limits.depth = Some(u16::try_from(number).map_err(|_| wrong())?),
            "nodes" => limits.nodes = Some(number),
            _ => return Err(wrong()),
        }
    }
    match (level, Some(limits).filter(|&limits| limits != Limits::default())) {
        (None, None) => Err(EXPECTED.to_owned()),
        parsed => Ok(parsed),
    }
}

/// The limits as text that [`parse`] reads.
pub(super) fn text(limits: &Limits) -> String {
    let time = limits.time.map(|time| format!("time={}", time.as_millis()));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    [time, depth, nodes].into_iter().flatten().collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_written() {
        for level in ["time=500", "depth=6", "nodes=20000", "time=500,depth=6,nodes=7"] {
            let limits = parse(level).map(|(level, limits)| (level, limits.as_ref().map(text)));
            assert_eq!(limits, Ok((None, Some(level.to_owned()))));
        }
        let level = |number| Some(Level::new(number).expect("a level"));
        assert_eq!(parse("3"), Ok((level(3), None)));
        assert_eq!(parse("10 nodes=5"), Ok((level(10), Some(Limits::nodes(5)))));
        assert_eq!(parse(" depth=2  time=9 "), parse("time=9,depth=2"));
        for wrong in
            ["", "0", "11", "time=", "time=-1", "time=0", "depth=70000", "speed=3", "depth 3"]
        {
            assert!(parse(wrong).is_err_and(|error| error.contains("time=MS")), "{wrong}");
        }
    }
}
