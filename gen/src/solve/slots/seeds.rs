//! Scores that are known before a fibre is solved, and are asked for level by level.

use super::board::SQUARES;
use crate::solve::score::{DRAW, LOSS, NONE, WIN};
use crate::solve::simd::Simd;

/// Scores for cells of slots; slots have as many as each other or none.
#[derive(Debug, Default)]
pub(super) struct Seeds {
    scores: Vec<u8>,
    /// By slot: where its scores begin, and, last of all, where they end.
    starts: Vec<u32>,
}

/// The quickest loss and win of a slot that have not been taken; NONE if there are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending([u8; 2]);

impl Seeds {
    /// Of this many slots, each filled by `fill`, which says whether there is anything.
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

    /// What there is to take of each slot.
    pub(super) fn pending(&self) -> Vec<Pending> {
        let pending = |slot| {
            let scores = self.slot(slot);
            Pending([Pending::loss_from(LOSS, scores), Pending::win_from(WIN, scores)])
        };
        (0..self.starts.len() - 1).map(pending).collect()
    }

    /// Finds the scores of a slot that are `score`, of a win or a loss, whose turn comes with its
    /// level: `found` is given the number of 64 of them and which they are. Returns the score
    /// whose turn is next, or NONE.
    #[inline(always)]
    pub(super) fn take<S: Simd>(
        &self,
        simd: S,
        slot: usize,
        score: u8,
        pending: &mut Pending,
        mut found: impl FnMut(usize, u64),
    ) -> u8 {
        if !pending.is_due(score) {
            return NONE;
        }
        let is_win = score > DRAW;
        let scores = self.slot(slot);
        let (blocks, rest) = scores.as_chunks::<SQUARES>();
        for (number, block) in blocks.iter().enumerate() {
            // Not by `map`, which is not compiled for the processor.
            let (halves, _) = block.as_chunks::<32>();
            let [low, high] = [simd.equal(&halves[0], score), simd.equal(&halves[1], score)];
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
        let next = match is_win {
            true => Pending::win_from(score - 1, scores),
            false => Pending::loss_from(score + 1, scores),
        };
        pending.0[usize::from(is_win)] = next;
        next
    }
}

impl Pending {
    /// The quickest loss that is no quicker than `score`.
    #[inline(always)]
    fn loss_from(score: u8, scores: &[u8]) -> u8 {
        let losses = scores.iter().map(|&other| if other >= score { other } else { NONE });
        let least = losses.min().unwrap_or(NONE);
        if least < DRAW { least } else { NONE }
    }

    /// The quickest win that is no quicker than `score`.
    #[inline(always)]
    fn win_from(score: u8, scores: &[u8]) -> u8 {
        let wins = scores.iter().map(|&other| if other <= score { other } else { LOSS });
        let greatest = wins.max().unwrap_or(LOSS);
        if greatest > DRAW { greatest } else { NONE }
    }

    /// Whether it is the turn of this score.
    #[inline(always)]
    pub(super) fn is_due(self, score: u8) -> bool {
        self.0[usize::from(score > DRAW)] == score
    }

    /// The loss and the win whose turns are next; NONE where there is none.
    pub(super) fn scores(self) -> [u8; 2] {
        self.0
    }
}
