//! The explorer as files for any web server: the page, the tables in chunks, and precomputed counts and
//! lists. `docs/SITE.md` describes how to run such a site.
//!
//! * `directory.rs`: the directory of a site, and writing files into it.
//! * `shell.rs`: the page, and the worker that stores it for offline use.
//! * `data.rs`: data that follow from the tables alone, as JSON.
//! * `tables.rs`: the tables.
//!
//! # Order
//!
//! Files named by a hash of their contents or sources are written first, then `site.json` and
//! `index.html`, which name them. Last, files that are no longer named are removed. So the directory is
//! a complete site at any time, even if the work is interrupted.

mod data;
mod directory;
mod shell;
mod tables;

use crate::assets;
use crate::errors::{ApiError, UNREADABLE_TABLE};
use crate::library::{GameTables, Library};
use crate::objects::Holdings;
use crate::options::ServerOptions;
use crate::reply;
use damka::AnyGame;
use damka::chunks::ChunksError;
use damka::json::Object;
use directory::SiteDirectory;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// Why a site could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The directory has files, but not the mark of a site.
    #[error("{} contains files that do not belong to a site", .0.display())]
    Foreign(PathBuf),
    /// Another process writes there.
    #[error("another damka writes the site in {}", .0.display())]
    Busy(PathBuf),
    /// A directory that the site writes is a link to another place.
    #[error("{} is a link: the site writes and removes files there, and does not follow links", .0.display())]
    Link(PathBuf),
    /// The tables are in the directory of the site, in which other files are removed.
    #[error("{} is in the directory of the site", .0.display())]
    TablesInside(PathBuf),
    /// A directory is not what `bindings/wasm/build` makes.
    #[error("{} has no damka.wasm", .0.display())]
    NoReader(PathBuf),
    /// The tables cannot be listed.
    #[error("the tables cannot be listed: {0}")]
    Listing(#[source] io::Error),
    /// No game has tables.
    #[error("there are no tables")]
    NoTables,
    /// A named game has no tables, or none with so few pieces.
    #[error("there are no tables of {0} for the site")]
    NoTablesOf(&'static str),
    /// A table is damaged.
    #[error("{game} {signature}: {error}")]
    Damaged {
        /// The game's name.
        game: &'static str,
        /// The table's signature.
        signature: String,
        /// What is wrong with it.
        error: String,
    },
    /// A table cannot be read, so that its contents are unknown.
    #[error("{error}")]
    Unreadable {
        /// The file.
        path: Option<PathBuf>,
        /// Which table, and why.
        error: String,
    },
    /// Tables cannot be split into chunks.
    #[error(transparent)]
    Tables(ChunksError),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The work was interrupted. Another call continues it.
    #[error("interrupted")]
    Interrupted,
}

/// The WebAssembly reader: the files that `bindings/wasm/build` makes.
#[derive(Clone, Debug)]
pub struct Reader(Vec<(String, Vec<u8>)>);

impl Reader {
    /// The reader with which the program was built, if any.
    pub fn built_in() -> Option<Reader> {
        let files = assets::reader().map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
        Reader::of(files.collect())
    }

    /// Reads the reader from a directory.
    ///
    /// # Errors
    /// The directory has no reader, or its files cannot be read.
    pub fn read(directory: &Path) -> Result<Reader, SiteError> {
        let file_error = |path: &Path, error| SiteError::File { path: path.to_owned(), error };
        let entries = fs::read_dir(directory).map_err(|error| file_error(directory, error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| file_error(directory, error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if Reader::is_needed(&name) {
                files.push((name, fs::read(&path).map_err(|error| file_error(&path, error))?));
            }
        }
        Reader::of(files).ok_or_else(|| SiteError::NoReader(directory.to_owned()))
    }

    fn of(mut files: Vec<(String, Vec<u8>)>) -> Option<Reader> {
        files.retain(|(name, _)| Reader::is_needed(name));
        files.sort();
        files.iter().any(|(name, _)| name == "damka.wasm").then_some(Reader(files))
    }

    /// Whether a browser needs the file; others are for programmers.
    fn is_needed(name: &str) -> bool {
        [".js", ".wasm"].iter().any(|ending| name.ends_with(ending))
    }
}

/// The contents of a site.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// Directories of tables. A table is read from the first one that has it.
    pub directories: Vec<PathBuf>,
    /// The games, which must have tables; if empty, all games with tables.
    pub games: Vec<AnyGame>,
    /// The maximum number of pieces of a table; `None` for all tables.
    pub pieces: Option<u32>,
    /// The WebAssembly reader.
    pub reader: Reader,
}

/// The progress of the work.
#[derive(Clone, Copy, Debug)]
pub struct Advance {
    /// The game that is written.
    pub game: AnyGame,
    /// The stage of its work.
    pub stage: Stage,
    /// The number of bytes or signatures that are done.
    pub done: u64,
    /// The number of all bytes or signatures.
    pub total: u64,
}

/// A part of the work for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Tables are split into chunks; progress is in bytes.
    Tables,
    /// Positions are listed; progress is in signatures.
    Lists,
}

/// Receives progress, and may stop the work. It is called from several threads.
pub type Progress<'a> = dyn Fn(Advance) -> ControlFlow<()> + Sync + 'a;

/// A summary of the written site.
#[derive(Clone, Debug, Serialize)]
pub struct SiteSummary {
    /// Identifies the contents.
    pub version: String,
    /// The games.
    pub games: Vec<GameSummary>,
    /// The size of the page and the reader, in bytes.
    pub page_bytes: u64,
    /// The number of all files.
    pub files: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
}

/// A game of a site.
#[derive(Clone, Debug, Serialize)]
pub struct GameSummary {
    /// The game's name.
    pub game: &'static str,
    /// The number of tables.
    pub tables: u64,
    /// The size of the tables in bytes.
    pub table_bytes: u64,
    /// The number of files of the game.
    pub files: u64,
    /// The size of these files in bytes.
    pub bytes: u64,
}

/// `site.json`: the contents of the site, and their places.
#[derive(Serialize)]
struct Manifest<'a> {
    /// The version of damka.
    damka: &'static str,
    /// Identifies the contents of the site.
    version: &'a str,
    games: Vec<Entry>,
}

/// A game in `site.json`.
#[derive(Serialize)]
struct Entry {
    game: &'static str,
    #[serde(flatten)]
    holdings: Holdings,
    /// The directory of its tables in chunks.
    directory: String,
    /// The file with its counts, which names those of its signatures.
    index: String,
    /// The size of all these files in bytes.
    data_bytes: u64,
}

/// Writes a site into a directory, which is new, empty, or already a site. Existing files are kept, and
/// files that no longer belong to the site are removed.
///
/// # Errors
/// There are no tables, one is damaged or unreadable, a file cannot be written, or `progress` stops the
/// work. An existing site still works as before.
pub fn write(
    options: &SiteOptions,
    directory: &Path,
    progress: &Progress<'_>,
) -> Result<SiteSummary, SiteError> {
    let games = open(options)?;
    let place = SiteDirectory::claim(directory)?;
    for tables in &options.directories {
        if place.holds(tables) {
            return Err(SiteError::TablesInside(tables.clone()));
        }
    }
    let mut prepared = Vec::new();
    for game in &games {
        let tables = tables::prepare(&place, game, options, progress)?;
        prepared.push((game, tables, data::write(&place, game, progress)?));
    }
    let shell = shell::write(&place, &options.reader)?;
    // All other files are written. From here on visitors see the new site.
    let (mut entries, mut summaries, mut needed) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (game, tables, data) in prepared {
        let name = game.info.game;
        let tables = tables::publish(tables)?;
        let data_bytes = place.size(&data.files)?;
        summaries.push(GameSummary {
            game: name,
            tables: tables.tables,
            table_bytes: tables.table_bytes,
            files: tables.files + data.files.len() as u64,
            bytes: tables.bytes + data_bytes,
        });
        let (directory, index) = (tables::directory(name), data.index);
        needed.extend(data.files);
        let holdings = Holdings::of(game);
        entries.push(Entry { game: name, holdings, directory, index, data_bytes });
    }
    needed.extend(shell.files.iter().cloned());
    let version = version(&shell.name, &games);
    let manifest = Manifest { damka: env!("CARGO_PKG_VERSION"), version: &version, games: entries };
    place.write("site.json", &reply::json(&Object::new(manifest)).bytes)?;
    shell.publish(&place, &version)?;
    place.clean(&needed, &games.iter().map(|game| game.info.game).collect::<Vec<_>>())?;
    let (files, bytes) = place.total()?;
    Ok(SiteSummary { version, games: summaries, page_bytes: shell.bytes, files, bytes })
}

/// Opens the games with tables, all of which must be readable.
fn open(options: &SiteOptions) -> Result<Vec<Arc<GameTables>>, SiteError> {
    let library = Library::open(&ServerOptions::new(options.directories.clone()))
        .map_err(SiteError::Listing)?;
    let named = BTreeSet::from_iter(options.games.iter().map(|game| game.name()));
    let mut games = Vec::new();
    for game in AnyGame::all().filter(|game| named.is_empty() || named.contains(game.name())) {
        let name = game.name();
        let Some(mut game) = library.game(game) else { continue };
        if let Some(pieces) = options.pieces {
            game = Arc::new(game.up_to(pieces));
        }
        if let Some(damaged) = game.inventory.damaged.first() {
            let (signature, error) = (damaged.signature.clone(), damaged.error.clone());
            return Err(match damaged.is_unreadable {
                true => SiteError::Unreadable { path: damaged.path.clone(), error },
                false => SiteError::Damaged { game: game.info.game, signature, error },
            });
        }
        match game.inventory.tables.is_empty() {
            false => games.push(game),
            true if named.is_empty() => {}
            true => return Err(SiteError::NoTablesOf(name)),
        }
    }
    if games.is_empty() { Err(SiteError::NoTables) } else { Ok(games) }
}

/// A hash that identifies the contents of a site.
fn version(shell: &str, games: &[Arc<GameTables>]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(shell.as_bytes());
    for game in games {
        hasher.update(game.info.game.as_bytes());
        hasher.update(game.digest.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The error for a signature without counts or lists.
fn without_data(game: &GameTables, signature: &str, error: &ApiError) -> SiteError {
    let message = error.message.clone();
    match error.code {
        UNREADABLE_TABLE => SiteError::Unreadable { path: None, error: message },
        _ => {
            let (game, signature) = (game.info.game, signature.to_owned());
            SiteError::Damaged { game, signature, error: message }
        }
    }
}
