use super::half::HalfBatch;
use crate::solve::instructions::{Instructions, with_processor};
use crate::solve::rows::exits::ExitScores;
use crate::solve::rows::kernel::TooLong;
use crate::solve::rows::placements::{Placements, QuietMoves};
use crate::solve::score::{self, MAX_PLIES};
use damka_tables::metric::Metric;
use damka_tables::processor::Processor;

/// Fibres of a signature whose values do not depend on each other.
#[derive(Debug)]
pub(super) struct Batch<'k> {
    halves: [HalfBatch<'k>; 2],
    metric: Metric,
    /// Whether the panels are processed in parallel. Only for a single fibre.
    parallel: bool,
}

impl<'k> Batch<'k> {
    /// A batch without fibres. Arrays are indexed by White and Black.
    pub(super) fn new(
        metric: Metric,
        placements: [&'k Placements; 2],
        moves: [&'k QuietMoves; 2],
        parallel: bool,
    ) -> Batch<'k> {
        let half =
            |mover: usize| HalfBatch::new(placements[mover], moves[mover], placements[1 - mover]);
        Batch { halves: [half(0), half(1)], metric, parallel }
    }

    /// Resets the batch to the fibres whose men stand on these squares.
    ///
    /// # Panics
    /// If there is more than one fibre and panels are processed in parallel.
    pub(super) fn begin(&mut self, men: &[u64]) {
        assert!(men.len() == 1 || !self.parallel, "one fibre at a time");
        for half in &mut self.halves {
            half.begin(men);
        }
    }

    /// Fills in the scores of a fibre's exits; `mover` is 0 for White to move. `may_stand` returns
    /// whether the kings of White (0) or Black (1) may stand on a set of squares.
    pub(super) fn seed(
        &mut self,
        instructions: Instructions,
        mover: usize,
        fibre: usize,
        men: u64,
        found: &mut ExitScores,
        may_stand: &dyn Fn(usize, u64) -> bool,
    ) {
        if !self.metric.has_distances() {
            with_processor!(instructions, processor => processor.call(|| found.forget_distances()));
        }
        let stands = |color: usize, set: u64| set & men == 0 && may_stand(color, set);
        let half = &mut self.halves[mover];
        with_processor!(instructions, processor => processor.call(|| half.seed(processor, mover, fibre, found, stands)));
    }

    /// Computes the values of all positions.
    ///
    /// # Errors
    /// Fails if a distance does not fit into a score.
    pub(super) fn solve(&mut self, instructions: Instructions) -> Result<(), TooLong> {
        with_processor!(instructions, processor => self.solve_with(processor))
    }

    fn solve_with<P: Processor>(&mut self, processor: P) -> Result<(), TooLong> {
        let [white, black] = &mut self.halves;
        white.index_scores(processor, black);
        black.index_scores(processor, white);
        let mut idle = 0;
        let mut plies = 0;
        while idle < 2 {
            let score = match self.metric.has_distances() {
                true if plies > MAX_PLIES => return Err(TooLong),
                true => score::decided(plies),
                false => score::decided(plies % 2),
            };
            let mut any = white.decide(processor, black, score, self.parallel);
            any |= black.decide(processor, white, score, self.parallel);
            any |= white.publish(processor, black, score, self.parallel);
            any |= black.publish(processor, white, score, self.parallel);
            any |= [&*white, &*black].into_iter().any(HalfBatch::has_pending_scores);
            idle = if any { 0 } else { idle + 1 };
            plies += 1;
        }
        Ok(())
    }

    /// The scores of a fibre with one side to move: a row for each placement of the kings that are
    /// not to move. `buffer` may be used for a copy.
    pub(super) fn scores<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].scores, fibre, buffer)
    }

    /// The scores of forced positions in the same order, NONE for others.
    pub(super) fn forced<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].forced, fibre, buffer)
    }
}
