use damka_system::{process_time, thread_time};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The phases of generation, for profiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Loading the tables of successors and exchanging their colours.
    Load,
    /// Scoring captures, promotions and moves of men.
    Exits,
    /// Converting the scores of exits into rows of bits.
    Seed,
    /// Quiet moves, one distance at a time.
    Quiet,
    /// Putting values into index order, counting and packing them.
    Output,
    /// Compressing and writing blocks.
    Compress,
    /// Reading back what was written.
    ReadBack,
}

impl Phase {
    /// All phases, in execution order.
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

/// The processor time of each phase, summed over all threads.
#[derive(Debug, Default)]
pub struct Profile([AtomicU64; Phase::ALL.len()]);

/// Which threads' processor time is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CpuScope {
    /// The current thread only.
    Thread,
    /// All threads of the process. They must be working for the current thread alone.
    Process,
}

/// A point in processor time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuInstant {
    scope: CpuScope,
    nanos: u64,
}

impl CpuInstant {
    /// The current time.
    pub(crate) fn now(scope: CpuScope) -> CpuInstant {
        let time = match scope {
            CpuScope::Thread => thread_time(),
            CpuScope::Process => process_time(),
        };
        CpuInstant { scope, nanos: time.as_nanos() as u64 }
    }
}

impl Profile {
    /// Adds the time since `start` to a phase. Returns the current time, the start of the next
    /// phase.
    pub(crate) fn stop(&self, phase: Phase, start: CpuInstant) -> CpuInstant {
        let now = CpuInstant::now(start.scope);
        let nanos = now.nanos.saturating_sub(start.nanos);
        self.0[phase as usize].fetch_add(nanos, Ordering::Relaxed);
        now
    }

    /// Runs `work` and adds its time to a phase.
    pub(crate) fn time<R>(&self, phase: Phase, scope: CpuScope, work: impl FnOnce() -> R) -> R {
        let start = CpuInstant::now(scope);
        let result = work();
        self.stop(phase, start);
        result
    }

    /// The time of each phase, in the order of [`Phase::ALL`].
    pub(crate) fn times(&self) -> [Duration; Phase::ALL.len()] {
        std::array::from_fn(|phase| Duration::from_nanos(self.0[phase].load(Ordering::Relaxed)))
    }
}
