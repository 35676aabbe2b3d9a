//! The kernel of the row method: within a fibre, kings move and men do not. First the exits of all
//! positions are scored; the remaining quiet moves are followed one distance at a time.
//!
//! Positions are bits. For the side to move, each placement of its kings has a row of bits, one for
//! each placement of the other kings. A quiet move leads from one row to another, and a ray is a
//! chain of rows: finding the positions of a row that reach a given set takes one step for each
//! square of its rays, for all placements of the other kings at once.
//!
//! The other kings move along the other axis. The values decided for one side to move are written
//! into its scores, in rows of the kings that are not to move, and read back from there as bits in
//! rows of the other side.

mod batch;
mod columns;
mod half;
mod panel;

use super::exits::{ExitScores, Exits, Task};
use super::kernel::{Kernel, TooLong};
use super::lookup::Lookup;
use super::placements::{self, NOWHERE, PlacementCache, Placements, QuietMoves};
use crate::profile::{CpuInstant, CpuScope, Phase, Profile};
use crate::solve::instructions::Instructions;
use crate::solve::score::NONE;
use batch::Batch;
use damka_games::{Color, Material, Pieces, SquareSet};
use damka_tables::Indexable;
use damka_tables::metric::Metric;
use half::HalfBatch;
use std::sync::{Arc, OnceLock};

/// Solves fibres with rows of bits; `E` finds their exits.
#[derive(Debug)]
pub struct RowKernel<G, E> {
    game: G,
    metric: Metric,
    instructions: Instructions,
    /// White's and Black's.
    placements: [Arc<Placements>; 2],
    /// Built for the first batch.
    moves: OnceLock<[QuietMoves; 2]>,
    exits: E,
}

/// A batch and the buffers for finding exits.
#[derive(Debug)]
pub struct RowBatch<'k, B> {
    batch: Batch<'k>,
    parallel: bool,
    found: ExitScores,
    buffers: B,
}

impl<G: Indexable, E: Exits<G>> Kernel<G> for RowKernel<G, E> {
    type Batch<'k>
        = RowBatch<'k, E::Buffers>
    where
        Self: 'k;

    fn new(
        game: G,
        materials: [Material; 2],
        metric: Metric,
        instructions: Instructions,
        cache: &PlacementCache,
    ) -> RowKernel<G, E> {
        RowKernel {
            game,
            metric,
            instructions,
            placements: materials.map(|material| cache.get::<G>(&material)),
            moves: OnceLock::new(),
            exits: E::new(game, cache, materials),
        }
    }

    fn batch(&self, parallel: bool) -> RowBatch<'_, E::Buffers> {
        let placements = self.placements.each_ref().map(|placements| &**placements);
        let moves = || placements.map(|placements| QuietMoves::new(self.game, placements));
        let moves = self.moves.get_or_init(moves).each_ref();
        RowBatch {
            batch: Batch::new(self.metric, placements, moves, parallel),
            parallel,
            found: ExitScores::default(),
            buffers: E::Buffers::default(),
        }
    }

    fn bytes(
        game: G,
        materials: [Material; 2],
        fibres: usize,
        parallel: bool,
        threads: usize,
    ) -> usize {
        let [white, black] = materials.map(|side| placements::count::<G>(&side) as usize);
        let has_men = |side: &Material| G::MEN.iter().any(|&kind| side[kind] > 0);
        let has_exits = materials.iter().any(has_men);
        let (batches, helpers) = if parallel { (1, threads) } else { (threads, 1) };
        let halves = [[white, black], [black, white]];
        let halves = halves.map(|placements| HalfBatch::bytes(placements, fibres, has_exits));
        let batch = halves.iter().sum::<usize>()
            + ExitScores::bytes(white * black, has_exits)
            + E::buffer_bytes(game, white * black, helpers);
        batches * batch + (white + black) * QuietMoves::BYTES
    }

    fn begin(&self, batch: &mut RowBatch<'_, E::Buffers>, men: &[Pieces]) {
        batch.batch.begin(&men.iter().map(|men| men.occupied().bits()).collect::<Vec<u64>>());
    }

    fn seed(
        &self,
        batch: &mut RowBatch<'_, E::Buffers>,
        lookup: Lookup<'_, G>,
        mover: Color,
        men: &[Pieces],
        profile: &Profile,
    ) {
        let RowBatch { batch, parallel, found, buffers } = batch;
        let may_stand = |color: usize, set| {
            set != NOWHERE && G::may_stand(SquareSet::new(set), Color::BOTH[color], mover)
        };
        let task = Task { mover, forced_only: false, parallel: *parallel };
        let mut clock =
            CpuInstant::now(if *parallel { CpuScope::Process } else { CpuScope::Thread });
        for (fibre, men) in men.iter().enumerate() {
            self.exits.find(self.instructions, lookup, men, task, buffers, found);
            // Reading the clock for each small fibre would cost too much.
            let is_timed = found.forced.len() > 1 << 12;
            if is_timed {
                clock = profile.stop(Phase::Exits, clock);
            }
            let squares = men.occupied().bits();
            batch.seed(self.instructions, mover as usize, fibre, squares, found, &may_stand);
            if is_timed {
                clock = profile.stop(Phase::Seed, clock);
            }
        }
        profile.stop(Phase::Exits, clock);
    }

    fn solve(&self, batch: &mut RowBatch<'_, E::Buffers>) -> Result<(), TooLong> {
        batch.batch.solve(self.instructions)
    }

    fn scores<'b>(
        &self,
        batch: &'b RowBatch<'_, E::Buffers>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        batch.batch.scores(mover as usize, fibre, buffer)
    }

    fn forced<'b>(
        &self,
        batch: &'b RowBatch<'_, E::Buffers>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        batch.batch.forced(mover as usize, fibre, buffer)
    }

    fn find_forced(&self, lookup: Lookup<'_, G>, mover: Color, men: &Pieces) -> Vec<u8> {
        let mut found = ExitScores::default();
        let task = Task { mover, forced_only: true, parallel: false };
        let mut buffers = E::Buffers::default();
        self.exits.find(self.instructions, lookup, men, task, &mut buffers, &mut found);
        let [mine, other] = [mover, !mover].map(|color| self.placements[color as usize].len());
        let mut forced = vec![NONE; mine * other];
        columns::transpose(&found.forced, other, &mut forced, mine);
        forced
    }
}
