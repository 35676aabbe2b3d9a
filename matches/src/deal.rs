use crate::openings::Openings;
use damka_engine::{History, Playable, symmetric_key};
use damka_games::Game;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hands out the openings of a match to the threads that play it: no two lead to the same
/// position, or to images of each other, as long as there are others.
///
/// Which opening a number gets depends on those before it, and not on who asks first. Openings are
/// looked for at the same time, and settled one after the other.
pub(super) struct Deal<'a, G: Game> {
    openings: &'a Openings<G>,
    settled: Mutex<Settled>,
    advanced: Condvar,
}

struct Settled {
    /// How many openings have been handed out.
    count: u64,
    /// The keys of their positions.
    keys: HashSet<u64>,
}

/// An opening that is handed out.
pub(super) struct Dealt<G: Game> {
    pub(super) opening: History<G>,
    /// Whether an earlier number has the same one, because there are too few.
    pub(super) is_repeated: bool,
}

impl<'a, G: Playable> Deal<'a, G> {
    pub(super) fn new(openings: &'a Openings<G>) -> Deal<'a, G> {
        let settled = Settled { count: 0, keys: HashSet::new() };
        Deal { openings, settled: Mutex::new(settled), advanced: Condvar::new() }
    }

    /// The opening of this number. Every number from 0 on must be asked for, once: those before
    /// this one are waited for.
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

/// The turn of a number to be settled. It passes on when this is dropped, also by a panic: the
/// other threads would wait for ever.
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
