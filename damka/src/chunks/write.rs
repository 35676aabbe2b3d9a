use super::layout::{Link, Page, Root};
use super::{CHUNK_LEN, ChunkId, ChunkList, ChunkManifest, ChunkedTable, ENDING, MANIFEST_NAME};
use crate::tables::format::{Decoder, Source};
use crate::{
    Access, AnyGame, Game, Indexable, Metric, ProbeError, Signature, Storage, Table, Tables,
};
use damka_games::with_game;
use damka_probe::{Files, table_name};
use damka_system::{
    AtomicFile, create_directories, final_name_of, read_whole, sync_published, write_atomically,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, mem};
use thiserror::Error;

/// How many blocks share a page. With a root of as many bytes as a page, few bytes are fetched for a
/// block of a large table.
const PAGE_BLOCKS: u64 = 128;

/// Which tables are cut, and where the chunks go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRequest {
    /// The game.
    pub game: AnyGame,
    /// The directories of tables. Each table is read from the first one that has it.
    pub tables: Vec<PathBuf>,
    /// The most pieces of a table; `None` for all tables.
    pub most_pieces: Option<u32>,
    /// The directory in which the game has a directory of its own.
    pub out: PathBuf,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ChunksWritten {
    /// The number of tables.
    pub tables: u64,
    /// Their size in bytes.
    pub table_bytes: u64,
    /// The number of chunks, and of the files beside them.
    pub files: u64,
    /// The size of all these files in bytes.
    pub bytes: u64,
    /// The number of chunks that were not there before.
    pub new: u64,
    /// The number of chunks that were removed, because no table has them any more.
    pub removed: u64,
}

/// Why tables could not be cut.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChunksError {
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// There are no tables to cut.
    #[error("there are no tables of {0}")]
    NoTables(&'static str),
    /// A file cannot be written.
    #[error("{} cannot be written: {error}", path.file_name().unwrap_or_default().display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The caller ended the work.
    #[error("interrupted")]
    Interrupted,
}

/// Checks the tables of a game and writes them as chunks with a manifest, into a directory with the
/// name of the game. Chunks that are there already are kept, so that interrupted work goes on where it
/// stopped. The manifest is replaced when all chunks are on the disk; then chunks are removed that it
/// does not name. Only one program may write into a directory at a time. `progress` gets the bytes of
/// tables done and those in all, and may break.
///
/// # Errors
/// A table is damaged, there are none, a file cannot be written, or `progress` broke. What a manifest
/// that is there names stays as it is.
pub fn write_chunks(
    request: &ChunkRequest,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<ChunksWritten, ChunksError> {
    with_game!(request.game, game => write(game, request, progress))
}

fn write<G: Indexable>(
    game: G,
    request: &ChunkRequest,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<ChunksWritten, ChunksError> {
    let ChunkRequest { tables: directories, most_pieces, out, .. } = request;
    let mut directories = directories.iter().cloned();
    let directory = directories.next().unwrap_or_default();
    let files = Files { directory, others: directories.collect(), access: Access::Read };
    let tables = Tables::in_storage(game, files, 0);
    let (chosen, total) = chosen(&tables, *most_pieces)?;
    if chosen.is_empty() {
        return Err(ChunksError::NoTables(Game::name(game)));
    }
    let mut done = 0;
    let mut writer = Writer::new(out.join(Game::name(game)))?;
    for (signature, metric) in chosen {
        if progress(done, total).is_break() {
            return Err(ChunksError::Interrupted);
        }
        let table = tables.open_table(signature, metric)?;
        table.check()?;
        let mut report = |bytes: u64| progress(done + bytes, total);
        writer.add(&table, &mut report)?;
        done += table.header().file_len();
    }
    writer.flush()?;
    let written = writer.finish(Game::name(game))?;
    let _ = progress(total, total);
    Ok(written)
}

/// The tables to be cut, those with distances first: a question usually needs several of these and
/// none of the others. And their size in bytes.
type Chosen<G> = (Vec<(Signature<G>, Metric)>, u64);

fn chosen<G: Indexable, S: Storage>(
    tables: &Tables<G, S>,
    most_pieces: Option<u32>,
) -> Result<Chosen<G>, ProbeError> {
    let (mut chosen, mut total) = (Vec::new(), 0);
    let signatures = tables.signatures()?;
    for metric in Metric::ALL.into_iter().rev() {
        for &signature in &signatures {
            if most_pieces.is_some_and(|most| signature.pieces() > most) {
                continue;
            }
            match tables.open_table(signature, metric) {
                Ok(table) => {
                    chosen.push((signature, metric));
                    total += table.header().file_len();
                }
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok((chosen, total))
}

/// Writes the chunks of a game.
struct Writer {
    directory: PathBuf,
    /// The chunks of all tables so far, and their lengths.
    chunks: BTreeMap<ChunkId, u32>,
    /// The chunks that were not there before.
    new: Vec<PathBuf>,
    tables: BTreeMap<String, ChunkedTable>,
    /// Small tables that will share a chunk.
    pack: Vec<u8>,
    /// Their names, their places in the chunk, and their sizes.
    packed: Vec<(String, u32, u64)>,
}

impl Writer {
    fn new(directory: PathBuf) -> Result<Writer, ChunksError> {
        create_directories(&directory).map_err(|error| failed(&directory, error))?;
        Ok(Writer {
            directory,
            chunks: BTreeMap::new(),
            new: Vec::new(),
            tables: BTreeMap::new(),
            pack: Vec::new(),
            packed: Vec::new(),
        })
    }

    /// Adds a table that has been checked. `progress` gets the bytes done.
    fn add<G: Indexable, B: Source>(
        &mut self,
        table: &Table<G, B>,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), ChunksError> {
        let header = table.header();
        let name = table_name(table.signature(), header.metric());
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        let bytes = header.file_len();
        if bytes <= CHUNK_LEN as u64 {
            if self.pack.len() + bytes as usize > CHUNK_LEN {
                self.flush()?;
            }
            self.packed.push((name, self.pack.len() as u32, bytes));
            self.pack.extend(raw(table, 0..bytes)?);
            return Ok(());
        }
        let chunk = self.split(table, progress)?;
        self.tables.insert(name, ChunkedTable { bytes, chunk, at: None });
        Ok(())
    }

    /// Writes the chunk of small tables.
    fn flush(&mut self) -> Result<(), ChunksError> {
        let pack = mem::take(&mut self.pack);
        if !pack.is_empty() {
            let chunk = self.put(&pack)?;
            for (name, at, bytes) in mem::take(&mut self.packed) {
                self.tables.insert(name, ChunkedTable { bytes, chunk, at: Some(at) });
            }
        }
        Ok(())
    }

    /// Writes the chunks of a large table. Returns its root.
    fn split<G: Indexable, B: Source>(
        &mut self,
        table: &Table<G, B>,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<ChunkId, ChunksError> {
        let header = table.header();
        let (entries, blocks) = (header.block_entries(), header.blocks());
        let Cut { chunks, pages } = cut(table)?;
        let mut links = Vec::new();
        for range in chunks {
            let bytes = raw(table, range.clone())?;
            links.push((range.clone(), Link { len: bytes.len() as u32, id: self.put(&bytes)? }));
            if progress(range.end).is_break() {
                return Err(ChunksError::Interrupted);
            }
        }
        let page_entries_len = (entries.end - entries.start) / blocks * PAGE_BLOCKS;
        let mut page_links = Vec::new();
        let mut page_start = entries.start;
        for data in pages {
            let page_end = (page_start + page_entries_len).min(entries.end);
            // The first and the last chunk may have blocks of other pages as well.
            let first = links.partition_point(|(chunk, _)| chunk.end <= data.start);
            let last = links.partition_point(|(chunk, _)| chunk.start < data.end).max(first);
            let start = links.get(first).map_or(data.start, |(chunk, _)| chunk.start);
            let chunks: Vec<Link> = links[first..last].iter().map(|&(_, link)| link).collect();
            let page = Page::encode(&raw(table, page_start..page_end)?, start, &chunks);
            let len = (data.end - data.start) as u32;
            page_links.push(Link { len, id: self.put(&page)? });
            page_start = page_end;
        }
        let root = Root {
            file_len: header.file_len(),
            entries_len: (entries.end - entries.start) as u32,
            page_entries_len: page_entries_len as u32,
            head: raw(table, 0..entries.start)?,
            pages: page_links,
        };
        self.put(&root.encode())
    }

    /// Writes a chunk, if it is not there yet.
    fn put(&mut self, bytes: &[u8]) -> Result<ChunkId, ChunksError> {
        let id = ChunkId::of(bytes);
        if self.chunks.insert(id, bytes.len() as u32).is_none() {
            let path = self.directory.join(id.path());
            self.put_file(&path, bytes).map_err(|error| failed(&path, error))?;
        }
        Ok(id)
    }

    fn put_file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // One that was cut short or changed by a crash of the system is written again.
        if read_whole(path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        create_directories(path.parent().unwrap_or(path))?;
        let file = AtomicFile::create(path)?;
        file.file().write_all(bytes)?;
        file.publish_unsynced()?;
        self.new.push(path.to_owned());
        Ok(())
    }

    /// Syncs all chunks, replaces the manifest, and removes the chunks that it does not name.
    fn finish(mut self, game: &str) -> Result<ChunksWritten, ChunksError> {
        let (count, bytes) =
            (self.chunks.len() as u64, self.chunks.values().map(|&len| u64::from(len)).sum());
        let entries = self.chunks.iter();
        let list: Vec<u8> =
            entries.flat_map(|(id, len)| id.0.into_iter().chain(len.to_le_bytes())).collect();
        let list = ChunkList { list: self.put(&list)?, count, bytes };
        sync_published(&self.new).map_err(|error| failed(&self.directory, error))?;
        let tables = self.tables;
        let table_bytes = tables.values().map(|table| table.bytes).sum();
        let manifest = ChunkManifest::new(game, list, tables);
        let json = manifest.json();
        let path = self.directory.join(MANIFEST_NAME);
        write_atomically(&path, json.as_bytes()).map_err(|error| failed(&path, error))?;
        let known = self.chunks.keys().copied().collect();
        let removed = remove_others(&self.directory, &known)
            .map_err(|error| failed(&self.directory, error))?;
        let lens = self.chunks.values().map(|&len| u64::from(len));
        Ok(ChunksWritten {
            tables: manifest.tables.len() as u64,
            table_bytes,
            files: self.chunks.len() as u64 + 1,
            bytes: lens.sum::<u64>() + json.len() as u64,
            new: self.new.len() as u64,
            removed,
        })
    }
}

/// How a table's data is cut.
struct Cut {
    /// The bytes of each chunk in the file.
    chunks: Vec<Range<u64>>,
    /// The bytes of the blocks of each page in the file; the last page also has the histograms.
    pages: Vec<Range<u64>>,
}

/// Cuts the data of a table between blocks.
fn cut<G: Indexable, B: Source>(table: &Table<G, B>) -> Result<Cut, ProbeError> {
    let header = table.header();
    let mut decoder =
        Decoder::new().map_err(|error| ProbeError::Io { path: table.path().to_owned(), error })?;
    let data_start = header.block_entries().end;
    let (mut chunks, mut pages) = (Vec::new(), Vec::new());
    let (mut chunk_start, mut page_start, mut end) = (data_start, data_start, data_start);
    let mut append = |part: Range<u64>| {
        if part.end - chunk_start > CHUNK_LEN as u64 && part.start > chunk_start {
            chunks.push(chunk_start..part.start);
            chunk_start = part.start;
        }
        chunk_start
    };
    for block in 0..header.blocks() {
        let data = table.block_data(&mut decoder, block)?;
        if !data.is_empty() {
            end = data.end;
            append(data);
        }
        if (block + 1) % PAGE_BLOCKS == 0 {
            pages.push(page_start..end);
            page_start = end;
        }
    }
    let file_len = header.file_len();
    let chunk_start = append(end..file_len);
    if chunk_start < file_len {
        chunks.push(chunk_start..file_len);
    }
    match (pages.last_mut(), header.blocks() % PAGE_BLOCKS) {
        (Some(last), 0) => last.end = file_len,
        _ => pages.push(page_start..file_len),
    }
    Ok(Cut { chunks, pages })
}

/// Bytes of a table's file.
fn raw<G: Indexable, B: Source>(
    table: &Table<G, B>,
    range: Range<u64>,
) -> Result<Vec<u8>, ProbeError> {
    let mut buffer = Vec::new();
    let read = table.source().read(range.start, (range.end - range.start) as usize, &mut buffer);
    match read {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(error) => Err(ProbeError::Io { path: table.path().to_owned(), error }),
    }
}

/// Removes the chunks that are not known, and what a killed program has left. Returns the number of
/// chunks.
fn remove_others(directory: &Path, known: &BTreeSet<ChunkId>) -> io::Result<u64> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let start = entry.file_name().to_string_lossy().into_owned();
        if start.len() != 2 || !entry.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(entry.path())? {
            let file = file?;
            let name = file.file_name().to_string_lossy().into_owned();
            let id_of = |name: &str| format!("{start}{}", name.strip_suffix(ENDING)?).parse().ok();
            let id: Option<ChunkId> = id_of(&name);
            let is_obsolete = id.is_some_and(|id| !known.contains(&id));
            let is_temporary = final_name_of(&name).and_then(id_of).is_some();
            if is_obsolete || is_temporary {
                fs::remove_file(file.path())?;
                removed += u64::from(is_obsolete);
            }
        }
    }
    Ok(removed)
}

fn failed(path: &Path, error: io::Error) -> ChunksError {
    ChunksError::Io { path: path.to_owned(), error }
}
