use super::Example;
use crate::score::Score;
use damka_games::Game;

/// Each ply of its distance multiplies the advantage of a win over a draw by this.
const DECAY: f32 = 0.98;

/// The target that an evaluation learns to predict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The scale of the logistic function: the advantage, in hundredths of a man, at which a win is e
    /// times as likely as a loss.
    pub(super) scale: f32,
    /// The weight of noted scores, from 0 to 1.
    pub(super) trust: f32,
}

/// The error of an evaluation on some examples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Error {
    /// The mean cross-entropy of the results, in bits.
    pub(super) bits: f64,
    /// The share of the variance of the results that is explained; `None` if all are the same.
    pub(super) explained: Option<f64>,
}

/// The result of a position with this score by the tables: 1 for an immediate win, less for a longer
/// one, but more than the 0.5 of a draw. Without a distance a win is 1.
pub(super) fn result(score: Score) -> f32 {
    let win = 0.5 + 0.5 * DECAY.powi(score.plies().unwrap_or_default().into());
    match (score.is_win(), score.is_loss()) {
        (true, _) => win,
        (_, true) => 1.0 - win,
        _ => 0.5,
    }
}

impl Target {
    /// Fits the scale of a target to pairs of an evaluation, in hundredths of a man, and a result:
    /// takes the scale at which the evaluations predict the results best. The scale is 100 if there
    /// are no pairs.
    pub(super) fn fit(trust: f32, predictions: &[(f32, f32)]) -> Target {
        let targets = (0..40).map(|i| Target { scale: 30.0 * 1.08f32.powi(i), trust });
        let losses = targets.map(|target| {
            let losses =
                predictions.iter().map(|&(hundredths, result)| target.bits(hundredths, result));
            (losses.sum::<f64>(), target)
        });
        let best = losses.filter(|_| !predictions.is_empty()).min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(Target { scale: 100.0, trust }, |(_, target)| target)
    }

    /// The probability of a win at this evaluation.
    pub(super) fn chance(&self, hundredths: f32) -> f32 {
        1.0 / (1.0 + (-hundredths / self.scale).exp())
    }

    /// The target of an example.
    pub(super) fn of<G: Game>(&self, example: &Example<G>) -> f32 {
        let Some(score) = example.score else { return example.result };
        let chance = self.chance(score.hundredths() as f32);
        self.trust * chance + (1.0 - self.trust) * example.result
    }

    /// The cross-entropy of a result at this evaluation, in bits.
    fn bits(&self, hundredths: f32, result: f32) -> f64 {
        let chance = f64::from(self.chance(hundredths)).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(result);
        -(result * chance.log2() + (1.0 - result) * (1.0 - chance).log2())
    }

    /// The error on these examples of `evaluate`, an evaluation in hundredths of a man.
    pub(super) fn error<G: Game>(
        &self,
        examples: &[Example<G>],
        mut evaluate: impl FnMut(&G::Position) -> f32,
    ) -> Error {
        let count = examples.len().max(1) as f64;
        let mean = examples.iter().map(|example| f64::from(example.result)).sum::<f64>() / count;
        let [mut bits, mut squares, mut variance] = [0.0; 3];
        for example in examples {
            let hundredths = evaluate(&example.position);
            let result = f64::from(example.result);
            bits += self.bits(hundredths, example.result);
            squares += (f64::from(self.chance(hundredths)) - result).powi(2);
            variance += (result - mean).powi(2);
        }
        Error { bits: bits / count, explained: (variance > 0.0).then(|| 1.0 - squares / variance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Draughts, Russian};

    #[test]
    fn a_shorter_win_is_a_better_result() {
        assert_eq!(result(Score::DRAW), 0.5);
        assert_eq!(result(Score::table_win(0)), 1.0);
        assert_eq!(result(-Score::table_win(0)), 0.0);
        let results = [2, 40, 41, 7, 1].map(|plies| result(Score::decided(plies)));
        assert!(results.is_sorted() && results[0] > 0.0 && results[4] < 1.0, "{results:?}");
        assert!(results[1] < 0.4 && results[2] > 0.6, "{results:?}");
    }

    #[test]
    fn nothing_is_explained_if_all_results_are_the_same() {
        let example = |result| Example::<Draughts> {
            position: Russian.start(),
            result,
            games: 1,
            score: None,
            is_validation: true,
        };
        let target = Target { scale: 100.0, trust: 0.0 };
        let explained = |results: [f32; 2]| target.error(&results.map(example), |_| 0.0).explained;
        assert_eq!(explained([0.5, 0.5]), None);
        assert_eq!(explained([1.0, 1.0]), None);
        assert_eq!(explained([0.0, 1.0]), Some(0.0));
    }
}
