//! How the fibres of a signature are shared out to threads. Nothing here depends on the number of
//! threads: a journal may be continued with another.

/// Fibres of this many positions are worked on one by one, by all threads together; those that are
/// alone in their signature already if they are smaller.
const LARGE: usize = 1 << 25;
const LARGE_ALONE: usize = 1 << 20;

/// How many batches make a round, and how many positions at most, unless that would be too few
/// batches for all threads.
pub(super) const ROUND: usize = 64;
const ROUND_POSITIONS: usize = 1 << 25;
const FEWEST: usize = 4;

/// How many positions of fibres with few columns are solved together.
const SMALL_BATCH: usize = 1 << 19;

/// How fibres of equal size are solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// One by one, by all threads together.
    pub(super) is_large: bool,
    /// The most fibres in a batch.
    batch: usize,
    /// The batches of a round, after which results are kept.
    pub(super) round: usize,
}

impl Schedule {
    /// For fibres in which White's and Black's kings have this many placements; `alone` says that
    /// there is but one.
    pub(super) fn new(placements: [usize; 2], alone: bool) -> Schedule {
        let [white, black] = placements;
        let positions = white * black;
        let is_large = positions >= if alone { LARGE_ALONE } else { LARGE };
        // As many as fill rows of bits, if they have few columns.
        let batch = match white.min(black) {
            _ if positions >= LARGE_ALONE << 1 => 1,
            1 => (SMALL_BATCH / positions).clamp(16, 512),
            2..=32 => 16,
            _ => 1,
        };
        let round = match is_large {
            true => 1,
            // Few threads can share it out evenly.
            false => (ROUND_POSITIONS / (batch * positions) / FEWEST * FEWEST).clamp(FEWEST, ROUND),
        };
        Schedule { is_large, batch, round }
    }

    /// How many of these fibres are solved together: fewer than would be best, but not by far,
    /// where there would be too few batches for all threads.
    pub(super) fn batch(self, fibres: usize) -> usize {
        fibres.div_ceil(FEWEST).clamp(self.batch.div_ceil(8), self.batch)
    }

    /// The most fibres in a round.
    pub(super) fn round_fibres(self) -> usize {
        self.batch * self.round
    }
}
