use damka_tables::metric::Metric;
use std::iter::Sum;
use std::ops::{Add, Sub};

/// Required space in bytes. Code that allocates much has a function that computes its footprint in
/// advance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    pub(crate) memory: u64,
    /// Bytes in scratch files.
    pub(crate) scratch: u64,
}

/// The options that determine how much memory the work on a signature needs.
#[derive(Clone, Copy, Debug)]
pub struct MemoryOptions {
    /// The metric that is solved.
    pub(crate) metric: Metric,
    pub(crate) threads: usize,
    /// Whether large arrays are kept in scratch files.
    pub(crate) spill: bool,
}

impl Footprint {
    /// Memory only.
    pub(crate) fn of(bytes: usize) -> Footprint {
        Footprint { memory: bytes as u64, scratch: 0 }
    }

    /// The maximum of each component: for things that do not exist at the same time.
    pub(crate) fn max(self, other: Footprint) -> Footprint {
        let memory = self.memory.max(other.memory);
        Footprint { memory, scratch: self.scratch.max(other.scratch) }
    }
}

impl Add for Footprint {
    type Output = Footprint;

    fn add(self, other: Footprint) -> Footprint {
        Footprint { memory: self.memory + other.memory, scratch: self.scratch + other.scratch }
    }
}

impl Sub for Footprint {
    type Output = Footprint;

    fn sub(self, other: Footprint) -> Footprint {
        Footprint { memory: self.memory - other.memory, scratch: self.scratch - other.scratch }
    }
}

impl Sum for Footprint {
    fn sum<I: Iterator<Item = Footprint>>(all: I) -> Footprint {
        all.fold(Footprint::default(), Footprint::add)
    }
}
