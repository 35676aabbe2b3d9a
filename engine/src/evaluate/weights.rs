use super::Evaluated;
use crate::whole_file::write_whole;
use std::marker::PhantomData;
use std::path::Path;
use std::{fs, io};
use thiserror::Error;

/// What everything that is counted in a position is worth, at the start of a game and at
/// its end.
///
/// # The file
///
/// | bytes | what |
/// |---|---|
/// | 8 | magic: `89 44 4D 4B 57 54 0D 0A` (`.DMKWT..`) |
/// | 2 | version: 1, little-endian |
/// | 16 | the game's name, filled up with zeros |
/// | 4 | the CRC-32 (IEEE) of what follows, little-endian |
/// | ... | the weights, compressed with zstd |
///
/// A weight is a signed number of 16 bits, in eighths of a hundredth of a man. There come
/// the low bytes of all weights at the end of a game, by feature, then their high bytes, and
/// then the same for the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights<G> {
    /// By feature: at the end and at the start, in [`UNITS`]ths of a hundredth of a man.
    pairs: Box<[[i16; 2]]>,
    game: PhantomData<G>,
}

/// The resolution of weights.
const UNITS: i32 = 8;

/// Ends of lines that are changed on the way change it.
const MAGIC: [u8; 8] = *b"\x89DMKWT\r\n";
const VERSION: u16 = 1;
const NAME_LEN: usize = 16;
/// Nearly all weights are 0 or near it: they compress well.
const LEVEL: i32 = 19;

/// Why weights cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file could not be read or written.
    #[error("the weights cannot be read or written: {0}")]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("these are no weights of an evaluation")]
    NotWeights,
    /// The weights were made by another version of the program.
    #[error("the weights have version {0}, which is not known")]
    UnknownVersion(u16),
    /// The weights are of another game.
    #[error("the weights are of the game `{found}`, not of `{wanted}`")]
    OtherGame {
        /// The game that the file names.
        found: String,
        /// The game that was asked for.
        wanted: &'static str,
    },
    /// The bytes are not those that were written.
    #[error("the weights are damaged")]
    Damaged,
}

impl<G: Evaluated> Weights<G> {
    /// All of them 0.
    pub(crate) fn zero() -> Weights<G> {
        Weights { pairs: vec![[0; 2]; G::FEATURES].into(), game: PhantomData }
    }

    /// What a feature is worth at the end and at the start, in hundredths of a man.
    pub(crate) fn get(&self, feature: usize) -> [f32; 2] {
        self.pairs[feature].map(|weight| f32::from(weight) / UNITS as f32)
    }

    /// The opposite, as nearly as it can be kept.
    pub(crate) fn set(&mut self, feature: usize, hundredths: [f32; 2]) {
        self.pairs[feature] = hundredths.map(|weight| (weight * UNITS as f32).round() as i16);
    }

    /// What the position is worth to the side to move, in hundredths of a man.
    #[inline]
    pub(crate) fn evaluate(&self, position: &G::Position) -> i32 {
        let mut sums = [0; 2];
        G::count(position, |feature, count| {
            let pair = self.pairs[feature];
            sums[0] += i32::from(pair[0]) * count;
            sums[1] += i32::from(pair[1]) * count;
        });
        let stage = G::stage(position);
        (sums[1] * stage + sums[0] * (G::STAGES - stage)) / (G::STAGES * UNITS)
    }

    /// Reads weights from a file.
    ///
    /// # Errors
    /// It cannot be read, or holds no weights of this game.
    pub fn open(path: &Path) -> Result<Weights<G>, WeightsError> {
        Weights::from_bytes(&fs::read(path)?)
    }

    /// Writes the weights to a file, which is complete or not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), WeightsError> {
        Ok(write_whole(path, &self.to_bytes()?)?)
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        // By stage and half: the high bytes are alike.
        let halves = [0, 1].into_iter().flat_map(|stage| [0, 1].map(|half| (stage, half)));
        let values = halves.flat_map(|(stage, half)| {
            self.pairs.iter().map(move |pair| pair[stage].to_le_bytes()[half])
        });
        let packed = zstd::bulk::compress(&values.collect::<Vec<u8>>(), LEVEL)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut name = [0; NAME_LEN];
        name.iter_mut().zip(G::NAME.bytes()).for_each(|(to, byte)| *to = byte);
        bytes.extend(name);
        bytes.extend(crc32fast::hash(&packed).to_le_bytes());
        bytes.extend(packed);
        Ok(bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// They are no weights of this game.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Weights<G>, WeightsError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(WeightsError::NotWeights)?;
        let (version, rest) = rest.split_first_chunk().ok_or(WeightsError::Damaged)?;
        let version = u16::from_le_bytes(*version);
        if version != VERSION {
            return Err(WeightsError::UnknownVersion(version));
        }
        let (name, rest) = rest.split_first_chunk::<NAME_LEN>().ok_or(WeightsError::Damaged)?;
        let found = String::from_utf8_lossy(name);
        let found = found.trim_end_matches('\0');
        if found != G::NAME {
            return Err(WeightsError::OtherGame { found: found.to_owned(), wanted: G::NAME });
        }
        let (crc, packed) = rest.split_first_chunk().ok_or(WeightsError::Damaged)?;
        if crc32fast::hash(packed) != u32::from_le_bytes(*crc) {
            return Err(WeightsError::Damaged);
        }
        let len = 4 * G::FEATURES;
        let values = zstd::bulk::decompress(packed, len).map_err(|_| WeightsError::Damaged)?;
        if values.len() != len {
            return Err(WeightsError::Damaged);
        }
        let value = |stage: usize, feature: usize| {
            let place = 2 * stage * G::FEATURES + feature;
            i16::from_le_bytes([values[place], values[place + G::FEATURES]])
        };
        let pairs = (0..G::FEATURES).map(|feature| [value(0, feature), value(1, feature)]);
        Ok(Weights { pairs: pairs.collect(), game: PhantomData })
    }
}
