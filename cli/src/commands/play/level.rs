//! The limits of the engine's moves.

use damka_engine::Limits;
use damka_games::excerpt;
use std::time::Duration;

/// The syntax of limits.
const EXPECTED: &str = "time=MS, depth=N or nodes=N, or some of them, expected";

/// Reads limits of a move: `time=500` (milliseconds), `depth=6` (plies), `nodes=20000`, or
/// several, with commas or blanks between them.
///
/// # Errors
/// A message that says what is wrong.
pub(super) fn parse(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for part in text.split([',', ' ']).filter(|part| !part.is_empty()) {
        let wrong = || format!("`{}`: {EXPECTED}", excerpt(part));
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        let number = value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(wrong)?;
        match key {
            "time" => limits.time = Some(Duration::from_millis(number)),
            "depth" => limits.depth = Some(u16::try_from(number).map_err(|_| wrong())?),
            "nodes" => limits.nodes = Some(number),
            _ => return Err(wrong()),
        }
    }
    match limits == Limits::default() {
        true => Err(EXPECTED.to_owned()),
        false => Ok(limits),
    }
}

/// The same limits in words that [`parse`] reads.
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
            assert_eq!(parse(level).map(|limits| text(&limits)).as_deref(), Ok(level));
        }
        assert_eq!(parse(" depth=2  time=9 "), parse("time=9,depth=2"));
        for wrong in ["", "5", "time=", "time=-1", "time=0", "depth=70000", "speed=3", "depth 3"] {
            assert!(parse(wrong).is_err_and(|error| error.contains("time=MS")), "{wrong}");
        }
    }
}
