//! Loops on the threads of the current pool. rayon compiles its loops again for each body; these
//! take the body as a trait object and are compiled once. An item costs a dynamic call, so its work
//! should take microseconds.

use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `work` with each number below `len`.
fn for_each(len: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..len).into_par_iter().for_each(work);
}

/// The results of `work` for each item, in the order of the items.
pub(crate) fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    map_all(items.into_iter().collect(), &work)
}

/// Like [`map`], compiled once for these types.
fn map_all<T: Send, R: Send>(items: Vec<T>, work: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
    let mut slots = Vec::with_capacity(items.len());
    for item in items {
        slots.push(Mutex::new((Some(item), None)));
    }
    for_each(slots.len(), &|number| {
        // Each number is passed once, so no thread ever waits for this lock.
        let mut slot = slots[number].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(item) = slot.0.take() {
            slot.1 = Some(work(item));
        }
    });
    let mut results = Vec::with_capacity(slots.len());
    for slot in slots {
        if let Some(result) = slot.into_inner().unwrap_or_else(PoisonError::into_inner).1 {
            results.push(result);
        }
    }
    results
}

/// Like [`map`], but skips the remaining items when `work` has failed.
///
/// # Errors
/// Fails with the first of the errors, in the order of the items.
pub(crate) fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicBool::new(false);
    let tried = map_all(items.into_iter().collect(), &|item| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(item);
        if result.is_err() {
            failed.store(true, Ordering::Relaxed);
        }
        Some(result)
    });
    let mut results = Vec::with_capacity(tried.len());
    for result in tried.into_iter().flatten() {
        results.push(result?);
    }
    Ok(results)
}

/// Calls `a` and `b`, at the same time if another thread is free.
pub(crate) fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        rayon::join(a, b);
    }
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    match (of_a, of_b) {
        (Some(a), Some(b)) => (a, b),
        _ => unreachable!("both were called"),
    }
}

/// Calls `work` on a thread of `pool`; the loops in it use the threads of the pool.
pub(crate) fn install<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> R {
    fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
        pool.install(work);
    }
    let (mut work, mut result) = (Some(work), None);
    install(pool, &mut || result = work.take().map(|work| work()));
    result.unwrap_or_else(|| unreachable!("the work was called"))
}

/// A pool of values that threads reuse, such as buffers.
pub(crate) struct Spares<T>(Mutex<Vec<T>>);

impl<T> Spares<T> {
    pub(crate) fn new() -> Spares<T> {
        Spares(Mutex::new(Vec::new()))
    }

    /// Calls `work` with a value that no other thread uses, made by `new` if there is none.
    pub(crate) fn with<R>(&self, new: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = lock().pop();
        let mut used = spare.unwrap_or_else(new);
        let result = work(&mut used);
        lock().push(used);
        result
    }
}
