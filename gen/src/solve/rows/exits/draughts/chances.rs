use super::next;
use crate::solve::rows::placements::Placements;
use damka_games::draughts::{DIRECTIONS, Direction};

/// Where captures can continue: fixed pieces, and the other side's kings that vary.
#[derive(Clone, Copy)]
pub(super) struct Board {
    /// All pieces of the side to move except the capturing one.
    pub(super) mine: u32,
    pub(super) other_men: u32,
}

impl Board {
    /// Adds to `chances` the placements in which a piece on `from` can capture in direction `d`,
    /// regardless of what was captured before in another direction. `passed` is working memory.
    #[inline(always)]
    pub(super) fn chances(
        self,
        placements: &Placements,
        from: u8,
        d: Direction,
        flies: bool,
        passed: &mut Vec<u32>,
        chances: &mut [u32],
    ) {
        let occupied = self.mine | self.other_men;
        passed.clear();
        passed.resize(chances.len(), u32::MAX);
        let mut at = from;
        while let Some((met, behind)) = next(d, at).and_then(|met| Some((met, next(d, met)?))) {
            if self.mine >> met & 1 == 1 {
                return;
            }
            let is_man = self.other_men >> met & 1 == 1;
            let clear_met = placements.clear(met);
            if occupied >> behind & 1 == 0 {
                let there = if is_man { u32::MAX } else { 0 };
                let clear = placements.clear(behind).iter();
                for (((chances, passed), &clear), &clear_met) in
                    chances.iter_mut().zip(&*passed).zip(clear).zip(clear_met)
                {
                    *chances |= passed & clear & (there | !clear_met);
                }
            }
            if is_man || !flies {
                return;
            }
            for (passed, &clear) in passed.iter_mut().zip(clear_met) {
                *passed &= clear;
            }
            at = met;
        }
    }
}

/// For a placement of the other kings of the side to move: where a king that lands after a capture
/// can continue. Computed on demand.
#[derive(Debug, Default)]
pub(super) struct Chances {
    words: usize,
    /// The landing squares for which it has been computed.
    found: u32,
    /// By landing square and direction of the capture: a bit for each placement.
    after: Vec<u32>,
    pub(super) passed: Vec<u32>,
    one: Vec<u32>,
}

impl Chances {
    #[inline(always)]
    pub(super) fn begin(&mut self, placements: &Placements) {
        self.words = placements.len().div_ceil(32);
        self.found = 0;
        self.after.resize(32 * 4 * self.words, 0);
    }

    /// The placements in which a king that has landed here in direction `d` can continue.
    #[inline(always)]
    pub(super) fn after(
        &mut self,
        board: Board,
        placements: &Placements,
        landing: u8,
        d: Direction,
        flies: bool,
    ) -> &[u32] {
        let words = self.words;
        let offset = |d: Direction| (landing as usize * 4 + d as usize) * words;
        if self.found >> landing & 1 == 0 {
            self.found |= 1 << landing;
            self.after[offset(DIRECTIONS[0])..][..4 * words].fill(0);
            for next in DIRECTIONS {
                self.one.clear();
                self.one.resize(words, 0);
                board.chances(placements, landing, next, flies, &mut self.passed, &mut self.one);
                // There is nothing to capture in the direction that it came from.
                for d in DIRECTIONS.into_iter().filter(|d| d.opposite() != next) {
                    let after = &mut self.after[offset(d)..][..words];
                    for (after, &one) in after.iter_mut().zip(&self.one) {
                        *after |= one;
                    }
                }
            }
        }
        &self.after[offset(d)..][..words]
    }
}
