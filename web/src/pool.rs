//! A limited number of tasks on threads that may wait for files.

use crate::errors::ApiError;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// Runs a few tasks at a time, lets some more wait, and refuses the rest.
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    places: Arc<Semaphore>,
    size: usize,
}

/// A permit to run tasks in a pool; counted until it is dropped and its task has ended.
pub(crate) struct Permit {
    permit: Arc<OwnedSemaphorePermit>,
    threads: Arc<Semaphore>,
}

impl Pool {
    /// A pool of `threads` threads; for each, `queue` tasks may wait.
    pub(crate) fn new(threads: usize, queue: usize) -> Pool {
        let size = threads * (1 + queue);
        Pool {
            threads: Arc::new(Semaphore::new(threads)),
            places: Arc::new(Semaphore::new(size)),
            size,
        }
    }

    /// Takes a permit.
    ///
    /// # Errors
    /// The pool is full.
    pub(crate) fn enter(&self) -> Result<Permit, ApiError> {
        let permit = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::busy())?;
        Ok(Permit { permit: Arc::new(permit), threads: Arc::clone(&self.threads) })
    }

    /// Runs one task; see [`Permit::run`].
    ///
    /// # Errors
    /// The pool is full, or the task panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.enter()?.run(work).await
    }

    /// The number of permits in use.
    pub(crate) fn in_use(&self) -> usize {
        self.size - self.places.available_permits()
    }
}

impl Permit {
    /// Runs a task as soon as a thread is free. If the future is dropped before that, the task does not
    /// run.
    ///
    /// # Errors
    /// The task panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let thread = Arc::clone(&self.threads).acquire_owned().await;
        let thread = thread.map_err(|_| ApiError::busy())?;
        let place = Arc::clone(&self.permit);
        let done = spawn_blocking(move || {
            let _held = (place, thread);
            work()
        });
        done.await.map_err(|_| ApiError::internal())
    }
}
