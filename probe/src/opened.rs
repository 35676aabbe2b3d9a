use crate::ProbeError;
use crate::blocks::{Arc, Cache, Places, word_of};
use crate::table::Table;
use damka_games::Position;
use damka_system::NoMemory;
use damka_tables::format::{Decoder, Source};
use damka_tables::{Indexable, Side, Value};
use std::cell::Cell;

/// A probed table and its decoded blocks.
pub(crate) struct Opened<G, B> {
    pub(crate) table: Table<G, B>,
    places: Arc<Places>,
}

/// The state for decoding, reused because creating it takes longer than decoding a block.
struct Scratch {
    decoder: Decoder,
    block: Vec<u8>,
}

thread_local! {
    static SCRATCH: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl<G: Indexable, B: Source> Opened<G, B> {
    /// A table none of whose blocks is decoded.
    ///
    /// # Errors
    /// Fails if there is no memory for the places of its blocks.
    pub(crate) fn new(table: Table<G, B>) -> Result<Opened<G, B>, NoMemory> {
        let places = Arc::new(Places::new(table.header().blocks())?);
        Ok(Opened { table, places })
    }

    /// The block that holds the value of a position with `side` to move, and its place there.
    pub(crate) fn locate(&self, side: Side, position: &G::Position) -> (u64, usize) {
        let number = self.table.side_index(side).number(&position.with_white_to_move());
        self.table.locate(side, number)
    }

    /// The value at place `i` of a block; `None` if the block is not decoded, or damaged.
    #[inline(always)]
    pub(crate) fn decoded(&self, cache: &Cache, block: u64, i: usize) -> Option<Value> {
        let packing = self.table.header().packing();
        packing.value(cache.word(&self.places, block as usize, packing.word(i))?, i)
    }

    /// The value at place `i` of a block, which is decoded and cached.
    ///
    /// # Errors
    /// Fails if the table is damaged or cannot be read.
    #[cold]
    pub(crate) fn decode(&self, cache: &Cache, block: u64, i: usize) -> Result<Value, ProbeError> {
        self.with_scratch(|scratch| {
            let decoding = self.places.try_decoding(block as usize);
            // Another thread may have decoded it.
            if let Some(value) = self.decoded(cache, block, i) {
                return Ok(value);
            }
            self.table.read_block(&mut scratch.decoder, block, &mut scratch.block)?;
            if decoding.is_some() {
                cache.keep(&self.places, block as usize, &scratch.block);
            }
            let word = word_of(&scratch.block, self.table.header().packing().word(i));
            self.table.value_in(block, word, i)
        })
    }

    /// Decodes all blocks and keeps them as long as the table is open. Returns the memory they
    /// take, in bytes.
    ///
    /// # Errors
    /// Fails if the table is damaged or cannot be read, or memory cannot be allocated.
    pub(crate) fn pin(&self) -> Result<u64, ProbeError> {
        let places = &self.places;
        places.make_room()?;
        self.with_scratch(|scratch| {
            for block in 0..self.table.header().blocks() {
                let _decoding = places.decoding(block as usize);
                if !places.is_pinned(block as usize) {
                    self.table.read_block(&mut scratch.decoder, block, &mut scratch.block)?;
                    places.pin(block as usize, &scratch.block);
                }
            }
            Ok(())
        })?;
        Ok(places.pinned_bytes())
    }

    /// Asks the system to read a block soon. If the block is decoded, prefetches the value at place
    /// `i` into the processor's cache instead.
    ///
    /// # Errors
    /// Fails if the table is damaged or its directory cannot be read.
    pub(crate) fn prefetch(&self, cache: &Cache, block: u64, i: usize) -> Result<(), ProbeError> {
        // Reading the word brings it into the processor's cache.
        let word = self.table.header().packing().word(i);
        if cache.word(&self.places, block as usize, word).is_some() {
            return Ok(());
        }
        self.with_scratch(|scratch| self.table.prefetch(&mut scratch.decoder, block))
    }

    fn with_scratch<T>(
        &self,
        then: impl FnOnce(&mut Scratch) -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError> {
        // In an exiting thread the state has been destroyed already.
        let kept = SCRATCH.try_with(Cell::take).ok().flatten();
        let mut scratch = match kept {
            Some(scratch) => scratch,
            None => {
                let decoder = Decoder::new().map_err(|error| self.table.failed(error.into()))?;
                Scratch { decoder, block: Vec::new() }
            }
        };
        let result = then(&mut scratch);
        let _ = SCRATCH.try_with(|kept| kept.set(Some(scratch)));
        result
    }
}
