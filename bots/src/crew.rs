//! The workers of a bot, one for each concurrent search, and the turns that wait for them.

use crate::interrupt::INTERVAL;
use crate::site::{Notice, Site};
use crate::tracker::{Ended, Job, Tracker, TurnOutcome};
use damka_engine::Control;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The workers and the turns that wait for them.
pub(crate) struct Crew<'a, S: Site> {
    workers: Vec<Worker<S::Memory>>,
    finished: Receiver<Finished<S::Memory>>,
    tracker: &'a Mutex<Tracker<S::Memory>>,
    /// The turns of the last list that no worker has taken yet, the most urgent one first.
    waiting: VecDeque<Job<S::Memory>>,
    /// The number of turns that have failed.
    failed: usize,
}

struct Worker<M> {
    jobs: Sender<Job<M>>,
    is_idle: bool,
}

/// A turn that a worker has taken.
pub(crate) struct Finished<M> {
    pub(crate) worker: usize,
    pub(crate) job: Job<M>,
    /// `None` after a panic.
    pub(crate) ended: Option<Ended<M>>,
}

impl<'a, S: Site> Crew<'a, S> {
    /// A crew of workers that receive turns through the channels `jobs`, and return them through `finished`.
    ///
    /// The workers end when the crew is dropped.
    pub(crate) fn new(
        jobs: Vec<Sender<Job<S::Memory>>>,
        finished: Receiver<Finished<S::Memory>>,
        tracker: &'a Mutex<Tracker<S::Memory>>,
    ) -> Crew<'a, S> {
        let workers = jobs.into_iter().map(|jobs| Worker { jobs, is_idle: true }).collect();
        Crew { workers, finished, tracker, waiting: VecDeque::new(), failed: 0 }
    }

    /// Replaces the waiting turns by those of a list that was requested at `requested`; `None` if the
    /// request failed. Only games of the last list are played.
    pub(crate) fn set_list(&mut self, list: Option<Vec<Notice>>, requested: Instant) {
        let due = list.map(|list| self.tracker().due(list, requested, Instant::now()));
        self.waiting = due.unwrap_or_default().into();
        self.hand_out();
    }

    /// Waits until this time or until stopped. Workers that finish meanwhile take the next turn.
    pub(crate) fn wait(&mut self, until: Instant, stop: &Control) {
        while !stop.is_stopped() {
            let rest = until.saturating_duration_since(Instant::now());
            if !self.receive(rest) && rest.is_zero() {
                break;
            }
        }
    }

    /// Waits until all turns of the list have been taken, or until stopped.
    pub(crate) fn finish(&mut self, stop: &Control) {
        while !stop.is_stopped() && (!self.waiting.is_empty() || self.is_busy()) {
            self.receive(INTERVAL);
        }
    }

    /// Whether turns are being taken.
    pub(crate) fn is_busy(&self) -> bool {
        self.tracker().is_busy()
    }

    /// The number of turns that have failed.
    pub(crate) fn failed(&self) -> usize {
        self.failed
    }

    fn tracker(&self) -> MutexGuard<'a, Tracker<S::Memory>> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the most urgent turns to idle workers.
    fn hand_out(&mut self) {
        let mut tracker = self.tracker();
        for worker in self.workers.iter_mut().filter(|worker| worker.is_idle) {
            let Some(job) = self.waiting.pop_front() else { return };
            tracker.begin(&job);
            worker.is_idle = false;
            // Sending cannot fail: a worker ends only when its channel is dropped.
            let _ = worker.jobs.send(job);
        }
    }

    /// Waits for a finished turn, at most `timeout` and at most [`INTERVAL`], and hands out the next turn.
    /// Returns whether one has finished.
    fn receive(&mut self, timeout: Duration) -> bool {
        let Ok(finished) = self.finished.recv_timeout(timeout.min(INTERVAL)) else { return false };
        let Finished { worker, job, ended } = finished;
        let has_failed =
            ended.as_ref().is_none_or(|ended| matches!(ended.outcome, TurnOutcome::Failed(_)));
        self.failed += usize::from(has_failed);
        self.workers[worker].is_idle = true;
        self.tracker().end(&job, ended, Instant::now());
        self.hand_out();
        true
    }
}
