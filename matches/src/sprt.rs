use crate::tally::{Tally, expected};
use thiserror::Error;

/// A sequential probability ratio test of the difference in strength: `elo0` (H0) against `elo1` (H1).
/// A match goes on until one is accepted with the given error probabilities.
///
/// This is the generalized test on pairs of games (M. Van den Bergh, "A practical introduction to the
/// GSPRT"), with logistic Elo. For each hypothesis, it finds the most likely distribution of the five
/// results of a pair among those with the expected score of the hypothesis, and compares the two
/// likelihoods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// H0 is accepted: the smaller difference.
    Rejected,
    /// H1 is accepted: the greater difference.
    Accepted,
}

/// The parameters of a test are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The differences are not two numbers from -1000 to 1000 in ascending order.
    #[error(
        "a test needs two differences in Elo from -{max} to {max}, the smaller one first, not {0} and {1}",
        max = GREATEST_ELO
    )]
    BadDifferences(f64, f64),
    /// The errors are not between 0 and 1/2.
    #[error("the errors of a test are between 0 and 0.5, not {0} and {1}")]
    BadErrors(f64, f64),
}

/// Replaces a count of 0, so that no likelihood is 0.
const MIN_COUNT: f64 = 1e-3;

/// The greatest difference in Elo: beyond it expected scores round to 0 or 1.
const GREATEST_ELO: f64 = 1000.0;

impl Sprt {
    /// A test of `elo0` against `elo1`. `alpha` is the probability of accepting H1 wrongly, `beta` that
    /// of accepting H0 wrongly.
    ///
    /// # Errors
    /// The differences are not ascending or not from -1000 to 1000, or a probability is not between
    /// 0 and 1/2.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let is_error = |p: f64| p > 0.0 && p < 0.5;
        if !(elo0 < elo1 && elo0 >= -GREATEST_ELO && elo1 <= GREATEST_ELO) {
            return Err(SprtError::BadDifferences(elo0, elo1));
        }
        match is_error(alpha) && is_error(beta) {
            true => Ok(Sprt { elo0, elo1, alpha, beta }),
            false => Err(SprtError::BadErrors(alpha, beta)),
        }
    }

    /// The log-likelihood ratios at or below which H0 is accepted, and at or above which H1 is.
    pub fn bounds(&self) -> [f64; 2] {
        let Sprt { alpha, beta, .. } = self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The log-likelihood ratio; 0 before the first pair.
    pub fn ratio(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let counts = tally.pairs.map(|pairs| (pairs as f64).max(MIN_COUNT));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| likeliest(&shares, expected(elo)));
        total * (0..5).map(|i| shares[i] * (h1[i] / h0[i]).ln()).sum::<f64>()
    }

    /// The verdict; `None` if the test goes on.
    pub fn verdict(&self, tally: &Tally) -> Option<SprtVerdict> {
        let [lower, upper] = self.bounds();
        match self.ratio(tally) {
            ratio if ratio <= lower => Some(SprtVerdict::Rejected),
            ratio if ratio >= upper => Some(SprtVerdict::Accepted),
            _ => None,
        }
    }
}

/// The maximum likelihood distribution for the shares of the five results, among those with this
/// mean: `share / (1 + x * (result - mean))`, where x is such that the mean is right.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let off: [f64; 5] = std::array::from_fn(|i| i as f64 / 4.0 - mean);
    let excess = |x: f64| (0..5).map(|i| shares[i] * off[i] / (1.0 + x * off[i])).sum::<f64>();
    // Between these bounds of x all shares are positive, as they must be. The excess falls from the
    // lower bound, where it is infinite, to the upper one.
    let (mut low, mut high) = (-1.0 / off[4], -1.0 / off[0]);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        match excess(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|i| shares[i] / (1.0 + x * off[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Random;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).expect("a test")
    }

    fn of_pairs(pairs: [u64; 5]) -> Tally {
        let wins = 2 * pairs[4] + pairs[3];
        let losses = 2 * pairs[0] + pairs[1];
        let draws = 2 * pairs.iter().sum::<u64>() - wins - losses;
        Tally { wins, draws, losses, pairs, ..Tally::default() }
    }

    #[test]
    fn bounds_are_the_usual_ones() {
        let [lower, upper] = sprt(0.0, 5.0).bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
    }

    #[test]
    fn likeliest_distributions_have_the_mean() {
        let shares = [0.05, 0.2, 0.4, 0.25, 0.1];
        for mean in [0.45, 0.5, 0.55, 0.99] {
            let found = likeliest(&shares, mean);
            let sum: f64 = found.iter().sum();
            let own: f64 = found.iter().zip(0..).map(|(p, i)| p * f64::from(i) / 4.0).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (own - mean).abs() < 1e-9, "{found:?}");
        }
    }

    /// For small differences the ratio is near the simple formula of the same paper:
    /// (s1 - s0) * (2 s - s0 - s1) / (2 variance), times the number of pairs.
    #[test]
    fn the_ratio_is_near_the_approximate_one() {
        let pairs = [152, 1016, 2041, 1126, 183];
        let tally = of_pairs(pairs);
        let count: u64 = pairs.iter().sum();
        let mean = tally.score().expect("games");
        let squares = pairs.iter().zip(0..).map(|(&n, i)| {
            let off = f64::from(i) / 4.0 - mean;
            n as f64 * off * off
        });
        let variance = squares.sum::<f64>() / count as f64;
        let [s0, s1] = [0.0, 5.0].map(expected);
        let simple = (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance) * count as f64;
        let ratio = sprt(0.0, 5.0).ratio(&tally);
        assert!((ratio / simple - 1.0).abs() < 0.01, "{ratio}, roughly {simple}");
    }

    /// Ratios computed by an independent program, which finds the maximum likelihood distributions by
    /// Newton's method.
    #[test]
    fn ratios_agree_with_an_independent_program() {
        for (pairs, elo0, elo1, ratio) in [
            ([152, 1016, 2041, 1126, 183], 0.0, 5.0, 3.997_969_015),
            ([152, 1016, 2041, 1126, 183], -5.0, 0.0, 8.833_424_456),
            ([1, 2, 10, 5, 2], 0.0, 40.0, 0.653_296_202),
            ([10, 50, 200, 70, 12], 0.0, 40.0, -5.593_509_233),
        ] {
            let found = sprt(elo0, elo1).ratio(&of_pairs(pairs));
            assert!((found - ratio).abs() < 1e-6, "{found} is not {ratio}");
        }
    }

    #[test]
    fn no_games_decide_nothing() {
        assert_eq!(sprt(0.0, 5.0).ratio(&Tally::default()), 0.0);
        assert_eq!(sprt(0.0, 5.0).verdict(&Tally::default()), None);
        let drawn = of_pairs([0, 0, 3, 0, 0]);
        assert!(sprt(0.0, 5.0).ratio(&drawn).is_finite());
        assert!(sprt(-1000.0, 1000.0).ratio(&of_pairs([0, 0, 0, 0, 9])).is_finite());
    }

    #[test]
    fn meaningless_tests_are_refused() {
        for (elo0, elo1) in [(5.0, 0.0), (0.0, 0.0), (f64::NAN, 5.0), (0.0, f64::INFINITY)] {
            assert!(Sprt::new(elo0, elo1, 0.05, 0.05).is_err(), "{elo0} {elo1}");
        }
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(0.0, 5.0, 0.05, 0.5).is_err());
    }

    /// Players whose difference in strength is that of a hypothesis are seldom misjudged.
    #[test]
    fn errors_are_as_rare_as_they_should_be() {
        const TESTS: u32 = 400;
        let test = sprt(0.0, 40.0);
        let mut random = Random::new(11);
        for (elo, truth) in [(0.0, SprtVerdict::Rejected), (40.0, SprtVerdict::Accepted)] {
            // Half of the games are drawn.
            let won = ((expected(elo) - 0.25) * 10_000.0) as u64;
            let mut right = 0;
            for _ in 0..TESTS {
                let mut tally = Tally::default();
                let verdict = loop {
                    let mut game = || match random.below(10_000) {
                        n if n < won => 2,
                        n if n < won + 5000 => 1,
                        _ => 0,
                    };
                    tally.add([game(), game()]);
                    if let Some(verdict) = test.verdict(&tally) {
                        break verdict;
                    }
                };
                right += u32::from(verdict == truth);
            }
            assert!(right >= TESTS * 93 / 100, "{right} of {TESTS} were right at {elo}");
        }
    }
}
