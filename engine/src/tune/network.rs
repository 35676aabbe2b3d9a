//! Learns a network by mini-batch gradient descent with Adam (D. P. Kingma and J. Ba, "Adam: a
//! method for stochastic optimization", 2015). It is trained in floating point and quantized to the
//! integers of [`Network`]; the reported errors are those of the quantized network.

use super::target::{Error, Target};
use super::{Example, FirstNetwork, Model, Training};
use crate::evaluate::network::{ACTIVE, MAX_OUTPUT, OUTPUT_UNIT, inputs, view};
use crate::evaluate::{Evaluator, Network};
use damka_games::{Game, Position as _, Random};
use damka_tables::processor::{self, Processor, Work};

/// The number of examples after which the weights are changed.
const BATCH: usize = 1024;
/// The initial learning rate.
const LEARNING_RATE: f32 = 0.001;
/// Adam: the decay of the means of gradients and of their squares.
const DECAY: [f32; 2] = [0.9, 0.999];
/// Adam: damps the steps of weights with small gradients.
const EPSILON: f32 = 1e-8;
/// The greatest weight: what fits into the quantized weights of the output.
const MAX_WEIGHT: f32 = MAX_OUTPUT as f32 / OUTPUT_UNIT as f32;
/// Sums are computed in this number of parts, so that the order of additions is the same on every
/// processor.
const LANES: usize = 16;
/// The number of examples that the scale of noted scores is fitted to.
const SAMPLE: usize = 100_000;

/// A network while it is trained.
pub(super) struct Trainer<G> {
    game: G,
    target: Target,
    /// The number of hidden neurons of each side.
    hidden: usize,
    /// The weights in the order of the [file](Network), then the bias of the output.
    weights: Vec<f32>,
    /// Adam: the means of gradients and of their squares.
    means: [Vec<f32>; 2],
    /// Adam: the powers of [`DECAY`] by which both means are still biased towards 0.
    biased: [f32; 2],
    gradient: Vec<f32>,
    /// The layers of the side to move and of the other side for one example.
    layers: [Vec<f32>; 2],
}

impl<G: Game> Trainer<G> {
    /// Starts from `first`. The scale of the target is the one at which the noted scores predict
    /// the results best.
    pub(super) fn new(
        game: G,
        first: &FirstNetwork<G>,
        examples: &[Example<G>],
        training: &Training,
    ) -> Trainer<G> {
        let noted = examples.iter().filter_map(|example| Some((example.score?, example.result)));
        let noted = noted.map(|(score, result)| (score.hundredths() as f32, result));
        let target = Target::fit(training.trust, &noted.take(SAMPLE).collect::<Vec<_>>());
        let (hidden, weights) = match first {
            &FirstNetwork::Random { hidden } => {
                (hidden, random_weights::<G>(hidden, training.seed))
            }
            FirstNetwork::Learned(network) => (network.hidden(), weights_of(network)),
        };
        let len = weights.len();
        Trainer {
            game,
            target,
            hidden,
            weights,
            means: [vec![0.0; len], vec![0.0; len]],
            biased: [1.0; 2],
            gradient: vec![0.0; len],
            layers: [vec![0.0; hidden], vec![0.0; hidden]],
        }
    }

    /// The index in `weights` of the first of three rows after the transformer: the biases, then
    /// the weights of the output for both layers.
    fn biases(&self) -> usize {
        Network::<G>::INPUTS * self.hidden
    }

    /// Fills the layers with the sums of the hidden neurons, and returns the output. The logistic
    /// function of the output is the probability of a win.
    #[inline(always)]
    fn forward(&mut self, position: &G::Position) -> f32 {
        let (hidden, biases) = (self.hidden, self.biases());
        let weights = &self.weights;
        let mut output = weights[weights.len() - 1];
        let turn = position.turn();
        for (side, color) in [turn, !turn].into_iter().enumerate() {
            let layer = &mut self.layers[side];
            layer.copy_from_slice(&weights[biases..][..hidden]);
            inputs::<G>(&view::<G>(position, color), |input| {
                add(layer, &weights[input * hidden..][..hidden]);
            });
            output += weighted(layer, &weights[biases + (1 + side) * hidden..][..hidden]);
        }
        output
    }

    /// Adds the gradient of one example, from the layers that [`forward`](Self::forward) left and
    /// the `error` of the predicted probability: the derivative of the loss with respect to the
    /// output.
    #[inline(always)]
    fn backward(&mut self, position: &G::Position, error: f32) {
        let (hidden, biases) = (self.hidden, self.biases());
        let Trainer { weights, gradient, layers, .. } = self;
        let turn = position.turn();
        *gradient.last_mut().expect("the bias of the output") += error;
        for (side, color) in [turn, !turn].into_iter().enumerate() {
            let layer = &mut layers[side];
            let outputs = biases + (1 + side) * hidden..biases + (2 + side) * hidden;
            let of_outputs = &mut gradient[outputs.clone()];
            for ((sum, output), of_output) in
                layer.iter_mut().zip(&weights[outputs]).zip(of_outputs)
            {
                let clipped = sum.clamp(0.0, 1.0);
                *of_output += error * clipped * clipped;
                let is_inside = *sum > 0.0 && *sum < 1.0;
                *sum = if is_inside { 2.0 * error * output * clipped } else { 0.0 };
            }
            add(&mut gradient[biases..][..hidden], layer);
            inputs::<G>(&view::<G>(position, color), |input| {
                add(&mut gradient[input * hidden..][..hidden], layer);
            });
        }
    }

    /// Updates the weights by the gradient, a sum over `count` examples, and clears it.
    #[inline(always)]
    fn step(&mut self, rate: f32, count: usize) {
        for (biased, decay) in self.biased.iter_mut().zip(DECAY) {
            *biased *= decay;
        }
        let scales = self.biased.map(|biased| (1.0 - biased).recip());
        let [means, squares] = &mut self.means;
        let means = means.iter_mut().zip(squares);
        for ((weight, slope), (mean, square)) in
            self.weights.iter_mut().zip(&mut self.gradient).zip(means)
        {
            let gradient = std::mem::take(slope) / count as f32;
            *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * gradient;
            *square = DECAY[1] * *square + (1.0 - DECAY[1]) * gradient * gradient;
            let step = rate * *mean * scales[0] / ((*square * scales[1]).sqrt() + EPSILON);
            *weight = (*weight - step).clamp(-MAX_WEIGHT, MAX_WEIGHT);
        }
    }
}

impl<G: Game> Model<G> for Trainer<G> {
    type Learned = Network<G>;

    fn pass(&mut self, examples: &[Example<G>], rate: f32) {
        for examples in examples.chunks(BATCH) {
            processor::run_widest(Batch { trainer: self, examples, rate: rate * LEARNING_RATE });
        }
    }

    fn learned(&self) -> Network<G> {
        let round = |weight: f32, unit: i16| (weight * f32::from(unit)).round() as i16;
        let outputs = self.biases() + self.hidden;
        let hidden = self.weights[..outputs].iter().map(|&weight| round(weight, ACTIVE));
        let output = self.weights[outputs..self.weights.len() - 1].iter();
        let output = output.map(|&weight| round(weight, OUTPUT_UNIT));
        let bias =
            f64::from(self.weights[self.weights.len() - 1]) * Network::<G>::OUTPUT_SCALE as f64;
        let weights: Vec<i16> = hidden.chain(output).collect();
        Network::new(self.game, self.target.scale.round() as u16, bias.round() as i32, &weights)
    }

    fn error(&self, examples: &[Example<G>]) -> Error {
        let network = self.learned();
        let mut evaluator = network.for_thread();
        self.target.error(examples, |position| evaluator.evaluate(position, 0) as f32)
    }
}

/// Small random weights, in the order of [`Trainer::weights`].
fn random_weights<G: Game>(hidden: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let len = (Network::<G>::INPUTS + 3) * hidden + 1;
    let range = (Network::<G>::INPUTS as f32).sqrt().recip();
    let mut weights: Vec<f32> =
        (0..len).map(|_| range * (random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0)).collect();
    weights[len - 1] = 0.0;
    weights
}

/// The weights of a network, in the order of [`Trainer::weights`].
fn weights_of<G: Game>(network: &Network<G>) -> Vec<f32> {
    let weights = network.weights();
    let outputs = weights.len() - 2 * network.hidden();
    let unit = |place| f32::from(if place < outputs { ACTIVE } else { OUTPUT_UNIT });
    let bias = network.output_bias() as f32 / Network::<G>::OUTPUT_SCALE as f32;
    let weights = weights.iter().enumerate();
    weights.map(|(place, &weight)| f32::from(weight) / unit(place)).chain([bias]).collect()
}

/// A batch to learn from, at a learning rate.
struct Batch<'a, G: Game> {
    trainer: &'a mut Trainer<G>,
    examples: &'a [Example<G>],
    rate: f32,
}

impl<G: Game> Work for Batch<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<P: Processor>(self, _: P) {
        let Batch { trainer, examples, rate } = self;
        for example in examples {
            let output = trainer.forward(&example.position);
            let chance = 1.0 / (1.0 + (-output).exp());
            trainer.backward(&example.position, chance - trainer.target.of(example));
        }
        trainer.step(rate, examples.len());
    }
}

/// Adds `numbers` to `to`, one by one.
#[inline(always)]
fn add(to: &mut [f32], numbers: &[f32]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number;
    }
}

/// The weighted sum of the activations of a layer: squared clipped ReLU.
#[inline(always)]
fn weighted(layer: &[f32], weights: &[f32]) -> f32 {
    let mut parts = [0.0; LANES];
    for (sums, weights) in layer.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            let clipped = sums[lane].clamp(0.0, 1.0);
            parts[lane] += clipped * clipped * weights[lane];
        }
    }
    parts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::{Draughts, Russian};

    /// Examples from random games, with arbitrary results.
    fn examples(count: usize) -> Vec<Example<Draughts>> {
        let mut random = Random::new(11);
        let mut position = Russian.start();
        let mut examples = Vec::new();
        while examples.len() < count {
            position = match random.pick(&position.moves()) {
                Some(mv) => position.play(mv),
                None => Russian.start(),
            };
            let result = random.below(3) as f32 / 2.0;
            examples.push(Example {
                position,
                result,
                games: 1,
                score: None,
                is_validation: false,
            });
        }
        examples
    }

    fn trainer(examples: &[Example<Draughts>]) -> Trainer<Draughts> {
        let first = FirstNetwork::Random { hidden: 32 };
        Trainer::new(Russian, &first, examples, &Training { rounds: 1, trust: 0.0, seed: 5 })
    }

    /// The sum of the cross-entropies, in nats. The gradient is its derivative.
    fn loss(trainer: &mut Trainer<Draughts>, examples: &[Example<Draughts>]) -> f64 {
        let mut loss = |example: &Example<Draughts>| {
            let chance = 1.0 / (1.0 + (-f64::from(trainer.forward(&example.position))).exp());
            let result = f64::from(example.result);
            -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
        };
        examples.iter().map(&mut loss).sum()
    }

    /// Checks every part of the network, and both a used and an unused input.
    #[test]
    fn the_gradient_agrees_with_finite_differences() {
        /// Neither so small that rounding shows, nor so large that the curvature does.
        const STEP: f32 = 1e-3;
        let examples = examples(60);
        let mut trainer = trainer(&examples);
        for example in &examples {
            let chance = 1.0 / (1.0 + (-trainer.forward(&example.position)).exp());
            trainer.backward(&example.position, chance - example.result);
        }
        let places = (0..trainer.weights.len()).step_by(17).chain([trainer.weights.len() - 1]);
        let mut used = 0;
        for place in places.collect::<Vec<_>>() {
            let weight = trainer.weights[place];
            let mut after = |step| {
                trainer.weights[place] = weight + step;
                let loss = loss(&mut trainer, &examples);
                trainer.weights[place] = weight;
                loss
            };
            let slope = (after(STEP) - after(-STEP)) / f64::from(2.0 * STEP);
            let gradient = f64::from(trainer.gradient[place]);
            used += usize::from(gradient.abs() > 0.001);
            assert!(
                (slope - gradient).abs() < 0.01 + 0.02 * gradient.abs(),
                "{place}: {slope} {gradient}"
            );
        }
        assert!(used > 50, "{used} places with a slope");
    }

    /// Quantization changes the evaluation by hundredths of a man.
    #[test]
    fn the_network_evaluates_as_it_was_trained() {
        let examples = examples(2_000);
        let mut trainer = trainer(&examples);
        (0..5).for_each(|_| trainer.pass(&examples, 1.0));
        let network = trainer.learned();
        for example in &examples {
            let exact = trainer.forward(&example.position) * trainer.target.scale;
            let rounded = network.evaluate(&example.position) as f32;
            assert!((exact - rounded).abs() < 6.0, "{exact} {rounded}");
        }
    }
}
