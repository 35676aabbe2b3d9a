use super::layout::{Link, Page, Root};
use super::{CHUNK_LEN, ChunkId, ChunkList, ChunkManifest, ChunkedTable, ENDING, MANIFEST_NAME};
use crate::tables::format::{Decoder, Source};
use crate::{
    Access, AnyGame, Game, Indexable, Metric, ProbeError, Signature, Storage, Table, Tables,
};
use damka_games::with_game;
use damka_probe::{Files, table_name};
use damka_system::{
    AtomicFile, create_directories, file_name, final_name_of, read_whole, sync_published,
    write_atomically,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, mem};
use thiserror::Error;

/// How tables are cut.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The size that chunks are filled up to, in bytes.
    chunk_len: usize,
    /// How many blocks share a page.
    page_blocks: u64,
}

/// With 128 blocks in a page, the root of a large table is about as long as a page, so that few
/// bytes are fetched for a block.
const SIZES: Sizes = Sizes { chunk_len: CHUNK_LEN, page_blocks: 128 };

/// Which tables are cut, and where the chunks go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRequest {
    /// The game.
    pub game: AnyGame,
    /// The directories of tables. Each table is read from the first one that has it.
    pub tables: Vec<PathBuf>,
    /// The maximum number of pieces of a table; `None` for all tables.
    pub most_pieces: Option<u32>,
    /// The output directory. The chunks go into its subdirectory with the name of the game.
    pub out: PathBuf,
}

/// The numbers and sizes of the tables and files that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ChunksWritten {
    /// The number of tables.
    pub tables: u64,
    /// Their size in bytes.
    pub table_bytes: u64,
    /// The number of files: the chunks and the manifest.
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
    #[error("{} cannot be written: {error}", file_name(path))]
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
/// name of the game. Existing chunks are kept, so that interrupted work continues where it stopped.
/// When all chunks are on the disk, the manifest is replaced; then the chunks that it does not name
/// are removed. Only one program may write into a directory at a time. `progress` gets the bytes of
/// tables done and in total; `Break` ends the work.
///
/// # Errors
/// A table is damaged, there are none, a file cannot be written, or `progress` returned `Break`.
/// The chunks that an existing manifest names stay as they are.
pub fn write_chunks(
    request: &ChunkRequest,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<ChunksWritten, ChunksError> {
    prepare_chunks(request, progress)?.publish()
}

/// The first part of [`write_chunks`]: writes the chunks, but no manifest, and removes nothing. For
/// programs that publish tables together with something else.
///
/// # Errors
/// Like [`write_chunks`].
pub fn prepare_chunks(
    request: &ChunkRequest,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<PreparedChunks, ChunksError> {
    with_game!(request.game, game => write(game, request, SIZES, progress))
}

/// Chunks that are on the disk, and the manifest that will name them.
#[derive(Debug)]
pub struct PreparedChunks {
    directory: PathBuf,
    manifest: ChunkManifest,
    known: BTreeSet<ChunkId>,
    /// The counts without the manifest and the removed chunks.
    written: ChunksWritten,
}

impl PreparedChunks {
    /// Replaces the manifest, and then removes the chunks that it does not name.
    ///
    /// # Errors
    /// A file cannot be written or removed.
    pub fn publish(self) -> Result<ChunksWritten, ChunksError> {
        let PreparedChunks { directory, manifest, known, written } = self;
        let json = manifest.json();
        let path = directory.join(MANIFEST_NAME);
        write_atomically(&path, json.as_bytes()).map_err(|error| failed(&path, error))?;
        let removed =
            remove_others(&directory, &known).map_err(|error| failed(&directory, error))?;
        let (files, bytes) = (written.files + 1, written.bytes + json.len() as u64);
        Ok(ChunksWritten { files, bytes, removed, ..written })
    }
}

fn write<G: Indexable>(
    game: G,
    request: &ChunkRequest,
    sizes: Sizes,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<PreparedChunks, ChunksError> {
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
    let mut writer = Writer::new(out.join(Game::name(game)), sizes)?;
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
    let prepared = writer.finish(Game::name(game))?;
    let _ = progress(total, total);
    Ok(prepared)
}

/// The tables to be cut, and their total size in bytes. DTW tables come first: a query usually
/// needs several of them and no WDL table.
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
    sizes: Sizes,
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
    fn new(directory: PathBuf, sizes: Sizes) -> Result<Writer, ChunksError> {
        create_directories(&directory).map_err(|error| failed(&directory, error))?;
        Ok(Writer {
            directory,
            sizes,
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
        if bytes <= self.sizes.chunk_len as u64 {
            if self.pack.len() + bytes as usize > self.sizes.chunk_len {
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
        let Cut { chunks, pages } = cut(table, self.sizes)?;
        let mut links = Vec::new();
        for range in chunks {
            let bytes = raw(table, range.clone())?;
            links.push((range.clone(), Link { len: bytes.len() as u32, id: self.put(&bytes)? }));
            if progress(range.end).is_break() {
                return Err(ChunksError::Interrupted);
            }
        }
        let page_entries_len = (entries.end - entries.start) / blocks * self.sizes.page_blocks;
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
        // A file that a crash of the system has truncated or changed is written again.
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

    /// Writes the list of the chunks, and syncs all new ones.
    fn finish(mut self, game: &str) -> Result<PreparedChunks, ChunksError> {
        let (count, bytes) =
            (self.chunks.len() as u64, self.chunks.values().map(|&len| u64::from(len)).sum());
        let entries = self.chunks.iter();
        let list: Vec<u8> =
            entries.flat_map(|(id, len)| id.0.into_iter().chain(len.to_le_bytes())).collect();
        let list = ChunkList { list: self.put(&list)?, count, bytes };
        sync_published(&self.new).map_err(|error| failed(&self.directory, error))?;
        let written = ChunksWritten {
            tables: self.tables.len() as u64,
            table_bytes: self.tables.values().map(|table| table.bytes).sum(),
            files: self.chunks.len() as u64,
            bytes: self.chunks.values().map(|&len| u64::from(len)).sum(),
            new: self.new.len() as u64,
            removed: 0,
        };
        Ok(PreparedChunks {
            manifest: ChunkManifest::new(game, list, self.tables),
            known: self.chunks.into_keys().collect(),
            directory: self.directory,
            written,
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
fn cut<G: Indexable, B: Source>(table: &Table<G, B>, sizes: Sizes) -> Result<Cut, ProbeError> {
    let header = table.header();
    let mut decoder =
        Decoder::new().map_err(|error| ProbeError::Io { path: table.path().to_owned(), error })?;
    let data_start = header.block_entries().end;
    let (mut chunks, mut pages) = (Vec::new(), Vec::new());
    let (mut chunk_start, mut page_start, mut end) = (data_start, data_start, data_start);
    let mut append = |part: Range<u64>| {
        if part.end - chunk_start > sizes.chunk_len as u64 && part.start > chunk_start {
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
        if (block + 1) % sizes.page_blocks == 0 {
            pages.push(page_start..end);
            page_start = end;
        }
    }
    let file_len = header.file_len();
    let chunk_start = append(end..file_len);
    if chunk_start < file_len {
        chunks.push(chunk_start..file_len);
    }
    match (pages.last_mut(), header.blocks() % sizes.page_blocks) {
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

/// Removes the chunks that are not in `known`, and temporary files of killed programs. Returns the
/// number of chunks removed.
fn remove_others(directory: &Path, known: &BTreeSet<ChunkId>) -> io::Result<u64> {
    let mut removed = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let start = entry.file_name().to_string_lossy().into_owned();
        if final_name_of(&start) == Some(MANIFEST_NAME) {
            fs::remove_file(entry.path())?;
        }
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

#[cfg(test)]
mod tests {
    use super::super::{ChunkFiles, ChunkedTables};
    use super::*;
    use damka_games::Russian;
    use std::ops::ControlFlow::{Break, Continue};
    use std::sync::Arc;
    use tempfile::tempdir;

    /// So small that the golden tables have several chunks and pages.
    const SMALL: Sizes = Sizes { chunk_len: 700, page_blocks: 1 };

    fn golden() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden")
    }

    fn request(tables: impl Into<PathBuf>, out: &Path) -> ChunkRequest {
        let game = "russian".parse().expect("a game");
        ChunkRequest { game, tables: vec![tables.into()], most_pieces: None, out: out.into() }
    }

    fn written(request: &ChunkRequest, sizes: Sizes) -> Result<ChunksWritten, ChunksError> {
        write(Russian, request, sizes, &mut |_, _| Continue(()))?.publish()
    }

    fn manifest(out: &Path) -> ChunkManifest {
        let json = fs::read(out.join("russian").join(MANIFEST_NAME)).expect("a manifest");
        ChunkManifest::parse(&json).expect("a sound manifest")
    }

    /// Asserts that all tables are read back byte by byte. Returns their number.
    fn assert_read_back(tables: &Path, out: &Path) -> usize {
        let manifest = manifest(out);
        let store = Arc::new(ChunkFiles(out.join("russian")));
        let chunked = ChunkedTables::new(&manifest.game, manifest.tables.clone(), store);
        for (name, table) in &manifest.tables {
            let bytes = fs::read(tables.join("russian").join(name)).expect("a table");
            assert_eq!(table.bytes, bytes.len() as u64);
            let source = chunked.open(&format!("russian/{name}")).expect("a root");
            let buffer = &mut Vec::new();
            assert_eq!(source.read(0, bytes.len(), buffer).expect("all chunks"), bytes, "{name}");
            for start in (0..bytes.len()).step_by(37) {
                let end = bytes.len().min(start + 50);
                let read = source.read(start as u64, end - start, buffer).expect("some chunks");
                assert_eq!(read, &bytes[start..end], "{name}, {start}");
            }
            assert!(source.read(bytes.len() as u64, 1, buffer).is_err());
        }
        let tables = Tables::in_storage(Russian, chunked, 1 << 20);
        for signature in tables.signatures().expect("names") {
            for metric in Metric::ALL {
                match tables.open_table(signature, metric) {
                    Ok(table) => table.check().expect("a sound table"),
                    Err(error) => assert!(error.is_missing(), "{error}"),
                }
            }
        }
        manifest.tables.len()
    }

    /// The chunks in a directory.
    fn files(out: &Path) -> Vec<PathBuf> {
        let entries = |path: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(path).expect("a directory");
            entries.map(|entry| entry.expect("an entry").path()).collect()
        };
        let directories = entries(&out.join("russian")).into_iter().filter(|path| path.is_dir());
        let mut files: Vec<PathBuf> = directories.flat_map(|path| entries(&path)).collect();
        files.sort();
        files
    }

    #[test]
    fn tables_are_read_back_from_their_chunks() {
        for (sizes, least) in [(SIZES, 2), (SMALL, 12)] {
            let out = tempdir().expect("a directory");
            let written = written(&request(golden(), out.path()), sizes).expect("it is written");
            assert_eq!(assert_read_back(&golden(), out.path()) as u64, written.tables);
            let files = files(out.path());
            assert!(files.len() >= least, "{} chunks", files.len());
            assert_eq!((written.files, written.new), (files.len() as u64 + 1, files.len() as u64));

            // The list names all others.
            let ChunkList { list, count, bytes } = manifest(out.path()).chunks;
            let list_path = out.path().join("russian").join(list.path());
            let entries = fs::read(&list_path).expect("the list");
            let (entries, rest) = entries.as_chunks::<20>();
            assert!(rest.is_empty());
            let mut named = vec![list_path];
            let mut total = 0;
            for entry in entries {
                let (id, len) = entry.split_first_chunk().expect("a name");
                let path = out.path().join("russian").join(ChunkId(*id).path());
                let len = u32::from_le_bytes(len.try_into().expect("a length"));
                assert_eq!(fs::metadata(&path).expect("a chunk").len(), u64::from(len));
                total += u64::from(len);
                named.push(path);
            }
            named.sort();
            assert_eq!(named, files);
            assert_eq!((entries.len() as u64, total), (count, bytes));
        }
    }

    #[test]
    fn a_second_run_keeps_what_is_right_and_removes_what_is_obsolete() {
        let out = tempdir().expect("a directory");
        let request = request(golden(), out.path());
        let first = written(&request, SMALL).expect("it is written");
        let chunks = files(out.path());
        let same = written(&request, SMALL).expect("it is written");
        assert_eq!(same, ChunksWritten { new: 0, ..first });

        // A chunk that is truncated, one that is changed, one that is missing, a temporary file, an
        // obsolete chunk, and files that are not damka's.
        let bytes = fs::read(&chunks[0]).expect("a chunk");
        fs::write(&chunks[0], &bytes[1..]).expect("it is cut short");
        let mut bytes = fs::read(&chunks[1]).expect("a chunk");
        bytes[0] ^= 1;
        fs::write(&chunks[1], bytes).expect("it is changed");
        fs::remove_file(&chunks[2]).expect("it is lost");
        let beside = chunks[3].parent().expect("a directory");
        let obsolete = beside.join("0123456789abcdef0123456789abcd.bin");
        let temporary = beside.join(".0123456789abcdef0123456789abcd.bin.aB3xYz.tmp");
        let others = [beside.join("notes.txt"), out.path().join("russian/index.html")];
        for path in [&obsolete, &temporary].into_iter().chain(&others) {
            fs::write(path, "text").expect("it is written");
        }
        let repaired = written(&request, SMALL).expect("it is written");
        assert_eq!(repaired, ChunksWritten { new: 3, removed: 1, ..first });
        assert_read_back(&golden(), out.path());
        assert!(!obsolete.exists() && !temporary.exists());
        assert!(others.iter().all(|path| path.exists()));

        // Other sizes: all large tables are cut again.
        let recut = written(&request, SIZES).expect("it is written");
        assert!(recut.removed > 5 && recut.new > 0, "{recut:?}");
        assert_read_back(&golden(), out.path());
    }

    #[test]
    fn what_was_written_before_works_after_a_stop_and_after_damage() {
        let out = tempdir().expect("a directory");
        written(&request(golden(), out.path()), SMALL).expect("it is written");
        let before = manifest(out.path());
        let mut calls = 0;
        let stopped = write(Russian, &request(golden(), out.path()), SIZES, &mut |done, total| {
            assert!(done <= total);
            calls += 1;
            if calls == 4 { Break(()) } else { Continue(()) }
        });
        assert!(matches!(stopped, Err(ChunksError::Interrupted)));

        let damaged = tempdir().expect("a directory");
        let directory = damaged.path().join("russian");
        fs::create_dir(&directory).expect("a directory");
        let mut bytes = fs::read(golden().join("russian/KvM.dtw")).expect("a table");
        let middle = bytes.len() - 200;
        bytes[middle] ^= 1;
        fs::write(directory.join("KvM.dtw"), bytes).expect("it is written");
        let error =
            written(&request(damaged.path(), out.path()), SMALL).expect_err("it is damaged");
        assert!(error.to_string().starts_with("the table KvM.dtw cannot be used"), "{error}");

        assert_eq!(manifest(out.path()), before);
        assert_read_back(&golden(), out.path());
    }

    #[test]
    fn tables_are_chosen_by_pieces_and_come_from_the_first_directory() {
        let [out, empty] = [(); 2].map(|()| tempdir().expect("a directory"));
        let mut request = request(empty.path(), out.path());
        let error = written(&request, SIZES).expect_err("no tables");
        assert_eq!(error.to_string(), "there are no tables of russian");
        assert!(!out.path().join("russian").exists());
        request.tables.push(golden());
        request.most_pieces = Some(2);
        written(&request, SIZES).expect("it is written");
        let names: Vec<String> = manifest(out.path()).tables.into_keys().collect();
        assert_eq!(names, ["KvK.dtw", "KvK.wdl", "KvM.dtw", "KvM.wdl"]);
    }
}
