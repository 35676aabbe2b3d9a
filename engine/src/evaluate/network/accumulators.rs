use super::inputs::{INPUT_SETS, View, input, view};
use super::{ACTIVE, Chunk, Network};
use crate::evaluate::ThreadEvaluator;
use damka_games::{Color, Game, Position as _, SquareSet};
use damka_tables::processor::{Processor, Work};

/// The number of accumulators: one for each ply of a line. Longer lines use them again from the
/// start.
const PLIES: usize = 64;

/// The sums of the hidden neurons of both sides in one position.
struct Accumulator {
    /// The position as White and as Black sees it.
    views: [View; 2],
    /// The sums of each perspective, in units of 1/[`ACTIVE`].
    sums: [Box<[Chunk]>; 2],
}

/// A network as one thread uses it, with the instructions of `P`.
///
/// There is an accumulator for each ply. A position is evaluated from one of two accumulators: that
/// of its own ply, which holds the position last evaluated at this ply, or that of the ply before,
/// which usually holds the parent position. The one that differs in fewer pieces is used, and only
/// the pieces that differ are subtracted from the sums and added to them. Additions wrap around, so
/// that even with extreme weights the sums do not depend on the path to a position.
pub(super) struct NetworkEvaluator<'a, G, P> {
    network: &'a Network<G>,
    processor: P,
    accumulators: Box<[Accumulator]>,
}

/// Makes a [`NetworkEvaluator`] for a processor.
pub(super) struct Start<'a, G>(pub(super) &'a Network<G>);

impl<'a, G: Game> Work for Start<'a, G> {
    type Output = Box<dyn ThreadEvaluator<G> + 'a>;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> Self::Output {
        Box::new(NetworkEvaluator::new(self.0, processor))
    }
}

impl<'a, G: Game, P: Processor> NetworkEvaluator<'a, G, P> {
    pub(super) fn new(network: &'a Network<G>, processor: P) -> NetworkEvaluator<'a, G, P> {
        // The empty board.
        let accumulator = || Accumulator {
            views: [[SquareSet::EMPTY; INPUT_SETS]; 2],
            sums: [network.biases.clone(), network.biases.clone()],
        };
        NetworkEvaluator {
            network,
            processor,
            accumulators: (0..PLIES).map(|_| accumulator()).collect(),
        }
    }
}

impl<G: Game, P: Processor> ThreadEvaluator<G> for NetworkEvaluator<'_, G, P> {
    fn evaluate(&mut self, position: &G::Position, ply: u16) -> i32 {
        let NetworkEvaluator { network, processor, accumulators } = self;
        processor.run(Evaluation { network, accumulators, position, ply: usize::from(ply) })
    }
}

/// The arguments of an evaluation, which is compiled for each kind of processor.
struct Evaluation<'a, G: Game> {
    network: &'a Network<G>,
    accumulators: &'a mut [Accumulator],
    position: &'a G::Position,
    ply: usize,
}

impl<G: Game> Work for Evaluation<'_, G> {
    type Output = i32;

    #[inline(always)]
    fn run<P: Processor>(self, _: P) -> i32 {
        let Evaluation { network, accumulators, position, ply } = self;
        let views = Color::BOTH.map(|color| view::<G>(position, color));
        let (here, before) = (ply % PLIES, (ply + PLIES - 1) % PLIES);
        let [from_here, from_before] =
            [here, before].map(|ply| distance::<G>(&accumulators[ply].views[0], &views[0]));
        if from_before < from_here
            && let Ok([here, before]) = accumulators.get_disjoint_mut([here, before])
        {
            here.views = before.views;
            for (sums, before) in here.sums.iter_mut().zip(&before.sums) {
                sums.copy_from_slice(before);
            }
        }
        let Accumulator { views: known, sums } = &mut accumulators[here];
        for ((sums, known), view) in sums.iter_mut().zip(&*known).zip(&views) {
            network.update(sums, known, view);
        }
        *known = views;
        let turn = position.turn();
        network.output([&sums[turn as usize], &sums[!turn as usize]])
    }
}

/// The number of pieces that differ.
#[inline(always)]
fn distance<G: Game>(one: &View, other: &View) -> u32 {
    (0..2 * G::KINDS.len()).map(|set| (one[set] ^ other[set]).len()).sum()
}

impl<G: Game> Network<G> {
    /// Updates the sums of a perspective from the view `from` to the view `to`.
    #[inline(always)]
    fn update(&self, sums: &mut [Chunk], from: &View, to: &View) {
        let (mut lost, mut gained) = (Inputs::none(), Inputs::none());
        lost.add::<G>(from, to);
        gained.add::<G>(to, from);
        let (mut lost, mut gained) = (lost.as_slice(), gained.as_slice());
        let hidden = sums.len();
        let row = |input: u16| &self.transformer[usize::from(input) * hidden..][..hidden];
        // Usually a piece has moved: its old and new squares are handled in one pass.
        while let ([one, others @ ..], [other, more @ ..]) = (lost, gained) {
            for ((sums, one), other) in sums.iter_mut().zip(row(*one)).zip(row(*other)) {
                *sums = sums.minus(one).plus(other);
            }
            (lost, gained) = (others, more);
        }
        for &input in lost {
            for (sums, weights) in sums.iter_mut().zip(row(input)) {
                *sums = sums.minus(weights);
            }
        }
        for &input in gained {
            for (sums, weights) in sums.iter_mut().zip(row(input)) {
                *sums = sums.plus(weights);
            }
        }
    }

    /// The output for the sums of the side to move and of the other side, in hundredths of a man.
    #[inline(always)]
    fn output(&self, layers: [&[Chunk]; 2]) -> i32 {
        let mut output = i64::from(self.output_bias);
        for (sums, weights) in layers.into_iter().zip(&self.outputs) {
            for (sums, weights) in sums.iter().zip(weights) {
                output += i64::from(weighted(sums, weights));
            }
        }
        (output * i64::from(self.scale) / Self::OUTPUT_SCALE) as i32
    }
}

impl Chunk {
    /// By value: the compiler then knows that results do not overwrite operands, and uses vectors.
    #[inline(always)]
    fn plus(mut self, numbers: &Chunk) -> Chunk {
        for (sum, number) in self.0.iter_mut().zip(&numbers.0) {
            *sum = sum.wrapping_add(*number);
        }
        self
    }

    /// By value, like [`plus`](Chunk::plus).
    #[inline(always)]
    fn minus(mut self, numbers: &Chunk) -> Chunk {
        for (sum, number) in self.0.iter_mut().zip(&numbers.0) {
            *sum = sum.wrapping_sub(*number);
        }
        self
    }
}

/// A list of inputs.
///
/// The sums are changed in a loop over a list, because a closure called for each input would not be
/// compiled with the instructions of the processor.
struct Inputs {
    /// A view has at most one input for each square.
    inputs: [u16; 64],
    len: usize,
}

impl Inputs {
    #[inline(always)]
    fn none() -> Inputs {
        Inputs { inputs: [0; 64], len: 0 }
    }

    /// Adds the inputs of a view that another lacks.
    #[inline(always)]
    fn add<G: Game>(&mut self, view: &View, other: &View) {
        for set in 0..2 * G::KINDS.len() {
            for square in view[set] & !other[set] {
                self.inputs[self.len] = input::<G>(set, square) as u16;
                self.len += 1;
            }
        }
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.len]
    }
}

/// The weighted sum of the activations of a chunk. The products of activations and weights fit into 16
/// bits with weights up to [`MAX_OUTPUT`](super::MAX_OUTPUT); greater ones wrap around.
#[inline(always)]
fn weighted(sums: &Chunk, weights: &Chunk) -> i32 {
    let products = sums.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
        let active = sum.clamp(0, ACTIVE);
        i32::from(active.wrapping_mul(weight)) * i32::from(active)
    });
    products.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluator;
    use crate::evaluate::network::{CHUNK, MAX_OUTPUT};
    use damka_games::{Chess, Draughts, Random};
    use damka_tables::processor::Baseline;

    /// A network of 64 neurons with random weights of the size that training gives.
    fn network<G: Game>(game: G) -> Network<G> {
        const HIDDEN: usize = 64;
        let mut random = Random::new(4);
        let mut weights = |count: usize, most: i16| -> Vec<i16> {
            let mut weight = || random.below(2 * most as u64 + 1) as i16 - most;
            (0..count * HIDDEN).map(|_| weight()).collect()
        };
        let hidden = weights(Network::<G>::INPUTS + 1, ACTIVE / 2);
        let output = weights(2, MAX_OUTPUT);
        Network::new(game, 150, 12_345, &[hidden, output].concat())
    }

    /// The square of a piece as `color` sees it, in draughts.
    fn turned(_: &<Draughts as Game>::Position, square: usize, color: Color) -> usize {
        match color {
            Color::White => square,
            Color::Black => 31 - square,
        }
    }

    /// The square of a piece as `color` sees it, in chess: its king is on the files a to d.
    fn with_king_on_the_left(
        position: &<Chess as Game>::Position,
        square: usize,
        color: Color,
    ) -> usize {
        let (rank, file) = (square / 8, square % 8);
        let rank = if color == Color::White { rank } else { 7 - rank };
        let is_mirrored = usize::from(position.king(color)) % 8 > 3;
        8 * rank + if is_mirrored { 7 - file } else { file }
    }

    /// The evaluation by its definition, from the squares of the board.
    fn reference_evaluation<G: Game>(
        network: &Network<G>,
        position: &G::Position,
        seen: fn(&G::Position, usize, Color) -> usize,
    ) -> i32 {
        let mut output = i64::from(network.output_bias);
        let turn = position.turn();
        for (side, color) in [turn, !turn].into_iter().enumerate() {
            for neuron in 0..network.biases.len() * CHUNK {
                let at = |chunks: &[Chunk], row: usize| -> i64 {
                    let chunks = &chunks[row * network.biases.len()..];
                    chunks[neuron / CHUNK].0[neuron % CHUNK].into()
                };
                let mut sum = at(&network.biases, 0);
                for square in position.side(Color::White) | position.side(Color::Black) {
                    let (owner, kind) = position.piece_at(square).expect("a piece");
                    let set = G::KINDS.len() * usize::from(owner != color) + kind.index();
                    let seen = seen(position, square.into(), color);
                    sum += at(&network.transformer, usize::from(G::SQUARES) * set + seen);
                }
                output += sum.clamp(0, 255).pow(2) * at(&network.outputs[side], 0);
            }
        }
        (output * 150 / (255 * 255 * 64)) as i32
    }

    /// The evaluators for all instruction sets that this processor has.
    fn evaluators<G: Game>(network: &Network<G>) -> Vec<Box<dyn ThreadEvaluator<G> + '_>> {
        let mut all: Vec<Box<dyn ThreadEvaluator<G> + '_>> =
            vec![Box::new(NetworkEvaluator::new(network, Baseline)), network.for_thread()];
        #[cfg(target_arch = "x86_64")]
        {
            use damka_tables::processor::{Avx2, Avx512};
            if let Some(avx2) = Avx2::detect() {
                all.push(Box::new(NetworkEvaluator::new(network, avx2)));
            }
            if let Some(avx512) = Avx512::detect() {
                all.push(Box::new(NetworkEvaluator::new(network, avx512)));
            }
        }
        all
    }

    /// The numbers of captures and promotions in the games of a test, and of positions at which
    /// accumulators are used again.
    #[derive(Default)]
    struct Seen {
        captures: usize,
        promotions: usize,
        reused_accumulators: usize,
    }

    /// Checks the evaluations of two thirds of the positions of random games. Some are evaluated at
    /// a random ply, whose accumulator holds a distant position.
    fn check<G: Game>(
        game: G,
        games: usize,
        square: fn(&G::Position, usize, Color) -> usize,
        seen: &mut Seen,
    ) {
        let mut random = Random::new(9);
        let network = network(game);
        let mut evaluators = evaluators(&network);
        for _ in 0..games {
            let mut position = game.start();
            for ply in 0..150 {
                let Some(mv) = random.pick(&position.moves()) else { break };
                seen.captures += usize::from(position.is_capture(mv));
                seen.promotions += usize::from(position.is_promotion(mv));
                seen.reused_accumulators += usize::from(ply >= PLIES);
                position = position.play(mv);
                if random.below(3) == 0 {
                    continue;
                }
                let expected = reference_evaluation(&network, &position, square);
                let at = [ply as u16, random.below(300) as u16][usize::from(ply % 10 == 9)];
                for evaluator in &mut evaluators {
                    assert_eq!(evaluator.evaluate(&position, at), expected, "{position:?}");
                }
                assert_eq!(network.evaluate(&position.flip()), expected);
            }
        }
    }

    #[test]
    fn incremental_sums_are_those_of_the_whole_position() {
        let mut seen = Seen::default();
        for &game in Draughts::ALL {
            check(game, 12, turned, &mut seen);
        }
        check(Chess, 12, with_king_on_the_left, &mut seen);
        let Seen { captures, promotions, reused_accumulators } = seen;
        assert!(
            captures > 500 && promotions > 50 && reused_accumulators > 100,
            "{captures} {promotions}"
        );
    }

    /// No weights that a file may have cause a panic.
    #[test]
    fn extreme_weights_wrap_around() {
        let game = Draughts::Russian;
        for extreme in [i16::MIN, i16::MAX] {
            let weights = vec![extreme; (Network::<Draughts>::INPUTS + 3) * 64];
            let network = Network::new(game, u16::MAX, i32::MIN, &weights);
            let values: Vec<i32> = evaluators(&network)
                .iter_mut()
                .map(|evaluator| evaluator.evaluate(&game.start(), 0))
                .collect();
            assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
        }
    }
}
