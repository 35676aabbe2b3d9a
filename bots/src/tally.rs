use crate::error::CallError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The counts since the last summary in the log. Threads share them.
#[derive(Default)]
pub struct Tally {
    moves: AtomicU64,
    failures: AtomicU64,
    answered: Mutex<Option<Instant>>,
}

/// The counts of a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The moves played.
    pub(crate) moves: u64,
    /// The failed requests.
    pub(crate) failures: u64,
    /// How long ago the last request succeeded; `None` if none has.
    pub(crate) last_success: Option<Duration>,
}

impl Tally {
    /// Counts the answer to a request. A refusal is a success, because the server has answered.
    pub fn note<T>(&self, answer: &Result<T, CallError>) {
        match answer {
            Err(error) if error.is_unclear() => drop(self.failures.fetch_add(1, Ordering::Relaxed)),
            _ => {
                *self.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now())
            }
        }
    }

    /// Counts a move that was played.
    pub fn note_move(&self) {
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts since the last call.
    pub(crate) fn take(&self) -> Counts {
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
    fn counts_start_again_with_each_summary() {
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
