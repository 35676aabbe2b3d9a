use super::header::{Fields, identity};
use super::writer::{block_crc, digest};
use super::{FormatError, GROUP_BLOCKS, GROUP_ENTRY_LEN, HEADER_LEN, Header, Section};
use crate::{Side, Value};
use std::borrow::Cow;
use std::io;

/// Where the bytes of a table come from: memory, a mapped or an open file.
pub trait Source {
    /// The number of bytes.
    fn size(&self) -> u64;

    /// `len` bytes from `offset`.
    ///
    /// # Errors
    /// The source is shorter, or reading failed.
    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>>;
}

impl<T: AsRef<[u8]>> Source for T {
    fn size(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(len)?));
        let bytes = range.and_then(|range| self.as_ref().get(range));
        bytes.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Decompresses blocks, reusing its context. One for each thread.
pub struct Decoder(zstd::bulk::Decompressor<'static>);

impl Decoder {
    /// A new decompression context.
    ///
    /// # Errors
    /// Memory could not be had.
    pub fn new() -> io::Result<Decoder> {
        Ok(Decoder(zstd::bulk::Decompressor::new()?))
    }
}

/// Reads a table. Opening reads the header only.
#[derive(Debug)]
pub struct TableReader<S> {
    source: S,
    header: Header,
    identity: u32,
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
    /// The bytes are no table, one of another version, cut short or damaged.
    pub fn open(source: S) -> Result<TableReader<S>, FormatError> {
        let len = source.size();
        let bytes = source.read(0, len.min(HEADER_LEN as u64) as usize)?;
        let header = Header::decode(&bytes, len)?;
        let identity = identity(&bytes);
        drop(bytes);
        Ok(TableReader { source, header, identity })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The block that holds position `number` of `side`, and its place there.
    #[inline]
    pub fn locate(&self, side: Side, number: u64) -> (u64, usize) {
        let positions = self.header.block_positions();
        (self.header.first_block(side) + number / positions, (number % positions) as usize)
    }

    /// The value at a place of a block that [`read_block`](Self::read_block) gave.
    ///
    /// # Errors
    /// The place holds no value.
    #[inline]
    pub fn value(&self, number: u64, block: &[u8], place: usize) -> Result<Value, FormatError> {
        let value = self.header.packing.get(block, place);
        value.ok_or(FormatError::Corrupt(Section::Block(number)))
    }

    /// Reads and decompresses a block into `block`, replacing what it held.
    ///
    /// # Errors
    /// Reading failed or the block is damaged.
    ///
    /// # Panics
    /// If there is no block of this number.
    pub fn read_block(
        &self,
        decoder: &mut Decoder,
        number: u64,
        block: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        assert!(number < self.header.blocks(), "block {number} of {}", self.header.blocks());
        let corrupt = || FormatError::Corrupt(Section::Block(number));
        let entry = self.entry(number)?;
        let size = self.header.packing.bytes(self.header.positions_in(number));
        let data = match entry.len {
            0 => Cow::Borrowed(&[][..]),
            len => {
                let start =
                    entry.group_start.checked_add(entry.place.into()).ok_or_else(corrupt)?;
                let end = start.checked_add(len.into()).ok_or_else(corrupt)?;
                if start < self.header.data_offset || end > self.header.file_len {
                    return Err(corrupt());
                }
                self.source.read(start, len as usize)?
            }
        };
        let crc = block_crc(self.identity, number, entry.group_start, entry.place, &data);
        if crc != entry.crc {
            return Err(corrupt());
        }
        block.clear();
        if entry.len == 0 {
            block.resize(size, u8::try_from(entry.place).map_err(|_| corrupt())?);
            return Ok(());
        }
        block.reserve(size);
        decoder.0.decompress_to_buffer(&data, block).map_err(|_| corrupt())?;
        match block.len() == size {
            true => Ok(()),
            false => Err(corrupt()),
        }
    }

    fn entry(&self, block: u64) -> Result<Entry, FormatError> {
        let corrupt = || FormatError::Corrupt(Section::Block(block));
        let group = self.source.read(self.header.group_entry(block), GROUP_ENTRY_LEN as usize)?;
        let entry = self.source.read(self.header.block_entry(block), 12)?;
        let fields = Fields(&entry);
        Ok(Entry {
            group_start: Fields(&group).u64(0).ok_or_else(corrupt)?,
            place: fields.u32(0).ok_or_else(corrupt)?,
            len: fields.u32(4).ok_or_else(corrupt)?,
            crc: fields.u32(8).ok_or_else(corrupt)?,
        })
    }

    /// Reads the values of all positions with `side` to move, don't-cares as
    /// they were filled, and hands them to `take` block by block, in order.
    ///
    /// # Errors
    /// Reading failed or a block is damaged.
    pub fn read_values(
        &self,
        side: Side,
        mut take: impl FnMut(&[Value]),
    ) -> Result<(), FormatError> {
        let mut decoder = Decoder::new()?;
        let (mut block, mut values) = (Vec::new(), Vec::new());
        let first = self.header.first_block(side);
        let blocks = self.header.positions(side).div_ceil(self.header.block_positions());
        for number in first..first + blocks {
            self.read_block(&mut decoder, number, &mut block)?;
            values.clear();
            for place in 0..self.header.positions_in(number) as usize {
                values.push(self.value(number, &block, place)?);
            }
            take(&values);
        }
        Ok(())
    }

    /// Checks that every block is sound and that the blocks fill the file
    /// exactly, in order.
    ///
    /// # Errors
    /// Names the first damaged block.
    pub fn check(&self) -> Result<(), FormatError> {
        let mut decoder = Decoder::new()?;
        let mut block = Vec::new();
        self.check_blocks(|number| self.read_block(&mut decoder, number, &mut block))
    }

    /// Checks that the blocks fill the file exactly, in order, as the directory
    /// has them. They are not read.
    ///
    /// # Errors
    /// They do not, or reading failed.
    pub fn check_directory(&self) -> Result<(), FormatError> {
        self.check_blocks(|_| Ok(()))
    }

    /// Follows the directory through the file, checking each block on the way.
    fn check_blocks(
        &self,
        mut check: impl FnMut(u64) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let corrupt = || FormatError::Corrupt(Section::Layout);
        let mut end = self.header.data_offset;
        for number in 0..self.header.blocks() {
            check(number)?;
            let entry = self.entry(number)?;
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
        match end == self.header.file_len {
            true => Ok(()),
            false => Err(corrupt()),
        }
    }

    /// Checks the digest against the values of all parts, in order and in pieces
    /// of any size, with each don't-care given as [`Value::DONT_CARE`].
    ///
    /// # Errors
    /// The values are not those the table was made of.
    pub fn check_digest(
        &self,
        values: impl IntoIterator<Item = impl AsRef<[Value]>>,
    ) -> Result<(), FormatError> {
        let mut hasher = blake3::Hasher::new();
        for values in values {
            digest(&mut hasher, self.header.metric, values.as_ref());
        }
        match self.header.digest == <[u8; 32]>::from(hasher.finalize()) {
            true => Ok(()),
            false => Err(FormatError::Corrupt(Section::Header)),
        }
    }
}
