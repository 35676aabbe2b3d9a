use crate::{GenError, Instructions};
use damka_probe::Access;
use damka_tables::metric::Metric;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::thread::available_parallelism;
use std::time::Duration;

/// Options for generating tables.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tables to write for each signature.
    pub metrics: Vec<Metric>,
    /// The number of threads; 0 for one per processor.
    pub threads: usize,
    /// The memory limit in bytes; `None` for all memory of the machine.
    pub memory: Option<u64>,
    /// Interval between syncs of the journal to disk; zero syncs after every round. Signatures that
    /// are expected to take less time than this are not journalled.
    pub checkpoint: Duration,
    /// The instruction set level; all levels give the same tables.
    pub instructions: Instructions,
    /// Whether tables are halved at the end: of the two sides to move of a signature, the table
    /// keeps the values of the side that takes less space. The other side's values follow from these
    /// by one move.
    pub half: bool,
    /// Whether tables that are known to be sound are read again.
    pub recheck: bool,
    /// How [`verify`](crate::verify()) reads tables.
    pub access: Access,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            metrics: vec![Metric::Wdl, Metric::Dtw],
            threads: 0,
            memory: None,
            checkpoint: Duration::from_secs(20),
            instructions: Instructions::best(),
            half: false,
            recheck: false,
            access: Access::default(),
        }
    }
}

impl Options {
    /// The number of threads.
    pub(crate) fn thread_count(&self) -> usize {
        match self.threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// Starts the threads. Always sets their number: otherwise rayon reads an environment variable.
    ///
    /// # Errors
    /// Fails if the system refuses to start a thread.
    pub(crate) fn thread_pool(&self) -> Result<ThreadPool, GenError> {
        Ok(ThreadPoolBuilder::new().num_threads(self.thread_count()).build()?)
    }
}
