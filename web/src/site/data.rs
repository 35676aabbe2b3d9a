//! Data that follow from the tables alone: counts of all signatures, and for each the histograms and
//! the beginnings of its lists.

use super::directory::SiteDirectory;
use super::{Advance, Progress, SiteError, Stage, without_data};
use crate::errors::ApiError;
use crate::library::GameTables;
use crate::objects::{Histograms, Page, Shown, Stats};
use crate::reply;
use damka::json::Object;
use damka::{Metric, SideStats};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

/// The number of positions of a list that are written. The browser continues it from the tables.
const LISTED: usize = 120;

/// The maximum number of steps of a list, each of 8,192 places. An incomplete list has a cursor for its continuation.
const STEPS: u32 = 4000;

/// The version of the files. It must change if the same tables give other files.
const FORMAT: &str = "2";

/// The written files of a game.
pub(super) struct Data {
    /// The file that names the others.
    pub(super) index: String,
    pub(super) files: Vec<String>,
}

/// The index of a game: the counts of its signatures, and the names of the other files.
#[derive(Serialize)]
struct Index {
    #[serde(flatten)]
    stats: Stats,
    /// The file of each signature.
    #[serde(rename = "materials")]
    signatures: BTreeMap<String, String>,
}

/// The file of a signature.
#[derive(Serialize)]
struct SignatureData {
    /// `None` without distances.
    #[serde(flatten)]
    histograms: Option<Histograms>,
    lists: Vec<List>,
}

/// The beginning of a list.
#[derive(Serialize)]
struct List {
    #[serde(flatten)]
    shown: Shown,
    #[serde(flatten)]
    page: Page,
}

/// Writes the data of a game. Existing files are kept.
///
/// # Errors
/// A table is damaged, a file cannot be written, or `progress` stops the work.
pub(super) fn write(
    place: &SiteDirectory,
    game: &GameTables,
    progress: &Progress<'_>,
) -> Result<Data, SiteError> {
    let name = game.info.game;
    let stats = Stats::of_all(game).map_err(|error| without_data(game, "", &error.into()))?;
    let mut by_signature: BTreeMap<&str, Vec<SideStats>> = BTreeMap::new();
    for side in &stats.stats {
        by_signature.entry(&side.signature).or_default().push(side.clone());
    }
    let hashes = hashes(game);
    let work: Vec<_> = by_signature.iter().collect();
    let (next, done, stopped) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let written: Mutex<Result<BTreeMap<String, String>, SiteError>> =
        Mutex::new(Ok(BTreeMap::new()));
    let run = || {
        while let Some(&(&signature, sides)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            let hash = hashes.get(&size(signature)).map_or("", |hash| &hash[..]);
            let path = write_signature(place, game, signature, sides, hash);
            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
            let total = work.len() as u64;
            let advance = Advance { game: game.game, stage: Stage::Lists, done, total };
            let goes_on = progress(advance).is_continue();
            let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
            match (path, goes_on, &mut *written) {
                (Ok(path), true, Ok(paths)) => drop(paths.insert(signature.to_owned(), path)),
                (Err(error), _, paths @ Ok(_)) => *paths = Err(error),
                (Ok(_), false, paths @ Ok(_)) => *paths = Err(SiteError::Interrupted),
                (_, _, Err(_)) => {}
            }
            if written.is_err() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(run);
        }
    });
    let signatures = written.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let mut files: Vec<String> = signatures.values().cloned().collect();
    let index = Index { stats, signatures };
    let bytes = reply::json(&Object::new(index)).bytes;
    let index = place.write_named(&format!("data/{name}/index"), "json", &bytes)?;
    files.push(index.clone());
    Ok(Data { index, files })
}

/// The number of pieces of a signature, which has a letter for each piece, and one between the sides.
fn size(signature: &str) -> u32 {
    signature.len() as u32 - 1
}

/// Hashes of the tables with at most N pieces, by N.
fn hashes(game: &GameTables) -> HashMap<u32, String> {
    let tables = &game.inventory.tables;
    let sizes = tables.iter().map(|table| table.pieces);
    let hash = |pieces: u32| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{FORMAT} {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
        for table in tables.iter().filter(|table| table.pieces <= pieces) {
            let (signature, metric, digest) = (&table.signature, table.metric, &table.digest);
            hasher.update(format!("{signature} {metric} {digest}\n").as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    };
    sizes.map(|pieces| (pieces, hash(pieces))).collect()
}

/// Writes the file of a signature, unless it exists. Returns its path.
fn write_signature(
    place: &SiteDirectory,
    game: &GameTables,
    signature: &str,
    stats: &[SideStats],
    hash: &str,
) -> Result<String, SiteError> {
    let path = format!("data/{}/{signature}-{hash}.json", game.info.game);
    // An incomplete file is written again.
    if place.is_json(&path) {
        return Ok(path);
    }
    let failed = |error: &ApiError| without_data(game, signature, error);
    let has_distances = game.tables.has_table(signature, Metric::Dtw);
    let histograms = match has_distances.map_err(|error| failed(&error.into()))? {
        true => Some(Histograms::of(game, signature, u64::MAX).map_err(|error| failed(&error))?),
        false => None,
    };
    let mut lists = Vec::new();
    for shown in Shown::all(stats) {
        let query = shown.query(signature);
        match Page::beginning(game, query, LISTED, STEPS) {
            Ok(page) => lists.push(List { shown, page }),
            // A list that needs missing tables is left out.
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(failed(&error.into())),
        }
    }
    let bytes = reply::json(&Object::new(SignatureData { histograms, lists })).bytes;
    place.write(&path, &bytes)?;
    Ok(path)
}
