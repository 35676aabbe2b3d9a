use crate::map::Words;
use damka_tables::format::BLOCK_LEN;
use std::io;
use std::iter::repeat;
use std::sync::atomic::Ordering::Relaxed;

/// The words of a block, of which a frame holds any.
pub(crate) const FRAME_WORDS: usize = BLOCK_LEN as usize / size_of::<u64>();
/// A summary has a bit for each word.
const SUMMARY_WORDS: usize = FRAME_WORDS / u64::BITS as usize;
/// The memory that a frame takes, in bytes.
pub(crate) const FRAME_BYTES: u64 = ((FRAME_WORDS + SUMMARY_WORDS) * size_of::<u64>()) as u64;
/// How many words must repeat a block's common value for its summary to be looked at. The
/// fewer summaries are looked at, the more of them stay in the processor's cache.
const WORTH_A_LOOK: usize = FRAME_WORDS / 4;

/// Room for decoded blocks, each in a frame, shared by threads.
///
/// Two of three words that probes look at repeat one value, nearly always the same one all
/// over the block. So each frame has a summary: which words repeat the block's common
/// value. It is 64 times smaller than the block, and so found in the processor's cache
/// where a word is not.
#[derive(Debug)]
pub(crate) struct Frames {
    words: Words,
    summaries: Words,
}

/// The value that many words of a block repeat, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Common(u64);

impl Common {
    /// There is no such value: of the two bits that a value takes, 11 is none.
    const NONE: Common = Common(0b11);
    /// The bits of a [code](Common::code).
    pub(crate) const BITS: u32 = 2;

    /// What has this [code](Common::code), which are the lowest bits.
    #[inline]
    pub(crate) fn from_code(code: u64) -> Common {
        Common(code & 0b11)
    }

    /// The same as a number.
    #[inline]
    pub(crate) fn code(self) -> u64 {
        self.0
    }

    /// That of a block of these words, judged by every eighth of them.
    fn of_block(words: &[[u8; 8]]) -> Common {
        const STEP: usize = 8;
        let mut counts = [0; 4];
        for word in words.iter().step_by(STEP).map(|word| u64::from_le_bytes(*word)) {
            let first = Common::from_code(word);
            counts[first.0 as usize] += usize::from(word == first.word());
        }
        match (0..Common::NONE.0).map(|value| (counts[value as usize], value)).max() {
            Some((count, value)) if count * STEP >= WORTH_A_LOOK => Common(value),
            _ => Common::NONE,
        }
    }

    /// A word that repeats the value.
    #[inline]
    fn word(self) -> u64 {
        self.0 * 0x5555_5555_5555_5555
    }
}

impl Frames {
    /// This many frames, which the system gives memory for as they are filled.
    ///
    /// # Errors
    /// There is not that much memory.
    pub(crate) fn new(frames: usize) -> io::Result<Frames> {
        let room = |words: usize| {
            let words = frames.checked_mul(words).ok_or(io::ErrorKind::OutOfMemory)?;
            Words::new(words)
        };
        Ok(Frames { words: room(FRAME_WORDS)?, summaries: room(SUMMARY_WORDS)? })
    }

    /// A word of the block in a frame, whose common value [`store`](Frames::store) has told.
    #[inline]
    pub(crate) fn word(&self, frame: usize, common: Common, word: usize) -> u64 {
        let place = frame * FRAME_WORDS + word;
        // Both are fetched at once.
        self.words.prefetch(place);
        if common != Common::NONE {
            let summary = self.summaries[place / 64].load(Relaxed);
            if summary >> (place % 64) & 1 != 0 {
                return common.word();
            }
        }
        self.words[place].load(Relaxed)
    }

    /// Stores a block in a frame. Returns its common value.
    pub(crate) fn store(&self, frame: usize, block: &[u8]) -> Common {
        let words = &self.words[frame * FRAME_WORDS..][..FRAME_WORDS];
        let (whole, rest) = block.as_chunks();
        for (word, place) in whole.iter().zip(words) {
            place.store(u64::from_le_bytes(*word), Relaxed);
        }
        if !rest.is_empty() {
            words[whole.len()].store(word_of(block, whole.len()), Relaxed);
        }
        let common = Common::of_block(whole);
        if common != Common::NONE {
            let summary = &self.summaries[frame * SUMMARY_WORDS..][..SUMMARY_WORDS];
            let bit = |word: &[u8; 8]| u64::from(u64::from_le_bytes(*word) == common.word());
            // Behind the end none does.
            for (words, place) in whole.chunks(64).chain(repeat(&[][..])).zip(summary) {
                let bits = words.iter().rev().fold(0, |bits, word| bits << 1 | bit(word));
                place.store(bits, Relaxed);
            }
        }
        common
    }
}

/// A word of a block: eight bytes in little-endian order, behind the end zeros.
#[inline]
pub(crate) fn word_of(block: &[u8], word: usize) -> u64 {
    let bytes = block.get(word * 8..).unwrap_or_default();
    match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks that repeat each value in two words of three, are all different, and do both
    /// by halves.
    #[test]
    fn a_frame_gives_back_its_block() {
        let frames = Frames::new(2).expect("memory");
        let mixed = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
        let words = 0..FRAME_WORDS as u64;
        let repeating = |byte: u8| -> Vec<u8> {
            words.clone().flat_map(|i| if i % 3 == 0 { mixed(i) } else { [byte; 8] }).collect()
        };
        let blocks = [
            (repeating(0x00), Common(0)),
            (repeating(0x55), Common(1)),
            (repeating(0xAA), Common(2)),
            (repeating(0xFF), Common::NONE),
            (words.clone().flat_map(mixed).collect(), Common::NONE),
            (repeating(0xAA)[..12_005].to_vec(), Common(2)),
            // The last word is the first that a word of the summary tells of.
            ([vec![0x55; 8 * 64 * 20], vec![0x54; 5]].concat(), Common(1)),
        ];
        for (block, common) in blocks {
            frames.store(0, &vec![0x55; BLOCK_LEN as usize]);
            // Of this one nothing is left.
            frames.store(1, &vec![0x55; BLOCK_LEN as usize]);
            assert_eq!(frames.store(1, &block), common);
            for i in 0..block.len().div_ceil(8) {
                assert_eq!(frames.word(0, Common(1), i), 0x5555_5555_5555_5555);
                assert_eq!(frames.word(1, common, i), word_of(&block, i), "{i}, {common:?}");
            }
        }
    }

    #[test]
    fn short_blocks_end_in_zeros() {
        let block = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let words = [0, 1, 2].map(|word| word_of(&block, word));
        assert_eq!(words, [0x0807_0605_0403_0201, 0x0A09, 0]);
    }
}
