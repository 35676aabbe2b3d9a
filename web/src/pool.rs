//! Bounded work on threads that may wait for files.

use crate::errors::ApiError;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Runs a few pieces of work at once, has some more wait, and refuses the rest.
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    places: Arc<Semaphore>,
    size: usize,
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

    /// Does the work on a thread of the pool. If nobody waits for the result any more before it has
    /// begun, it is not done.
    ///
    /// # Errors
    /// The pool is full, or the work panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| ApiError::busy())?;
        let thread = Arc::clone(&self.threads).acquire_owned().await;
        let thread = thread.map_err(|_| ApiError::busy())?;
        let done = spawn_blocking(move || {
            let _held = (place, thread);
            work()
        });
        done.await.map_err(|_| ApiError::internal())
    }

    /// How many pieces of work run or wait.
    pub(crate) fn in_use(&self) -> usize {
        self.size - self.places.available_permits()
    }
}
