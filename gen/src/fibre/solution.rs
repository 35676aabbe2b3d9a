use super::cells::{Cells, Scratch};
use super::frames::Exactness;
use super::score::{self, DRAW, LOSS, NONE, WIN};
use crate::GenError;
use damka_games::Color;
use damka_tables::format::{Longest, Metric, Summary};
use damka_tables::{Index, Layout, Side, Signature, Value};
use std::ops::Range;

/// The values of a signature as tables hold them: in order of their numbers,
/// without those of positions where only captures are legal.
#[derive(Debug)]
pub struct Solution<G> {
    signature: Signature<G>,
    exactness: Exactness,
    halves: Vec<Half>,
}

/// One side to move.
#[derive(Debug)]
struct Half {
    /// A byte each with distances, else two bits: 0 loss, 1 draw, 2 win, 3 none.
    cells: Cells,
    len: u64,
    count: Count,
}

/// How often each score occurs, and the first positions with the longest ones.
#[derive(Clone, Debug)]
pub(super) struct Count {
    scores: [u64; 256],
    /// Number and score.
    longest_win: Option<(u64, u8)>,
    longest_loss: Option<(u64, u8)>,
}

impl Default for Count {
    fn default() -> Count {
        Count { scores: [0; 256], longest_win: None, longest_loss: None }
    }
}

impl Count {
    /// Counts scores, whose numbers begin with `start`.
    #[inline(always)]
    pub(super) fn add(&mut self, start: u64, scores: &[u8]) {
        if scores.len() < 1 << 10 {
            for (number, &score) in (start..).zip(scores) {
                self.scores[score as usize] += 1;
                self.first_one(number, score);
            }
            return;
        }
        // Neighbours are often equal: counting them apart does not wait.
        let mut counts = [[0u32; 256]; 4];
        for chunk in scores.chunks(4) {
            for (counts, &score) in counts.iter_mut().zip(chunk) {
                counts[score as usize] += 1;
            }
        }
        let mut here = [0u64; 256];
        for counts in counts {
            for (a, b) in here.iter_mut().zip(counts) {
                *a += u64::from(b);
            }
        }
        for (a, b) in self.scores.iter_mut().zip(here) {
            *a += b;
        }
        self.first(start, scores, &here);
    }

    /// Takes note of a position if its distance is the longest.
    #[inline(always)]
    fn first_one(&mut self, number: u64, score: u8) {
        let longest = match score.cmp(&DRAW) {
            std::cmp::Ordering::Equal => return,
            std::cmp::Ordering::Greater => &mut self.longest_win,
            std::cmp::Ordering::Less => &mut self.longest_loss,
        };
        *longest = longer(*longest, Some((number, score)), score > DRAW);
    }

    /// Takes note of the first positions with the longest distances; `here` tells
    /// which scores there are.
    fn first(&mut self, start: u64, scores: &[u8], here: &[u64; 256]) {
        let is_there = |score: &u8| here[*score as usize] > 0;
        let find = |score: u8| {
            let place = scores.iter().position(|&other| other == score);
            place.map(|place| (start + place as u64, score))
        };
        let win = (DRAW + 1..=WIN).find(is_there);
        let loss = (LOSS..DRAW).rev().find(is_there);
        for (longest, score) in [(&mut self.longest_win, win), (&mut self.longest_loss, loss)] {
            if let Some(score) = score {
                let found = Some((start, score));
                // Looked for only where it counts.
                if longer(*longest, found, score > DRAW) == found {
                    *longest = longer(*longest, find(score), score > DRAW);
                }
            }
        }
    }

    /// Joins the counts of other positions.
    pub(super) fn join(&mut self, other: &Count) {
        for (a, b) in self.scores.iter_mut().zip(other.scores) {
            *a += b;
        }
        self.longest_win = longer(self.longest_win, other.longest_win, true);
        self.longest_loss = longer(self.longest_loss, other.longest_loss, false);
    }
}

/// The longer of two distances (number and score); of equal ones the one with the
/// lower number.
#[inline(always)]
fn longer(a: Option<(u64, u8)>, b: Option<(u64, u8)>, win: bool) -> Option<(u64, u8)> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let key = |(number, score): (u64, u8)| (if win { score } else { NONE - score }, number);
            Some(if key(b) < key(a) { b } else { a })
        }
        (a, b) => a.or(b),
    }
}

impl<G: Layout> Solution<G> {
    /// Room for the values of `len` numbers for each side to move that the
    /// signature tells apart; in `scratch` if there is one and they are many.
    ///
    /// # Errors
    /// There is no room, in memory or in `scratch`.
    pub(super) fn new(
        signature: Signature<G>,
        exactness: Exactness,
        len: &[u64],
        scratch: Option<&Scratch>,
    ) -> Result<Solution<G>, GenError> {
        let half = |&len: &u64| {
            let bytes = match exactness {
                Exactness::Wdl => len.div_ceil(4),
                Exactness::Dtw => len,
            };
            let cells = Cells::new(bytes as usize, scratch)?;
            Ok(Half { cells, len, count: Count::default() })
        };
        let halves = len.iter().map(half).collect::<Result<_, GenError>>()?;
        Ok(Solution { signature, exactness, halves })
    }

    /// Fills in the scores from number `start`, NONE for don't-cares.
    pub(super) fn put(&mut self, mover: Color, start: u64, stored: &[u8]) {
        let half = &mut self.halves[mover as usize];
        match self.exactness {
            Exactness::Dtw => {
                half.cells[start as usize..][..stored.len()].copy_from_slice(stored);
            }
            Exactness::Wdl => {
                for (number, &score) in (start..).zip(stored) {
                    let code = match score {
                        LOSS => 0,
                        DRAW => 1,
                        NONE => 3,
                        _ => 2,
                    };
                    half.cells[(number / 4) as usize] |= code << (number % 4 * 2);
                }
            }
        }
    }

    /// Forgets all values.
    pub(super) fn clear(&mut self) {
        for half in &mut self.halves {
            half.cells.fill(0);
            half.count = Count::default();
        }
    }

    /// Adds to the counts of a side to move.
    pub(super) fn count(&mut self, mover: Color, count: &Count) {
        self.halves[mover as usize].count.join(count);
    }

    /// Replaces how often each score occurs.
    pub(super) fn set_scores(&mut self, mover: Color, count: &Count) {
        self.halves[mover as usize].count.scores = count.scores;
    }

    /// The signature.
    pub fn signature(&self) -> &Signature<G> {
        &self.signature
    }

    /// How many numbers there are for each side to move.
    pub fn len(&self) -> Vec<u64> {
        self.halves.iter().map(|half| half.len).collect()
    }

    /// The values with these numbers, for the table: those of positions with
    /// nothing but captures are don't-cares.
    ///
    /// # Panics
    /// If there are no such numbers.
    pub fn values(&self, side: Side, numbers: Range<u64>) -> Vec<Value> {
        let half = &self.halves[side as usize];
        match self.exactness {
            Exactness::Dtw => {
                let cells = &half.cells[numbers.start as usize..numbers.end as usize];
                cells.iter().map(|&score| score::value(score)).collect()
            }
            Exactness::Wdl => {
                let code = |number: u64| half.cells[(number / 4) as usize] >> (number % 4 * 2) & 3;
                let score = |number| [LOSS, DRAW, WIN, NONE][code(number) as usize];
                numbers.map(|number| score::value(score(number))).collect()
            }
        }
    }

    /// Counts over all positions, symmetric ones counted each, as a table of this
    /// metric has them in its header.
    pub fn summaries(&self, metric: Metric) -> Vec<Summary> {
        self.halves.iter().map(|half| half.count.summary(metric)).collect()
    }

    /// Checks that the counts add up: that every placement has been counted, and once.
    ///
    /// # Errors
    /// They do not.
    pub(crate) fn check_counts(&self) -> Result<(), GenError> {
        for (&side, summary) in self.signature.sides().iter().zip(self.summaries(Metric::Wdl)) {
            let [mover, opponent] = self.signature.to_move(side);
            let (counted, placements) =
                (summary.positions(), Index::<G>::placements(&mover, &opponent));
            if counted != placements {
                let signature = self.signature.to_string();
                return Err(GenError::Counts { signature, counted, placements });
            }
        }
        Ok(())
    }

    /// The longest distance, in plies.
    pub fn longest(&self) -> u16 {
        let longest = |summary: &Summary| {
            [summary.longest_win, summary.longest_loss].map(|l| l.map_or(0, |l| l.plies))
        };
        let summaries = self.summaries(Metric::Dtw);
        summaries.iter().flat_map(longest).max().unwrap_or(0)
    }
}

impl Count {
    fn summary(&self, metric: Metric) -> Summary {
        let sum = |range: Range<u8>| range.map(|score| self.scores[score as usize]).sum();
        let longest = |found: Option<(u64, u8)>| {
            let (number, score) = found.filter(|_| metric == Metric::Dtw)?;
            Some(Longest { plies: score::value(score).plies()?, number })
        };
        Summary {
            wins: sum(DRAW + 1..NONE),
            draws: self.scores[DRAW as usize],
            losses: sum(LOSS..DRAW),
            longest_win: longest(self.longest_win),
            longest_loss: longest(self.longest_loss),
        }
    }
}
