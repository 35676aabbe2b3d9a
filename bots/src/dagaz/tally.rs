//! What a bot has done, for the operator's summary.

use super::error::CallError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Counts since the last summary. Threads may share them.
#[derive(Default)]
pub(super) struct Tally {
    moves: AtomicU64,
    failures: AtomicU64,
    answered: Mutex<Option<Instant>>,
}

/// What has been counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// The moves made.
    pub(super) moves: u64,
    /// The requests without a proper answer.
    pub(super) failures: u64,
    /// How long ago the last proper answer came; `None` if none ever has.
    pub(super) last_success: Option<Duration>,
}

impl Tally {
    /// Counts an answer.
    pub(super) fn note<T>(&self, answer: &Result<T, CallError>) {
        match answer {
            Err(error) if error.is_unclear() => drop(self.failures.fetch_add(1, Ordering::Relaxed)),
            _ => {
                *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now())
            }
        }
    }

    /// Counts a move.
    pub(super) fn note_move(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    /// What has been counted since this was last asked.
    pub(super) fn take(&self) -> Counts {
        let answered = *self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        Counts {
            moves: self.moves.swap(0, Ordering::Relaxed),
            failures: self.failures.swap(0, Ordering::Relaxed),
            last_success: answered.map(|at| at.elapsed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_begin_anew_with_each_summary() {
        let tally = Tally::default();
        assert_eq!(tally.take(), Counts { moves: 0, failures: 0, last_success: None });
        tally.note::<()>(&Err(CallError::Timeout));
        assert_eq!(tally.take(), Counts { moves: 0, failures: 1, last_success: None });
        // A refusal is an answer.
        tally.note::<()>(&Err(CallError::Refused));
        tally.note_move();
        let counts = tally.take();
        assert_eq!((counts.moves, counts.failures), (1, 0));
        assert!(counts.last_success.is_some());
        assert_eq!(tally.take().moves, 0);
    }
}
