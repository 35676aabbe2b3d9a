//! Values to be written to a file, packed as in a block, so that many are processed at a time.

use super::{Metric, Packing};
use crate::{Value, Wdl};
use std::borrow::Cow;

/// The values of consecutive positions, packed. Don't-cares have a mark: 3 in two bits, FF in a
/// byte, FFFF in two bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedValues<'a> {
    packing: Packing,
    len: usize,
    /// Unused places of the last byte are marked, too.
    bytes: Cow<'a, [u8]>,
}

/// The mark in two bits; the mark in a byte, which equals four marks in two bits.
const MARK: u8 = 3;
const BYTE_MARK: u8 = 0xFF;

/// Packs `code` of each item in two bits and appends the bytes to `packed`. The first item goes to
/// place `first` of its byte. Places without an item are 0.
#[inline]
pub fn pack_two_bits<T: Copy>(
    first: usize,
    items: &[T],
    code: impl Fn(T) -> u8,
    packed: &mut Vec<u8>,
) {
    let part = |first: usize, items: &[T]| {
        let codes = (first..).zip(items);
        codes.fold(0, |byte, (place, &item)| byte | code(item) << (2 * place))
    };
    let (head, items) = match first {
        0 => (&[][..], items),
        _ => items.split_at(items.len().min(4 - first)),
    };
    if !head.is_empty() {
        packed.push(part(first, head));
    }
    let (fours, tail) = items.as_chunks::<4>();
    packed.extend(fours.iter().map(|items| four(items.map(&code))));
    if !tail.is_empty() {
        packed.push(part(0, tail));
    }
}

/// Packs four two-bit codes into a byte, the first one lowest.
#[inline]
const fn four(codes: [u8; 4]) -> u8 {
    let codes = u32::from_le_bytes(codes);
    (codes | codes >> 6 | codes >> 12 | codes >> 18) as u8
}

/// The four codes in a byte.
const fn codes(byte: u8) -> [u8; 4] {
    [byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6]
}

/// Fills the marks in a byte of four codes. If all other codes are equal, the marks become that
/// code; otherwise each becomes the code before it, the first one `before`.
const fn fill_four(byte: u8, before: u8) -> u8 {
    let mut filled = codes(byte);
    let (mut first, mut are_same) = (MARK, true);
    let mut i = 0;
    while i < 4 {
        if filled[i] != MARK {
            are_same &= first == MARK || first == filled[i];
            if first == MARK {
                first = filled[i];
            }
        }
        i += 1;
    }
    let mut last = if are_same && first != MARK { first } else { before };
    i = 0;
    while i < 4 {
        if filled[i] == MARK {
            filled[i] = last;
        }
        last = filled[i];
        i += 1;
    }
    four(filled)
}

/// [`fill_four`] of every byte, indexed by the preceding code and the byte.
static FILLED: [[u8; 256]; 3] = {
    let mut filled = [[0; 256]; 3];
    let mut at = 0;
    while at < 3 * 256 {
        filled[at / 256][at % 256] = fill_four(at as u8, (at / 256) as u8);
        at += 1;
    }
    filled
};

/// The digest input for every byte of four codes: two bytes for each code.
static DIGESTED: [[u8; 8]; 256] = {
    let mut digested = [[0; 8]; 256];
    let mut at = 0;
    while at < 4 * 256 {
        let code = codes((at / 4) as u8)[at % 4];
        let is_mark = code == MARK;
        digested[at / 4][at % 4 * 2] = if is_mark { 0xFF } else { code };
        digested[at / 4][at % 4 * 2 + 1] = if is_mark { 0xFF } else { 0 };
        at += 1;
    }
    digested
};

/// The two-bit code for the code of every one-byte value.
static TWO_BITS: [u8; 256] = {
    let mut bits = [MARK; 256];
    let mut code = 0;
    while code < BYTE_MARK {
        bits[code as usize] = two_bits(Value::from_code(code as u16));
        code += 1;
    }
    bits
};

impl<'a> PackedValues<'a> {
    /// Wraps `len` values that are already packed, with don't-cares marked.
    ///
    /// # Panics
    /// If `bytes` has the wrong length.
    pub fn new(packing: Packing, len: usize, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let mut bytes = bytes.into();
        assert_eq!(bytes.len(), packing.bytes(len as u64), "the bytes of {len} values");
        if packing == Packing::TwoBits && !len.is_multiple_of(4) {
            let last = bytes.len() - 1;
            bytes.to_mut()[last] |= BYTE_MARK << (len % 4 * 2);
        }
        PackedValues { packing, len, bytes }
    }

    /// Packs values; [`Value::DONT_CARE`] becomes a mark.
    ///
    /// # Panics
    /// If a distance does not fit into the packing.
    pub fn pack(packing: Packing, values: &[Value]) -> PackedValues<'static> {
        let mut bytes = Vec::with_capacity(packing.bytes(values.len() as u64));
        match packing {
            Packing::TwoBits => pack_two_bits(0, values, two_bits, &mut bytes),
            Packing::Byte => bytes.extend(values.iter().map(|&value| match value {
                Value::DONT_CARE => BYTE_MARK,
                _ if value.code() < u16::from(BYTE_MARK) => value.code() as u8,
                _ => panic!("{value:?} in a byte"),
            })),
            Packing::TwoBytes => {
                bytes.extend(values.iter().flat_map(|value| value.code().to_le_bytes()));
            }
        }
        PackedValues::new(packing, values.len(), bytes)
    }

    /// `len` don't-cares.
    pub fn dont_cares(packing: Packing, len: usize) -> PackedValues<'static> {
        PackedValues::new(packing, len, vec![BYTE_MARK; packing.bytes(len as u64)])
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The values reduced to those of a table of `metric`.
    pub fn reduced_to(self, metric: Metric) -> PackedValues<'a> {
        let mut bytes = Vec::new();
        match self.packing {
            _ if metric.has_distances() => return self,
            Packing::TwoBits => return self,
            Packing::Byte => {
                pack_two_bits(0, &self.bytes, |code| TWO_BITS[code as usize], &mut bytes);
            }
            Packing::TwoBytes => {
                let code = |code| two_bits(Value::from_code(u16::from_le_bytes(code)));
                pack_two_bits(0, self.bytes.as_chunks().0, code, &mut bytes);
            }
        }
        PackedValues::new(Packing::TwoBits, self.len, bytes)
    }

    /// Writes the bytes of a block with these values to `filled`. A don't-care becomes the value
    /// that makes all values of its byte equal, if there is one; otherwise the preceding value; at
    /// the start, the first value that is not a don't-care.
    pub(crate) fn fill(&self, filled: &mut Vec<u8>) {
        filled.clear();
        match self.packing {
            Packing::TwoBits => {
                let counting = self.bytes.iter().find(|&&byte| byte != BYTE_MARK);
                let first = counting.and_then(|&byte| codes(byte).into_iter().find(|&c| c != MARK));
                let mut last = first.unwrap_or(Wdl::Draw as u8);
                filled.extend(self.bytes.iter().map(|&byte| {
                    let byte = FILLED[usize::from(last)][usize::from(byte)];
                    last = byte >> 6;
                    byte
                }));
            }
            Packing::Byte => {
                let first = self.bytes.iter().find(|&&code| code != BYTE_MARK);
                let mut last = first.copied().unwrap_or(Value::DRAW.code() as u8);
                filled.extend(self.bytes.iter().map(|&code| {
                    last = if code == BYTE_MARK { last } else { code };
                    last
                }));
            }
            Packing::TwoBytes => {
                let codes = self.bytes.as_chunks::<2>().0;
                let first = codes.iter().find(|&&code| code != [BYTE_MARK; 2]);
                let mut last = first.copied().unwrap_or(Value::DRAW.code().to_le_bytes());
                filled.extend(codes.iter().flat_map(|&code| {
                    last = if code == [BYTE_MARK; 2] { last } else { code };
                    last
                }));
            }
        }
    }

    /// Whether an unpacked block holds these values; don't-cares match anything.
    pub fn are_in(&self, block: &[u8]) -> bool {
        // Compare all bytes without an early exit, so that the loop is vectorized.
        let pairs = self.bytes.iter().zip(block);
        let differs = match self.packing {
            Packing::TwoBits => pairs.fold(0, |any, (&value, &stored)| {
                let marked = value & value >> 1 & 0x55;
                any | (value ^ stored) & !(marked | marked << 1)
            }),
            Packing::Byte => pairs.fold(0, |any, (&code, &stored)| {
                any | if code == BYTE_MARK { 0 } else { code ^ stored }
            }),
            Packing::TwoBytes => {
                let pairs = self.bytes.as_chunks().0.iter().zip(block.as_chunks().0);
                u8::from(
                    pairs.clone().any(|(&code, stored)| code != [BYTE_MARK; 2] && code != *stored),
                )
            }
        };
        block.len() == self.bytes.len() && differs == 0
    }

    /// Adds these values to a table's digest: two bytes each, FFFF for don't-cares.
    pub(crate) fn digest(&self, hasher: &mut blake3::Hasher) {
        // Large enough for the hasher to process several chunks in parallel.
        const PIECE: usize = 1 << 14;
        let mut digested = [0; PIECE];
        match self.packing {
            Packing::TwoBits => {
                let mut remaining = 2 * self.len;
                for bytes in self.bytes.chunks(PIECE / 8) {
                    for (codes, &byte) in digested.as_chunks_mut().0.iter_mut().zip(bytes) {
                        *codes = DIGESTED[usize::from(byte)];
                    }
                    let len = remaining.min(bytes.len() * 8);
                    hasher.update(&digested[..len]);
                    remaining -= len;
                }
            }
            Packing::Byte => {
                for bytes in self.bytes.chunks(PIECE / 2) {
                    for (code, &byte) in digested.as_chunks_mut().0.iter_mut().zip(bytes) {
                        *code = [byte, if byte == BYTE_MARK { BYTE_MARK } else { 0 }];
                    }
                    hasher.update(&digested[..2 * bytes.len()]);
                }
            }
            Packing::TwoBytes => {
                hasher.update(&self.bytes);
            }
        }
    }
}

/// The two bits of a value, or the mark.
const fn two_bits(value: Value) -> u8 {
    match value.code() {
        DONT_CARE => MARK,
        _ => value.wdl() as u8,
    }
}

const DONT_CARE: u16 = Value::DONT_CARE.code();

#[cfg(test)]
mod tests {
    use super::*;
    use damka_games::Random;

    const PACKINGS: [Packing; 3] = [Packing::TwoBits, Packing::Byte, Packing::TwoBytes];

    /// Values that the packing can hold, with many don't-cares and some longer runs.
    fn values(packing: Packing, len: usize, seed: u64) -> Vec<Value> {
        let mut random = Random::new(seed);
        let mut draw = |below: u64| random.below(below);
        let mut values = Vec::new();
        while values.len() < len {
            let value = match (draw(3), packing) {
                (0, _) => Value::DONT_CARE,
                (_, Packing::TwoBits) => {
                    [Value::LOST, Value::DRAW, Value::decided(1)][draw(3) as usize]
                }
                (_, Packing::Byte) => Value::from_code(draw(255) as u16),
                (_, Packing::TwoBytes) => Value::from_code(draw(0xFF01) as u16),
            };
            let run = 1 + if draw(4) == 0 { draw(20) } else { draw(2) };
            values.extend((0..run).map(|_| value));
        }
        values.truncate(len);
        values
    }

    /// Values of all packings, of many lengths.
    fn samples() -> impl Iterator<Item = (Packing, Vec<Value>)> {
        let lens = (0..70).chain([1000, 4096, 40_001]);
        lens.zip(1..).flat_map(|(len, seed)| {
            PACKINGS.map(|packing| (packing, values(packing, len, seed))).into_iter()
        })
    }

    /// Fills values one by one as FORMAT.md specifies.
    fn filled(packing: Packing, values: &[Value]) -> Vec<Value> {
        let counts = |value: &Value| *value != Value::DONT_CARE;
        let mut last = values.iter().copied().find(counts).unwrap_or(Value::DRAW);
        let mut filled = Vec::new();
        let of_byte = if packing == Packing::TwoBits { 4 } else { 1 };
        for byte in values.chunks(of_byte) {
            let counting: Vec<Value> = byte.iter().copied().filter(counts).collect();
            if let [first, rest @ ..] = &counting[..]
                && rest.iter().all(|value| value == first)
            {
                last = *first;
            }
            for &value in byte {
                last = if counts(&value) { value } else { last };
                filled.push(last);
            }
        }
        filled
    }

    #[test]
    fn packed_values_are_filled_as_if_one_by_one() {
        for (packing, values) in samples() {
            let mut block = vec![1, 2, 3];
            PackedValues::pack(packing, &values).fill(&mut block);
            assert_eq!(block.len(), packing.bytes(values.len() as u64));
            let expected = filled(packing, &values);
            let found: Vec<Value> = (0..values.len())
                .map(|place| packing.get(&block, place).expect("a value"))
                .collect();
            assert_eq!(found, expected, "{packing:?} {values:?}");
            // The rest of the last byte continues the last value.
            if let (Packing::TwoBits, Some(last)) = (packing, expected.last()) {
                for place in values.len()..values.len().next_multiple_of(4) {
                    assert_eq!(packing.get(&block, place), Some(*last), "{values:?}");
                }
            }
        }
    }

    #[test]
    fn packed_values_are_digested_as_if_one_by_one() {
        for (packing, values) in samples() {
            let mut plain = blake3::Hasher::new();
            for value in &values {
                let code = match (packing, *value) {
                    (_, Value::DONT_CARE) => 0xFFFF,
                    (Packing::TwoBits, value) => value.wdl() as u16,
                    (_, value) => value.code(),
                };
                plain.update(&code.to_le_bytes());
            }
            let mut packed = blake3::Hasher::new();
            PackedValues::pack(packing, &values).digest(&mut packed);
            assert_eq!(packed.finalize(), plain.finalize(), "{packing:?} {}", values.len());
        }
    }

    #[test]
    fn distances_are_dropped_as_if_one_by_one() {
        for (packing, values) in samples() {
            let reduced = PackedValues::pack(Packing::TwoBits, &values);
            assert_eq!(PackedValues::pack(packing, &values).reduced_to(Metric::Wdl), reduced);
            let plain: Vec<Value> = values
                .iter()
                .map(|&value| match value {
                    Value::DONT_CARE => value,
                    _ => value.without_distance(),
                })
                .collect();
            assert_eq!(PackedValues::pack(Packing::TwoBits, &plain), reduced);
        }
    }

    #[test]
    fn are_in_detects_any_different_value_but_ignores_dont_cares() {
        for (packing, values) in samples().filter(|(_, values)| values.len() < 70) {
            let packed = PackedValues::pack(packing, &values);
            let mut block = Vec::new();
            packed.fill(&mut block);
            assert!(packed.are_in(&block));
            assert!(block.is_empty() || !packed.are_in(&block[1..]));
            for bit in 0..values.len() * packing.bytes(4) * 2 {
                block[bit / 8] ^= 1 << (bit % 8);
                let value = values[bit / (packing.bytes(4) * 2)];
                assert_eq!(packed.are_in(&block), value == Value::DONT_CARE, "{packing:?} {bit}");
                block[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }

    #[test]
    fn two_bit_codes_can_start_at_any_place_of_a_byte() {
        for first in 0..4 {
            for len in 0..20 {
                let codes: Vec<u8> = (0..len).map(|i| (i * i + first) as u8 % 4).collect();
                let mut packed = vec![9];
                pack_two_bits(first, &codes, |code| code, &mut packed);
                let bytes = if len == 0 { 0 } else { (first + len).div_ceil(4) };
                assert_eq!(packed.len(), 1 + bytes);
                for place in 0..4 * bytes {
                    let code = packed[1 + place / 4] >> (place % 4 * 2) & 3;
                    let item = place.checked_sub(first).and_then(|item| codes.get(item));
                    assert_eq!(code, item.copied().unwrap_or(0), "{first} {len} {place}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "in a byte")]
    fn packing_a_value_that_does_not_fit_panics() {
        PackedValues::pack(Packing::Byte, &[Value::decided(254)]);
    }
}
