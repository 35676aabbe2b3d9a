//! Halves tables: leaves out the blocks of one side to move, and copies those of the other as they
//! are.

use super::block::Content;
use super::reader::TableReader;
use super::{BLOCK_ENTRY_LEN, Block, Decoder, FormatError, Header, Source, TableWriter};
use crate::Side;
use std::io::{self, Seek, Write};

impl<S: Source> TableReader<S> {
    /// The bytes of compressed data and directory entries that a side's part takes.
    ///
    /// # Errors
    /// Fails if the directory is damaged or cannot be read.
    pub fn part_len(&self, side: Side) -> Result<u64, FormatError> {
        let mut decoder = Decoder::new()?;
        self.header().part_blocks(side).try_fold(0, |len, number| {
            let data = self.block_data(&mut decoder, number)?;
            Ok(len + BLOCK_ENTRY_LEN + (data.end - data.start))
        })
    }

    /// Returns a block as it was written, and puts its decompressed bytes into `unpacked`.
    ///
    /// # Errors
    /// Fails if the block is damaged or cannot be read.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        unpacked: &mut Vec<u8>,
    ) -> Result<Block, FormatError> {
        // This also checks the block.
        self.read_block(decoder, number, unpacked)?;
        let data = self.block_data(decoder, number)?;
        Ok(Block(match unpacked.first() {
            Some(&byte) if data.is_empty() => Content::Constant(byte),
            _ => {
                let (mut buffer, len) = (Vec::new(), (data.end - data.start) as usize);
                Content::Compressed(self.source().read(data.start, len, &mut buffer)?.to_vec())
            }
        }))
    }
}

impl<W: Write + Seek> TableWriter<W> {
    /// Starts the half table that leaves out the values with `side` to move; `complete` is the
    /// header of the complete table, whose digest is kept. The caller appends the blocks of the
    /// other side.
    ///
    /// # Errors
    /// Fails if writing fails.
    ///
    /// # Panics
    /// If both sides of the table are equal, or a side is left out already.
    pub fn without(out: W, complete: &Header, side: Side) -> io::Result<TableWriter<W>> {
        TableWriter::with_header(out, complete.without(side))
    }
}
