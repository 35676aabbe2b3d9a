use crate::openings::Openings;
use damka_engine::{History, Playable, symmetric_key};
use damka_games::Game;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Deals the openings of a match to its threads. No two of them lead to the same position or to
/// symmetric ones, as long as there are enough openings.
///
/// The opening with a number depends on those with smaller numbers, not on the order of requests.
/// Openings are generated in parallel, and settled (compared with earlier ones) in the order of their
/// numbers.
pub(super) struct Deal<'a, G: Game> {
    openings: &'a Openings<G>,
    settled: Mutex<Settled>,
    advanced: Condvar,
}

struct Settled {
    /// The number of openings that have been dealt.
    count: u64,
    /// The keys of their positions.
    keys: HashSet<u64>,
}

/// An opening that was dealt.
pub(super) struct Dealt<G: Game> {
    pub(super) opening: History<G>,
    /// Whether an earlier number has the same opening, because there are too few.
    pub(super) is_repeated: bool,
}

impl<'a, G: Playable> Deal<'a, G> {
    pub(super) fn new(openings: &'a Openings<G>) -> Deal<'a, G> {
        let settled = Settled { count: 0, keys: HashSet::new() };
        Deal { openings, settled: Mutex::new(settled), advanced: Condvar::new() }
    }

    /// The opening with this number. Waits until all smaller numbers are settled, so every number from 0
    /// must be taken once.
    pub(super) fn take(&self, number: u64) -> Dealt<G> {
        let turn = Turn { settled: &self.settled, advanced: &self.advanced, number };
        let first = self.openings.get(number);
        let mut settled = turn.wait();
        if settled.keys.insert(symmetric_key::<G>(first.position())) {
            return Dealt { opening: first, is_repeated: false };
        }
        match self.openings.other(number, &settled.keys) {
            Some(opening) => {
                settled.keys.insert(symmetric_key::<G>(opening.position()));
                Dealt { opening, is_repeated: false }
            }
            None => Dealt { opening: first, is_repeated: true },
        }
    }
}

/// The turn of a number to be settled. It passes to the next number on drop, even in a panic:
/// otherwise other threads would wait for ever.
struct Turn<'a> {
    settled: &'a Mutex<Settled>,
    advanced: &'a Condvar,
    number: u64,
}

impl Turn<'_> {
    /// Waits until all numbers before this one are settled.
    fn wait(&self) -> MutexGuard<'_, Settled> {
        let settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |settled: &mut Settled| settled.count < self.number;
        self.advanced.wait_while(settled, is_early).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.wait().count = self.number + 1;
        self.advanced.notify_all();
    }
}
