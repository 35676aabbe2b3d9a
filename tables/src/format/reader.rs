use super::decompress::{Decompressor, max_compressed};
use super::header::{Fields, block_crc, identity};
use super::histogram;
use super::{
    BLOCK_ENTRY_LEN, FormatError, GROUP_BLOCKS, GROUP_ENTRY_LEN, HEADER_LEN, HISTOGRAM_END_LEN,
    Header, Section,
};
use crate::metric::{Histogram, PackedValues};
use crate::{Side, Value};
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

/// A source of a table's bytes: memory, a mapped file or an open file.
pub trait Source {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// Returns `len` bytes from `offset`, either read into `buffer` or borrowed from the source.
    ///
    /// # Errors
    /// Fails if the source is shorter or reading fails.
    fn read<'a>(&'a self, offset: u64, len: usize, buffer: &'a mut Vec<u8>)
    -> io::Result<&'a [u8]>;

    /// Hint: accesses are random, so read-ahead is of no use.
    fn advise_random(&self) {}

    /// Hint: this part will soon be read. Does not block.
    fn prefetch(&self, _part: Range<u64>) {}
}

impl<T: AsRef<[u8]>> Source for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read<'a>(&'a self, offset: u64, len: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(len)?));
        let bytes = range.and_then(|range| self.as_ref().get(range));
        bytes.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Decompresses blocks, reusing its memory. Each thread needs its own.
pub struct Decoder {
    zstd: Decompressor,
    /// Bytes read from the source.
    buffer: Vec<u8>,
}

impl Decoder {
    /// Creates a decompression context.
    ///
    /// # Errors
    /// Fails if memory cannot be allocated.
    pub fn new() -> io::Result<Decoder> {
        Ok(Decoder { zstd: Decompressor::new()?, buffer: Vec::new() })
    }
}

/// Reads a table. Opening reads only the header.
#[derive(Debug)]
pub struct TableReader<S> {
    source: S,
    header: Header,
    identity: u32,
    /// The first block of each side's part.
    first_blocks: [u64; 2],
    group_starts: OnceLock<Box<[u64]>>,
}

/// A block's directory entries.
struct Entry {
    group_start: u64,
    place: u32,
    len: u32,
    crc: u32,
}

impl<S: Source> TableReader<S> {
    /// Reads and checks the header.
    ///
    /// # Errors
    /// Fails if the bytes are not a table, have another version, or are truncated or damaged.
    pub fn open(source: S) -> Result<TableReader<S>, FormatError> {
        let len = source.size();
        let mut buffer = Vec::new();
        let bytes = source.read(0, len.min(HEADER_LEN as u64) as usize, &mut buffer)?;
        let header = Header::decode(bytes, len)?;
        let identity = identity(bytes);
        let first_blocks = [Side::First, Side::Second].map(|side| header.first_block(side));
        Ok(TableReader { source, header, identity, first_blocks, group_starts: OnceLock::new() })
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The block that holds position `number` of `side`, which is not [left out](Header::left_out),
    /// and the place of the position in it.
    #[inline]
    pub fn locate(&self, side: Side, number: u64) -> (u64, usize) {
        let positions = self.header.block_positions();
        debug_assert!(positions.is_power_of_two());
        debug_assert!(self.header.left_out != Some(side), "these values are left out");
        let block = number >> positions.trailing_zeros();
        (self.first_blocks[side as usize] + block, (number & (positions - 1)) as usize)
    }

    /// The value at a place of a block returned by [`read_block`](Self::read_block).
    ///
    /// # Errors
    /// Fails if there is no valid value at this place.
    #[inline]
    pub fn value(&self, number: u64, block: &[u8], place: usize) -> Result<Value, FormatError> {
        let value = self.header.packing.get(block, place);
        value.ok_or(FormatError::Corrupt(Section::Block(number)))
    }

    /// Reads and decompresses a block into `block`, replacing its contents.
    ///
    /// # Errors
    /// Fails if reading fails or the block is damaged.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn read_block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        block: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let Decoder { zstd, buffer } = decoder;
        let corrupt = || FormatError::Corrupt(Section::Block(number));
        let entry = self.entry(number, buffer)?;
        let size = self.header.packing.bytes(self.header.positions_in(number));
        let Range { start, end } = self.data(number, &entry)?;
        let data = match entry.len {
            0 => &[],
            _ => self.source.read(start, (end - start) as usize, buffer)?,
        };
        let crc = block_crc(self.identity, number, entry.group_start, entry.place, data);
        if crc != entry.crc {
            return Err(corrupt());
        }
        block.clear();
        if entry.len == 0 {
            block.resize(size, u8::try_from(entry.place).map_err(|_| corrupt())?);
            return Ok(());
        }
        block.reserve(size);
        zstd.decompress(data, block).map_err(|_| corrupt())?;
        match block.len() == size {
            true => Ok(()),
            false => Err(corrupt()),
        }
    }

    /// The range of a block's compressed data in the source; empty if the block is stored in the
    /// directory only.
    ///
    /// # Errors
    /// Fails if reading fails or the directory is damaged.
    ///
    /// # Panics
    /// If there is no block with this number.
    pub fn block_data(
        &self,
        decoder: &mut Decoder,
        number: u64,
    ) -> Result<Range<u64>, FormatError> {
        self.data(number, &self.entry(number, &mut decoder.buffer)?)
    }

    fn data(&self, number: u64, entry: &Entry) -> Result<Range<u64>, FormatError> {
        let corrupt = || FormatError::Corrupt(Section::Block(number));
        if entry.len == 0 {
            return Ok(0..0);
        }
        // No compressor produces more, and a forged length must not cause huge reads.
        let size = self.header.packing.bytes(self.header.positions_in(number));
        if entry.len as usize > max_compressed(size) {
            return Err(corrupt());
        }
        let start = entry.group_start.checked_add(entry.place.into()).ok_or_else(corrupt)?;
        let end = start.checked_add(entry.len.into()).ok_or_else(corrupt)?;
        match start < self.header.data_offset || end > self.header.file_len {
            true => Err(corrupt()),
            false => Ok(start..end),
        }
    }

    fn entry(&self, block: u64, buffer: &mut Vec<u8>) -> Result<Entry, FormatError> {
        assert!(block < self.header.blocks(), "block {block} of {}", self.header.blocks());
        let corrupt = || FormatError::Corrupt(Section::Block(block));
        let group_start = self.group_starts(buffer)?.get(self.header.group(block));
        let group_start = *group_start.ok_or_else(corrupt)?;
        let entry = self.header.block_entry(block);
        let fields = Fields(self.source.read(entry, BLOCK_ENTRY_LEN as usize, buffer)?);
        Ok(Entry {
            group_start,
            place: fields.u32(0).ok_or_else(corrupt)?,
            len: fields.u32(4).ok_or_else(corrupt)?,
            crc: fields.u32(8).ok_or_else(corrupt)?,
        })
    }

    /// The offsets of the groups. There are few, so they are read once and kept; this saves one
    /// read per block.
    fn group_starts(&self, buffer: &mut Vec<u8>) -> Result<&[u64], FormatError> {
        if let Some(starts) = self.group_starts.get() {
            return Ok(starts);
        }
        let len = self.header.groups() * GROUP_ENTRY_LEN;
        let bytes = self.source.read(HEADER_LEN as u64, len as usize, buffer)?;
        let (starts, _) = bytes.as_chunks();
        let starts = starts.iter().map(|start| u64::from_le_bytes(*start)).collect();
        Ok(self.group_starts.get_or_init(|| starts))
    }

    /// The number of positions of each value with `side` to move; `None` if the file has no
    /// histograms, because it has no distances or was written before version 1.1 of the format.
    ///
    /// # Errors
    /// Fails if reading fails, or if the histograms are damaged or do not agree with the header.
    pub fn histogram(&self, side: Side) -> Result<Option<Histogram>, FormatError> {
        let (mut histograms, _) = self.histograms()?;
        let part = self.header.part(side);
        Ok(self.header.has_histograms().then(|| histograms.swap_remove(part)))
    }

    /// The histograms of all parts, if the file has them, and the end of the blocks.
    fn histograms(&self) -> Result<(Vec<Histogram>, u64), FormatError> {
        let file_len = self.header.file_len;
        if !self.header.has_histograms() {
            return Ok((Vec::new(), file_len));
        }
        let corrupt = || FormatError::Corrupt(Section::Histogram);
        let start = |len: usize| {
            let start = file_len.checked_sub(len as u64);
            start.filter(|&start| start >= self.header.data_offset).ok_or_else(corrupt)
        };
        let mut buffer = Vec::new();
        let end = self.source.read(start(HISTOGRAM_END_LEN)?, HISTOGRAM_END_LEN, &mut buffer)?;
        let end = end.try_into().map_err(|_| corrupt())?;
        let len = histogram::counts_len(end) + HISTOGRAM_END_LEN;
        let start = start(len)?;
        let bytes = self.source.read(start, len, &mut buffer)?;
        let histograms = histogram::decode(bytes, &self.header, self.identity);
        Ok((histograms.ok_or_else(corrupt)?, start))
    }

    /// Reads the values of all positions with `side` to move and passes them to `take` block by
    /// block, in order. Don't-cares have the values with which they were filled.
    ///
    /// # Errors
    /// Fails if reading fails, a block is damaged, or this side is [left out](Header::left_out).
    pub fn read_values(
        &self,
        side: Side,
        mut take: impl FnMut(&[Value]),
    ) -> Result<(), FormatError> {
        if self.header.left_out == Some(side) {
            return Err(FormatError::LeftOut);
        }
        let mut decoder = Decoder::new()?;
        let (mut block, mut values) = (Vec::new(), Vec::new());
        for number in self.header.part_blocks(side) {
            self.read_block(&mut decoder, number, &mut block)?;
            values.clear();
            for place in 0..self.header.positions_in(number) as usize {
                values.push(self.value(number, &block, place)?);
            }
            take(&values);
        }
        Ok(())
    }

    /// Checks that every block and the histograms are valid, and that they fill the file exactly,
    /// in order.
    ///
    /// # Errors
    /// Fails at the first damaged part, which the error names.
    pub fn check(&self) -> Result<(), FormatError> {
        let mut decoder = Decoder::new()?;
        let mut block = Vec::new();
        self.check_blocks(|number| self.read_block(&mut decoder, number, &mut block))
    }

    /// Checks that the histograms are valid and that, according to the directory, the blocks fill
    /// the file up to the histograms exactly, in order. Does not read the blocks.
    ///
    /// # Errors
    /// Fails if this is not so, or if reading fails.
    pub fn check_directory(&self) -> Result<(), FormatError> {
        self.check_blocks(|_| Ok(()))
    }

    /// Walks through the directory, calling `check` for each block.
    fn check_blocks(
        &self,
        mut check: impl FnMut(u64) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let corrupt = || FormatError::Corrupt(Section::Layout);
        let mut end = self.header.data_offset;
        let mut buffer = Vec::new();
        for number in 0..self.header.blocks() {
            check(number)?;
            let entry = self.entry(number, &mut buffer)?;
            if number % u64::from(GROUP_BLOCKS) == 0 && entry.group_start != end {
                return Err(corrupt());
            }
            if entry.len > 0 {
                if entry.group_start.checked_add(entry.place.into()) != Some(end) {
                    return Err(corrupt());
                }
                end += u64::from(entry.len);
            }
        }
        match end == self.histograms()?.1 {
            true => Ok(()),
            false => Err(corrupt()),
        }
    }

    /// Checks the digest against the values of all parts, given in order in pieces of any size,
    /// packed as in tables of this metric.
    ///
    /// # Errors
    /// Fails if these are not the values from which the table was made.
    pub fn check_digest<'v>(
        &self,
        values: impl IntoIterator<Item = PackedValues<'v>>,
    ) -> Result<(), FormatError> {
        let mut hasher = blake3::Hasher::new();
        for values in values {
            values.digest(&mut hasher);
        }
        match self.header.digest == <[u8; 32]>::from(hasher.finalize()) {
            true => Ok(()),
            false => Err(FormatError::Corrupt(Section::Header)),
        }
    }
}
