use super::block::Content;
use super::header::{block_crc, identity};
use super::histogram;
use super::{BLOCK_ENTRY_LEN, Block, GROUP_BLOCKS, GROUP_ENTRY_LEN, HEADER_LEN, Header};
use crate::metric::{Histogram, Metric, PackedValues, Packing, Summary};
use crate::{Indexable, Signature};
use std::io::{self, Seek, SeekFrom, Write};

/// Writes a table: blocks in order, then histograms, the directory and the header.
///
/// The header is written last, so that an incomplete file does not start like a table.
pub struct TableWriter<W> {
    out: W,
    header: Header,
    identity: u32,
    /// The number of blocks so far.
    blocks: u64,
    groups: Vec<u8>,
    entries: Vec<u8>,
    /// The offset of the first data of the current group.
    group_start: u64,
    digest: blake3::Hasher,
}

impl<W: Write + Seek> TableWriter<W> {
    /// Starts a table; `positions` has the number of positions for each distinct side to move.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn new<G: Indexable>(
        out: W,
        signature: &Signature<G>,
        metric: Metric,
        packing: Packing,
        positions: Vec<u64>,
    ) -> io::Result<TableWriter<W>> {
        TableWriter::with_header(out, Header::new(signature, metric, packing, positions))
    }

    /// Starts a table whose blocks, directory and results are not known yet.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub(super) fn with_header(mut out: W, header: Header) -> io::Result<TableWriter<W>> {
        out.seek(SeekFrom::Start(header.data_offset))?;
        Ok(TableWriter {
            out,
            identity: identity(&header.encode()),
            group_start: header.data_offset,
            header,
            blocks: 0,
            groups: Vec::new(),
            entries: Vec::new(),
            digest: blake3::Hasher::new(),
        })
    }

    /// The number of positions in a full block.
    pub fn block_positions(&self) -> usize {
        self.header.block_positions() as usize
    }

    /// Adds the values of the next block to the digest.
    pub fn digest(&mut self, values: &PackedValues<'_>) {
        values.digest(&mut self.digest);
    }

    /// Writes the next block.
    ///
    /// # Errors
    /// Fails if writing fails.
    ///
    /// # Panics
    /// If all blocks have been written.
    pub fn append(&mut self, block: &Block) -> io::Result<()> {
        assert!(self.blocks < self.header.blocks(), "all blocks have been written");
        if self.blocks.is_multiple_of(GROUP_BLOCKS.into()) {
            self.group_start = self.header.file_len;
            self.groups.extend(self.group_start.to_le_bytes());
        }
        let (place, data): (u32, &[u8]) = match &block.0 {
            Content::Constant(byte) => (u32::from(*byte), &[]),
            Content::Compressed(data) => ((self.header.file_len - self.group_start) as u32, data),
        };
        self.out.write_all(data)?;
        self.header.file_len += data.len() as u64;
        let len = data.len() as u32;
        let crc = block_crc(self.identity, self.blocks, self.group_start, place, data);
        self.entries.extend([place, len, crc].map(u32::to_le_bytes).as_flattened());
        self.blocks += 1;
        Ok(())
    }

    /// Writes the histograms, which only tables with distances have, the directory and the header,
    /// and returns the output.
    ///
    /// # Errors
    /// Fails if writing fails.
    ///
    /// # Panics
    /// If blocks are missing, or the number of summaries or of histograms differs from that of
    /// sides to move.
    pub fn finish(mut self, summaries: Vec<Summary>, histograms: &[Histogram]) -> io::Result<W> {
        assert_eq!(self.blocks, self.header.blocks(), "blocks are missing");
        assert_eq!(summaries.len(), self.header.positions.len());
        debug_assert_eq!(self.groups.len() as u64, self.header.groups() * GROUP_ENTRY_LEN);
        debug_assert_eq!(self.entries.len() as u64, self.blocks * BLOCK_ENTRY_LEN);
        let parts = if self.header.has_histograms() { summaries.len() } else { 0 };
        assert_eq!(histograms.len(), parts);
        self.header.summaries = summaries;
        if self.header.left_out.is_none() {
            self.header.digest = self.digest.finalize().into();
        }
        if self.header.has_histograms() {
            let bytes = histogram::encode(histograms, self.identity);
            self.out.write_all(&bytes)?;
            self.header.file_len += bytes.len() as u64;
        }
        self.out.seek(SeekFrom::Start(HEADER_LEN as u64))?;
        self.out.write_all(&self.groups)?;
        self.out.write_all(&self.entries)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&self.header.encode())?;
        self.out.flush()?;
        Ok(self.out)
    }
}
