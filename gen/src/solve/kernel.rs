//! What is different inside of a batch of rows from one kind of game to the next.

use super::lookup::Lookup;
use super::placements::PlacementCache;
use super::simd::Instructions;
use crate::profile::Profile;
use damka_games::{Color, Material, Pieces};
use damka_tables::Indexable;
use damka_tables::metric::Metric;

/// Solves the fibres of one signature in batches: some at a time, whose values do not depend on
/// each other. A batch is begun, seeded with what leads out of its fibres, and solved; then its
/// scores are read. One kernel serves all threads, each with batches of its own.
///
/// Scores of a fibre with one side to move are rows for the placements of the kings that are not
/// to move, with a column for each placement of those that are.
pub trait Kernel<G: Indexable>: Sized + Send + Sync {
    /// What a thread works with, kept for the fibres that come next.
    type Batch<'k>: Send
    where
        Self: 'k;

    /// Gets ready for fibres of `game` in which White and Black have these materials.
    fn new(
        game: G,
        materials: [Material; 2],
        metric: Metric,
        instructions: Instructions,
        cache: &PlacementCache,
    ) -> Self;

    /// A batch without fibres; `parallel` says that all threads help with each, of which it then
    /// has but one.
    fn batch(&self, parallel: bool) -> Self::Batch<'_>;

    /// The bytes that working on batches takes beside the kernel itself: `threads` batches of
    /// this many fibres, or if `parallel` one, with these materials.
    fn bytes(
        game: G,
        materials: [Material; 2],
        fibres: usize,
        parallel: bool,
        threads: usize,
    ) -> usize;

    /// Begins anew with fibres given by their men.
    fn begin(&self, batch: &mut Self::Batch<'_>, men: &[Pieces]);

    /// Fills in what leads out of the fibres, once each with White and Black to move; `men` are
    /// those that the batch was begun with.
    fn seed(
        &self,
        batch: &mut Self::Batch<'_>,
        lookup: Lookup<'_, G>,
        mover: Color,
        men: &[Pieces],
        profile: &Profile,
    );

    /// Works out the values of all positions.
    ///
    /// # Errors
    /// A distance is too long for a score.
    fn solve(&self, batch: &mut Self::Batch<'_>) -> Result<(), TooLong>;

    /// The scores of a fibre, by its number in the batch, with one side to move. `buffer` is room
    /// for a copy.
    fn scores<'b>(
        &self,
        batch: &'b Self::Batch<'_>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// The scores that tables need not hold, of positions in which only captures are legal, in
    /// the order of [`scores`](Kernel::scores); NONE for other positions.
    fn forced<'b>(
        &self,
        batch: &'b Self::Batch<'_>,
        mover: Color,
        fibre: usize,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// Works out these scores for the fibre with these men alone, from what is solved already.
    fn find_forced(&self, lookup: Lookup<'_, G>, mover: Color, men: &Pieces) -> Vec<u8>;
}

/// Too long a distance.
#[derive(Debug)]
pub struct TooLong;
