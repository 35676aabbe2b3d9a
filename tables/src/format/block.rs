use super::Metric;
use crate::Value;
use std::io;

/// How the values of a block are packed into bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Packing {
    /// Two bits a value, lowest first: 0 loss, 1 draw, 2 win.
    TwoBits = 0,
    /// One byte a value: its code.
    Byte = 1,
    /// Two bytes a value, little-endian: its code.
    TwoBytes = 2,
}

impl Packing {
    /// The packing of a table whose longest distance is `longest` plies.
    pub fn of(metric: Metric, longest: u16) -> Packing {
        match metric {
            Metric::Wdl => Packing::TwoBits,
            Metric::Dtw if longest < u16::from(u8::MAX) => Packing::Byte,
            Metric::Dtw => Packing::TwoBytes,
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Packing> {
        [Packing::TwoBits, Packing::Byte, Packing::TwoBytes]
            .into_iter()
            .find(|&packing| packing as u8 == byte)
    }

    /// How many values fit into `bytes` bytes.
    pub(super) fn per_bytes(self, bytes: u32) -> u64 {
        let bytes = u64::from(bytes);
        match self {
            Packing::TwoBits => bytes * 4,
            Packing::Byte => bytes,
            Packing::TwoBytes => bytes / 2,
        }
    }

    /// The bytes that this many values take.
    pub(super) fn bytes(self, values: u64) -> usize {
        match self {
            Packing::TwoBits => values.div_ceil(4) as usize,
            Packing::Byte => values as usize,
            Packing::TwoBytes => values as usize * 2,
        }
    }

    /// The bits that a value takes: a divisor of 64.
    #[inline]
    fn bits(self) -> usize {
        match self {
            Packing::TwoBits => 2,
            Packing::Byte => 8,
            Packing::TwoBytes => 16,
        }
    }

    /// Which word of an unpacked block, eight bytes in little-endian order, holds the
    /// value at place `i`.
    #[inline]
    pub fn word(self, i: usize) -> usize {
        i * self.bits() / 64
    }

    /// The value at place `i`, given its [`word`](Packing::word); `None` if it is none.
    #[inline]
    pub fn value(self, word: u64, i: usize) -> Option<Value> {
        self.decode(word >> (i * self.bits() % 64))
    }

    /// The value at place `i` of an unpacked block; `None` if it is none, or the
    /// block is too short.
    #[inline]
    pub(super) fn get(self, block: &[u8], i: usize) -> Option<Value> {
        self.decode(match self {
            Packing::TwoBits => (block.get(i / 4)? >> (i % 4 * 2)).into(),
            Packing::Byte => (*block.get(i)?).into(),
            Packing::TwoBytes => {
                u16::from_le_bytes([*block.get(i * 2)?, *block.get(i * 2 + 1)?]).into()
            }
        })
    }

    /// The value in the lowest bits; `None` if it is none.
    #[inline]
    fn decode(self, bits: u64) -> Option<Value> {
        match self {
            Packing::TwoBits => {
                // Looked up: which of them it is no processor foresees.
                const VALUES: [Value; 4] =
                    [Value::LOST, Value::DRAW, Value::decided(1), Value::DONT_CARE];
                let value = VALUES[bits as usize & 3];
                (value != Value::DONT_CARE).then_some(value)
            }
            Packing::Byte => Some(Value::from_code((bits as u8).into())),
            Packing::TwoBytes => {
                let code = bits as u16;
                (code <= Value::MAX_PLIES + 1).then_some(Value::from_code(code))
            }
        }
    }

    fn pack(self, values: &[Value], bytes: &mut Vec<u8>) {
        bytes.clear();
        match self {
            Packing::TwoBits => {
                bytes.extend(values.chunks(4).map(|four| {
                    let codes = four.iter().enumerate();
                    codes.fold(0, |byte, (i, value)| byte | (value.wdl() as u8) << (2 * i))
                }));
            }
            Packing::Byte => bytes.extend(values.iter().map(|value| value.code() as u8)),
            Packing::TwoBytes => {
                bytes.extend(values.iter().flat_map(|value| value.code().to_le_bytes()));
            }
        }
    }
}

/// A block ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block(pub(super) Content);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// All bytes of the block are the same; nothing is stored.
    Constant(u8),
    /// A zstd frame.
    Compressed(Vec<u8>),
}

/// Packs and compresses blocks, reusing its buffers.
pub struct BlockEncoder {
    packing: Packing,
    filled: Vec<Value>,
    packed: Vec<u8>,
    zstd: zstd::bulk::Compressor<'static>,
}

impl Packing {
    /// The zstd level: the highest that does not take longer than solving.
    fn zstd_level(self) -> i32 {
        match self {
            Packing::TwoBits => 12,
            Packing::Byte | Packing::TwoBytes => 7,
        }
    }
}

impl BlockEncoder {
    /// An encoder of blocks in this packing.
    ///
    /// # Errors
    /// Memory for the compressor could not be had.
    pub fn new(packing: Packing) -> io::Result<BlockEncoder> {
        let mut zstd = zstd::bulk::Compressor::new(packing.zstd_level())?;
        // The directory knows the size and has its own checksum.
        zstd.include_contentsize(false)?;
        zstd.include_checksum(false)?;
        Ok(BlockEncoder { packing, filled: Vec::new(), packed: Vec::new(), zstd })
    }

    /// Encodes the values of one block. A [`Value::DONT_CARE`] becomes what makes all
    /// values of its byte the same, if anything does, or else the value before it,
    /// at the start the first one that counts.
    ///
    /// # Errors
    /// The compressor failed.
    pub fn encode(&mut self, values: &[Value]) -> io::Result<Block> {
        let counts = |value: &&Value| **value != Value::DONT_CARE;
        let mut last = values.iter().find(counts).copied().unwrap_or(Value::DRAW);
        self.filled.clear();
        for byte in values.chunks(self.packing.per_bytes(1).max(1) as usize) {
            let mut counting = byte.iter().filter(counts);
            if let Some(&first) = counting.next()
                && counting.all(|value| value.wdl() == first.wdl())
            {
                last = first;
            }
            self.filled.extend(byte.iter().map(|&value| {
                last = if value == Value::DONT_CARE { last } else { value };
                last
            }));
        }
        // The end of the last byte continues what is before it.
        if self.packing == Packing::TwoBits {
            self.filled.resize(values.len().next_multiple_of(4), last);
        }
        self.packing.pack(&self.filled, &mut self.packed);
        Ok(Block(match self.packed[..] {
            [first, ref rest @ ..] if rest.iter().all(|&byte| byte == first) => {
                Content::Constant(first)
            }
            _ => Content::Compressed(self.zstd.compress(&self.packed)?),
        }))
    }
}
