//! Networks: evaluations with one hidden layer that is updated from position to position.
//!
//! There are two perspectives, as in NNUE (Y. Nasu, "Efficiently Updatable Neural-Network-based
//! Evaluation Functions for Computer Shogi", 2018): each side has a hidden layer of its own, whose
//! inputs are the pieces of both sides on the board as that side sees it. Both layers use the same
//! weights, the feature transformer. The output takes the layer of the side to move first.
//!
//! [`accumulators.rs`](self::accumulators) has the arithmetic.

mod accumulators;
mod inputs;

pub(crate) use inputs::{inputs, view};

use super::packed::{pack, unpack};
use super::{Evaluator, ThreadEvaluator};
use crate::file::{FileError, FileKind};
use accumulators::Start;
use damka_games::Game;
use damka_tables::processor;
use std::io;
use std::path::Path;

/// The number of hidden neurons of each side is a multiple of this: they are computed in vectors of 512
/// bits.
pub const CHUNK: usize = 32;

/// The greatest number of hidden neurons of each side.
pub const MAX_HIDDEN: usize = 1024;

/// One number for each of [`CHUNK`] neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Chunk(pub(crate) [i16; CHUNK]);

/// The quantization factor of the weights of the feature transformer, the biases and the sums of
/// neurons: this number stands for 1. At this sum the activation of a neuron reaches its maximum, 1.
pub(crate) const ACTIVE: i16 = 255;
/// The quantization factor of the weights of the output: this number stands for 1.
pub(crate) const OUTPUT_UNIT: i16 = 64;
/// The greatest weight of the output: a product with an activation fits into 16 bits.
pub(crate) const MAX_OUTPUT: i16 = 127;

/// A network that evaluates positions of a game.
///
/// The hidden layer of each side has a neuron for each column of the feature transformer, whose rows
/// are the inputs: a piece of a kind on a square, own or of the other side. The activation is the
/// squared clipped ReLU, `clamp(sum, 0, 1)²`. The output is a weighted sum of both layers.
///
/// # The file
///
/// The [header](crate::FileError) common to all files of the engine, with the letters `4E 4E` (`NN`) and
/// version 1, is followed by
///
/// | bytes | what |
/// |---|---|
/// | 2 | the number of hidden neurons of each side, a multiple of 32 |
/// | 2 | the scale: the hundredths of a man that an output of 1 stands for |
/// | 4 | the bias of the output, in units of 1 / (64 · 255²), signed |
/// | ... | the weights, compressed with zstd |
///
/// Numbers are little-endian. A weight is a signed 16-bit number, in units of 1/255, and in the output
/// of 1/64. First come the low bytes of all weights, then their high bytes, both in this order: the
/// feature transformer, row by row; the biases of the hidden neurons; the weights of the output for the
/// layer of the side to move, then for that of the other side. The rows are those of the side's
/// pieces of each kind, strongest first, by square, then those of the other side's pieces. In chess
/// the board is mirrored left to right where that brings the king of that side to the files a to d.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<G> {
    game: G,
    scale: u16,
    /// By input: the weights of the hidden neurons.
    transformer: Box<[Chunk]>,
    biases: Box<[Chunk]>,
    /// For the layers of the side to move and of the other side.
    outputs: [Box<[Chunk]>; 2],
    output_bias: i32,
}

const KIND: FileKind = FileKind { name: "file of a network", letters: *b"NN", version: 1 };

impl<G: Game> Network<G> {
    /// The number of inputs of a perspective.
    pub(crate) const INPUTS: usize = 2 * G::KINDS.len() * G::SQUARES as usize;

    /// The quantization factor of the output, a sum of weights times squared activations.
    pub(crate) const OUTPUT_SCALE: i64 = ACTIVE as i64 * ACTIVE as i64 * OUTPUT_UNIT as i64;

    /// The network with these weights, in the order of the file.
    ///
    /// # Panics
    /// The number of weights is not that of a network with a multiple of 32 neurons.
    pub(crate) fn new(game: G, scale: u16, output_bias: i32, weights: &[i16]) -> Network<G> {
        let (chunks, rest) = weights.as_chunks::<CHUNK>();
        let chunks: Vec<Chunk> = chunks.iter().copied().map(Chunk).collect();
        let rows = Self::INPUTS + 3;
        assert!(rest.is_empty() && chunks.len().is_multiple_of(rows), "a number for each neuron");
        let hidden = chunks.len() / rows;
        let part = |from: usize, to: usize| chunks[from * hidden..to * hidden].into();
        Network {
            game,
            scale,
            transformer: part(0, rows - 3),
            biases: part(rows - 3, rows - 2),
            outputs: [part(rows - 2, rows - 1), part(rows - 1, rows)],
            output_bias,
        }
    }

    /// The number of hidden neurons of each side.
    pub(crate) fn hidden(&self) -> usize {
        self.biases.len() * CHUNK
    }

    /// The weights, in the order of the file.
    pub(crate) fn weights(&self) -> Vec<i16> {
        let [own, other] = &self.outputs;
        let parts = [&self.transformer, &self.biases, own, other];
        parts.into_iter().flatten().flat_map(|chunk| chunk.0).collect()
    }

    /// The bias of the output, in units of 1 / [`OUTPUT_SCALE`](Network::OUTPUT_SCALE).
    pub(crate) fn output_bias(&self) -> i32 {
        self.output_bias
    }

    /// Whether these bytes begin like the file of a network.
    pub(crate) fn is_file(bytes: &[u8]) -> bool {
        KIND.is_file(bytes)
    }

    /// Reads a network of `game` from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a network of this game.
    pub fn open(game: G, path: &Path) -> Result<Network<G>, FileError> {
        KIND.read(path, |bytes| Network::from_bytes(game, bytes))
    }

    /// Checks that a network can be written to `path`. Call this before the work of learning one. An
    /// existing file is overwritten only if it is a network.
    ///
    /// # Errors
    /// `path` is another kind of file or cannot be read, or its directory does not exist.
    pub fn check_place(path: &Path) -> Result<(), FileError> {
        KIND.check_place(path)
    }

    /// Writes the network to a file atomically: on failure an existing file is unchanged.
    ///
    /// # Errors
    /// The file cannot be written, or [is of another kind](Network::check_place).
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let bytes = self.to_bytes().map_err(|error| KIND.io_error(path, error))?;
        KIND.write(path, &bytes)
    }

    /// Encodes the network as a file.
    ///
    /// # Errors
    /// Compression fails for lack of memory.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let weights = self.weights();
        // Low and high bytes are stored apart, because the high bytes are alike and compress well.
        let bytes =
            [0, 1].into_iter().flat_map(|half| weights.iter().map(move |w| w.to_le_bytes()[half]));
        let mut contents = Vec::new();
        contents.extend((self.hidden() as u16).to_le_bytes());
        contents.extend(self.scale.to_le_bytes());
        contents.extend(self.output_bias.to_le_bytes());
        contents.extend(pack(&bytes.collect::<Vec<u8>>())?);
        Ok(KIND.bytes(self.game.name(), &contents))
    }

    /// Decodes the bytes of a network file of `game`.
    ///
    /// # Errors
    /// The bytes are not a valid file of a network of this game.
    pub fn from_bytes(game: G, bytes: &[u8]) -> Result<Network<G>, FileError> {
        let contents = KIND.contents(game.name(), bytes)?;
        let short = || KIND.damaged("it is too short");
        let (hidden, contents) = contents.split_first_chunk().ok_or_else(short)?;
        let (scale, contents) = contents.split_first_chunk().ok_or_else(short)?;
        let (output_bias, packed) = contents.split_first_chunk().ok_or_else(short)?;
        let hidden = usize::from(u16::from_le_bytes(*hidden));
        if hidden == 0 || !hidden.is_multiple_of(CHUNK) || hidden > MAX_HIDDEN {
            return Err(KIND.damaged("the number of neurons is wrong"));
        }
        let count = hidden * (Self::INPUTS + 3);
        let bytes = unpack(&KIND, packed, 2 * count)?;
        let (low, high) = bytes.split_at(count);
        let halves = low.iter().zip(high);
        let weights: Vec<i16> =
            halves.map(|(&low, &high)| i16::from_le_bytes([low, high])).collect();
        let [scale, output_bias] =
            [u16::from_le_bytes(*scale).into(), i32::from_le_bytes(*output_bias)];
        Ok(Network::new(game, scale as u16, output_bias, &weights))
    }
}

impl<G: Game> Evaluator<G> for Network<G> {
    fn for_thread(&self) -> Box<dyn ThreadEvaluator<G> + '_> {
        processor::run_widest(Start(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::parse_evaluator;
    use crate::file::FileProblem;
    use damka_games::{Chess, English, Russian};

    #[test]
    fn a_file_is_read_back_and_checked() {
        let count = (Network::<damka_games::Draughts>::INPUTS + 3) * 32;
        let weights: Vec<i16> = (0..count).map(|i| (i * 7919) as i16).collect();
        let network = Network::new(Russian, 120, -5, &weights);
        let bytes = network.to_bytes().expect("memory");
        assert_eq!(Network::from_bytes(Russian, &bytes).expect("a network"), network);
        assert!(parse_evaluator(Russian, &bytes).is_ok(), "the file says that it is a network");
        let other = Network::from_bytes(English, &bytes).expect_err("another variant");
        assert!(matches!(other.problem, FileProblem::OtherGame { .. }), "{other}");
        assert!(Network::from_bytes(Chess, &bytes).is_err());
        for end in 0..bytes.len() {
            assert!(Network::from_bytes(Russian, &bytes[..end]).is_err(), "{end} bytes");
        }
        // With a checksum that fits: too few or too many neurons, or other weights than they need.
        for neurons in [0u16, 16, 64, 2048] {
            let mut contents = bytes[KIND.bytes("russian", &[]).len()..].to_vec();
            contents[..2].copy_from_slice(&neurons.to_le_bytes());
            let damaged = Network::from_bytes(Russian, &KIND.bytes("russian", &contents));
            let error = damaged.expect_err("damaged").to_string();
            assert!(error.contains("the number of"), "{error}");
        }
    }
}
