//! How much a player searches at a level, and among how many moves it chooses.

use crate::control::Limits;

/// The number of levels.
pub(crate) const LEVEL_COUNT: usize = 10;

/// How much a player searches at a level, and how it chooses a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The maximum depth, in plies.
    pub depth: u16,
    /// The maximum number of positions; at least 512, the interval at which limits are checked.
    pub nodes: u64,
    /// The number of moves to choose from.
    pub lines: usize,
    /// A move that is worse by this much, in hundredths of a man, is e times less likely to be
    /// chosen. 0 if only the best move is played.
    pub spread: u16,
    /// The strength, in Elo, on a scale of the game.
    pub elo: u16,
}

/// The levels of draughts, and of games that have none of their own.
pub(crate) const DRAUGHTS: [Handicap; LEVEL_COUNT] = [
    Handicap::new(1, 512, 8, 120, 800),
    Handicap::new(1, 512, 6, 36, 1_070),
    Handicap::new(2, 1_000, 6, 44, 1_220),
    Handicap::new(3, 1_000, 5, 25, 1_500),
    Handicap::new(4, 1_000, 4, 13, 1_660),
    Handicap::new(5, 2_000, 4, 7, 1_820),
    Handicap::new(7, 3_000, 3, 4, 1_950),
    Handicap::new(40, 6_000, 3, 3, 2_060),
    Handicap::new(40, 20_000, 2, 2, 2_200),
    Handicap::none(2_370),
];

impl Handicap {
    /// A handicap with these parts, in the order of the fields.
    pub const fn new(depth: u16, nodes: u64, lines: usize, spread: u16, elo: u16) -> Handicap {
        Handicap { depth, nodes, lines, spread, elo }
    }

    /// Full strength.
    pub const fn none(elo: u16) -> Handicap {
        Handicap { depth: u16::MAX, nodes: u64::MAX, lines: 1, spread: 0, elo }
    }

    /// These limits, or those of the handicap where they are tighter.
    pub(crate) fn limits(&self, limits: &Limits) -> Limits {
        let depth = limits.depth.unwrap_or(u16::MAX).min(self.depth);
        let nodes = limits.nodes.unwrap_or(u64::MAX).min(self.nodes);
        Limits {
            depth: (depth < u16::MAX).then_some(depth),
            nodes: (nodes < u64::MAX).then_some(nodes),
            ..*limits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tighter_limits_apply() {
        let handicap = Handicap { depth: 4, nodes: 1000, ..Handicap::none(0) };
        assert_eq!(
            handicap.limits(&Limits::nodes(10)),
            Limits { depth: Some(4), ..Limits::nodes(10) }
        );
        let none = Handicap::none(0);
        assert_eq!(none.limits(&Limits::depth(9)), Limits::depth(9));
        assert_eq!(none.limits(&Limits::default()), Limits::default());
    }
}
