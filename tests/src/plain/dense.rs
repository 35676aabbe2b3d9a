use damka_games::{Color, Game, Position};
use damka_tables::metric::Summary;
use damka_tables::{Index, Indexable, Side, Signature, Value};
use rayon::prelude::*;
use std::ops::Range;

/// All values of a signature, uncompressed in memory.
#[derive(Debug)]
pub struct Dense<G> {
    signature: Signature<G>,
    halves: Vec<Half<G>>,
}

/// The values of the positions with one side to move.
#[derive(Debug)]
pub struct Half<G> {
    /// The index of the positions, with White as the side to move.
    pub index: Index<G>,
    /// The value of each position.
    pub values: Vec<Value>,
}

impl<G: Indexable> Dense<G> {
    /// Combines the values of both sides to move, or of one if the sides are equal.
    pub(super) fn new(signature: Signature<G>, halves: Vec<Half<G>>) -> Dense<G> {
        debug_assert_eq!(halves.len(), signature.sides().len());
        Dense { signature, halves }
    }

    /// The signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// The values of each side to move, or of one if the sides are equal.
    pub fn halves(&self) -> &[Half<G>] {
        &self.halves
    }

    /// The value of a position of this signature, for its side to move. `side` says which of the signature's
    /// two sides that is.
    #[inline]
    pub fn value(&self, position: &G::Position, side: Side) -> Value {
        let half = &self.halves[(side as usize).min(self.halves.len() - 1)];
        half.values[half.index.number(&white_to_move::<G>(position)) as usize]
    }
}

impl<G: Indexable> Half<G> {
    /// The values of these numbers; [`Value::DONT_CARE`] where a table may store any value.
    ///
    /// # Panics
    /// If a number is too large.
    pub fn stored(&self, numbers: Range<usize>) -> Vec<Value> {
        let values = (numbers.start as u64..).zip(&self.values[numbers]);
        let stored = |(number, &value)| match G::is_stored(&self.index.position(number)) {
            true => value,
            false => Value::DONT_CARE,
        };
        values.map(stored).collect()
    }

    /// Counts of all positions, including symmetric ones, as in the header of a DTW table.
    pub fn summary(&self) -> Summary {
        const CHUNK: usize = 1 << 16;
        let chunks = self.values.par_chunks(CHUNK).enumerate().map(|(chunk, values)| {
            let mut summary = Summary::default();
            for (number, &value) in ((chunk * CHUNK) as u64..).zip(values) {
                summary.count(value, number, self.index.weight(number));
            }
            summary
        });
        let chunks: Vec<Summary> = chunks.collect();
        chunks.into_iter().fold(Summary::default(), Summary::merged)
    }
}

/// The position as the index expects it: if Black is to move, with colours exchanged.
#[inline]
pub(super) fn white_to_move<G: Game>(position: &G::Position) -> G::Position {
    match position.turn() {
        Color::White => *position,
        Color::Black => position.flip(),
    }
}
