//! Captures that go on after the first piece, for many placements of the other side's kings at once.

use super::found::Prey;
use super::{FibreExits, must_take_most, next};
use crate::solve::rows::bits::Bits;
use crate::solve::rows::frames::Frame;
use crate::solve::rows::placements::Placements;
use crate::solve::score::NONE;
use damka_games::Square;
use damka_games::draughts::{DIRECTIONS, Direction, Promotion, promotion_row};
use damka_tables::combinatorics::rank;
use rustc_hash::FxHashMap;

/// The frames looked up so far, by the men of both sides and their numbers of kings; the side that has
/// moved comes first.
pub(super) type FrameCache<'a> = FxHashMap<(u32, u32, usize, usize), Frame<'a>>;

/// A capturing piece before its first jump, and the other pieces of its side. The square from which it
/// jumps is treated as empty.
#[derive(Clone, Copy)]
pub(super) struct Captor {
    pub(super) is_king: bool,
    pub(super) d: Direction,
    pub(super) my_kings: u32,
    pub(super) my_men: u32,
}

/// A captor that has jumped over a piece and has not landed yet.
#[derive(Debug)]
struct Jump<const W: usize> {
    /// The square of the captured piece.
    over: u8,
    d: Direction,
    is_king: bool,
    /// All squares of captured pieces. They stay on the board until the end of the move.
    captured: u32,
    /// The placements of the other side's kings that allow this jump.
    placements: Bits<W>,
}

/// Jumps that are still to be followed, and what has been found so far in a block of placements.
#[derive(Debug)]
pub(super) struct Chains<const W: usize> {
    pending: Vec<Jump<W>>,
    /// By placement: the largest number of pieces captured so far, if capturing the most is
    /// compulsory.
    numbers: [[u8; 32]; W],
}

impl<const W: usize> Default for Chains<W> {
    fn default() -> Self {
        Chains { pending: Vec::new(), numbers: [[0; 32]; W] }
    }
}

/// The captures by one captor that begin with the same piece, in a block of placements of the kings
/// that this first capture leaves.
pub(super) struct Chain<'c, 'a, const W: usize> {
    pub(super) fibre: &'c FibreExits<'a>,
    pub(super) captor: Captor,
    pub(super) prey: Prey,
    pub(super) placements: &'c Placements,
    pub(super) block: usize,
    pub(super) chains: &'c mut Chains<W>,
    pub(super) cache: &'c mut FrameCache<'a>,
    /// The lowest score, by placement of the block.
    pub(super) scores: &'c mut [u8],
}

impl<const W: usize> Chain<'_, '_, W> {
    /// Scores the captures in these placements. Where more than one piece must be captured, calls
    /// `longer` with the placement in the block, the number of pieces, and the score.
    #[inline(always)]
    pub(super) fn follow(mut self, placements: Bits<W>, mut longer: impl FnMut(usize, u8, u8)) {
        let Captor { is_king, d, .. } = self.captor;
        let over = self.prey.square;
        for placement in placements.places() {
            self.scores[placement] = NONE;
        }
        self.chains.pending.push(Jump { over, d, is_king, captured: 1 << over, placements });
        while let Some(jump) = self.chains.pending.pop() {
            self.land(&jump);
        }
        if must_take_most(self.fibre.all.rules) {
            let numbers = self.chains.numbers.as_flattened_mut();
            for placement in placements.places() {
                let number = std::mem::take(&mut numbers[placement]);
                if number > 1 {
                    let score = std::mem::replace(&mut self.scores[placement], NONE);
                    longer(placement, number, score);
                }
            }
        }
    }

    /// Lands on every square behind the captured piece, and goes on where more can be captured.
    #[inline(always)]
    fn land(&mut self, jump: &Jump<W>) {
        let &Jump { over, d, is_king, captured, .. } = jump;
        let rules = self.fibre.all.rules;
        let blocked = self.mine() | self.fibre.other_men | captured;
        // Behind a piece there are up to six squares.
        let mut landings = [(0, Bits::NONE); 6];
        let (mut count, mut at) = (0, over);
        let (mut free, mut goes_on) = (jump.placements, Bits::NONE);
        while let Some(to) = next(d, at).filter(|to| blocked >> to & 1 == 0) {
            free = free.and(self.placements.clear(to, self.block));
            if free.is_empty() {
                break;
            }
            let promotes = !is_king && self.promotes_on(to);
            let as_king = is_king || promotes && rules.promotion == Promotion::GoesOn;
            if !(promotes && rules.promotion == Promotion::EndsMove) {
                for next in DIRECTIONS.into_iter().filter(|next| *next != d.opposite()) {
                    if as_king || self.fibre.man_captures_towards(next) {
                        goes_on = goes_on.or(self.jump(to, next, as_king, captured, free));
                    }
                }
            }
            landings[count] = (to, free);
            count += 1;
            if !(is_king && rules.flying_kings) {
                break;
            }
            at = to;
        }
        for &(to, free) in &landings[..count] {
            let ends = free.and_not(goes_on);
            if !ends.is_empty() {
                self.end(to, is_king || self.promotes_on(to), captured, ends);
            }
        }
    }

    /// Jumps from a square in one direction. Returns the placements in which that is possible.
    #[inline(always)]
    fn jump(
        &mut self,
        from: u8,
        d: Direction,
        is_king: bool,
        captured: u32,
        free: Bits<W>,
    ) -> Bits<W> {
        let others = self.fibre.other_men & !captured;
        let stops = self.mine() | captured;
        let flies = is_king && self.fibre.all.rules.flying_kings;
        let (mut passed, mut any, mut at) = (free, Bits::NONE, from);
        while let Some((over, behind)) = next(d, at).and_then(|over| Some((over, next(d, over)?))) {
            if stops >> over & 1 == 1 {
                break;
            }
            let is_man = others >> over & 1 == 1;
            let clear = self.placements.clear(over, self.block);
            if (stops | others) >> behind & 1 == 0 {
                let there = if is_man { passed } else { passed.and_not(clear) };
                let placements = there.and(self.placements.clear(behind, self.block));
                if !placements.is_empty() {
                    any = any.or(placements);
                    let captured = captured | 1 << over;
                    self.chains.pending.push(Jump { over, d, is_king, captured, placements });
                }
            }
            if is_man || !flies {
                break;
            }
            passed = passed.and(clear);
            at = over;
        }
        any
    }

    /// Scores the positions after captures that end on `to`.
    #[inline(always)]
    fn end(&mut self, to: u8, is_king: bool, captured: u32, placements: Bits<W>) {
        let Captor { my_kings, my_men, .. } = self.captor;
        let (kings, men) = match is_king {
            true => (my_kings | 1 << to, my_men),
            false => (my_kings, my_men | 1 << to),
        };
        let first_king = u32::from(self.prey.is_king) << self.prey.square;
        // Kings captured after the first piece are still part of the placements.
        let more_kings = captured & !self.fibre.other_men & !first_king;
        let other_men = self.fibre.other_men & !captured;
        let mine = kings.count_ones() as usize;
        let other = self.fibre.untaken(self.prey) - more_kings.count_ones() as usize;
        let frame = *self
            .cache
            .entry((men, other_men, mine, other))
            .or_insert_with(|| self.fibre.frame(men, other_men, mine, other));
        let row = frame.cells(rank(kings.into()) as usize);
        let must_take_most = must_take_most(self.fibre.all.rules);
        let count = captured.count_ones() as u8;
        let first = self.block * Bits::<W>::LEN;
        let numbers = self.chains.numbers.as_flattened_mut();
        for placement in placements.places() {
            let column = match more_kings {
                0 => first + placement,
                _ => {
                    let set = self.placements.sets()[first + placement];
                    rank(set & !u64::from(more_kings)) as usize
                }
            };
            let (score, least) = (row.get(column), &mut self.scores[placement]);
            if must_take_most {
                let number = &mut numbers[placement];
                if count < *number {
                    continue;
                }
                if count > *number {
                    (*number, *least) = (count, NONE);
                }
            }
            *least = (*least).min(score);
        }
    }

    /// The pieces of the captor's side without the captor.
    #[inline(always)]
    fn mine(&self) -> u32 {
        self.captor.my_kings | self.captor.my_men
    }

    #[inline(always)]
    fn promotes_on(&self, square: u8) -> bool {
        promotion_row(self.fibre.mover).contains(Square::new(square))
    }
}
