use super::half::HalfBatch;
use crate::solve::exits::ExitScores;
use crate::solve::kernel::TooLong;
use crate::solve::placements::{Placements, QuietMoves};
use crate::solve::score::{self, LONGEST};
use crate::solve::simd::{Instructions, Simd, with_simd};
use damka_tables::metric::Metric;

/// Some fibres of a signature whose values do not depend on each other.
#[derive(Debug)]
pub(super) struct Batch<'k> {
    halves: [HalfBatch<'k>; 2],
    metric: Metric,
    /// Whether the panels are worked on in parallel. Only for a single fibre.
    parallel: bool,
}

impl<'k> Batch<'k> {
    /// No fibres, of White's and Black's kings, with their moves.
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

    /// Begins anew with fibres given by the squares of their men.
    ///
    /// # Panics
    /// If there is more than one fibre and panels are worked on in parallel.
    pub(super) fn begin(&mut self, men: &[u64]) {
        assert!(men.len() == 1 || !self.parallel, "one fibre at a time");
        for half in &mut self.halves {
            half.begin(men);
        }
    }

    /// Fills in what the exits of a fibre are worth, White to move if `mover` is 0.
    /// `may_stand` tells, for White and Black, where kings may stand.
    pub(super) fn seed(
        &mut self,
        instructions: Instructions,
        mover: usize,
        fibre: usize,
        men: u64,
        found: &mut ExitScores,
        may_stand: &dyn Fn(usize, u64) -> bool,
    ) {
        if self.metric == Metric::Wdl {
            with_simd!(instructions, simd => simd.run(|| found.forget_distances()));
        }
        let stands = |color: usize, set: u64| set & men == 0 && may_stand(color, set);
        let half = &mut self.halves[mover];
        with_simd!(instructions, simd => simd.run(|| half.seed(simd, mover, fibre, found, stands)));
    }

    /// Works out the values of all positions.
    ///
    /// # Errors
    /// A distance is too long for a score.
    pub(super) fn solve(&mut self, instructions: Instructions) -> Result<(), TooLong> {
        with_simd!(instructions, simd => self.solve_with(simd))
    }

    fn solve_with<S: Simd>(&mut self, simd: S) -> Result<(), TooLong> {
        let [white, black] = &mut self.halves;
        white.survey(simd, black);
        black.survey(simd, white);
        let mut idle = 0;
        let mut plies = 0;
        while idle < 2 {
            let score = match self.metric {
                Metric::Dtw if plies > LONGEST => return Err(TooLong),
                Metric::Dtw => score::decided(plies),
                Metric::Wdl => score::decided(plies % 2),
            };
            let mut any = white.decide(simd, black, score, self.parallel);
            any |= black.decide(simd, white, score, self.parallel);
            any |= white.tell(simd, black, score, self.parallel);
            any |= black.tell(simd, white, score, self.parallel);
            any |= [&*white, &*black].into_iter().any(HalfBatch::waits);
            idle = if any { 0 } else { idle + 1 };
            plies += 1;
        }
        Ok(())
    }

    /// The scores of a fibre with one side to move: a row for each placement of the
    /// kings that are not to move. `buffer` is room for a copy.
    pub(super) fn scores<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].scores, fibre, buffer)
    }

    /// The scores of forced positions in that order, NONE for others.
    pub(super) fn forced<'b>(
        &'b self,
        mover: usize,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.halves[mover].frame(&self.halves[mover].forced, fibre, buffer)
    }
}
