//! The tables of all games, reloaded when their files change.

use crate::log::Log;
use crate::options::ServerOptions;
use damka::tables::metric::Metric;
use damka::{AnyGame, AnyTables, GameInfo, Inventory, ProbeOptions};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::SystemTime;

/// The tables of all games.
pub(crate) struct Library {
    directories: Vec<PathBuf>,
    options: ProbeOptions,
    /// One for each game, in the order of [`AnyGame::all`].
    shelves: Vec<Shelf>,
}

/// The current tables of a game.
struct Shelf {
    game: AnyGame,
    now: RwLock<Arc<GameTables>>,
}

/// The tables of a game at a point in time. Requests in progress keep the tables that they began with.
pub(crate) struct GameTables {
    pub(crate) game: AnyGame,
    pub(crate) info: Arc<GameInfo>,
    pub(crate) tables: Arc<dyn AnyTables>,
    pub(crate) inventory: Inventory,
    /// The digest of all tables, in hexadecimal digits.
    pub(crate) digest: String,
    files: Vec<File>,
    /// The answer to `stats` of all signatures.
    pub(crate) stats: OnceLock<Vec<u8>>,
    /// The answers to `histogram` by signature.
    pub(crate) histograms: Mutex<HashMap<String, Vec<u8>>>,
}

/// The identity of a table file, which changes when the file is changed or replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    name: String,
    directory: usize,
    len: u64,
    modified: Option<SystemTime>,
}

impl Library {
    /// Opens the tables of all games.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub(crate) fn open(options: &ServerOptions) -> io::Result<Library> {
        let mut library = Library {
            directories: options.directories.clone(),
            options: ProbeOptions { cache_bytes: options.cache_bytes, access: options.access },
            shelves: Vec::new(),
        };
        for game in AnyGame::all() {
            let info = Arc::new(GameInfo::of(game));
            let files = library.files(game)?;
            let tables = library.read(game, info, files, None)?;
            library.shelves.push(Shelf { game, now: RwLock::new(Arc::new(tables)) });
        }
        Ok(library)
    }

    /// The tables of a game.
    pub(crate) fn game(&self, game: AnyGame) -> Option<Arc<GameTables>> {
        self.shelves.iter().find(|shelf| shelf.game == game).map(Shelf::now)
    }

    /// The tables of all games.
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<GameTables>> {
        self.shelves.iter().map(Shelf::now)
    }

    /// Lists the directories, and reloads the tables of games whose files have changed. Logs each reload.
    ///
    /// # Errors
    /// A directory cannot be listed. The other games are still reloaded.
    pub(crate) fn refresh(&self, log: &Log) -> io::Result<()> {
        let mut failed = Ok(());
        for shelf in &self.shelves {
            let before = shelf.now();
            let refreshed = self.files(shelf.game).and_then(|files| {
                if files == before.files {
                    return Ok(None);
                }
                let info = Arc::clone(&before.info);
                self.read(shelf.game, info, files, Some(&before)).map(Some)
            });
            match refreshed {
                Ok(None) => {}
                Ok(Some(tables)) => {
                    let (game, count) = (shelf.game.name(), tables.inventory.tables.len());
                    log.write(&format!("{game}: files have changed: {count} tables now"));
                    tables.report_damage(log);
                    *shelf.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tables);
                }
                Err(error) => failed = Err(error),
            }
        }
        failed
    }

    /// The tables of a game in these files. If files were only added since `before`, the open tables
    /// and their decoded blocks are kept.
    fn read(
        &self,
        game: AnyGame,
        info: Arc<GameInfo>,
        files: Vec<File>,
        before: Option<&GameTables>,
    ) -> io::Result<GameTables> {
        let kept = before
            .filter(|before| before.files.iter().all(|file| files.binary_search(file).is_ok()));
        let tables: Arc<dyn AnyTables> = match kept {
            Some(before) => Arc::clone(&before.tables),
            None => damka::open_all(game, &self.directories, self.options).into(),
        };
        let inventory = tables.inventory().map_err(io::Error::other)?;
        Ok(GameTables {
            game,
            info,
            tables,
            digest: digest(&inventory),
            inventory,
            files,
            stats: OnceLock::new(),
            histograms: Mutex::default(),
        })
    }

    /// The files of a game's tables, in order.
    fn files(&self, game: AnyGame) -> io::Result<Vec<File>> {
        let mut files = Vec::new();
        for (directory, path) in self.directories.iter().enumerate() {
            let entries = match fs::read_dir(path.join(game.name())) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_table = name
                    .split_once('.')
                    .is_some_and(|(_, ending)| ending.parse::<Metric>().is_ok());
                // A file may be removed while the directory is read.
                if let (true, Ok(metadata)) = (is_table, entry.metadata()) {
                    let modified = metadata.modified().ok();
                    files.push(File { name, directory, len: metadata.len(), modified });
                }
            }
        }
        files.sort();
        Ok(files)
    }
}

/// A hash that identifies the values of tables and the version of damka.
fn digest(inventory: &Inventory) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    for table in &inventory.tables {
        let (signature, metric, digest) = (&table.signature, table.metric, &table.digest);
        hasher.update(format!("{signature} {metric} {digest}\n").as_bytes());
    }
    for damaged in &inventory.damaged {
        hasher.update(format!("{} {}\n", damaged.signature, damaged.error).as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

impl GameTables {
    /// The signatures that have a table, each once.
    pub(crate) fn signatures(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let signatures = self.inventory.tables.iter().map(|table| &table.signature);
        signatures.filter(|&signature| seen.insert(signature)).cloned().collect()
    }

    /// Writes the damaged tables to a log.
    pub(crate) fn report_damage(&self, log: &Log) {
        for damaged in &self.inventory.damaged {
            let file = match &damaged.path {
                Some(path) => path.display().to_string(),
                None => format!("{} {}.{}", damaged.game, damaged.signature, damaged.metric),
            };
            log.write(&format!("{file}: {}", damaged.error));
        }
    }

    /// These tables, except those with more than `pieces` pieces.
    pub(crate) fn up_to(&self, pieces: u32) -> GameTables {
        let Inventory { mut tables, mut damaged } = self.inventory.clone();
        tables.retain(|table| table.pieces <= pieces);
        // A signature has a letter for each piece, and one between the sides.
        damaged.retain(|table| table.signature.len() <= pieces as usize + 1);
        let inventory = Inventory { tables, damaged };
        GameTables {
            game: self.game,
            info: Arc::clone(&self.info),
            tables: Arc::clone(&self.tables),
            digest: digest(&inventory),
            inventory,
            files: self.files.clone(),
            stats: OnceLock::new(),
            histograms: Mutex::default(),
        }
    }
}

impl Shelf {
    fn now(&self) -> Arc<GameTables> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }
}
