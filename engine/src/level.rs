//! Levels: how well a player plays, for opponents that are no match for it at full strength.
//!
//! A level below the highest searches little, and then chooses at random among the best moves
//! found: a move that is worse by one [`spread`](Handicap::spread) is e times less likely. So its
//! mistakes are moves that look good at first sight. If it has seen a win or loss, it plays the
//! best move.

use crate::control::Limits;
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Random;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How well a player plays, from 1, a beginner, to 10, as well as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// What a level searches and how it chooses.
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
    /// The strength, in Elo. Only differences between levels of a game mean something.
    pub elo: u16,
}

/// The text is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a level from 1 to {}", Level::COUNT)]
pub struct LevelError;

impl Level {
    /// The number of levels.
    pub const COUNT: usize = 10;
    /// The lowest level: a beginner.
    pub const FIRST: Level = Level(1);
    /// The highest level: as well as the player can.
    pub const FULL: Level = Level(Level::COUNT as u8);

    /// From this level on, the player sees repetitions of positions of the game: a beginner does
    /// not claim draws.
    const REPETITIONS: u8 = 4;
    /// From this level on the book is used: a beginner knows no openings.
    const BOOK: u8 = 5;
    /// From this level on endgame tables are used.
    const TABLES: u8 = 8;

    /// The level with this number, from 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        (1..=Level::COUNT).contains(&number.into()).then_some(Level(number))
    }

    /// The level that is `count` below the highest, or the lowest one.
    pub fn below_full(count: u64) -> Level {
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        Level(Level::FULL.0.saturating_sub(count).max(Level::FIRST.0))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The level of a game whose strength is nearest to `elo`.
    pub fn of_elo<G: Searchable>(elo: u16) -> Level {
        let levels = (1..=Level::FULL.0).map(Level);
        levels.min_by_key(|level| level.elo::<G>().abs_diff(elo)).unwrap_or(Level::FULL)
    }

    /// The strength in a game, in Elo. Only differences between levels of a game mean something.
    pub fn elo<G: Searchable>(self) -> u16 {
        self.handicap::<G>().elo
    }

    /// What it searches and how it chooses in a game.
    pub(crate) fn handicap<G: Searchable>(self) -> Handicap {
        G::LEVELS[usize::from(self.0) - 1]
    }

    pub(crate) fn sees_repetitions(self) -> bool {
        self.0 >= Level::REPETITIONS
    }

    pub(crate) fn uses_book(self) -> bool {
        self.0 >= Level::BOOK
    }

    pub(crate) fn uses_tables(self) -> bool {
        self.0 >= Level::TABLES
    }
}

/// The levels of draughts, and of games that have none of their own.
pub(crate) const DRAUGHTS: [Handicap; Level::COUNT] = [
    Handicap::new(1, 512, 6, 30, 800),
    Handicap::new(2, 1_000, 6, 36, 970),
    Handicap::new(2, 1_000, 5, 21, 1_110),
    Handicap::new(3, 1_000, 5, 20, 1_280),
    Handicap::new(4, 1_000, 4, 12, 1_430),
    Handicap::new(5, 2_000, 4, 7, 1_560),
    Handicap::new(7, 3_000, 3, 4, 1_710),
    Handicap::new(40, 6_000, 3, 3, 1_850),
    Handicap::new(40, 20_000, 2, 2, 2_040),
    Handicap::none(2_210),
];

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        text.parse().ok().and_then(Level::new).ok_or(LevelError)
    }
}

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

/// Chooses at random among moves with these scores, best first. Moves that are worse than the best
/// by at most `margin` hundredths of a man are equally likely; beyond that, worse moves are less
/// likely.
pub(crate) fn choose(scores: &[Score], margin: u16, spread: u16, random: &mut Random) -> usize {
    /// The scale of weights, which are integers so that the choice is the same everywhere.
    const UNIT: f64 = (1 << 20) as f64;
    let is_decided = |score: Score| score.is_win() || score.is_loss();
    let Some(&best) = scores.first().filter(|&&best| !is_decided(best)) else { return 0 };
    let weight = |&score: &Score| {
        let excess = best.hundredths() - score.hundredths() - i32::from(margin);
        match excess {
            _ if is_decided(score) => 0,
            ..=0 => UNIT as u64,
            _ if spread == 0 => 0,
            _ => (UNIT * (-f64::from(excess) / f64::from(spread)).exp()) as u64,
        }
    };
    let weights: Vec<u64> = scores.iter().map(weight).collect();
    let mut rest = random.below(weights.iter().sum());
    let chosen = weights.iter().position(|&weight| {
        let is_chosen = rest < weight;
        rest = rest.saturating_sub(weight);
        is_chosen
    });
    chosen.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Alapo, Chess, Draughts};

    /// How often each of these scores is chosen, of a thousand times.
    fn chosen(scores: &[Score], margin: u16, spread: u16) -> Vec<u32> {
        let mut random = Random::new(5);
        let mut counts = vec![0; scores.len()];
        (0..1000).for_each(|_| counts[choose(scores, margin, spread, &mut random)] += 1);
        counts
    }

    #[test]
    fn levels_have_numbers() {
        assert_eq!("10".parse(), Ok(Level::FULL));
        assert_eq!(
            [0, 3, 9, u64::MAX].map(|count| Level::below_full(count).number()),
            [10, 7, 1, 1]
        );
        assert_eq!("3".parse::<Level>().map(Level::number), Ok(3));
        for wrong in ["0", "11", "-1", "", "x", "256", "2.5"] {
            assert_eq!(wrong.parse::<Level>(), Err(LevelError), "{wrong}");
        }
    }

    #[test]
    fn levels_rise_in_strength_and_effort() {
        fn check<G: Searchable>() {
            let levels = G::LEVELS;
            for pair in levels.windows(2) {
                let [lower, higher] = [pair[0], pair[1]];
                assert!(lower.elo + 80 <= higher.elo, "{lower:?} {higher:?}");
                assert!(lower.depth <= higher.depth && lower.nodes <= higher.nodes, "{higher:?}");
            }
            assert_eq!(levels[9], Handicap::none(levels[9].elo));
            let nearest = |elo| Level::of_elo::<G>(elo).number();
            assert_eq!((nearest(0), nearest(u16::MAX)), (1, 10));
            assert_eq!(nearest(levels[4].elo + 10), 5);
        }
        check::<Draughts>();
        check::<Alapo>();
        check::<Chess>();
    }

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

    #[test]
    fn worse_moves_are_chosen_less_often() {
        let scores = [50, 40, 0, -400].map(Score::evaluation);
        assert_eq!(chosen(&scores, 0, 0), [1000, 0, 0, 0]);
        let counts = chosen(&scores, 10, 0);
        assert!(counts[0] > 400 && counts[1] > 400 && counts[2..] == [0, 0], "{counts:?}");
        // 1, exp(-0.2) and exp(-1), of 2.187.
        let counts = chosen(&scores, 0, 50);
        let expected: [u32; 4] = [457, 374, 168, 0];
        let are_near = counts.iter().zip(expected).all(|(&count, near)| near.abs_diff(count) < 50);
        assert!(are_near && counts[3] == 0, "{counts:?}");
    }

    #[test]
    fn wins_are_taken_and_losses_that_are_seen_avoided() {
        let [win, loss] = [Score::decided(3), Score::decided(2)];
        assert_eq!(chosen(&[win, Score::DRAW], 100, 10_000), [1000, 0]);
        assert_eq!(chosen(&[Score::DRAW, loss], 100, 60_000), [1000, 0]);
        assert_eq!(chosen(&[Score::decided(8), loss], 100, 60_000), [1000, 0]);
        assert_eq!(choose(&[], 1, 1, &mut Random::new(1)), 0);
    }
}
