use super::successors::{Successor, Successors};
use crate::captures::{self, AtTable};
use crate::catalog::Key;
use crate::table::Table;
use crate::visits::Visits;
use crate::{ProbeError, Storage, Tables};
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;
use damka_tables::{Index, Indexable, Side, Signature, Value};
use std::cell::RefCell;

/// Exact values of a table's positions, fastest in the order of the index: each block is decoded
/// once, and each position after a capture is probed once.
pub(super) struct Values<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    table: &'a Table<G, S::Source>,
    metric: Metric,
    /// Whether the table holds values with each side to move.
    is_held: [bool; 2],
    decoder: Decoder,
    block: Vec<u8>,
    /// The number of the decoded block.
    number: Option<u64>,
    successors: RefCell<Successors<'a, G, S>>,
}

impl<'a, G: Indexable, S: Storage> Values<'a, G, S> {
    /// # Errors
    /// Fails if the table is missing or damaged.
    pub(super) fn open(
        tables: &'a Tables<G, S>,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<Values<'a, G, S>, ProbeError> {
        let table = tables.table(signature, metric)?;
        let decoder = Decoder::new().map_err(|error| table.failed(error.into()))?;
        let held = table.header().metric();
        let is_held = [Side::First, Side::Second].map(|side| G::holds_side(signature, held, side));
        let successors = RefCell::new(Successors::new(tables, metric));
        let block = Vec::new();
        Ok(Values { tables, table, metric, is_held, decoder, block, number: None, successors })
    }

    /// The index of the positions with `side` to move.
    pub(super) fn index(&self, side: Side) -> &'a Index<G> {
        self.table.side_index(side)
    }

    /// The number of index numbers with `side` to move.
    pub(super) fn len(&self, side: Side) -> u64 {
        self.index(side).len()
    }

    /// The value of the position with this number, passed with White to move; `None` if it is not
    /// legal.
    ///
    /// # Errors
    /// Fails if a required table is missing or damaged.
    #[inline]
    pub(super) fn value(
        &mut self,
        side: Side,
        number: u64,
        position: &G::Position,
    ) -> Result<Option<Value>, ProbeError> {
        if !G::is_legal(position) {
            return Ok(None);
        }
        if !self.is_held[side as usize] {
            return self.tables.value(position, self.metric).map(Some);
        }
        let side = if self.table.signature().sides().len() == 1 { Side::First } else { side };
        let (block, place) = self.table.locate(side, number);
        if self.number != Some(block) {
            self.number = None;
            self.table.read_block(&mut self.decoder, block, &mut self.block)?;
            self.number = Some(block);
        }
        let Values { table, block: ref bytes, .. } = *self;
        let at_number = AtNumber { table, block, bytes, place, successors: &self.successors };
        // If the table replaces one of another metric, captures are compared under its metric.
        let held = table.header().metric();
        let value = captures::value(&at_number, position, held, &mut Visits::new())?;
        Ok(Some(value.reduced_to(self.metric)))
    }
}

/// Looks up a position in the decoded block, and positions after captures in the remembered values.
struct AtNumber<'v, 'a, G: Indexable, S: Storage> {
    table: &'a Table<G, S::Source>,
    block: u64,
    bytes: &'v [u8],
    place: usize,
    successors: &'v RefCell<Successors<'a, G, S>>,
}

impl<G: Indexable, S: Storage> AtTable<G> for AtNumber<'_, '_, G, S> {
    type Error = ProbeError;

    // Not called for a side whose values the table does not hold.
    const HOLDS_ALL: bool = true;

    #[inline(always)]
    fn value(&self, _: impl Processor, _: &G::Position, _: Key) -> Result<Value, ProbeError> {
        self.table.value(self.block, self.bytes, self.place)
    }

    #[inline(always)]
    fn behind(
        &self,
        processor: impl Processor,
        after: &G::Position,
    ) -> Option<Result<Value, ProbeError>> {
        let successors = &mut *self.successors.borrow_mut();
        Some(processor.run(Successor { successors, position: after }))
    }
}
