use crate::Instructions;
use damka_tables::metric::Metric;
use std::time::Duration;

/// How to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which tables to write for each signature.
    pub metrics: Vec<Metric>,
    /// The number of threads; 0 for one per processor.
    pub threads: usize,
    /// The memory that may be used, in bytes; `None` for all the machine has.
    pub memory: Option<u64>,
    /// How often unfinished work on a signature is synced to disk; zero for after every
    /// round. Nothing is kept of signatures that should take less.
    pub checkpoint: Duration,
    /// The instructions to use; all give the same tables.
    pub instructions: Instructions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            metrics: Metric::ALL.to_vec(),
            threads: 0,
            memory: None,
            checkpoint: Duration::from_secs(20),
            instructions: Instructions::best(),
        }
    }
}
