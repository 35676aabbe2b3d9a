//! The data that the server's threads share.

use super::faults::{Fault, Plan, name_of};
use super::http::{Reply, Request};
use super::state::State;
use super::tokens;
use damka_games::Random;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The number of calls that are kept.
const REMEMBERED: usize = 50;

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the request, without numbers: `POST /move`.
    pub name: String,
    /// The path.
    pub path: String,
    /// The user of the request's token.
    pub user: Option<i64>,
    /// The body of the request.
    pub body: String,
    /// The injected fault.
    pub fault: Option<Fault>,
    /// The answer; `None` if there was none.
    pub reply: Option<Reply>,
}

pub(super) struct Shared {
    state: Mutex<State>,
    plan: Mutex<Plan>,
    calls: Mutex<Calls>,
    random: Mutex<Random>,
    /// The end of a restart.
    pub(super) down: Mutex<Option<Instant>>,
    pub(super) is_over: AtomicBool,
}

/// The requests so far.
#[derive(Default)]
pub(super) struct Calls {
    /// The number of requests.
    pub(super) count: usize,
    /// The injected faults, in order.
    pub(super) faults: Vec<Fault>,
    pub(super) last: VecDeque<Call>,
    /// The number of violations to whose details the last requests have been added.
    explained: usize,
}

impl Shared {
    pub(super) fn new() -> Shared {
        Shared {
            state: Mutex::default(),
            plan: Mutex::default(),
            calls: Mutex::default(),
            random: Mutex::new(Random::new(1)),
            down: Mutex::default(),
            is_over: AtomicBool::new(false),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    pub(super) fn plan(&self) -> MutexGuard<'_, Plan> {
        locked(&self.plan)
    }

    pub(super) fn random(&self) -> MutexGuard<'_, Random> {
        locked(&self.random)
    }

    pub(super) fn calls(&self) -> MutexGuard<'_, Calls> {
        locked(&self.calls)
    }

    pub(super) fn note(&self, request: &Request, fault: Option<Fault>, reply: Option<Reply>) {
        let calls = &mut *self.calls();
        calls.count += 1;
        calls.faults.extend(fault);
        if calls.last.len() == REMEMBERED {
            calls.last.pop_front();
        }
        calls.last.push_back(Call {
            name: name_of(request),
            path: request.path.clone(),
            user: tokens::caller(request),
            body: String::from_utf8_lossy(&request.body).into_owned(),
            fault,
            reply,
        });
        let found = &mut self.state().violations;
        for violation in &mut found[calls.explained..] {
            let before = calls.last.iter().map(|call| format!("\n  {call:?}"));
            violation.detail.extend(before);
        }
        calls.explained = found.len();
    }
}

/// Locks data that is consistent even after a panic.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
