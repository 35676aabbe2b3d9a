//! Estimates of time and disk space for the work on a signature.

use crate::cost::Cost;
use crate::plan::Job;
use crate::solve::{Method, Solvable};
use damka_tables::metric::Metric;

/// Header, directory and the badly compressing part of a small table, in bytes.
const TABLE_BYTES: u64 = 650;

impl<G: Solvable> Job<G> {
    fn cost(&self) -> Cost {
        G::Method::cost(&self.signature)
    }

    /// The estimated processor time for solving, in seconds.
    pub fn solving(&self) -> f64 {
        self.positions as f64 * self.cost().solving / 1e9
    }

    /// The estimated size of its journal, in bytes.
    pub(crate) fn journal(&self, metric: Metric) -> u64 {
        (self.positions as f64 * self.cost().journal[metric as usize] / 8.0) as u64
    }

    /// The estimated processor time for writing, in seconds.
    pub fn writing(&self) -> f64 {
        let Cost { writing, .. } = self.cost();
        let nanoseconds = self.metrics.iter().map(|&metric| writing[metric as usize]).sum::<f64>();
        self.positions as f64 * nanoseconds / 1e9
    }

    /// The estimated time on this many threads, in seconds.
    pub fn seconds(&self, threads: usize) -> f64 {
        (self.solving() + self.writing()) / threads.max(1) as f64
    }

    /// The estimated size of its files, in bytes.
    pub fn disk(&self) -> u64 {
        let Cost { bits, .. } = self.cost();
        let table = |&metric: &Metric| {
            TABLE_BYTES + (self.positions as f64 * bits[metric as usize] / 8.0) as u64
        };
        self.metrics.iter().map(table).sum()
    }
}
