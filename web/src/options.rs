//! The options of a server.

use damka::Access;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Directories of tables. A table is read from the first one that has it.
    pub directories: Vec<PathBuf>,
    /// The size of the cache of decoded blocks of each game, in bytes.
    pub cache_bytes: u64,
    /// How tables are read.
    pub access: Access,
    /// The time of an engine for a position that is in no table; `None` for no engine.
    pub engine_time: Option<Duration>,
    /// The origins whose pages may use the API; all if there are none.
    pub origins: Vec<String>,
    /// The limits.
    pub limits: ServerLimits,
    /// Writes a line for the person who runs the server: the address that it serves, damaged
    /// tables, reloaded tables, and requests that failed because of the server.
    pub log: fn(&str),
}

impl ServerOptions {
    /// Default options for tables in `directories`, without a log.
    pub fn new(directories: Vec<PathBuf>) -> ServerOptions {
        ServerOptions {
            directories,
            cache_bytes: 64 << 20,
            access: Access::Read,
            engine_time: None,
            origins: Vec::new(),
            limits: ServerLimits::default(),
            log: |_| {},
        }
    }
}

/// Limits on requests, so that one client does not block the others.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// The maximum number of connections. Further ones are answered with 503.
    pub connections: usize,
    /// The maximum size of request headers, in bytes.
    pub head_bytes: usize,
    /// The maximum size of a body, in bytes.
    pub body_bytes: usize,
    /// The memory for all bodies that are arriving, in bytes. Requests beyond it are answered with 503.
    pub uploads_bytes: usize,
    /// The maximum number of positions of a batch.
    pub batch: usize,
    /// The maximum size of a text of games to annotate, in bytes.
    pub annotated_bytes: usize,
    /// The maximum number of games in such a text.
    pub games: usize,
    /// The maximum number of plies of all games in such a text together, variations left out.
    pub plies: usize,
    /// The maximum number of positions of a page of a list.
    pub page: usize,
    /// The maximum number of positions, both sides to move, that are counted for a histogram that
    /// the tables do not store.
    pub histogram: u64,
    /// The time to receive request headers, and the time that an idle connection is kept.
    pub head_time: Duration,
    /// The time to receive a body, and to send a part of an answer.
    pub transfer_time: Duration,
    /// The time that one request may search tables.
    pub work_time: Duration,
    /// The time that requests may still take after the server is stopped.
    pub drain_time: Duration,
    /// Threads for answers that read tables.
    pub probe_threads: usize,
    /// Threads for maps, lists, histograms and batches.
    pub scan_threads: usize,
    /// Threads for annotated games.
    pub annotation_threads: usize,
    /// Threads for the engine.
    pub engine_threads: usize,
    /// The number of requests that may wait for each thread.
    pub queue: usize,
    /// The number of requests per second that one address may send in the long run; 0 for no limit.
    pub rate: u32,
    /// The interval at which the directories are checked.
    pub watch_time: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        let processors = available_parallelism().map_or(1, usize::from);
        ServerLimits {
            connections: 1024,
            head_bytes: 16 << 10,
            body_bytes: 4 << 20,
            uploads_bytes: 64 << 20,
            batch: 10_000,
            annotated_bytes: 1 << 20,
            games: 100,
            plies: 20_000,
            page: 1000,
            histogram: 1 << 30,
            head_time: Duration::from_secs(30),
            transfer_time: Duration::from_secs(30),
            work_time: Duration::from_secs(10),
            drain_time: Duration::from_secs(20),
            probe_threads: 2 * processors,
            scan_threads: processors.div_ceil(2),
            annotation_threads: processors.div_ceil(2),
            engine_threads: processors.div_ceil(2),
            queue: 32,
            rate: 200,
            watch_time: Duration::from_secs(3),
        }
    }
}

impl ServerLimits {
    /// The number of threads for tasks that wait for files.
    pub(crate) fn blocking_threads(&self) -> usize {
        self.probe_threads + self.scan_threads + self.annotation_threads + self.engine_threads
    }
}
