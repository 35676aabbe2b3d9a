//! Scores that are known before a fibre is solved, looked up level by level.

use super::board::{SQUARES, squares};
use crate::solve::score::{DRAW, NONE};
use damka_tables::processor::Processor;

/// Scores for the cells of slots. All slots that have scores have the same number of them.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    scores: Vec<u8>,
    /// By slot: the index of its first score; finally the total number.
    starts: Vec<u32>,
}

/// The set of wins and losses that occur in a slot, one bit per score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending([u64; 4]);

impl Seeds {
    /// Collects the scores of all slots, `len` per slot. `fill` writes the scores of a slot and
    /// returns whether it has any.
    pub(super) fn collect(
        slots: usize,
        len: usize,
        mut fill: impl FnMut(usize, &mut [u8]) -> bool,
    ) -> Seeds {
        let mut seeds = Seeds::default();
        for slot in 0..slots {
            let start = seeds.scores.len();
            seeds.starts.push(start as u32);
            seeds.scores.resize(start + len, NONE);
            if !fill(slot, &mut seeds.scores[start..]) {
                seeds.scores.truncate(start);
            }
        }
        seeds.starts.push(seeds.scores.len() as u32);
        seeds
    }

    /// The scores of a slot.
    #[inline(always)]
    pub(super) fn slot(&self, slot: usize) -> &[u8] {
        &self.scores[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// The pending scores of each slot.
    pub(super) fn pending(&self) -> Vec<Pending> {
        (0..self.starts.len() - 1).map(|slot| Pending::of(self.slot(slot))).collect()
    }

    /// Finds the cells of a slot with `score`, which must be a win or a loss. Calls `found` with
    /// the index of a block of 64 cells and the set of matches, for each block that has any.
    #[inline(always)]
    pub(super) fn find<P: Processor>(
        &self,
        processor: P,
        slot: usize,
        score: u8,
        mut found: impl FnMut(usize, u64),
    ) {
        let (blocks, rest) = self.slot(slot).as_chunks::<SQUARES>();
        for (number, block) in blocks.iter().enumerate() {
            // Not with `map`, whose closure would not be compiled for the instruction set.
            let (halves, _) = block.as_chunks::<32>();
            let [low, high] =
                [processor.equal(&halves[0], score), processor.equal(&halves[1], score)];
            let set = u64::from(low) | u64::from(high) << 32;
            if set != 0 {
                found(number, set);
            }
        }
        let rest = rest.iter().enumerate().map(|(i, &other)| u64::from(other == score) << i);
        let set = rest.fold(0, |set, bit| set | bit);
        if set != 0 {
            found(blocks.len(), set);
        }
    }
}

impl Pending {
    fn of(scores: &[u8]) -> Pending {
        // Mark bytes first, so that stores do not depend on each other.
        let mut present = [[0u8; 8]; 32];
        scores
            .iter()
            .for_each(|&score| present[usize::from(score / 8)][usize::from(score % 8)] = 1);
        let mut set = [0; 4];
        for (eight, &marks) in present.iter().enumerate() {
            // Gathers the lowest bits of eight bytes in the highest byte.
            let marks = u64::from_le_bytes(marks).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            set[eight / 8] |= marks << (8 * (eight % 8));
        }
        for other in [DRAW, NONE].map(usize::from) {
            set[other / 64] &= !(1 << (other % 64));
        }
        Pending(set)
    }

    /// Whether this score, of a win or loss, occurs.
    #[inline(always)]
    pub(super) fn is_due(&self, score: u8) -> bool {
        self.0[usize::from(score / 64)] >> (score % 64) & 1 != 0
    }

    /// All scores in the set.
    pub(super) fn scores(self) -> impl Iterator<Item = u8> {
        let words = [0, 64, 128, 192].into_iter().zip(self.0);
        words.flat_map(|(first, set)| squares(set).map(move |bit| first + bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: draws became due together with losses in 254 plies, which have the same score,
    /// and KPPvKP was wrong.
    #[test]
    fn only_wins_and_losses_are_due() {
        let all = || 0..=u8::MAX;
        for own in all() {
            let pending = Pending::of(&[NONE, own, DRAW, own]);
            let is_decided = !matches!(own, DRAW | NONE);
            for score in all() {
                assert_eq!(pending.is_due(score), is_decided && score == own, "{own} {score}");
            }
            assert_eq!(pending.scores().collect::<Vec<_>>(), vec![own; is_decided.into()]);
        }
        let scores: Vec<u8> = all().collect();
        let decided = all().filter(|score| !matches!(*score, DRAW | NONE));
        assert!(Pending::of(&scores).scores().eq(decided));
    }
}
