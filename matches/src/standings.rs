use crate::tally::{Elo, MIN_PAIRS, Tally};
use damka_games::Random;

/// The result of a round robin: every two players have played a match.
///
/// Strengths are the maximum likelihood estimates of the Bradley-Terry model, with a draw as half a
/// win. To keep them finite, one more draw is counted for every two players.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    players: usize,
    pairings: Vec<Pairing>,
}

/// The match of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The numbers of the players, from 0, the smaller first.
    pub players: [usize; 2],
    /// The result, from the view of the first.
    pub tally: Tally,
}

/// The number of bootstrap samples from which the intervals are computed.
const SAMPLES: usize = 1000;

/// The number of iterations in which the strengths are approximated.
const STEPS: usize = 200;

impl Standings {
    /// The standings of this many players before their first game.
    pub fn new(players: usize) -> Standings {
        Standings { players, pairings: Vec::new() }
    }

    /// Adds the match of two players.
    ///
    /// # Panics
    /// If there are no such players, or the first number is not the smaller one.
    pub fn add(&mut self, players: [usize; 2], tally: Tally) {
        let [first, second] = players;
        assert!(first < second && second < self.players, "two players are expected");
        self.pairings.push(Pairing { players, tally });
    }

    /// The matches, in the order in which they were added.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The result of one player against another, from the view of the first: won, drawn, lost.
    pub fn result(&self, player: usize, other: usize) -> [u64; 3] {
        let mut found = [0; 3];
        for Pairing { players, tally } in &self.pairings {
            let Tally { wins, draws, losses, .. } = *tally;
            let games = match *players {
                [first, second] if (first, second) == (player, other) => [wins, draws, losses],
                [first, second] if (second, first) == (player, other) => [losses, draws, wins],
                _ => continue,
            };
            found.iter_mut().zip(games).for_each(|(sum, games)| *sum += games);
        }
        found
    }

    /// The games and points of a player.
    pub fn score(&self, player: usize) -> (u64, f64) {
        let results = (0..self.players).map(|other| self.result(player, other));
        results.fold((0, 0.0), |(games, points), [wins, draws, losses]| {
            (games + wins + draws + losses, points + wins as f64 + draws as f64 / 2.0)
        })
    }

    /// The strengths, with 0 as their mean, and 95 % confidence intervals. The intervals are found
    /// by bootstrapping: the pairs of each match are resampled with replacement. They are infinite for
    /// a player with fewer than ten pairs.
    pub fn ratings(&self) -> Vec<Elo> {
        let points = |tally: &Tally| (tally.games() as f64, tally.score().unwrap_or(0.5));
        let strengths = self.strengths(|pairing| points(&pairing.tally));
        let mut random = Random::new(1);
        let mut samples = vec![Vec::with_capacity(SAMPLES); self.players];
        for _ in 0..SAMPLES {
            let sample = self.strengths(|pairing| resampled(&pairing.tally, &mut random));
            samples.iter_mut().zip(sample).for_each(|(all, strength)| all.push(strength));
        }
        let rating = |(player, (difference, mut all)): (usize, (f64, Vec<f64>))| {
            all.sort_by(f64::total_cmp);
            let interval = match self.score(player).0 < 2 * MIN_PAIRS {
                true => [f64::NEG_INFINITY, f64::INFINITY],
                false => [all[SAMPLES / 40], all[SAMPLES - 1 - SAMPLES / 40]],
            };
            Elo { difference, interval }
        };
        strengths.into_iter().zip(samples).enumerate().map(rating).collect()
    }

    /// Computes the strengths. For each pairing, `result` gives the number of games and the share
    /// of the points of its first player.
    fn strengths(&self, mut result: impl FnMut(&Pairing) -> (f64, f64)) -> Vec<f64> {
        let count = self.players;
        let (mut games, mut points) = (vec![vec![0.0; count]; count], vec![0.0; count]);
        for pairing in &self.pairings {
            let [first, second] = pairing.players;
            let (number, share) = result(pairing);
            for (player, other, share) in [(first, second, share), (second, first, 1.0 - share)] {
                games[player][other] += number + 1.0;
                points[player] += number * share + 0.5;
            }
        }
        let mut odds = vec![1.0f64; count];
        for _ in 0..STEPS {
            for player in 0..count {
                let met = |other: usize| games[player][other] / (odds[player] + odds[other]);
                let expected: f64 = (0..count).map(met).sum();
                if expected > 0.0 {
                    odds[player] = points[player] / expected;
                }
            }
        }
        let elo: Vec<f64> = odds.iter().map(|odds| 400.0 * odds.log10()).collect();
        let mean = elo.iter().sum::<f64>() / count.max(1) as f64;
        elo.into_iter().map(|elo| elo - mean).collect()
    }
}

/// The number of games and the share of the points in a bootstrap sample of a match: as many pairs
/// as it has, drawn from them with replacement.
fn resampled(tally: &Tally, random: &mut Random) -> (f64, f64) {
    let count: u64 = tally.pairs.iter().sum();
    let quarters: usize = (0..count).filter_map(|_| random.weighted(&tally.pairs)).sum();
    match count {
        0 => (0.0, 0.5),
        _ => (2.0 * count as f64, quarters as f64 / 4.0 / count as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::expected;

    fn of_pairs(pairs: [u64; 5]) -> Tally {
        let wins = 2 * pairs[4] + pairs[3];
        let losses = 2 * pairs[0] + pairs[1];
        let draws = 2 * pairs.iter().sum::<u64>() - wins - losses;
        Tally { wins, draws, losses, pairs, ..Tally::default() }
    }

    /// The tally of `pairs` pairs, each with two wins or two losses, with this share of points.
    fn of_share(pairs: u64, share: f64) -> Tally {
        let won = (pairs as f64 * share).round() as u64;
        of_pairs([pairs - won, 0, 0, 0, won])
    }

    #[test]
    fn two_players_differ_as_in_a_match() {
        let mut standings = Standings::new(2);
        let tally = of_pairs([30, 60, 200, 110, 50]);
        standings.add([0, 1], tally);
        let ratings = standings.ratings();
        let alone = tally.elo().expect("games");
        let difference = ratings[0].difference - ratings[1].difference;
        assert!((difference - alone.difference).abs() < 1.0, "{ratings:?} {alone:?}");
        // Each interval is half of that of the difference.
        let width = |elo: &Elo| elo.interval[1] - elo.interval[0];
        assert!((2.0 * width(&ratings[0]) / width(&alone) - 1.0).abs() < 0.15, "{ratings:?}");
    }

    #[test]
    fn strengths_that_explain_all_results_are_found() {
        let truth = [150.0, 20.0, -40.0, -130.0];
        let mut standings = Standings::new(4);
        for first in 0..4 {
            for second in first + 1..4 {
                let tally = of_share(20_000, expected(truth[first] - truth[second]));
                standings.add([first, second], tally);
            }
        }
        for (rating, truth) in standings.ratings().iter().zip(truth) {
            assert!((rating.difference - truth).abs() < 1.0, "{rating:?} {truth}");
            let [low, high] = rating.interval;
            assert!(low < truth && truth < high && high - low < 10.0, "{rating:?} {truth}");
        }
        let [wins, draws, losses] = standings.result(0, 2);
        assert_eq!(standings.result(2, 0), [losses, draws, wins]);
        assert_eq!(standings.score(1).0, 3 * 40_000);
    }

    #[test]
    fn a_winner_of_all_games_has_a_finite_strength() {
        let mut standings = Standings::new(3);
        standings.add([0, 1], of_pairs([0, 0, 0, 0, 10]));
        standings.add([0, 2], of_pairs([0, 0, 0, 0, 10]));
        standings.add([1, 2], Tally::default());
        let ratings = standings.ratings();
        assert!(ratings.iter().all(|elo| elo.difference.is_finite()), "{ratings:?}");
        assert!(
            ratings[0].difference > 200.0
                && (ratings[1].difference - ratings[2].difference).abs() < 1e-6,
            "{ratings:?}"
        );
        assert_eq!(standings.score(0), (40, 40.0));
        let mut few = Standings::new(2);
        few.add([0, 1], of_pairs([1, 0, 3, 0, 5]));
        assert_eq!(few.ratings()[1].interval, [f64::NEG_INFINITY, f64::INFINITY]);
    }
}
