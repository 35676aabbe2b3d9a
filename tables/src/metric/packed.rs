//! Values that are about to be written, packed as a block will hold them, so that
//! nothing on their way is done one by one.

use super::{Metric, Packing};
use crate::{Value, Wdl};
use std::borrow::Cow;

/// The values of positions that follow each other, packed, with a mark for each
/// don't-care: of two bits 3, of a byte FF, of two bytes FFFF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedValues<'a> {
    packing: Packing,
    len: usize,
    /// What the last one has beyond the values is marked, too.
    bytes: Cow<'a, [u8]>,
}

/// The mark of two bits, and that of a byte, which is four of them.
const MARK: u8 = 3;
const MARKS: u8 = 0xFF;

/// Packs what `code` makes of items, two bits each, the first one in place `first` of
/// its byte, behind what is in `packed`. Places that no item falls on are 0.
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

/// Four codes of two bits in a byte, the first one lowest.
#[inline]
const fn four(codes: [u8; 4]) -> u8 {
    let codes = u32::from_le_bytes(codes);
    (codes | codes >> 6 | codes >> 12 | codes >> 18) as u8
}

/// The four codes in a byte.
const fn codes(byte: u8) -> [u8; 4] {
    [byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6]
}

/// What a byte of four codes becomes when its marks are replaced: by the one code that
/// makes all four the same, if there is one, else each by the code before it, at first
/// `before`.
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

/// [`fill_four`] of every byte, by the code before it.
static FILLED: [[u8; 256]; 3] = {
    let mut filled = [[0; 256]; 3];
    let mut at = 0;
    while at < 3 * 256 {
        filled[at / 256][at % 256] = fill_four(at as u8, (at / 256) as u8);
        at += 1;
    }
    filled
};

/// What the digest has for every byte of four codes: two bytes for each.
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

/// The two bits of every code of a byte.
static TWO_BITS: [u8; 256] = {
    let mut bits = [MARK; 256];
    let mut code = 0;
    while code < MARKS {
        bits[code as usize] = two_bits(Value::from_code(code as u16));
        code += 1;
    }
    bits
};

impl<'a> PackedValues<'a> {
    /// `len` values that are packed already, don't-cares marked.
    ///
    /// # Panics
    /// If they take another number of bytes.
    pub fn new(packing: Packing, len: usize, bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let mut bytes = bytes.into();
        assert_eq!(bytes.len(), packing.bytes(len as u64), "the bytes of {len} values");
        if packing == Packing::TwoBits && !len.is_multiple_of(4) {
            let last = bytes.len() - 1;
            bytes.to_mut()[last] |= MARKS << (len % 4 * 2);
        }
        PackedValues { packing, len, bytes }
    }

    /// Packs values, each [`Value::DONT_CARE`] as a mark.
    ///
    /// # Panics
    /// If a distance is too long for the packing.
    pub fn pack(packing: Packing, values: &[Value]) -> PackedValues<'static> {
        let mut bytes = Vec::with_capacity(packing.bytes(values.len() as u64));
        match packing {
            Packing::TwoBits => pack_two_bits(0, values, two_bits, &mut bytes),
            Packing::Byte => bytes.extend(values.iter().map(|&value| match value {
                Value::DONT_CARE => MARKS,
                _ if value.code() < u16::from(MARKS) => value.code() as u8,
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
        PackedValues::new(packing, len, vec![MARKS; packing.bytes(len as u64)])
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same values as a table of `metric` has them.
    pub fn under(self, metric: Metric) -> PackedValues<'a> {
        let mut bytes = Vec::new();
        match (metric, self.packing) {
            (Metric::Dtw, _) | (Metric::Wdl, Packing::TwoBits) => return self,
            (Metric::Wdl, Packing::Byte) => {
                pack_two_bits(0, &self.bytes, |code| TWO_BITS[code as usize], &mut bytes);
            }
            (Metric::Wdl, Packing::TwoBytes) => {
                let code = |code| two_bits(Value::from_code(u16::from_le_bytes(code)));
                pack_two_bits(0, self.bytes.as_chunks().0, code, &mut bytes);
            }
        }
        PackedValues::new(Packing::TwoBits, self.len, bytes)
    }

    /// The bytes of a block that holds these values, in `filled`. A don't-care becomes
    /// what makes all values of its byte the same, if anything does, or else the value
    /// before it, at the start the first one that counts.
    pub(crate) fn fill(&self, filled: &mut Vec<u8>) {
        filled.clear();
        match self.packing {
            Packing::TwoBits => {
                let counting = self.bytes.iter().find(|&&byte| byte != MARKS);
                let first = counting.and_then(|&byte| codes(byte).into_iter().find(|&c| c != MARK));
                let mut last = first.unwrap_or(Wdl::Draw as u8);
                filled.extend(self.bytes.iter().map(|&byte| {
                    let byte = FILLED[usize::from(last)][usize::from(byte)];
                    last = byte >> 6;
                    byte
                }));
            }
            Packing::Byte => {
                let first = self.bytes.iter().find(|&&code| code != MARKS);
                let mut last = first.copied().unwrap_or(Value::DRAW.code() as u8);
                filled.extend(self.bytes.iter().map(|&code| {
                    last = if code == MARKS { last } else { code };
                    last
                }));
            }
            Packing::TwoBytes => {
                let codes = self.bytes.as_chunks::<2>().0;
                let first = codes.iter().find(|&&code| code != [MARKS; 2]);
                let mut last = first.copied().unwrap_or(Value::DRAW.code().to_le_bytes());
                filled.extend(codes.iter().flat_map(|&code| {
                    last = if code == [MARKS; 2] { last } else { code };
                    last
                }));
            }
        }
    }

    /// Whether an unpacked block holds these values, whatever it has for don't-cares.
    pub fn are_in(&self, block: &[u8]) -> bool {
        // All of them are compared: this way many are at a time.
        let pairs = self.bytes.iter().zip(block);
        let differs = match self.packing {
            Packing::TwoBits => pairs.fold(0, |any, (&value, &stored)| {
                let marked = value & value >> 1 & 0x55;
                any | (value ^ stored) & !(marked | marked << 1)
            }),
            Packing::Byte => pairs.fold(0, |any, (&code, &stored)| {
                any | if code == MARKS { 0 } else { code ^ stored }
            }),
            Packing::TwoBytes => {
                let pairs = self.bytes.as_chunks().0.iter().zip(block.as_chunks().0);
                u8::from(pairs.clone().any(|(&code, stored)| code != [MARKS; 2] && code != *stored))
            }
        };
        block.len() == self.bytes.len() && differs == 0
    }

    /// Adds these values to a table's digest: two bytes each, FFFF for don't-cares.
    pub(crate) fn digest(&self, hasher: &mut blake3::Hasher) {
        // So many that the hasher can work on several parts at a time.
        const PIECE: usize = 1 << 14;
        let mut digested = [0; PIECE];
        match self.packing {
            Packing::TwoBits => {
                let mut left = 2 * self.len;
                for bytes in self.bytes.chunks(PIECE / 8) {
                    for (codes, &byte) in digested.as_chunks_mut().0.iter_mut().zip(bytes) {
                        *codes = DIGESTED[usize::from(byte)];
                    }
                    let len = left.min(bytes.len() * 8);
                    hasher.update(&digested[..len]);
                    left -= len;
                }
            }
            Packing::Byte => {
                for bytes in self.bytes.chunks(PIECE / 2) {
                    for (code, &byte) in digested.as_chunks_mut().0.iter_mut().zip(bytes) {
                        *code = [byte, if byte == MARKS { MARKS } else { 0 }];
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

    /// Some values with many don't-cares, runs of them among others, that the packing
    /// can hold.
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

    /// The format page, followed one value at a time.
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
            // The end of the last byte continues what is before it.
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
    fn distances_are_forgotten_as_if_one_by_one() {
        for (packing, values) in samples() {
            let reduced = PackedValues::pack(Packing::TwoBits, &values);
            assert_eq!(PackedValues::pack(packing, &values).under(Metric::Wdl), reduced);
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
    fn one_value_that_is_another_is_found_and_a_dont_care_may_be_any() {
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
    fn codes_are_packed_from_any_place_of_a_byte() {
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
    fn what_does_not_fit_is_not_packed() {
        PackedValues::pack(Packing::Byte, &[Value::decided(254)]);
    }
}
