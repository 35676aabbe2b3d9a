use crate::{GameResult, Line, Tags};
use damka_games::{Counted, Game};

/// A recorded game. Displayed as PDN or PGN, ending in a newline; games must be separated by an
/// empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<G: Game> {
    /// The tags: who played, where and when.
    pub tags: Tags,
    /// The position before the first move, with the move counters of the tag `FEN`.
    pub start: Counted<G::Position>,
    /// The moves.
    pub line: Line<G>,
    /// The result.
    pub result: GameResult,
}

impl<G: Game> Record<G> {
    /// A game that starts from `start`, without moves.
    pub fn new(start: impl Into<Counted<G::Position>>) -> Record<G> {
        Record {
            tags: Tags::new(),
            start: start.into(),
            line: Line::new(),
            result: GameResult::Unknown,
        }
    }
}
