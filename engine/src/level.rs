//! Levels: how well a player plays, for opponents that are no match for it at full strength.
//!
//! Below the highest level a player searches little, and then chooses at random among the best
//! moves found: a move that is worse by one [`spread`](Handicap::spread) is e times less likely. So
//! its mistakes are moves that look good at first sight. If the best move leads to a win or loss
//! that the search has seen, it is played.

use crate::handicap::{Handicap, LEVEL_COUNT};
use crate::score::Score;
use crate::searchable::Searchable;
use damka_games::Random;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How well a player plays: from 1, a beginner, to 10, full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The text is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a level from 1 to {}", Level::COUNT)]
pub struct LevelError;

impl Level {
    /// The number of levels.
    pub const COUNT: usize = LEVEL_COUNT;
    /// The lowest level: a beginner.
    pub const FIRST: Level = Level(1);
    /// The highest level: full strength.
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

    /// The number of the level.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The level of a game whose strength is nearest to `elo`.
    pub fn of_elo<G: Searchable>(elo: u16) -> Level {
        let levels = (1..=Level::FULL.0).map(Level);
        levels.min_by_key(|level| level.elo::<G>().abs_diff(elo)).unwrap_or(Level::FULL)
    }

    /// The strength in a game, in Elo: in chess on the scale of Stockfish's `UCI_Elo`, in each other
    /// game on a scale of its own.
    pub fn elo<G: Searchable>(self) -> u16 {
        self.handicap::<G>().elo
    }

    /// How much a player searches at this level of a game, and how it chooses a move.
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

/// Chooses at random among moves with these scores, which are sorted best first. Returns an index.
/// Moves that are worse than the best by at most `margin` hundredths of a man are equally likely;
/// beyond that, worse moves are less likely.
pub(crate) fn choose(scores: &[Score], margin: u16, spread: u16, random: &mut Random) -> usize {
    /// The scale of weights, which are integers so that the choice is the same on every machine.
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
    random.weighted(&weights).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Alapo, Chess, Draughts};

    /// How often each of these scores is chosen in a thousand choices.
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
