use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the time of generating goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Loading and turning the tables of what a signature leads to.
    Load,
    /// Captures, promotions and men's moves.
    Exits,
    /// Turning what the exits are worth into rows of bits.
    Seed,
    /// Quiet moves, distance by distance.
    Quiet,
    /// Putting values in order, counting and packing them.
    Output,
    /// Compressing blocks and writing them.
    Compress,
    /// Reading back what was written.
    ReadBack,
}

impl Phase {
    /// All phases in the order in which they come.
    pub const ALL: [Phase; 7] = [
        Phase::Load,
        Phase::Exits,
        Phase::Seed,
        Phase::Quiet,
        Phase::Output,
        Phase::Compress,
        Phase::ReadBack,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Load => "load",
            Phase::Exits => "exits",
            Phase::Seed => "seed",
            Phase::Quiet => "quiet",
            Phase::Output => "output",
            Phase::Compress => "compress",
            Phase::ReadBack => "read back",
        }
    }
}

/// The time each phase took, all threads together.
#[derive(Debug, Default)]
pub(crate) struct Profile([AtomicU64; Phase::ALL.len()]);

impl Profile {
    /// Does `work` and adds the time it takes to a phase.
    #[inline]
    pub(crate) fn time<R>(&self, phase: Phase, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.0[phase as usize].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    /// The time of each phase, in the order of [`Phase::ALL`].
    pub(crate) fn times(&self) -> [Duration; Phase::ALL.len()] {
        std::array::from_fn(|phase| Duration::from_nanos(self.0[phase].load(Ordering::Relaxed)))
    }
}
