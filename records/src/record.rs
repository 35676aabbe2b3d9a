use crate::{GameResult, Line, Tags};
use damka_games::{Counted, Game};

/// A recorded game. It is displayed as PDN or PGN, ending in a newline; between two
/// games belongs an empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<G: Game> {
    /// Who played, where and when.
    pub tags: Tags,
    /// The position before the first move, with the move counters of the tag `FEN`.
    pub start: Counted<G::Position>,
    /// The moves.
    pub line: Line<G>,
    /// How the game ended.
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
