use crate::Library;
use bitvec::vec::BitVec;
use damka_games::{Color, Game};
use damka_probe::{ProbeError, Table};
use damka_tables::format::{Metric, Summary};
use damka_tables::{Index, Layout, Side, Signature, Value};
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
    /// Numbers the positions, the side to move being White.
    pub index: Index<G>,
    /// The value of each.
    pub values: Vec<Value>,
    /// Whether only captures are legal: a table does not hold these values.
    pub captures_only: BitVec,
}

impl<G: Layout> Dense<G> {
    /// The values of both sides to move, or of one if they are the same.
    pub(crate) fn new(signature: Signature<G>, halves: Vec<Half<G>>) -> Dense<G> {
        debug_assert_eq!(halves.len(), signature.sides().len());
        Dense { signature, halves }
    }

    /// Reads a table and works out the values that it does not hold, those of
    /// positions with captures, from the tables of `library` they lead to.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn load(table: &Table<G>, library: &Library<G>) -> Result<Dense<G>, ProbeError> {
        let signature = *table.signature();
        let metric = table.header().metric();
        let mut halves = Vec::new();
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            let index = Index::new(mover, opponent);
            let mut values: Vec<Value> = Vec::with_capacity(index.len() as usize);
            table.read_values(side, |block| values.extend(block))?;
            let captures_only: Vec<bool> = values
                .par_iter_mut()
                .enumerate()
                .with_min_len(1 << 10)
                .map(|(number, value)| {
                    let position = index.position(number as u64);
                    let captures_only = G::captures_only(&position);
                    if captures_only {
                        *value = best::<G>(&position, |after| library.value(after));
                        if metric == Metric::Wdl {
                            *value = Value::without_distance(value.wdl());
                        }
                    }
                    captures_only
                })
                .collect();
            let captures_only = captures_only.into_iter().collect();
            halves.push(Half { index, values, captures_only });
        }
        Ok(Dense::new(signature, halves))
    }

    /// The signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// The values of each side to move that the signature tells apart.
    pub fn halves(&self) -> &[Half<G>] {
        &self.halves
    }

    /// The value of a position of this signature with `side` to move.
    #[inline]
    pub fn value(&self, position: &G::Position, side: Side) -> Value {
        let half = &self.halves[(side as usize).min(self.halves.len() - 1)];
        half.values[half.index.number(&white_to_move::<G>(position)) as usize]
    }

    /// Counts over the positions of each side to move, as a table of this metric
    /// has them in its header.
    pub fn summaries(&self, metric: Metric) -> Vec<Summary> {
        self.halves.iter().map(|half| half.summary().under(metric)).collect()
    }

    /// Compares the values that a table holds with these: how many differ, if any.
    pub(crate) fn differences(&self, table: &Table<G>) -> Result<Option<u64>, ProbeError> {
        let metric = table.header().metric();
        let mut count = 0;
        for (half, &side) in self.halves.iter().zip(self.signature.sides()) {
            let mut number = 0;
            table.read_values(side, |block| {
                for &stored in block {
                    let value = match metric {
                        Metric::Wdl => Value::without_distance(half.values[number].wdl()),
                        Metric::Dtw => half.values[number],
                    };
                    count += u64::from(stored != value && !half.captures_only[number]);
                    number += 1;
                }
            })?;
        }
        Ok((count > 0).then_some(count))
    }

    /// The longest distance, in plies.
    pub fn longest(&self) -> u16 {
        let halves = self.halves.iter();
        let longest =
            halves.flat_map(|half| half.values.par_iter().filter_map(|v| v.plies()).max());
        longest.max().unwrap_or(0)
    }
}

impl<G: Layout> Half<G> {
    /// The values of some numbers, [`Value::DONT_CARE`] where the table may hold
    /// anything.
    pub fn stored(&self, numbers: Range<usize>) -> Vec<Value> {
        let values = self.values[numbers.clone()].iter().zip(&self.captures_only[numbers]);
        values.map(|(&value, skip)| if *skip { Value::DONT_CARE } else { value }).collect()
    }

    /// Counts over all positions, symmetric ones counted each.
    fn summary(&self) -> Summary {
        const CHUNK: usize = 1 << 16;
        let chunks = self.values.par_chunks(CHUNK).enumerate().map(|(chunk, values)| {
            let mut summary = Summary::default();
            for (number, &value) in ((chunk * CHUNK) as u64..).zip(values) {
                summary.count(value, number, self.index.weight(number));
            }
            summary
        });
        let chunks: Vec<Summary> = chunks.collect();
        chunks.into_iter().fold(Summary::default(), Summary::and)
    }
}

/// The same position with White to move, as the index wants it.
#[inline]
pub(crate) fn white_to_move<G: Game>(position: &G::Position) -> G::Position {
    match G::turn(position) {
        Color::White => *position,
        Color::Black => G::flip(position),
    }
}

/// The best that the side to move can reach, given what its successors are
/// worth, or what it means that it cannot move.
#[inline]
pub(crate) fn best<G: Game>(
    position: &G::Position,
    value: impl Fn(&G::Position) -> Value,
) -> Value {
    let moves = G::moves(position);
    let values = moves.iter().map(|&mv| value(&G::play(position, mv)).before_move());
    values.max().unwrap_or_else(|| Value::stuck::<G>(position))
}

/// The memory for the values of a signature with this many numbers, in bytes.
pub(crate) fn dense_bytes(positions: u64) -> u64 {
    positions * 2 + positions / 8
}
