use super::Metric;
use crate::Value;

/// How the values of a block are packed into bytes.
///
/// Each packing has a code that is not a value. It marks don't-cares until they are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Packing {
    /// Two bits per value, lowest first: 0 loss, 1 draw, 2 win.
    TwoBits = 0,
    /// One byte per value: its code.
    Byte = 1,
    /// Two bytes per value, little-endian: its code.
    TwoBytes = 2,
}

impl Packing {
    /// The packing of a table whose longest distance is `longest` plies.
    pub fn of(metric: Metric, longest: u16) -> Packing {
        // The highest byte is the mark.
        const BYTE: u16 = u8::MAX as u16 - 1;
        match metric.has_distances() {
            false => Packing::TwoBits,
            true if longest < BYTE => Packing::Byte,
            true => Packing::TwoBytes,
        }
    }

    pub(crate) fn from_byte(byte: u8) -> Option<Packing> {
        [Packing::TwoBits, Packing::Byte, Packing::TwoBytes]
            .into_iter()
            .find(|&packing| packing as u8 == byte)
    }

    /// The number of values in `bytes` bytes.
    pub fn per_bytes(self, bytes: u32) -> u64 {
        u64::from(bytes) * 8 / self.bits() as u64
    }

    /// The number of bytes for this many values.
    pub fn bytes(self, values: u64) -> usize {
        (values as usize * self.bits()).div_ceil(8)
    }

    /// The number of bits per value: a divisor of 64.
    #[inline]
    fn bits(self) -> usize {
        match self {
            Packing::TwoBits => 2,
            Packing::Byte => 8,
            Packing::TwoBytes => 16,
        }
    }

    /// The index of the word that holds the value at place `i`. A word is eight bytes of an
    /// unpacked block in little-endian order.
    #[inline]
    pub fn word(self, i: usize) -> usize {
        i * self.bits() / 64
    }

    /// The value at place `i`, given its [`word`](Packing::word); `None` if the code is invalid.
    #[inline]
    pub fn value(self, word: u64, i: usize) -> Option<Value> {
        self.decode(word >> (i * self.bits() % 64))
    }

    /// The value at place `i` of an unpacked block; `None` if the code is invalid or the block is
    /// too short.
    #[inline]
    pub(crate) fn get(self, block: &[u8], i: usize) -> Option<Value> {
        self.decode(match self {
            Packing::TwoBits => (block.get(i / 4)? >> (i % 4 * 2)).into(),
            Packing::Byte => (*block.get(i)?).into(),
            Packing::TwoBytes => {
                u16::from_le_bytes([*block.get(i * 2)?, *block.get(i * 2 + 1)?]).into()
            }
        })
    }

    /// The value in the lowest bits; `None` if the code is invalid.
    #[inline]
    fn decode(self, bits: u64) -> Option<Value> {
        match self {
            Packing::TwoBits => {
                // A table look-up, because a branch on the value would be unpredictable.
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
}
