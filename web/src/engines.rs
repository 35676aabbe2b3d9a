//! Engines for positions that are in no table.

use crate::errors::ApiError;
use crate::library::GameTables;
use crate::options::ServerOptions;
use crate::pool::Pool;
use damka::engine::book::BookChoice;
use damka::{
    AnyEngine, AnyGame, Control, Limits, PlayerSettings, SearchReport, SearchRequest, open_engine,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The size of each engine's transposition table, in bytes. It is small because searches are short.
const MEMORY: usize = 16 << 20;
/// The size of each engine's cache of decoded blocks, in bytes.
const CACHE: u64 = 16 << 20;
/// The number of searches that may wait for each thread.
const QUEUE: usize = 4;

/// Engines that search for a limited time, a few at a time.
pub(crate) struct Engines {
    pub(crate) time: Duration,
    pool: Pool,
    idle: Arc<Mutex<Vec<Idle>>>,
    settings: Settings,
    most_idle: usize,
}

/// An idle engine.
struct Idle {
    game: AnyGame,
    /// The digest of the engine's tables.
    digest: String,
    engine: Box<dyn AnyEngine>,
}

#[derive(Clone)]
struct Settings {
    tables: Option<PathBuf>,
    access: damka::Access,
}

impl Engines {
    /// The engines that the options request, if any.
    pub(crate) fn of(options: &ServerOptions) -> Option<Engines> {
        let threads = options.limits.engine_threads;
        Some(Engines {
            time: options.engine_time?,
            pool: Pool::new(threads, QUEUE),
            idle: Arc::default(),
            settings: Settings {
                tables: options.directories.iter().find(|place| place.is_dir()).cloned(),
                access: options.access,
            },
            most_idle: 2 * threads,
        })
    }

    /// An engine's result for a position.
    ///
    /// # Errors
    /// The text is not a position, or too many searches are waiting.
    pub(crate) async fn search(
        &self,
        tables: &GameTables,
        fen: String,
    ) -> Result<SearchReport, ApiError> {
        let (game, digest) = (tables.game, tables.digest.clone());
        let (idle, settings) = (Arc::clone(&self.idle), self.settings.clone());
        let (time, most_idle) = (self.time, self.most_idle);
        let search = move || {
            let taken = {
                let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
                let fits = |idle: &Idle| idle.game == game && idle.digest == digest;
                let place = idle.iter().position(fits);
                place.map(|place| idle.remove(place).engine)
            };
            let mut engine = match taken {
                Some(engine) => engine,
                None => open(game, settings)?,
            };
            engine.new_game();
            engine.set_position(&fen, &[])?;
            let limits = Limits { time: Some(time), is_analysis: true, ..Limits::default() };
            let request = SearchRequest { limits, lines: None };
            let report = engine.search(&request, &Control::default(), &mut |_| ());
            let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() >= most_idle {
                // Removes the engine that has been idle longest.
                idle.remove(0);
            }
            idle.push(Idle { game, digest, engine });
            Ok(report)
        };
        self.pool.run(search).await?
    }

    /// The number of running and waiting searches.
    pub(crate) fn in_use(&self) -> usize {
        self.pool.in_use()
    }
}

/// Opens an engine with its tables.
fn open(game: AnyGame, settings: Settings) -> Result<Box<dyn AnyEngine>, ApiError> {
    let settings = PlayerSettings {
        memory: MEMORY,
        cache: CACHE,
        tables: settings.tables,
        access: settings.access,
        book: BookChoice::None,
        ..PlayerSettings::new(game)
    };
    // The message is not sent, because it may name files of the server.
    open_engine(&settings).map_err(|_| ApiError::internal())
}
