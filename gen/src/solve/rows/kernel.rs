//! The game-specific work inside a batch of the row method.

use super::lookup::Lookup;
use super::placements::PlacementCache;
use crate::profile::Profile;
use crate::solve::instructions::Instructions;
use damka_games::{Color, Material, Pieces};
use damka_tables::Indexable;
use damka_tables::metric::Metric;

/// Solves the fibres of one signature in batches. Values of fibres in the same batch do not depend
/// on each other. A batch is started with `begin`, seeded with the scores of exits, and solved;
/// then its scores are read. One kernel serves all threads; each thread has its own batches.
///
/// Scores of a fibre with one side to move are stored as rows, one for each placement of the kings
/// that are not to move, with a column for each placement of those that are.
pub trait Kernel<G: Indexable>: Sized + Send + Sync {
    /// The working state of a thread, reused from batch to batch.
    type Batch<'k>: Send
    where
        Self: 'k;

    /// Prepares a kernel for fibres of `game` in which White and Black have these materials.
    fn new(
        game: G,
        materials: [Material; 2],
        metric: Metric,
        instructions: Instructions,
        cache: &PlacementCache,
    ) -> Self;

    /// Returns a batch without fibres. With `parallel`, all threads work on the same batch, which
    /// then holds a single fibre.
    fn batch(&self, parallel: bool) -> Self::Batch<'_>;

    /// Memory for batches in bytes, not counting the kernel itself: `threads` batches of `fibres`
    /// fibres with these materials, or one batch if `parallel`.
    fn bytes(
        game: G,
        materials: [Material; 2],
        fibres: usize,
        parallel: bool,
        threads: usize,
    ) -> usize;

    /// Resets the batch to the fibres with these men.
    fn begin(&self, batch: &mut Self::Batch<'_>, men: &[Pieces]);

    /// Fills in the scores of exits. Called once with White and once with Black to move; `men` must
    /// be the slice passed to `begin`.
    fn seed(
        &self,
        batch: &mut Self::Batch<'_>,
        lookup: Lookup<'_, G>,
        mover: Color,
        men: &[Pieces],
        profile: &Profile,
    );

    /// Computes the values of all positions.
    ///
    /// # Errors
    /// Fails if a distance does not fit into a score.
    fn solve(&self, batch: &mut Self::Batch<'_>) -> Result<(), TooLong>;

    /// The scores with one side to move of a fibre, given by its index in the batch. `buffer` may
    /// be used for a copy.
    fn scores<'b>(
        &self,
        batch: &'b Self::Batch<'_>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// The scores of forced positions (only captures are legal), which tables need not store, in
    /// the order of [`scores`](Kernel::scores); NONE for other positions.
    fn forced<'b>(
        &self,
        batch: &'b Self::Batch<'_>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// Computes only the forced scores of the fibre with these men, from signatures and fibres solved
    /// before.
    fn find_forced(&self, lookup: Lookup<'_, G>, mover: Color, men: &Pieces) -> Vec<u8>;
}

/// A distance does not fit into a score.
#[derive(Debug)]
pub struct TooLong;
