use crate::cost::PositionCost;
use crate::needs::direct_successors;
use crate::solve::{Method, Solvable};
use damka_tables::metric::Metric;
use damka_tables::{Index, Indexable, Signature};
use std::collections::BTreeSet;

/// Header, directory and the badly compressing part of a small table, in bytes.
const TABLE_BYTES: u64 = 650;

/// The work on one signature.
#[derive(Debug)]
pub struct Job<G> {
    /// The signature.
    pub signature: Signature<G>,
    /// The tables to write; empty if the signature is only solved again.
    pub metrics: Vec<Metric>,
    /// The number of positions, both sides to move; symmetric ones are counted once.
    pub positions: u64,
    /// The signatures that one move leads to.
    pub needs: BTreeSet<Signature<G>>,
    /// The memory needed during the work, in bytes.
    pub memory: u64,
    /// The disk space needed during the work besides the tables, in bytes: for scratch files and
    /// the journal.
    pub scratch: u64,
}

impl<G: Solvable> Job<G> {
    /// A job whose memory is not estimated yet; that depends on the preceding jobs.
    pub(crate) fn new(signature: Signature<G>, metrics: Vec<Metric>) -> Job<G> {
        Job {
            signature,
            metrics,
            positions: positions(&signature),
            needs: direct_successors(&signature),
            memory: 0,
            scratch: 0,
        }
    }

    /// Whether all tables exist, so that the signature is solved again only because others need
    /// its values.
    pub fn is_present(&self) -> bool {
        self.metrics.is_empty()
    }

    fn cost(&self) -> PositionCost {
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
        let PositionCost { writing, .. } = self.cost();
        let nanoseconds = self.metrics.iter().map(|&metric| writing[metric as usize]).sum::<f64>();
        self.positions as f64 * nanoseconds / 1e9
    }

    /// The estimated time on this many threads, in seconds.
    pub fn seconds(&self, threads: usize) -> f64 {
        (self.solving() + self.writing()) / threads.max(1) as f64
    }

    /// The estimated size of its files, in bytes.
    pub fn disk(&self) -> u64 {
        let PositionCost { bits, .. } = self.cost();
        let table = |&metric: &Metric| {
            TABLE_BYTES + (self.positions as f64 * bits[metric as usize] / 8.0) as u64
        };
        self.metrics.iter().map(table).sum()
    }
}

/// The number of positions of a signature, both sides to move.
pub(crate) fn positions<G: Indexable>(signature: &Signature<G>) -> u64 {
    let sides = signature.sides().iter();
    sides
        .map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::<G>::count(&mover, &opponent)
        })
        .sum()
}
