use super::packed::{pack, unpack};
use super::pair::Pair;
use super::structure_cache::StructureCache;
use super::{Evaluated, Evaluator, ThreadEvaluator, material_value};
use crate::file::{FileError, FileKind};
use damka_games::{Color, Position as _};
use damka_tables::processor::{self, Processor, Work};
use std::io;
use std::path::Path;

/// The weights of all features, each with a value for the opening and one for the endgame.
///
/// # The file
///
/// The [header](crate::FileError) common to all files of the engine, with the letters `57 54`
/// (`WT`) and version 1, is followed by the weights, compressed with zstd.
///
/// A weight is a signed 16-bit number, in eighths of a hundredth of a man. First come the low bytes
/// of all endgame weights, in the order of the features, then their high bytes, then the low and
/// the high bytes of all opening weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights<G> {
    game: G,
    /// By feature, in units of 1/[`UNITS_PER_HUNDREDTH`] of a hundredth of a man.
    pairs: Box<[Pair]>,
}

/// The resolution of weights: units per hundredth of a man.
const UNITS_PER_HUNDREDTH: i32 = 8;

pub(super) const KIND: FileKind = FileKind { name: "file of weights", letters: *b"WT", version: 1 };

impl<G: Evaluated> Weights<G> {
    /// Weights that are all 0.
    pub(crate) fn zero(game: G) -> Weights<G> {
        Weights { game, pairs: vec![Pair::default(); G::FEATURES].into() }
    }

    /// The weights of the material balance, if the features are the kinds of piece.
    pub(crate) fn of_material(game: G) -> Weights<G> {
        let mut weights = Weights::zero(game);
        for kind in G::kinds() {
            weights.set(kind.index(), [material_value::<G>(kind) as f32; 2]);
        }
        weights
    }

    /// The game that the weights are for.
    pub(crate) fn game(&self) -> G {
        self.game
    }

    /// The endgame and the opening weight of a feature, in hundredths of a man.
    pub(crate) fn get(&self, feature: usize) -> [f32; 2] {
        self.pairs[feature].parts().map(|weight| weight as f32 / UNITS_PER_HUNDREDTH as f32)
    }

    /// Sets the endgame and the opening weight of a feature, rounded to the resolution.
    pub(crate) fn set(&mut self, feature: usize, hundredths: [f32; 2]) {
        let rounded = hundredths.map(|weight| (weight * UNITS_PER_HUNDREDTH as f32).round() as i16);
        self.pairs[feature] = Pair::new(rounded.map(i32::from));
    }

    /// Reads weights of `game` from a file.
    ///
    /// # Errors
    /// The file cannot be read, or does not hold weights of this game.
    pub fn open(game: G, path: &Path) -> Result<Weights<G>, FileError> {
        KIND.read(path, |bytes| Weights::from_bytes(game, bytes))
    }

    /// Checks that weights can be written to `path`. Call this before the work of learning them. An
    /// existing file is overwritten only if it is a file of weights.
    ///
    /// # Errors
    /// `path` is another kind of file or cannot be read, or its directory does not exist.
    pub fn check_place(path: &Path) -> Result<(), FileError> {
        KIND.check_place(path)
    }

    /// Writes the weights to a file atomically: on failure an existing file is unchanged.
    ///
    /// # Errors
    /// The file cannot be written, or [is of another kind](Weights::check_place).
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let bytes = self.to_bytes().map_err(|error| KIND.io_error(path, error))?;
        KIND.write(path, &bytes)
    }

    /// Encodes the weights as a file.
    ///
    /// # Errors
    /// Compression fails for lack of memory.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        // Low and high bytes are stored apart, because the high bytes are alike and compress well.
        let halves = [0, 1].into_iter().flat_map(|phase| [0, 1].map(|half| (phase, half)));
        let values = halves.flat_map(|(phase, half)| {
            self.pairs.iter().map(move |pair| pair.parts()[phase].to_le_bytes()[half])
        });
        let packed = pack(&values.collect::<Vec<u8>>())?;
        Ok(KIND.bytes(self.game.name(), &packed))
    }

    /// Decodes the bytes of a file of weights of `game`.
    ///
    /// # Errors
    /// The bytes are not a valid file of weights of this game.
    pub fn from_bytes(game: G, bytes: &[u8]) -> Result<Weights<G>, FileError> {
        let packed = KIND.contents(game.name(), bytes)?;
        let values = unpack(&KIND, packed, 4 * G::FEATURES)?;
        let value = |phase: usize, feature: usize| {
            let index = 2 * phase * G::FEATURES + feature;
            i16::from_le_bytes([values[index], values[index + G::FEATURES]]).into()
        };
        let pair = |feature| Pair::new([0, 1].map(|phase| value(phase, feature)));
        let pairs = (0..G::FEATURES).map(pair);
        Ok(Weights { game, pairs: pairs.collect() })
    }
}

impl<G: Evaluated> Evaluator<G> for Weights<G> {
    fn for_thread(&self) -> Box<dyn ThreadEvaluator<G> + '_> {
        Box::new(WeightsEvaluator { weights: self, cache: StructureCache::new() })
    }
}

/// Weights as one thread uses them.
struct WeightsEvaluator<'a, G> {
    weights: &'a Weights<G>,
    cache: StructureCache,
}

impl<G: Evaluated> ThreadEvaluator<G> for WeightsEvaluator<'_, G> {
    fn evaluate(&mut self, position: &G::Position, _ply: u16) -> i32 {
        let WeightsEvaluator { weights, cache } = self;
        processor::run(Evaluation { weights, position, cache })
    }
}

/// The arguments of an evaluation, which is compiled for each kind of processor.
struct Evaluation<'a, G: Evaluated> {
    weights: &'a Weights<G>,
    position: &'a G::Position,
    cache: &'a mut StructureCache,
}

impl<G: Evaluated> Work for Evaluation<'_, G> {
    type Output = i32;

    #[inline(always)]
    fn run<P: Processor>(self, _: P) -> i32 {
        let Evaluation { weights, position, cache } = self;
        let mut sum = Pair::default();
        if let Some(key) = G::structure_key(position) {
            let sign = if position.turn() == Color::White { 1 } else { -1 };
            let white = cache.get(key, || {
                let mut sum = Pair::default();
                G::count_structure(position, |feature, count| {
                    sum.add(weights.pairs[feature], sign * count);
                });
                sum
            });
            sum.add(white, sign);
        }
        G::count_rest(position, |feature, count| sum.add(weights.pairs[feature], count));
        let [end, start] = sum.parts();
        let phase = G::phase(position);
        (start * phase + end * (G::MAX_PHASE - phase)) / (G::MAX_PHASE * UNITS_PER_HUNDREDTH)
    }
}
