use crate::table::Table;
use crate::{ProbeError, Storage, Tables};
use damka_games::Position;
use damka_tables::format::Decoder;
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Side, Signature, Value};

/// Exact values of a table's positions, cheapest in the order of the index: each block is decoded
/// once, and only positions whose value the table does not hold are probed.
pub(super) struct Values<'a, G: Indexable, S: Storage> {
    tables: &'a Tables<G, S>,
    table: &'a Table<G, S::Source>,
    metric: Metric,
    /// Whether the table holds values with each side to move.
    is_held: [bool; 2],
    decoder: Decoder,
    block: Vec<u8>,
    /// Which block is decoded.
    number: Option<u64>,
}

impl<'a, G: Indexable, S: Storage> Values<'a, G, S> {
    /// # Errors
    /// The table is missing or damaged.
    pub(super) fn open(
        tables: &'a Tables<G, S>,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<Values<'a, G, S>, ProbeError> {
        let table = tables.table(signature, metric)?;
        let decoder = Decoder::new().map_err(|error| table.failed(error.into()))?;
        let held = table.header().metric();
        let is_held = [Side::First, Side::Second].map(|side| G::is_held(signature, held, side));
        Ok(Values { tables, table, metric, is_held, decoder, block: Vec::new(), number: None })
    }

    /// The index of the positions with `side` to move.
    pub(super) fn index(&self, side: Side) -> &'a Index<G> {
        self.table.side_index(side)
    }

    /// How many numbers there are with `side` to move.
    pub(super) fn len(&self, side: Side) -> u64 {
        self.index(side).len()
    }

    /// The value of the position with this number, which is given with White to move; `None` if
    /// it is no legal position.
    ///
    /// # Errors
    /// A table that is needed is missing or damaged.
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
        // The table holds no value, or perhaps one that is too low.
        if !self.is_held[side as usize]
            || position.captures_only()
            || !G::conversions(position).is_empty()
        {
            return self.tables.value(position, self.metric).map(Some);
        }
        let side = if self.table.signature().sides().len() == 1 { Side::First } else { side };
        let (block, place) = self.table.locate(side, number);
        if self.number != Some(block) {
            self.number = None;
            self.table.read_block(&mut self.decoder, block, &mut self.block)?;
            self.number = Some(block);
        }
        Ok(Some(self.table.value(block, &self.block, place)?.under(self.metric)))
    }
}
