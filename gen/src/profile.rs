use damka_system::{process_time, thread_time};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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

/// The processor time each phase took, all threads together.
#[derive(Debug, Default)]
pub struct Profile([AtomicU64; Phase::ALL.len()]);

/// Whose processor time counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who {
    /// This thread's.
    Thread,
    /// That of all threads, while this one alone has them work for it.
    All,
}

/// A point in processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    who: Who,
    nanos: u64,
}

impl Clock {
    /// Now.
    pub(crate) fn now(who: Who) -> Clock {
        let time = match who {
            Who::Thread => thread_time(),
            Who::All => process_time(),
        };
        Clock { who, nanos: time.as_nanos() as u64 }
    }
}

impl Profile {
    /// Adds the time since `start` to a phase. Returns where the next one begins.
    pub(crate) fn stop(&self, phase: Phase, start: Clock) -> Clock {
        let now = Clock::now(start.who);
        let nanos = now.nanos.saturating_sub(start.nanos);
        self.0[phase as usize].fetch_add(nanos, Ordering::Relaxed);
        now
    }

    /// Does `work` and adds the time it takes to a phase.
    pub(crate) fn time<R>(&self, phase: Phase, who: Who, work: impl FnOnce() -> R) -> R {
        let start = Clock::now(who);
        let result = work();
        self.stop(phase, start);
        result
    }

    /// The time of each phase, in the order of [`Phase::ALL`].
    pub(crate) fn times(&self) -> [Duration; Phase::ALL.len()] {
        std::array::from_fn(|phase| Duration::from_nanos(self.0[phase].load(Ordering::Relaxed)))
    }
}
