use super::next;
use crate::solve::rows::bits::Bits;
use crate::solve::rows::placements::Placements;
use damka_games::draughts::{DIRECTIONS, Direction};

/// The fixed pieces on the board. Only the other side's kings vary, by placement.
#[derive(Clone, Copy)]
pub(super) struct Board {
    /// All pieces of the side to move except the capturing one.
    pub(super) mine: u32,
    pub(super) other_men: u32,
}

impl Board {
    /// The placements of block number `block` in which a piece on `from` can capture in direction `d`,
    /// regardless of what was captured before in another direction.
    #[inline(always)]
    pub(super) fn chances<const W: usize>(
        self,
        placements: &Placements,
        block: usize,
        from: u8,
        d: Direction,
        flies: bool,
    ) -> Bits<W> {
        let occupied = self.mine | self.other_men;
        let (mut passed, mut chances) = (Bits::ALL, Bits::NONE);
        let mut at = from;
        while let Some((met, behind)) = next(d, at).and_then(|met| Some((met, next(d, met)?))) {
            if self.mine >> met & 1 == 1 {
                break;
            }
            let is_man = self.other_men >> met & 1 == 1;
            let clear_met = placements.clear(met, block);
            if occupied >> behind & 1 == 0 {
                let there = if is_man { passed } else { passed.and_not(clear_met) };
                chances = chances.or(there.and(placements.clear(behind, block)));
            }
            if is_man || !flies {
                break;
            }
            passed = passed.and(clear_met);
            at = met;
        }
        chances
    }
}

/// Where a king that has landed after a capture can continue, for one placement of its side's other
/// kings. Computed on demand.
#[derive(Debug, Default)]
pub(super) struct Chances<const W: usize> {
    /// The landing squares for which it has been computed.
    found: u32,
    /// By landing square and direction of the capture: the placements, in blocks.
    after: Vec<Bits<W>>,
    /// The placements that leave all squares of men and of the mover's other kings empty, in blocks.
    free: Vec<Bits<W>>,
}

impl<const W: usize> Chances<W> {
    #[inline(always)]
    pub(super) fn begin(&mut self, board: Board, placements: &Placements) {
        self.found = 0;
        self.free.clear();
        self.free.extend(
            (0..placements.blocks::<W>())
                .map(|block| placements.free(board.mine | board.other_men, block)),
        );
        self.after.resize(32 * 4 * self.free.len(), Bits::NONE);
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
    ) -> &[Bits<W>] {
        let blocks = self.free.len();
        let offset = |d: Direction| (landing as usize * 4 + d as usize) * blocks;
        if self.found >> landing & 1 == 0 {
            self.found |= 1 << landing;
            for (block, &free) in self.free.iter().enumerate() {
                let mut towards = [Bits::NONE; 4];
                for d in DIRECTIONS {
                    towards[d as usize] = board.chances(placements, block, landing, d, flies);
                }
                for d in DIRECTIONS {
                    // There is nothing to capture in the direction that it came from.
                    let mut any = Bits::NONE;
                    for onwards in DIRECTIONS.into_iter().filter(|next| *next != d.opposite()) {
                        any = any.or(towards[onwards as usize]);
                    }
                    self.after[offset(d) + block] = any.and(free);
                }
            }
        }
        &self.after[offset(d)..][..blocks]
    }
}
