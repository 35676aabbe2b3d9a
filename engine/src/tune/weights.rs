//! Learns the weights of features by stochastic gradient descent with a learning rate for each weight
//! (AdaGrad: J. Duchi, E. Hazan and Y. Singer, "Adaptive subgradient methods for online learning and
//! stochastic optimization", 2011).

use super::target::{Error, Target};
use super::{Example, Model};
use crate::evaluate::{Evaluated, Weights};

/// The initial sum of squared gradients of a weight: damps the first steps.
const INITIAL_SQUARE: f32 = 20.0;
/// The initial learning rate, in hundredths of a man.
pub(super) const LEARNING_RATE: f32 = 20.0;
/// The number of examples that the scale of evaluations is fitted to.
const SAMPLE: usize = 100_000;

/// Weights while they are learned.
pub(super) struct Learner<G> {
    game: G,
    /// By feature: the endgame and the opening weight, in hundredths of a man.
    weights: Vec<[f32; 2]>,
    /// By feature: the sums of squared gradients.
    squares: Vec<[f32; 2]>,
    pub(super) target: Target,
    /// The features of the current position.
    counts: Vec<(usize, f32)>,
}

impl<G: Evaluated> Learner<G> {
    /// Begins with the weights `first`. The scale of the target is fitted to their evaluations of
    /// the examples.
    pub(super) fn new(first: &Weights<G>, examples: &[Example<G>], trust: f32) -> Learner<G> {
        let mut learner = Learner {
            game: first.game(),
            weights: (0..G::FEATURES).map(|feature| first.get(feature)).collect(),
            squares: vec![[INITIAL_SQUARE; 2]; G::FEATURES],
            target: Target { scale: 100.0, trust },
            counts: Vec::new(),
        };
        let sample = examples.iter().take(SAMPLE);
        let predictions: Vec<_> =
            sample.map(|example| (learner.evaluate(&example.position), example.result)).collect();
        learner.target = Target::fit(trust, &predictions);
        learner
    }

    /// The weights of endgame and opening in a position.
    fn phases(position: &G::Position) -> [f32; 2] {
        let start = G::phase(position) as f32 / G::MAX_PHASE as f32;
        [1.0 - start, start]
    }

    pub(super) fn evaluate(&self, position: &G::Position) -> f32 {
        let phases = Self::phases(position);
        let mut sum = 0.0;
        G::count(position, |feature, count| {
            let [end, start] = self.weights[feature];
            sum += count as f32 * (end * phases[0] + start * phases[1]);
        });
        sum
    }

    pub(super) fn learn(&mut self, example: &Example<G>, step: f32) {
        let phases = Self::phases(&example.position);
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        G::count(&example.position, |feature, count| counts.push((feature, count as f32)));
        let sum: f32 = counts
            .iter()
            .map(|&(feature, count)| {
                let [end, start] = self.weights[feature];
                count * (end * phases[0] + start * phases[1])
            })
            .sum();
        let error = self.target.chance(sum) - self.target.of(example);
        for &(feature, count) in &counts {
            let pairs = self.weights[feature].iter_mut().zip(&mut self.squares[feature]);
            for ((weight, square), phase) in pairs.zip(phases) {
                let slope = error * count * phase;
                *square += slope * slope;
                *weight -= step * slope / square.sqrt();
            }
        }
        self.counts = counts;
    }
}

impl<G: Evaluated> Model<G> for Learner<G> {
    type Learned = Weights<G>;

    fn pass(&mut self, examples: &[Example<G>], rate: f32) {
        examples.iter().for_each(|example| self.learn(example, rate * LEARNING_RATE));
    }

    fn learned(&self) -> Weights<G> {
        let mut weights = Weights::zero(self.game);
        for (feature, &pair) in self.weights.iter().enumerate() {
            weights.set(feature, pair);
        }
        weights
    }

    fn error(&self, examples: &[Example<G>]) -> Error {
        self.target.error(examples, |position| self.evaluate(position))
    }
}
