//! How the fibres of a signature are distributed over threads. Nothing here depends on the number
//! of threads, so a journal can be resumed with a different one.

/// Fibres of at least this many positions are solved one at a time by all threads together. A lower
/// threshold applies to a fibre that is the only one of its signature.
const LARGE_FIBRE: usize = 1 << 25;
const LARGE_SINGLE_FIBRE: usize = 1 << 20;

/// The maximum number of batches in a round, and the number of positions that a round aims at.
/// Unless fibres are large, a round has at least `MIN_BATCHES_PER_ROUND` batches, so that a few
/// threads have work.
pub(super) const MAX_BATCHES_PER_ROUND: usize = 64;
const MAX_POSITIONS_PER_ROUND: usize = 1 << 25;
const MIN_BATCHES_PER_ROUND: usize = 4;

/// Small groups are split into this many batches if they have enough fibres. With 4 instead of 16,
/// sixteen threads wait longer for each other, and a single thread is not faster.
const BATCHES_PER_GROUP: usize = 16;

/// Number of positions solved together when fibres have few columns.
const SMALL_BATCH_POSITIONS: usize = 1 << 19;

/// How fibres of equal size are solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Whether fibres are solved one at a time, by all threads together.
    pub(super) is_large: bool,
    /// The maximum number of fibres in a batch.
    batch: usize,
    /// Batches in a round. Results are stored after each round.
    pub(super) round: usize,
}

impl Schedule {
    /// The schedule for fibres in which White's and Black's kings have this many placements;
    /// `is_only_fibre` means that the signature has no other fibre.
    pub(super) fn new(placements: [usize; 2], is_only_fibre: bool) -> Schedule {
        let [white, black] = placements;
        let positions = white * black;
        let is_large = positions >= if is_only_fibre { LARGE_SINGLE_FIBRE } else { LARGE_FIBRE };
        // If a fibre has few columns, a batch has enough fibres to fill the rows of bits.
        let batch = match white.min(black) {
            _ if positions >= LARGE_SINGLE_FIBRE << 1 => 1,
            1 => (SMALL_BATCH_POSITIONS / positions).clamp(16, 512),
            2..=32 => 16,
            _ => 1,
        };
        let round = match is_large {
            true => 1,
            // A multiple of MIN_BATCHES_PER_ROUND, so that a few threads share a round evenly.
            false => (MAX_POSITIONS_PER_ROUND / (batch * positions) / MIN_BATCHES_PER_ROUND
                * MIN_BATCHES_PER_ROUND)
                .clamp(MIN_BATCHES_PER_ROUND, MAX_BATCHES_PER_ROUND),
        };
        Schedule { is_large, batch, round }
    }

    /// The batch size for a group of `fibres` fibres. Smaller than the maximum, but by a factor of
    /// at most 8, if there would otherwise be too few batches for all threads.
    pub(super) fn batch(self, fibres: usize) -> usize {
        fibres.div_ceil(BATCHES_PER_GROUP).clamp(self.batch.div_ceil(8), self.batch)
    }

    /// The maximum number of fibres in a round.
    pub(super) fn round_fibres(self) -> usize {
        self.batch * self.round
    }
}
