/// The results of a match, from the view of the first entrant.
///
/// The games of a pair have the same opening and are not independent. So pairs are counted, by their
/// five possible results (pentanomial). A pair whose games are identical to those of an earlier pair
/// is not counted again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The pairs by their result: 0, 1/2, 1, 3/2 or 2 points.
    pub pairs: [u64; 5],
    /// Games that are not counted because those of an earlier pair are identical.
    pub identical: u64,
    /// Of the games lost by each entrant, those that it forfeited; see
    /// [`Reason::is_forfeit`](crate::Reason::is_forfeit).
    pub forfeits: [u64; 2],
}

/// A difference in strength, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The maximum likelihood estimate. Between two players it is infinite if all games were won or
    /// all lost.
    pub difference: f64,
    /// The 95 % confidence interval; infinite for fewer than ten pairs. Between two players by the normal
    /// approximation, or that of Clopper and Pearson if all pairs have the same result. Of
    /// [several players](crate::Standings::ratings) by bootstrapping.
    pub interval: [f64; 2],
}

/// The 97.5 % quantile of the normal distribution, in standard deviations.
const TWO_SIDED_95: f64 = 1.959_964;

/// With this many pairs or more, their mean is nearly normally distributed.
pub(super) const MIN_PAIRS: u64 = 10;

impl Tally {
    /// Counts a pair by the half points made in each game.
    pub(crate) fn add(&mut self, points: [u8; 2]) {
        for points in points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        self.pairs[usize::from(points[0] + points[1])] += 1;
    }

    /// Notes a pair that does not count, because it is identical to an earlier one.
    pub(crate) fn leave_out(&mut self) {
        self.identical += 2;
    }

    /// The number of games that count.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of games that were played, identical ones included.
    pub fn played(&self) -> u64 {
        self.games() + self.identical
    }

    /// The share of the points, from 0 to 1; `None` before the first game.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// The difference in strength; `None` before the first game.
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score()?;
        let margin = TWO_SIDED_95 * self.deviation(score).unwrap_or(f64::INFINITY);
        let mut interval = [score - margin, score + margin];
        if margin == 0.0 {
            // All pairs have the same result. The lower limit of the probability of this result (C. J. Clopper
            // and E. S. Pearson, "The use of confidence or fiducial limits", 1934). The bounds assume that all
            // other pairs are lost, or won.
            let least = 0.025f64.powf(1.0 / self.pairs.iter().sum::<u64>() as f64);
            interval = [score * least, 1.0 - (1.0 - score) * least];
        }
        let interval = interval.map(|end| elo(end.clamp(0.0, 1.0)));
        Some(Elo { difference: elo(score), interval })
    }

    /// The likelihood of superiority of the first entrant, from 0 to 1; `None` for too few pairs.
    pub fn superiority(&self) -> Option<f64> {
        let score = self.score()?;
        let deviation = self.deviation(score)?;
        match score == 0.5 {
            true => Some(0.5),
            false => Some(normal((score - 0.5) / deviation)),
        }
    }

    /// The standard deviation of the score; `None` with fewer than [`MIN_PAIRS`].
    fn deviation(&self, score: f64) -> Option<f64> {
        let count: u64 = self.pairs.iter().sum();
        let squares = self.pairs.iter().zip(0..).map(|(&pairs, result)| {
            let off = f64::from(result) / 4.0 - score;
            pairs as f64 * off * off
        });
        let squares: f64 = squares.sum();
        (count >= MIN_PAIRS).then(|| (squares / (count - 1) as f64 / count as f64).sqrt())
    }
}

/// The difference in strength for an expected share of the points.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected share of the points for a difference in strength.
pub(super) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative normal distribution at this number of standard deviations: formula 7.1.26 of
/// Abramowitz and Stegun, accurate to about seven digits.
fn normal(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = terms.iter().fold(0.0, |sum, term| sum * t + term) * t;
    let tail = sum * (-x * x).exp() / 2.0;
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Random;

    fn near(left: f64, right: f64, by: f64) {
        assert!((left - right).abs() <= by, "{left} is not {right}");
    }

    /// Pairs of independent games with these results.
    fn of_pairs(pairs: &[([u8; 2], u64)]) -> Tally {
        let mut tally = Tally::default();
        for &(points, count) in pairs {
            (0..count).for_each(|_| tally.add(points));
        }
        tally
    }

    #[test]
    fn elo_agrees_with_published_tables() {
        for (score, difference) in [(0.5, 0.0), (0.6, 70.437), (0.75, 190.849), (0.24, -200.240)] {
            near(elo(score), difference, 0.001);
            near(expected(difference), score, 1e-6);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn the_normal_distribution_agrees_with_published_tables() {
        for (deviations, share) in
            [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.959_964, 0.975), (-3.0, 0.001_350)]
        {
            near(normal(deviations), share, 1e-6);
        }
    }

    /// Worked out by hand: 10 pairs, 2 of them 2-0, 5 of them 1-1, 2 of 1.5 points and one
    /// of half a point. Mean 12.5 / 20 = 0.625; squares of the differences: 2 * 0.140625 +
    /// 5 * 0.015625 + 2 * 0.015625 + 0.140625 = 0.53125; variance 0.53125 / 9; deviation of
    /// the mean 0.0768295.
    #[test]
    fn error_bars_come_from_pairs() {
        let tally = of_pairs(&[([2, 2], 2), ([1, 1], 3), ([2, 0], 2), ([1, 2], 2), ([0, 1], 1)]);
        assert_eq!((tally.wins, tally.draws, tally.losses), (8, 9, 3));
        assert_eq!(tally.pairs, [0, 1, 5, 2, 2]);
        near(tally.score().expect("games"), 0.625, 1e-12);
        near(tally.deviation(0.625).expect("pairs"), 0.076_829_5, 1e-6);
        let found = tally.elo().expect("games");
        near(found.difference, 88.739, 0.001);
        near(found.interval[0], elo(0.625 - 1.959_964 * 0.076_829_5), 0.01);
        near(tally.superiority().expect("pairs"), normal(0.125 / 0.076_829_5), 1e-6);
    }

    #[test]
    fn few_games_have_an_infinite_interval() {
        assert_eq!(Tally::default().elo(), None);
        assert_eq!(Tally::default().superiority(), None);
        let few = of_pairs(&[([2, 1], 2), ([2, 2], 7)]);
        let whole = [f64::NEG_INFINITY, f64::INFINITY];
        assert_eq!(few.elo().expect("games").interval, whole);
        assert_eq!(few.superiority(), None);
        let won = of_pairs(&[([2, 2], 10)]);
        assert_eq!(won.superiority(), Some(1.0));
        let drawn = of_pairs(&[([1, 1], 10)]);
        assert_eq!(drawn.superiority(), Some(0.5));
        // The tables of the binomial distribution: ten of ten, at least 69.15 %.
        let elo_of = |tally: Tally| tally.elo().expect("games");
        near(elo_of(won).interval[0], elo(0.691_5), 0.1);
        assert_eq!([elo_of(won).difference, elo_of(won).interval[1]], [f64::INFINITY; 2]);
        near(elo_of(drawn).interval[0], elo(0.345_75), 0.1);
        near(elo_of(drawn).interval[1], elo(0.654_25), 0.1);
    }

    /// In 95 % of simulated matches the interval contains the true difference.
    #[test]
    fn intervals_contain_the_true_difference_with_their_confidence() {
        const MATCHES: u32 = 2000;
        // Won 35 %, drawn 45 %, lost 20 %: 57.5 % of the points.
        let truth = elo(0.575);
        let mut random = Random::new(7);
        let mut game = || match random.below(100) {
            0..35 => 2,
            35..80 => 1,
            _ => 0,
        };
        let mut held = 0;
        for _ in 0..MATCHES {
            let mut tally = Tally::default();
            (0..100).for_each(|_| tally.add([game(), game()]));
            let [low, high] = tally.elo().expect("games").interval;
            held += u32::from(low <= truth && truth <= high);
        }
        near(f64::from(held) / f64::from(MATCHES), 0.95, 0.015);
    }
}
