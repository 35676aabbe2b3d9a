use super::successors::Successors;
use crate::table::Table;
use crate::{Pending, ProbeError, Storage, Tables};
use damka_games::Position;
use damka_tables::format::Decoder;
use damka_tables::metric::{Metric, Summary};
use damka_tables::processor::{self, Processor, Work};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::ops::ControlFlow::Continue;
use std::ops::Range;

/// The maximum number of positions in a batch, so small that their successors stay in the
/// processor's first-level cache.
const BATCH: u64 = 256;

/// Exact values of a table's positions, fastest in the order of the index: each block is decoded
/// once, and each position after a capture is probed once.
pub(super) struct Values<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    table: &'a Table<G, S::Source>,
    metric: Metric,
    decoder: Decoder,
    block: Vec<u8>,
    /// The number of the decoded block.
    number: Option<u64>,
    successors: Successors<'a, G, S>,
    batch: Batch<G>,
}

/// Positions with consecutive numbers, processed together step by step: the processor then works on
/// several at a time, although it cannot predict which of them have captures.
struct Batch<G: Indexable> {
    /// With White to move.
    positions: Vec<G::Position>,
    /// `None` if the position is not legal.
    values: Vec<Option<Value>>,
    /// The places in the batch of the positions in which only captures are legal.
    forced: Vec<usize>,
    /// Successors whose values count in addition to the table's value or instead of it, each with
    /// the place in the batch of the position before the move.
    successors: Vec<(usize, G::Position)>,
}

impl<'a, G: Indexable, S: Storage> Values<'a, G, S> {
    /// The values of the positions of `signature` under `metric`. Opens the table.
    ///
    /// # Errors
    /// Fails if the table is missing or damaged.
    pub(super) fn open(
        tables: &'a Tables<G, S>,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<Values<'a, G, S>, ProbeError> {
        let table = tables.table(signature, metric)?;
        Ok(Values {
            tables,
            table,
            metric,
            decoder: Decoder::new().map_err(|error| table.failed(error.into()))?,
            block: Vec::new(),
            number: None,
            successors: Successors::new(tables, metric),
            batch: Batch {
                positions: Vec::new(),
                values: Vec::new(),
                forced: Vec::new(),
                successors: Vec::new(),
            },
        })
    }

    /// The index of the positions with `side` to move.
    pub(super) fn index(&self, side: Side) -> &'a Index<G> {
        self.table.side_index(side)
    }

    /// The counts of the positions with `side` to move.
    pub(super) fn summary(&self, side: Side) -> &'a Summary {
        self.table.header().summary(side)
    }

    /// The number of index numbers with `side` to move.
    pub(super) fn len(&self, side: Side) -> u64 {
        self.index(side).len()
    }

    /// The legal positions with these numbers, with White to move, each with its number and value.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    pub(super) fn batch(
        &mut self,
        side: Side,
        numbers: Range<u64>,
    ) -> Result<impl Iterator<Item = (u64, &G::Position, Value)>, ProbeError> {
        let first = numbers.start;
        processor::run(Evaluation { values: self, side, numbers })?;
        let Values { metric, batch: Batch { positions, values, .. }, .. } = self;
        let found = (first..).zip(positions).zip(values);
        Ok(found.filter_map(|((number, position), value)| {
            value.map(|value| (number, &*position, value.reduced_to(*metric)))
        }))
    }
}

/// Splits numbers into the parts that [`Values::batch`] takes.
pub(super) fn batches(numbers: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let Range { start, end } = numbers;
    (start..end).step_by(BATCH as usize).map(move |first| first..(first + BATCH).min(end))
}

/// The work of evaluating a batch.
struct Evaluation<'v, 'a, G: Indexable, S: Storage> {
    values: &'v mut Values<'a, G, S>,
    side: Side,
    numbers: Range<u64>,
}

impl<G: Indexable, S: Storage> Work for Evaluation<'_, '_, G, S> {
    type Output = Result<(), ProbeError>;

    #[inline(always)]
    fn run<P: Processor>(self, processor: P) -> Result<(), ProbeError> {
        let Evaluation { values, side, numbers } = self;
        let Values { tables, table, metric, .. } = *values;
        let Values { decoder, block, number: decoded, successors: known, batch, .. } = values;
        let Batch { positions, values, forced, successors } = batch;
        positions.clear();
        for position in table.side_index(side).positions_with(processor, numbers.clone()) {
            positions.push(position);
        }
        values.clear();
        values.resize(positions.len(), None);
        successors.clear();

        forced.clear();
        forced.resize(positions.len(), 0);
        let mut count = 0;
        for (place, position) in positions.iter().enumerate() {
            // Branchless: whether there are captures is unpredictable.
            forced[count] = place;
            count += usize::from(G::is_legal(position) && position.captures_only());
        }
        forced.truncate(count);

        // Forced positions: the value follows from the captures.
        for &place in &*forced {
            let position = &positions[place];
            let before = successors.len();
            let mut takes_last = false;
            position.captures(
                #[inline(always)]
                |after| {
                    match after {
                        Some(after) => successors.push((place, after)),
                        None => takes_last = true,
                    }
                    Continue(())
                },
            );
            if takes_last {
                values[place] = Some(Value::LOST.before_move());
            } else if successors.len() == before {
                values[place] = Some(Value::without_moves::<G>(position));
            }
        }

        // The others: the value is in the table.
        let is_held = table.holds(side);
        let stored_side = if table.signature().sides().len() == 1 { Side::First } else { side };
        let mut pending = Pending::new();
        let mut forced = forced.iter().copied().peekable();
        for (place, (number, position)) in numbers.zip(&*positions).enumerate() {
            if forced.next_if_eq(&place).is_some() || !G::is_legal(position) {
                continue;
            }
            if !is_held {
                values[place] = pending.or_later(tables.value(position, metric))?;
                continue;
            }
            let (number, in_block) = table.locate(stored_side, number);
            if *decoded != Some(number) {
                *decoded = None;
                if pending.or_later(table.read_block(decoder, number, block))?.is_none() {
                    continue;
                }
                *decoded = Some(number);
            }
            values[place] = Some(table.value(number, block, in_block)?);
            for &mv in &G::conversions(position) {
                successors.push((place, position.play(mv)));
            }
        }

        for (place, after) in &*successors {
            if let Some(value) = pending.or_later(known.value(processor, after))? {
                values[*place] = values[*place].max(Some(value.before_move()));
            }
        }
        pending.finish()
    }
}
