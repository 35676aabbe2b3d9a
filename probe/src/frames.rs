use crate::map::Words;
use damka_tables::format::BLOCK_LEN;
use std::array;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// The words of a block, of which a frame holds any.
pub(crate) const FRAME_WORDS: usize = BLOCK_LEN as usize / size_of::<u64>();
/// The words of a line. With 32 bytes 54 % of the lines that probes of random positions
/// look at repeat a value, with 64 bytes 47 %, with 16 bytes 61 %.
const LINE_WORDS: usize = 4;
const LINE_BYTES: usize = LINE_WORDS * size_of::<u64>();
/// The lines that a word of a summary tells of: two bits for each.
const SUMMED_LINES: usize = 32;
const SUMMARY_WORDS: usize = FRAME_WORDS / LINE_WORDS / SUMMED_LINES;
/// The memory that a frame takes, in bytes.
pub(crate) const FRAME_BYTES: u64 = ((FRAME_WORDS + SUMMARY_WORDS) * size_of::<u64>()) as u64;

/// Room for decoded blocks, each in a frame, shared by threads.
///
/// More than half of all lines repeat one value, so each frame has a summary of its lines.
/// It is 128 times smaller, and so found in the processor's cache where a line is not.
#[derive(Debug)]
pub(crate) struct Frames {
    words: Words,
    summaries: Words,
}

/// What a summary says of a line: which pair of bits it repeats, or that it has to be read.
mod line {
    /// The pairs are 00, 01 and 10; this is none of them.
    pub(super) const MIXED: u64 = 0b11;

    /// What to say of a line of these words.
    #[inline]
    pub(super) fn of(words: &[u64]) -> u64 {
        let pair = words[0] & MIXED;
        match words.iter().all(|&word| word == repeated(pair)) {
            true => pair,
            false => MIXED,
        }
    }

    /// A word of a line that repeats this pair.
    #[inline]
    pub(super) fn repeated(pair: u64) -> u64 {
        pair * 0x5555_5555_5555_5555
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

    /// A word of the block in a frame.
    #[inline]
    pub(crate) fn word(&self, frame: usize, word: usize) -> u64 {
        let line = word / LINE_WORDS;
        let summary = self.summaries[frame * SUMMARY_WORDS + line / SUMMED_LINES].load(Relaxed);
        match summary >> (2 * (line % SUMMED_LINES)) & line::MIXED {
            line::MIXED => self.words[frame * FRAME_WORDS + word].load(Relaxed),
            pair => line::repeated(pair),
        }
    }

    /// Stores a block in a frame.
    pub(crate) fn store(&self, frame: usize, block: &[u8]) {
        let words = &self.words[frame * FRAME_WORDS..][..FRAME_WORDS];
        let (whole, rest) = block.as_chunks::<LINE_BYTES>();
        let mut last = [0; LINE_BYTES];
        last[..rest.len()].copy_from_slice(rest);
        let lines = whole.iter().chain((!rest.is_empty()).then_some(&last));
        let mut summary = [0; SUMMARY_WORDS];
        for (i, (line, words)) in lines.zip(words.chunks_exact(LINE_WORDS)).enumerate() {
            let line: [u64; LINE_WORDS] = array::from_fn(|word| word_of(line, word));
            words.iter().zip(line).for_each(|(word, value)| word.store(value, Relaxed));
            summary[i / SUMMED_LINES] |= line::of(&line) << (2 * (i % SUMMED_LINES));
        }
        let summaries = &self.summaries[frame * SUMMARY_WORDS..][..SUMMARY_WORDS];
        summaries.iter().zip(summary).for_each(|(word, value)| word.store(value, Relaxed));
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

    /// Lines that repeat each pair of bits, and lines that differ from them in one byte.
    #[test]
    fn a_frame_gives_back_its_block() {
        let frames = Frames::new(2).expect("memory");
        let mut block = vec![0; BLOCK_LEN as usize];
        for (i, line) in block.chunks_mut(LINE_BYTES).enumerate() {
            line.fill([0x00, 0x55, 0xAA, 0xFF][i % 4]);
            if i % 3 == 0 {
                line[i % LINE_BYTES] ^= 1 << (i % 8);
            }
        }
        frames.store(0, &vec![0x55; BLOCK_LEN as usize]);
        frames.store(1, &block);
        let words = (0..FRAME_WORDS).map(|word| (frames.word(0, word), frames.word(1, word)));
        for (i, (constant, word)) in words.enumerate() {
            assert_eq!((constant, word), (0x5555_5555_5555_5555, word_of(&block, i)), "{i}");
        }
        // A shorter block leaves nothing of the one before in its part.
        frames.store(1, &[0xAA; 1001]);
        assert!((0..125).all(|word| frames.word(1, word) == 0xAAAA_AAAA_AAAA_AAAA));
        assert_eq!(frames.word(1, 125) & 0xFF, 0xAA);
    }

    #[test]
    fn short_blocks_end_in_zeros() {
        let block = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let words = [0, 1, 2].map(|word| word_of(&block, word));
        assert_eq!(words, [0x0807_0605_0403_0201, 0x0A09, 0]);
    }
}
