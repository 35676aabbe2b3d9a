//! Captures by men.

use super::captures::{Buffers, Working};
use super::chain::Captor;
use super::chain::FrameCache;
use super::chances::Board;
use super::found::{Captures, Prey};
use super::{FibreExits, next, squares};
use crate::solve::rows::bits::Bits;
use crate::solve::rows::frames::Frame;
use crate::solve::rows::placements::Placements;
use damka_games::Square;
use damka_games::draughts::{DIRECTIONS, Direction, Promotion, promotion_row};

/// A capture by a man up to its first landing.
struct ManCapture<'a> {
    from: u8,
    d: Direction,
    to: u8,
    prey: Prey,
    promotes: bool,
    /// The frame after the landing.
    frame: Frame<'a>,
    /// By direction: whether the capture may go on in it.
    onwards: [bool; 4],
    /// Whether the man goes on as a flying king.
    flies: bool,
}

impl ManCapture<'_> {
    /// The placements of a block in which it can go on.
    #[inline(always)]
    fn chances<const W: usize>(
        &self,
        board: Board,
        placements: &Placements,
        block: usize,
    ) -> Bits<W> {
        let mut any = Bits::NONE;
        for d in DIRECTIONS.into_iter().filter(|d| self.onwards[*d as usize]) {
            any = any.or(board.chances(placements, block, self.to, d, self.flies));
        }
        any
    }
}

impl<'a> FibreExits<'a> {
    /// Captures by men.
    #[inline(always)]
    pub(super) fn men_captures(&self, columns: usize, buffers: &mut Buffers) {
        let Buffers { captures, narrow, wide } = buffers;
        let mut cache = FrameCache::default();
        for from in squares(self.my_men).into_iter().map(Square::index) {
            for d in DIRECTIONS.into_iter().filter(|&d| self.man_captures_towards(d)) {
                let Some(capture) = self.man_capture(from, d) else { continue };
                let placements = self.placements(self.untaken(capture.prey));
                if columns == 1 && self.men_capture_alone(&capture, placements, captures) {
                    continue;
                }
                match placements.len() > Bits::<1>::LEN {
                    false => {
                        self.men_take(&capture, placements, columns, narrow, captures, &mut cache)
                    }
                    true => {
                        self.men_take(&capture, placements, columns, wide, captures, &mut cache)
                    }
                }
            }
        }
        if columns == 1 {
            self.clear_impossible(&mut captures.scores);
        }
    }

    /// The capture by a man in a direction, if it is possible in some placement.
    #[inline(always)]
    fn man_capture(&self, from: u8, d: Direction) -> Option<ManCapture<'a>> {
        let over = next(d, from)?;
        let to = next(d, over).filter(|to| self.men() >> to & 1 == 0)?;
        let prey = Prey { square: over, is_king: self.other_men >> over & 1 == 0 };
        if self.my_men >> over & 1 == 1 || prey.is_king && self.other == 0 {
            return None;
        }
        let left = self.my_men ^ 1 << from;
        let other_men = self.other_men & !(1 << over);
        let promotes = promotion_row(self.mover).contains(Square::new(to));
        let frame = match promotes {
            true => self.frame(left, other_men, self.mine + 1, self.untaken(prey)),
            false => self.frame(left | 1 << to, other_men, self.mine, self.untaken(prey)),
        };
        let rules = self.all.rules;
        let as_king = promotes && rules.promotion == Promotion::GoesOn;
        let ends = promotes && rules.promotion == Promotion::EndsMove;
        let mut onwards = [false; 4];
        for next in DIRECTIONS.into_iter().filter(|next| !ends && *next != d.opposite()) {
            onwards[next as usize] = as_king || self.man_captures_towards(next);
        }
        let flies = as_king && rules.flying_kings;
        Some(ManCapture { from, d, to, prey, promotes, frame, onwards, flies })
    }

    /// Scores a man's capture for all placements of the mover's kings at once, if the capture cannot
    /// continue; the other side has only men. Returns whether it was scored.
    #[inline(always)]
    fn men_capture_alone(
        &self,
        capture: &ManCapture<'a>,
        placements: &Placements,
        captures: &mut Captures,
    ) -> bool {
        let &ManCapture { from, to, prey, promotes, frame, .. } = capture;
        if promotes || self.other_men == 1 << prey.square {
            return false;
        }
        // Without the mover's kings, which would only block.
        let board = Board { mine: self.my_men ^ 1 << from, other_men: self.other_men };
        if !capture.chances::<1>(board, placements, 0).is_empty() {
            return false;
        }
        let taken = self.placements(self.mine).taken(to);
        for ((least, &score), &taken) in captures.scores.iter_mut().zip(frame.column()).zip(taken) {
            *least = (*least).min(score | taken);
        }
        true
    }

    /// A man's capture, for each placement of the mover's kings.
    #[inline(always)]
    fn men_take<const W: usize>(
        &self,
        capture: &ManCapture<'a>,
        placements: &Placements,
        columns: usize,
        working: &mut Working<W>,
        captures: &mut Captures,
        cache: &mut FrameCache<'a>,
    ) {
        let Working { line, chains, .. } = working;
        let &ManCapture { from, d, to, prey, promotes, frame, .. } = capture;
        let my_men = self.my_men ^ 1 << from;
        let several = self.other + self.other_men.count_ones() as usize > 1;
        for (row, &set) in self.placements(self.mine).sets().iter().enumerate() {
            let my_kings = set as u32;
            if my_kings & (self.men() | 1 << to | 1 << prey.square) != 0 {
                continue;
            }
            line.clear(placements);
            let after = if promotes { self.with_king(self.mine, row, to) } else { row };
            line.add(frame, after, placements.taken(to));
            if several {
                let board = Board { mine: my_men | my_kings, other_men: self.other_men };
                let occupied = self.men() | my_kings | 1 << to;
                for (block, goes_on) in line.goes_on.iter_mut().enumerate() {
                    *goes_on = capture.chances(board, placements, block);
                    if !goes_on.is_empty() {
                        *goes_on = goes_on.and(placements.free(occupied, block));
                    }
                }
                let captor = Captor { is_king: false, d, my_kings, my_men };
                self.follow(captor, from, prey, placements, line, (&mut *chains, &mut *cache));
            }
            self.note(prey, row, columns, line, captures);
        }
    }

    #[inline(always)]
    pub(super) fn man_captures_towards(&self, d: Direction) -> bool {
        self.all.rules.men_capture_backwards || self.is_forward(d)
    }
}
