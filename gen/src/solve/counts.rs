//! Counts of solved positions by score.

use super::score::{self, DRAW, NONE};
use damka_tables::Wdl;
use damka_tables::metric::{Histogram, Longest, Summary};

/// Counts over positions with one side to move. The histogram counts symmetric positions
/// individually.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) histogram: Histogram,
    pub(super) longest_win: Option<Longest>,
    pub(super) longest_loss: Option<Longest>,
}

impl Counts {
    /// Adds the counts of other positions.
    pub(super) fn add(&mut self, other: &Counts) {
        self.histogram.extend(other.histogram.values());
        self.add_longest(Wdl::Win, other.longest_win);
        self.add_longest(Wdl::Loss, other.longest_loss);
    }

    /// Adds the longest win or loss of other positions.
    fn add_longest(&mut self, wdl: Wdl, found: Option<Longest>) {
        let longest = match wdl {
            Wdl::Win => &mut self.longest_win,
            Wdl::Loss => &mut self.longest_loss,
            Wdl::Draw => return,
        };
        if let Some(found) = found.filter(|found| found.is_beyond(*longest)) {
            *longest = Some(found);
        }
    }

    /// Finds the longest win and loss among scores; `start` is the number of the first one. Skips
    /// NONE, which is not the score of a position.
    pub(super) fn find_longest(&mut self, start: u64, scores: &[u8]) {
        // Without branches on scores, so that the loops are vectorized.
        let slowest_win = scores
            .iter()
            .fold(NONE, |slowest, &score| slowest.min(if score > DRAW { score } else { NONE }));
        // Plus 1, so that 0 can mean "no loss": the lowest score is itself a loss.
        let slowest_loss = scores
            .iter()
            .fold(0, |slowest, &score| slowest.max(if score < DRAW { score + 1 } else { 0 }));
        let win = (Wdl::Win, self.longest_win, (slowest_win != NONE).then_some(slowest_win));
        let loss = (Wdl::Loss, self.longest_loss, slowest_loss.checked_sub(1));
        for (wdl, longest, slowest) in [win, loss] {
            let Some(slowest) = slowest else { continue };
            let plies = score::value(slowest).plies().unwrap_or(0);
            // The number is only searched for if this distance is a new maximum.
            if (Longest { plies, number: start }).is_beyond(longest) {
                let offset = scores.iter().position(|&score| score == slowest);
                let number = start + offset.unwrap_or(0) as u64;
                self.add_longest(wdl, Some(Longest { plies, number }));
            }
        }
    }

    /// The summary of these counts.
    pub(super) fn summary(&self) -> Summary {
        Summary {
            wins: self.histogram.positions(Wdl::Win),
            draws: self.histogram.positions(Wdl::Draw),
            losses: self.histogram.positions(Wdl::Loss),
            longest_win: self.longest_win,
            longest_loss: self.longest_loss,
        }
    }
}

/// Counts scores. Reused, because a new one would cost more than counting a short run of scores.
#[derive(Debug)]
pub(super) struct ScoreCounter {
    /// Counts by score. Neighbouring scores are counted in different tables: they are often equal,
    /// and an increment has to wait for the preceding one of the same counter.
    tables: Box<[[u64; 256]; TABLES]>,
}

const TABLES: usize = 4;

impl Default for ScoreCounter {
    fn default() -> ScoreCounter {
        ScoreCounter { tables: Box::new([[0; 256]; TABLES]) }
    }
}

impl ScoreCounter {
    /// Counts scores, except NONE, which is not the score of a position.
    pub(super) fn count(&mut self, scores: &[u8]) {
        let (groups, rest) = scores.as_chunks::<TABLES>();
        for group in groups {
            for (table, &score) in self.tables.iter_mut().zip(group) {
                table[usize::from(score)] += 1;
            }
        }
        for &score in rest {
            self.tables[0][usize::from(score)] += 1;
        }
    }

    /// The counts since the last call.
    pub(super) fn take(&mut self) -> Histogram {
        let all = (0..NONE).map(|score| {
            let count = self.tables.iter().map(|table| table[usize::from(score)]).sum();
            (score::value(score), count)
        });
        let histogram = all.collect();
        self.tables.as_flattened_mut().fill(0);
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::score::{LOSS, WIN};
    use damka_games::Random;

    /// Pseudo-random scores of all kinds.
    fn scores(len: usize) -> Vec<u8> {
        let mut random = Random::new(len as u64);
        let score = |random: &mut Random| match random.next() as u8 {
            score if score.is_multiple_of(3) => DRAW,
            score => score,
        };
        (0..len).map(|_| score(&mut random)).collect()
    }

    #[test]
    fn scores_are_counted_like_their_values() {
        let (mut all, mut one_by_one) = (Counts::default(), Summary::default());
        let mut values = Histogram::default();
        let mut counter = ScoreCounter::default();
        // The lowest numbers are not counted first.
        for (start, len) in [(5000, 1000), (0, 700), (700, 0), (6000, 3), (6003, 20_000)] {
            let scores = scores(len);
            all.find_longest(start, &scores);
            counter.count(&scores);
            for (number, &score) in (start..).zip(&scores).filter(|(_, score)| **score != NONE) {
                one_by_one.count(score::value(score), number, 1);
                values.add(score::value(score), 1);
            }
            all.histogram.extend(counter.take().values());
            assert_eq!(all.summary(), one_by_one);
            assert_eq!(all.histogram, values);
        }
        assert_eq!(counter.take(), Histogram::default());
        for score in [LOSS, DRAW, WIN] {
            let mut few = Counts::default();
            few.find_longest(7, &[NONE, score, score]);
            few.histogram.add(score::value(score), 2);
            let mut one_by_one = Summary::default();
            (8..10).for_each(|number| one_by_one.count(score::value(score), number, 1));
            assert_eq!(few.summary(), one_by_one);
        }
    }

    #[test]
    fn counts_of_parts_are_added() {
        let scores = scores(1000);
        let counts = |range: std::ops::Range<usize>| {
            let mut counts = Counts::default();
            counts.find_longest(range.start as u64, &scores[range.clone()]);
            let mut counter = ScoreCounter::default();
            counter.count(&scores[range]);
            Counts { histogram: counter.take(), ..counts }
        };
        for (first, second) in [(0..300, 300..1000), (300..1000, 0..300), (0..1000, 0..0)] {
            let mut all = counts(first);
            all.add(&counts(second));
            assert_eq!(all, counts(0..1000));
        }
    }
}
