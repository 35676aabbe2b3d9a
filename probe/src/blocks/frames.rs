use super::sync::zero;
use super::words::Words;
use damka_system::NoMemory;
use damka_tables::format::BLOCK_LEN;
use std::hint::select_unpredictable;
use std::iter::repeat;
use std::sync::atomic::Ordering::Relaxed;

/// The number of words of a block and of a frame.
pub(crate) const FRAME_WORDS: usize =
    if cfg!(loom) { 2 } else { BLOCK_LEN as usize / size_of::<u64>() };
/// A summary has a bit for each word.
const SUMMARY_WORDS: usize = FRAME_WORDS.div_ceil(u64::BITS as usize);
/// The memory that a frame takes, in bytes.
pub(crate) const FRAME_BYTES: u64 = ((FRAME_WORDS + SUMMARY_WORDS) * size_of::<u64>()) as u64;
/// The minimum number of words that repeat a block's common byte for its summary to be used. The
/// fewer summaries are used, the more of them stay in the processor's cache.
const MIN_COMMON_WORDS: usize = FRAME_WORDS / 4;

/// Frames for decoded blocks, shared by threads.
///
/// Two of three words that probes read repeat one byte, nearly always the same one in the whole
/// block. Each frame therefore has a summary that marks the words that repeat the block's common
/// byte. It is 64 times smaller than the block and thus more often in the processor's cache.
#[derive(Debug)]
pub(crate) struct Frames {
    words: Words,
    summaries: Words,
}

/// The common byte of a block: none, one that many of its words repeat, or one that all of them
/// repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Common(u64);

impl Common {
    /// No common byte.
    const NONE: Common = Common(0);
    /// Many words repeat the byte; the summary marks them.
    const MANY: u64 = 0b01;
    /// All words repeat the byte.
    const ALL: u64 = 0b10;
    /// The bits of a [code](Common::code).
    pub(crate) const BITS: u32 = 10;

    /// The inverse of [`code`](Common::code), from the lowest bits.
    #[inline]
    pub(crate) fn from_code(code: u64) -> Common {
        Common(code & ((1 << Common::BITS) - 1))
    }

    /// Encodes this in [`BITS`](Common::BITS) bits.
    #[inline]
    pub(crate) fn code(self) -> u64 {
        self.0
    }

    /// All words repeat this byte, so the block needs no frame.
    pub(crate) fn all(byte: u8) -> Common {
        Common(u64::from(byte) << 2 | Common::ALL)
    }

    /// Whether all words are the same.
    #[inline]
    pub(crate) fn is_all(self) -> bool {
        self.0 & Common::ALL != 0
    }

    #[inline]
    fn is_many(self) -> bool {
        self.0 & Common::MANY != 0
    }

    /// The common byte of a block, estimated from every eighth word.
    fn of_block(words: &[[u8; 8]]) -> Common {
        const STEP: usize = 8;
        let mut counts = [0; 256];
        let (mut most, mut byte) = (0, 0);
        for word in words.iter().step_by(STEP) {
            let count = &mut counts[usize::from(word[0])];
            *count += usize::from(*word == [word[0]; 8]);
            if *count > most {
                (most, byte) = (*count, word[0]);
            }
        }
        match most * STEP >= MIN_COMMON_WORDS {
            true => Common(u64::from(byte) << 2 | Common::MANY),
            false => Common::NONE,
        }
    }

    /// The word that repeats the byte.
    #[inline]
    fn word(self) -> u64 {
        (self.0 >> 2) * 0x0101_0101_0101_0101
    }
}

impl Frames {
    /// Creates frames, at least one. The system provides their memory as they are filled.
    ///
    /// # Errors
    /// Fails if the memory cannot be allocated.
    pub(crate) fn new(frames: usize) -> Result<Frames, NoMemory> {
        let frames = frames.max(1);
        let room = |words| Words::new(frames.saturating_mul(words));
        Ok(Frames { words: room(FRAME_WORDS)?, summaries: room(SUMMARY_WORDS)? })
    }

    /// Asks the system to provide the memory of this many frames, the first ones, now.
    pub(crate) fn claim(&self, frames: usize) {
        self.words.claim(frames * FRAME_WORDS);
        self.summaries.claim(frames * SUMMARY_WORDS);
    }

    /// A word of the block in a frame, given its common byte from [`store`](Frames::store). If
    /// [all](Common::all) words are equal, any frame number is valid.
    #[inline(always)]
    pub(crate) fn word(&self, frame: usize, common: Common, word: usize) -> u64 {
        let place = frame * FRAME_WORDS + word;
        // The word and its summary are fetched at the same time.
        self.words.prefetch(place);
        // Branchless, because the summary's bit is unpredictable and arrives late. The selection is
        // between addresses: the processor does not wait for memory that is not selected.
        let summary = &self.summaries[place / 64];
        let summary = select_unpredictable(common.is_many(), summary, zero()).load(Relaxed);
        let is_common = common.is_all() | (summary >> (place % 64) & 1 != 0);
        let word = select_unpredictable(is_common, zero(), &self.words[place]).load(Relaxed);
        select_unpredictable(is_common, common.word(), word)
    }

    /// Stores a block in a frame. Returns its common byte.
    pub(crate) fn store(&self, frame: usize, block: &[u8]) -> Common {
        let words = &self.words[frame * FRAME_WORDS..][..FRAME_WORDS];
        let summary = &self.summaries[frame * SUMMARY_WORDS..][..SUMMARY_WORDS];
        let (whole, rest) = block.as_chunks();
        let common = Common::of_block(whole);
        let repeated = common.word().to_le_bytes();
        // Words beyond the end are not marked.
        let parts = whole.chunks(64).chain(repeat(&[][..]));
        for ((part, words), bits) in parts.zip(words.chunks(64)).zip(summary) {
            let mut repeats = 0;
            for (i, (word, place)) in part.iter().zip(words).enumerate() {
                place.store(u64::from_le_bytes(*word), Relaxed);
                repeats |= u64::from(*word == repeated) << i;
            }
            bits.store(repeats, Relaxed);
        }
        if !rest.is_empty() {
            words[whole.len()].store(word_of(block, whole.len()), Relaxed);
        }
        common
    }
}

/// A word of a block: eight bytes in little-endian order, with zeros beyond the end.
#[inline]
pub(crate) fn word_of(block: &[u8], word: usize) -> u64 {
    let bytes = block.get(word * 8..).unwrap_or_default();
    match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Blocks in which two of three words repeat a value, a block whose words all differ, and short
    /// blocks.
    #[test]
    fn a_frame_gives_back_its_block() {
        let frames = Frames::new(2).expect("memory");
        let mixed = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes();
        let words = 0..FRAME_WORDS as u64;
        let repeating = |byte: u8| -> Vec<u8> {
            words.clone().flat_map(|i| if i % 3 == 0 { mixed(i) } else { [byte; 8] }).collect()
        };
        let many = |byte: u64| Common(byte << 2 | Common::MANY);
        let blocks = [
            (repeating(0x00), many(0x00)),
            (repeating(0x55), many(0x55)),
            (repeating(0xAA), many(0xAA)),
            (repeating(0x12), many(0x12)),
            (words.clone().flat_map(mixed).collect(), Common::NONE),
            (repeating(0xAA)[..12_005].to_vec(), many(0xAA)),
            // The last word, an incomplete one, has the lowest bit of a word of the summary.
            ([vec![0x55; 8 * 64 * 20], vec![0x54; 5]].concat(), many(0x55)),
        ];
        for (block, common) in blocks {
            frames.store(0, &vec![0x55; BLOCK_LEN as usize]);
            // The next block replaces this one completely.
            frames.store(1, &vec![0x55; BLOCK_LEN as usize]);
            assert_eq!(frames.store(1, &block), common);
            for i in 0..block.len().div_ceil(8) {
                assert_eq!(frames.word(0, many(0x55), i), 0x5555_5555_5555_5555);
                assert_eq!(frames.word(1, common, i), word_of(&block, i), "{i}, {common:?}");
                assert_eq!(frames.word(1, Common::all(0x12), i), 0x1212_1212_1212_1212);
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
