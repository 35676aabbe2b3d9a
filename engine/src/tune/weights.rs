//! Learns the weights of features by stochastic gradient descent with a learning rate for each weight
//! (AdaGrad: J. Duchi, E. Hazan and Y. Singer, "Adaptive subgradient methods for online learning and
//! stochastic optimization", 2011).

use super::target::{Error, Target};
use super::{Lesson, Model};
use crate::evaluate::{Evaluated, Weights};

/// The initial sum of squared gradients of a weight: damps the first steps.
const INITIAL_SQUARE: f32 = 20.0;
/// The initial learning rate, in hundredths of a man.
pub(super) const LEARNING_RATE: f32 = 20.0;
/// The number of lessons that the scale of evaluations is fitted to.
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
    /// Begins with the weights `first`, whose evaluations of the lessons give the scale of the target.
    pub(super) fn new(first: &Weights<G>, lessons: &[Lesson<G>], trust: f32) -> Learner<G> {
        let mut learner = Learner {
            game: first.game(),
            weights: (0..G::FEATURES).map(|feature| first.get(feature)).collect(),
            squares: vec![[INITIAL_SQUARE; 2]; G::FEATURES],
            target: Target { scale: 100.0, trust },
            counts: Vec::new(),
        };
        let sample = lessons.iter().take(SAMPLE);
        let predictions: Vec<_> =
            sample.map(|lesson| (learner.evaluate(&lesson.position), lesson.result)).collect();
        learner.target = Target::fit(trust, &predictions);
        learner
    }

    /// The weights of endgame and opening in a position.
    fn stages(position: &G::Position) -> [f32; 2] {
        let start = G::stage(position) as f32 / G::STAGES as f32;
        [1.0 - start, start]
    }

    pub(super) fn evaluate(&self, position: &G::Position) -> f32 {
        let stages = Self::stages(position);
        let mut sum = 0.0;
        G::count(position, |feature, count| {
            let [end, start] = self.weights[feature];
            sum += count as f32 * (end * stages[0] + start * stages[1]);
        });
        sum
    }

    pub(super) fn learn(&mut self, lesson: &Lesson<G>, step: f32) {
        let stages = Self::stages(&lesson.position);
        let mut counts = std::mem::take(&mut self.counts);
        counts.clear();
        G::count(&lesson.position, |feature, count| counts.push((feature, count as f32)));
        let sum: f32 = counts
            .iter()
            .map(|&(feature, count)| {
                let [end, start] = self.weights[feature];
                count * (end * stages[0] + start * stages[1])
            })
            .sum();
        let error = self.target.chance(sum) - self.target.of(lesson);
        for &(feature, count) in &counts {
            let pairs = self.weights[feature].iter_mut().zip(&mut self.squares[feature]);
            for ((weight, square), stage) in pairs.zip(stages) {
                let slope = error * count * stage;
                *square += slope * slope;
                *weight -= step * slope / square.sqrt();
            }
        }
        self.counts = counts;
    }
}

impl<G: Evaluated> Model<G> for Learner<G> {
    type Learned = Weights<G>;

    fn pass(&mut self, lessons: &[Lesson<G>], rate: f32) {
        lessons.iter().for_each(|lesson| self.learn(lesson, rate * LEARNING_RATE));
    }

    fn learned(&self) -> Weights<G> {
        let mut weights = Weights::zero(self.game);
        for (feature, &pair) in self.weights.iter().enumerate() {
            weights.set(feature, pair);
        }
        weights
    }

    fn error(&self, lessons: &[Lesson<G>]) -> Error {
        self.target.error(lessons, |position| self.evaluate(position))
    }
}
