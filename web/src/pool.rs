//! Bounded work on threads that may wait for files.

use crate::errors::ApiError;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

/// Runs a few pieces of work at once, has some more wait, and refuses the rest.
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    places: Arc<Semaphore>,
    size: usize,
}

/// The right to run work in a pool, one piece after the other. It counts until it is dropped, and
/// as long as its work runs.
pub(crate) struct Place {
    permit: Arc<OwnedSemaphorePermit>,
    threads: Arc<Semaphore>,
}

impl Pool {
    /// A pool of so many threads, for each of which `queue` pieces of work may wait.
    pub(crate) fn new(threads: usize, queue: usize) -> Pool {
        let size = threads * (1 + queue);
        Pool {
            threads: Arc::new(Semaphore::new(threads)),
            places: Arc::new(Semaphore::new(size)),
            size,
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    /// The pool is full.
    pub(crate) fn enter(&self) -> Result<Place, ApiError> {
        let permit = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::busy())?;
        Ok(Place { permit: Arc::new(permit), threads: Arc::clone(&self.threads) })
    }

    /// Does one piece of work; see [`Place::run`].
    ///
    /// # Errors
    /// The pool is full, or the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.enter()?.run(work).await
    }

    /// How many places are taken.
    pub(crate) fn in_use(&self) -> usize {
        self.size - self.places.available_permits()
    }
}

impl Place {
    /// Does the work as soon as a thread is free. If nobody waits for the result any more before it
    /// has begun, it is not done.
    ///
    /// # Errors
    /// The work panics.
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
