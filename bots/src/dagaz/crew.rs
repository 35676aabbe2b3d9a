//! Workers, the turns that wait for them, and the turns that they take.

use super::desk::Desk;
use super::turn::{Ended, Job, Outcome};
use super::wire::Row;
use damka_engine::Control;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

/// How soon a wish to stop is noticed.
pub(super) const INTERVAL: Duration = Duration::from_millis(20);

/// Everybody at work.
pub(super) struct Crew {
    workers: Vec<Worker>,
    finished: Receiver<Finished>,
    desk: Desk,
    /// Of the sessions of the last list those that nobody has taken yet, the most urgent one first.
    waiting: VecDeque<Job>,
    /// How many turns have failed.
    failed: usize,
}

/// Somebody who takes the turns that come here.
struct Worker {
    jobs: Sender<Job>,
    is_idle: bool,
}

/// A turn that has ended, and whose it was.
pub(super) struct Finished {
    pub(super) worker: usize,
    pub(super) job: Job,
    /// `None` if it did not come to an end.
    pub(super) ended: Option<Ended>,
}

impl Crew {
    /// Workers to whom jobs can be sent, by their numbers, and from whom they come back.
    ///
    /// Workers end when there are no more jobs, which is when this is dropped.
    pub(super) fn new(jobs: Vec<Sender<Job>>, finished: Receiver<Finished>, desk: Desk) -> Crew {
        let workers = jobs.into_iter().map(|jobs| Worker { jobs, is_idle: true }).collect();
        Crew { workers, finished, desk, waiting: VecDeque::new(), failed: 0 }
    }

    /// A list has come that was asked for at this time; `None` if it could not be had. Only what the
    /// last one shows is played.
    pub(super) fn set_list(&mut self, rows: Option<Vec<Row>>, asked: Instant) {
        let due = rows.map(|rows| self.desk.due(rows, asked, Instant::now()));
        self.waiting = due.unwrap_or_default().into();
        self.hand_out();
    }

    /// Waits for this time, or to be told to stop; whoever is done meanwhile takes the next turn.
    pub(super) fn wait(&mut self, until: Instant, stop: &Control) {
        while !stop.is_stopped() {
            let rest = until.saturating_duration_since(Instant::now());
            if !self.settle(rest) && rest.is_zero() {
                break;
            }
        }
    }

    /// Waits until all turns of the list have been taken, or to be told to stop.
    pub(super) fn work_off(&mut self, stop: &Control) {
        while !stop.is_stopped() && (!self.waiting.is_empty() || self.is_busy()) {
            self.settle(INTERVAL);
        }
    }

    /// Whether turns are being taken.
    pub(super) fn is_busy(&self) -> bool {
        self.desk.is_busy()
    }

    /// How many turns have failed.
    pub(super) fn failed(&self) -> usize {
        self.failed
    }

    /// Gives the most urgent turns to workers who have none.
    fn hand_out(&mut self) {
        for worker in self.workers.iter_mut().filter(|worker| worker.is_idle) {
            let Some(job) = self.waiting.pop_front() else { return };
            self.desk.begin(&job);
            worker.is_idle = false;
            // Workers end when there are no more jobs, and not before.
            let _ = worker.jobs.send(job);
        }
    }

    /// Takes in what a worker has done, if one is done in this time.
    fn settle(&mut self, rest: Duration) -> bool {
        let Ok(finished) = self.finished.recv_timeout(rest.min(INTERVAL)) else { return false };
        let Finished { worker, job, ended } = finished;
        let has_failed =
            ended.as_ref().is_none_or(|ended| matches!(ended.outcome, Outcome::Again(..)));
        self.failed += usize::from(has_failed);
        self.workers[worker].is_idle = true;
        self.desk.end(&job, ended, Instant::now());
        self.hand_out();
        true
    }
}
