use super::columns::{Columns, ScoreSet, equal};
use crate::solve::rows::bits::{Bits, WORDS};
use crate::solve::rows::placements::{Placements, QuietMoves};
use crate::solve::score::DRAW;
use damka_tables::processor::Processor;
use std::ops::Range;

/// Up to 512 columns of the rows of one side to move.
#[derive(Debug)]
pub(super) struct Panel {
    /// The columns of each word, numbered over all fibres.
    pub(super) words: Vec<Range<usize>>,
    /// For each square: the columns in which neither a king nor a man stands on it.
    clear: Vec<Bits>,
    /// By row: undecided positions that are not forced.
    pub(super) open: Vec<Bits>,
    /// By row: positions with an exit that is not known to lose.
    pub(super) held: Vec<Bits>,
    /// By row, with the other side to move: positions that are lost, and positions that are not
    /// won.
    lost: Vec<Bits>,
    unwon: Vec<Bits>,
    /// Rows from which a quiet move leads to a row of `lost`, or of `unwon`, that has changed.
    reaches_new_loss: Vec<bool>,
    reaches_new_win: Vec<bool>,
    /// By row: the scores that occur among the exits; the scores that occur among forced positions
    /// with the other side to move; and whether a position with the other side to move was decided
    /// since the last update.
    pub(super) exits: Vec<ScoreSet>,
    pub(super) forced: Vec<ScoreSet>,
    pub(super) changed: Vec<bool>,
}

impl Panel {
    /// The bytes of a panel with this many rows.
    pub(super) const fn bytes(rows: usize) -> usize {
        rows * (4 * size_of::<Bits>() + 2 * size_of::<ScoreSet>() + 3)
    }

    pub(super) fn new(placements: &Placements) -> Panel {
        let rows = placements.len();
        Panel {
            words: Vec::with_capacity(WORDS),
            clear: vec![Bits::NONE; placements.squares().into()],
            open: vec![Bits::NONE; rows],
            held: vec![Bits::NONE; rows],
            lost: vec![Bits::NONE; rows],
            unwon: vec![Bits::ALL; rows],
            reaches_new_loss: vec![false; rows],
            reaches_new_win: vec![true; rows],
            exits: vec![ScoreSet::default(); rows],
            forced: vec![ScoreSet::default(); rows],
            changed: vec![false; rows],
        }
    }

    /// Resets the panel to these words; `men` has the squares of men by fibre.
    pub(super) fn begin(
        &mut self,
        words: Range<usize>,
        columns: Columns,
        other: &Placements,
        men: &[u64],
    ) {
        self.words.clear();
        self.words.extend(words.map(|word| columns.of(word)));
        for (square, clear) in (0..).zip(&mut self.clear) {
            *clear = Bits::NONE;
            for (bits, word) in clear.0.iter_mut().zip(&self.words) {
                *bits = if columns.per_fibre == 1 {
                    let free = men[word.clone()].iter().map(|men| !men >> square & 1);
                    free.enumerate().fold(0, |bits, (i, free)| bits | (free as u32) << i)
                } else if men[word.start / columns.per_fibre] >> square & 1 == 0 {
                    other.clear::<1>(square, word.start % columns.per_fibre / 32).0[0]
                } else {
                    0
                };
            }
        }
        for (rows, initial) in [
            (&mut self.open, Bits::NONE),
            (&mut self.held, Bits::NONE),
            (&mut self.lost, Bits::NONE),
            (&mut self.unwon, Bits::ALL),
        ] {
            rows.fill(initial);
        }
        self.reaches_new_loss.fill(false);
        self.reaches_new_win.fill(true);
        self.exits.fill(ScoreSet::default());
        self.forced.fill(ScoreSet::default());
        self.changed.fill(false);
    }

    /// The positions of a row from which a quiet move leads into `targets`.
    #[inline(always)]
    fn reach(&self, moves: &QuietMoves, row: usize, targets: &[Bits]) -> Bits {
        let mut reach = Bits::NONE;
        let mut ray = Bits::NONE;
        for step in moves.of(row) {
            ray = targets[step.target()].or(ray).and(self.clear[step.square()]);
            if step.is_nearest() {
                reach = reach.or(ray);
                ray = Bits::NONE;
            }
        }
        reach
    }

    /// Compares the scores of a row with `target`.
    #[inline(always)]
    fn equal<P: Processor>(&self, processor: P, row: &[u8], target: u8) -> Bits {
        let mut found = Bits::NONE;
        for (bits, word) in found.0.iter_mut().zip(&self.words) {
            *bits = equal(processor, &row[word.clone()], target);
        }
        found
    }

    /// Finds the open positions that have `score` and removes them from `open`. `exits` holds rows
    /// of scores and their length, or `None` if no exit has this score.
    #[inline(always)]
    pub(super) fn decide<P: Processor>(
        &mut self,
        processor: P,
        moves: &QuietMoves,
        score: u8,
        exits: Option<(&[u8], usize)>,
        mut record: impl FnMut(usize, &[Range<usize>], Bits),
    ) -> bool {
        let win = score > DRAW;
        let mut any = false;
        for row in 0..self.open.len() {
            let near =
                if win { &mut self.reaches_new_loss[row] } else { &mut self.reaches_new_win[row] };
            let near = std::mem::replace(near, false);
            let exits = exits.filter(|_| self.exits[row].contains(score));
            let open = self.open[row];
            if !near && exits.is_none() || open.is_empty() {
                continue;
            }
            let by_exit = exits.map_or(Bits::NONE, |(exits, len)| {
                self.equal(processor, &exits[row * len..][..len], score)
            });
            let decided = if win {
                let reach = if near { self.reach(moves, row, &self.lost) } else { Bits::NONE };
                open.and(reach.or(by_exit))
            } else {
                self.held[row] = self.held[row].and_not(by_exit);
                let stuck = open.and_not(self.held[row]);
                if stuck.is_empty() {
                    continue;
                }
                stuck.and_not(self.reach(moves, row, &self.unwon))
            };
            if !decided.is_empty() {
                any = true;
                self.open[row] = open.and_not(decided);
                record(row, &self.words, decided);
            }
        }
        any
    }

    /// Marks the positions, with the other side to move, that have `score`. `scores` consists of
    /// rows of length `len`. Returns whether any were new.
    #[inline(always)]
    pub(super) fn update<P: Processor>(
        &mut self,
        processor: P,
        scores: &[u8],
        len: usize,
        moves: &QuietMoves,
        score: u8,
    ) -> bool {
        let win = score > DRAW;
        let mut any = false;
        for row in 0..self.open.len() {
            let changed = std::mem::replace(&mut self.changed[row], false);
            if !changed && !self.forced[row].contains(score) {
                continue;
            }
            let decided = self.equal(processor, &scores[row * len..][..len], score);
            let new = match win {
                true => decided.and(self.unwon[row]),
                false => decided.and_not(self.lost[row]),
            };
            if new.is_empty() {
                continue;
            }
            any = true;
            let near = if win {
                self.unwon[row] = self.unwon[row].and_not(new);
                &mut self.reaches_new_win
            } else {
                self.lost[row] = self.lost[row].or(new);
                &mut self.reaches_new_loss
            };
            // Quiet moves are reversible, so the predecessors of this row are its quiet successors.
            for step in moves.of(row) {
                near[step.target()] = true;
            }
        }
        any
    }
}
