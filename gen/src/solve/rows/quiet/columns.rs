use crate::solve::score::{DRAW, NONE};
use damka_tables::processor::Processor;
use std::ops::Range;

/// The layout of columns in words: fibre by fibre, each starting a new word, unless a fibre has
/// only one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The columns of a fibre.
    pub(super) per_fibre: usize,
    /// The words of a fibre, if it has more than one column.
    words: usize,
    pub(super) fibres: usize,
}

impl Columns {
    pub(super) fn new(per_fibre: usize, fibres: usize) -> Columns {
        Columns { per_fibre, words: per_fibre.div_ceil(32), fibres }
    }

    /// The number of words.
    pub(super) fn words(self) -> usize {
        match self.per_fibre {
            1 => self.fibres.div_ceil(32),
            _ => self.fibres * self.words,
        }
    }

    /// The columns of a word, numbered over all fibres.
    #[inline(always)]
    pub(super) fn of(self, word: usize) -> Range<usize> {
        let (start, end) = match self.per_fibre {
            1 => (word * 32, self.fibres),
            per_fibre => {
                let start = word / self.words * per_fibre;
                (start + word % self.words * 32, start + per_fibre)
            }
        };
        start..end.min(start + 32)
    }

    /// The word and bit of a column of a fibre.
    #[inline(always)]
    pub(super) fn word_and_bit(self, fibre: usize, column: usize) -> (usize, usize) {
        match self.per_fibre {
            1 => (fibre / 32, fibre % 32),
            _ => (fibre * self.words + column / 32, column % 32),
        }
    }

    /// The number of columns of all fibres.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.per_fibre * self.fibres
    }
}

/// A set of scores, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScoreSet([u64; 4]);

impl ScoreSet {
    /// The wins and losses among `scores`.
    #[inline(always)]
    pub(super) fn of<'s, P: Processor>(
        processor: P,
        scores: impl Iterator<Item = &'s [u8]>,
    ) -> ScoreSet {
        let mut present = [0u8; 256];
        for &score in scores.flatten() {
            present[score as usize] = 1;
        }
        present[DRAW as usize] = 0;
        present[NONE as usize] = 0;
        let mut set = ScoreSet::default();
        for (chunk, present) in present.as_chunks::<32>().0.iter().enumerate() {
            set.0[chunk / 2] |= u64::from(processor.equal(present, 1)) << (chunk % 2 * 32);
        }
        set
    }

    #[inline(always)]
    pub(super) fn contains(&self, score: u8) -> bool {
        self.0[score as usize / 64] >> (score % 64) & 1 == 1
    }

    pub(super) fn join(&mut self, other: ScoreSet) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// Removes a score. Returns whether it was in the set.
    pub(super) fn take(&mut self, score: u8) -> bool {
        let had = self.contains(score);
        self.0[score as usize / 64] &= !(1 << (score % 64));
        had
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// Compares up to 32 scores with `target`, one bit each.
#[inline(always)]
pub(super) fn equal<P: Processor>(processor: P, scores: &[u8], target: u8) -> u32 {
    match scores.first_chunk::<32>() {
        Some(bytes) => processor.equal(bytes, target),
        None => scores
            .iter()
            .enumerate()
            .fold(0, |set, (i, &score)| set | u32::from(score == target) << i),
    }
}

/// Transposes a matrix with rows of `columns` bytes. Output rows start `stride` bytes apart.
#[inline(always)]
pub(super) fn transpose(from: &[u8], columns: usize, to: &mut [u8], stride: usize) {
    const TILE: usize = 16;
    let rows = from.len() / columns;
    for row in (0..rows).step_by(TILE) {
        let row_end = (row + TILE).min(rows);
        for column in (0..columns).step_by(TILE) {
            let column_end = (column + TILE).min(columns);
            for c in column..column_end {
                for r in row..row_end {
                    to[c * stride + r] = from[r * columns + c];
                }
            }
        }
    }
}
