//! The geometry of a fibre, constant while it is solved, and sets of its cells.

use super::board::{SQUARES, squares};
use super::fibre::Fibre;
use super::pairs::KingPairs;
use super::reach::words;
use std::ops::Range;

/// A fibre with its slots and axes.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) fibre: &'a Fibre,
    pub(super) pairs: &'static KingPairs,
    pub(super) axes: usize,
    /// The words in a slot.
    pub(super) words: usize,
}

/// A set of cells of all slots.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) words: Vec<u64>,
    /// By slot: whether it has any cells. If not, its `words` are meaningless.
    pub(super) any: Vec<bool>,
}

/// A set of cells in few slots.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) cells: Cells,
    /// The slots that have cells.
    pub(super) slots: Vec<u16>,
}

impl Front {
    pub(super) fn new(world: &World<'_>) -> Front {
        Front { cells: Cells::new(world), slots: Vec::new() }
    }

    /// Records that a slot has cells.
    #[inline(always)]
    pub(super) fn add(&mut self, slot: usize) {
        self.cells.any[slot] = true;
        self.slots.push(slot as u16);
    }

    /// Empties the set.
    pub(super) fn clear(&mut self) {
        let any = &mut self.cells.any;
        self.slots.drain(..).for_each(|slot| any[usize::from(slot)] = false);
    }
}

impl Cells {
    pub(super) fn new(world: &World<'_>) -> Cells {
        let slots = world.pairs.len();
        Cells { words: vec![0; slots * world.words], any: vec![false; slots] }
    }
}

impl<'a> World<'a> {
    pub(super) fn new(fibre: &'a Fibre) -> World<'a> {
        let axes = fibre.pieces().len();
        World { fibre, pairs: fibre.pairs(), axes, words: words(axes) }
    }

    /// The words of a slot.
    #[inline(always)]
    pub(super) fn range(&self, slot: usize) -> Range<usize> {
        slot * self.words..(slot + 1) * self.words
    }

    /// The squares occupied by kings and pawns.
    #[inline(always)]
    pub(super) fn blocked(&self, slot: usize) -> u64 {
        let [white, black] = self.pairs.pair(slot);
        self.fibre.all_pawns() | 1 << white | 1 << black
    }

    /// Whether the kings of a slot stand on squares without pawns. If not, the slot contains only
    /// holes.
    pub(super) fn kings_stand(&self, slot: usize) -> bool {
        let [white, black] = self.pairs.pair(slot);
        self.fibre.all_pawns() & (1 << white | 1 << black) == 0
    }

    /// The set of squares that are free for the last piece when the others stand where `word` places
    /// them; empty if these overlap.
    #[inline(always)]
    pub(super) fn placements(&self, word: usize, blocked: u64) -> u64 {
        if self.axes == 0 {
            return 1;
        }
        let (mut taken, mut rest, mut free) = (blocked, word, true);
        for _ in 1..self.axes {
            let square = 1 << (rest % SQUARES);
            free &= taken & square == 0;
            taken |= square;
            rest /= SQUARES;
        }
        if free { !taken } else { 0 }
    }

    /// Writes `score` to the cells of a word that are in `set`.
    #[inline(always)]
    pub(super) fn write(&self, scores: &mut [u8], word: usize, set: u64, score: u8) {
        if self.axes == 0 {
            if set != 0 {
                scores[word] = score;
            }
            return;
        }
        let scores = &mut scores[word * SQUARES..][..SQUARES];
        if set.count_ones() < 16 {
            squares(set).for_each(|bit| scores[usize::from(bit)] = score);
        } else {
            for (bit, old) in scores.iter_mut().enumerate() {
                *old = if set >> bit & 1 == 0 { *old } else { score };
            }
        }
    }
}
