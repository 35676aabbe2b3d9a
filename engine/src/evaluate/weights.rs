use super::pair::Pair;
use super::{Evaluated, Frames};
use crate::file::{FileError, FileKind};
use damka_games::{Color, Position as _};
use damka_tables::processor::{self, Processor, Work};
use std::io;
use std::path::Path;

/// What everything that is counted in a position is worth, at the start of a game and at
/// its end.
///
/// # The file
///
/// After the [head](crate::FileError) that all files of the engine have, with the letters
/// `57 54` (`WT`) and version 1, come the weights, compressed with zstd.
///
/// A weight is a signed number of 16 bits, in eighths of a hundredth of a man. There come
/// the low bytes of all weights at the end of a game, by feature, then their high bytes, and
/// then the same for the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights<G> {
    game: G,
    /// By feature: at the end and at the start, in [`UNITS`]ths of a hundredth of a man.
    pairs: Box<[Pair]>,
}

/// The resolution of weights.
const UNITS: i32 = 8;

const KIND: FileKind = FileKind { name: "file of weights", letters: *b"WT", version: 1 };
/// Nearly all weights are 0 or near it: they compress well.
const LEVEL: i32 = 19;

impl<G: Evaluated> Weights<G> {
    /// All of them 0.
    pub(crate) fn zero(game: G) -> Weights<G> {
        Weights { game, pairs: vec![Pair::default(); G::FEATURES].into() }
    }

    /// The game whose positions they are for.
    pub(crate) fn game(&self) -> G {
        self.game
    }

    /// What a feature is worth at the end and at the start, in hundredths of a man.
    pub(crate) fn get(&self, feature: usize) -> [f32; 2] {
        self.pairs[feature].parts().map(|weight| weight as f32 / UNITS as f32)
    }

    /// The opposite, as nearly as it can be kept.
    pub(crate) fn set(&mut self, feature: usize, hundredths: [f32; 2]) {
        let rounded = hundredths.map(|weight| (weight * UNITS as f32).round() as i16);
        self.pairs[feature] = Pair::new(rounded.map(i32::from));
    }

    /// What the position is worth to the side to move, in hundredths of a man.
    #[inline]
    pub(crate) fn evaluate(&self, position: &G::Position, frames: &mut Frames) -> i32 {
        processor::run(Evaluating { weights: self, position, frames })
    }

    /// Reads weights of `game` from a file.
    ///
    /// # Errors
    /// It cannot be read, or holds no weights of this game.
    pub fn open(game: G, path: &Path) -> Result<Weights<G>, FileError> {
        KIND.read(path, |bytes| Weights::from_bytes(game, bytes))
    }

    /// Looks whether weights may be written to `path`, before there are any: what is something else
    /// is not overwritten.
    ///
    /// # Errors
    /// Something else is there, or it cannot be read; or the directory is not there.
    pub fn check_place(path: &Path) -> Result<(), FileError> {
        KIND.check_place(path)
    }

    /// Writes the weights to a file, which is complete or as it was before.
    ///
    /// # Errors
    /// What the system says, or that something else [is there](Weights::check_place).
    pub fn save(&self, path: &Path) -> Result<(), FileError> {
        let bytes = self.to_bytes().map_err(|error| KIND.io_error(path, error))?;
        KIND.write(path, &bytes)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// There is no memory to compress them.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        // By stage and half: the high bytes are alike.
        let halves = [0, 1].into_iter().flat_map(|stage| [0, 1].map(|half| (stage, half)));
        let values = halves.flat_map(|(stage, half)| {
            self.pairs.iter().map(move |pair| pair.parts()[stage].to_le_bytes()[half])
        });
        let packed = zstd::bulk::compress(&values.collect::<Vec<u8>>(), LEVEL)?;
        Ok(KIND.bytes(self.game.name(), &packed))
    }

    /// Reads the bytes of a file of `game`.
    ///
    /// # Errors
    /// They are no weights of this game.
    pub fn from_bytes(game: G, bytes: &[u8]) -> Result<Weights<G>, FileError> {
        let packed = KIND.contents(game.name(), bytes)?;
        let len = 4 * G::FEATURES;
        let values = zstd::bulk::decompress(packed, len).ok();
        let values = values.filter(|values| values.len() == len);
        let values = values.ok_or_else(|| KIND.damaged("there are more weights, or fewer"))?;
        let value = |stage: usize, feature: usize| {
            let place = 2 * stage * G::FEATURES + feature;
            i16::from_le_bytes([values[place], values[place + G::FEATURES]]).into()
        };
        let pair = |feature| Pair::new([0, 1].map(|stage| value(stage, feature)));
        let pairs = (0..G::FEATURES).map(pair);
        Ok(Weights { game, pairs: pairs.collect() })
    }
}

/// What a position is worth is asked for.
struct Evaluating<'a, G: Evaluated> {
    weights: &'a Weights<G>,
    position: &'a G::Position,
    frames: &'a mut Frames,
}

impl<G: Evaluated> Work for Evaluating<'_, G> {
    type Output = i32;

    #[inline(always)]
    fn run<P: Processor>(self, _: P) -> i32 {
        let Evaluating { weights, position, frames } = self;
        let mut sum = Pair::default();
        if let Some(key) = G::frame(position) {
            let sign = if position.turn() == Color::White { 1 } else { -1 };
            let white = frames.get(key, || {
                let mut sum = Pair::default();
                G::count_frame(position, |feature, count| {
                    sum.add(weights.pairs[feature], sign * count);
                });
                sum
            });
            sum.add(white, sign);
        }
        G::count_rest(position, |feature, count| sum.add(weights.pairs[feature], count));
        let [end, start] = sum.parts();
        let stage = G::stage(position);
        (start * stage + end * (G::STAGES - stage)) / (G::STAGES * UNITS)
    }
}
