use super::layout::{Page, Root};
use super::{ChunkId, ChunkedTable};
use crate::Storage;
use crate::tables::format::Source;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Where chunks come from.
pub trait ChunkStore {
    /// The bytes of a chunk, after their hash has been compared with its name.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if they are not there yet; see [`Storage`].
    fn chunk(&self, id: ChunkId) -> io::Result<Arc<[u8]>>;
}

/// The chunks of a game in its directory.
#[derive(Clone, Debug)]
pub struct ChunkFiles(
    /// The directory.
    pub PathBuf,
);

impl ChunkStore for ChunkFiles {
    fn chunk(&self, id: ChunkId) -> io::Result<Arc<[u8]>> {
        let bytes = std::fs::read(self.0.join(id.path()))?;
        match ChunkId::of(&bytes) == id {
            true => Ok(bytes.into()),
            false => Err(damaged("the bytes of a chunk do not match its name")),
        }
    }
}

/// The tables of a game that are stored in chunks.
#[derive(Clone, Debug)]
pub struct ChunkedTables<S> {
    game: String,
    tables: BTreeMap<String, ChunkedTable>,
    store: Arc<S>,
}

impl<S: ChunkStore> ChunkedTables<S> {
    /// The tables of a game, by the names of their files, as a [manifest](super::ChunkManifest) has
    /// them.
    pub fn new(
        game: &str,
        tables: BTreeMap<String, ChunkedTable>,
        store: Arc<S>,
    ) -> ChunkedTables<S> {
        ChunkedTables { game: game.to_owned(), tables, store }
    }
}

impl<S: ChunkStore> Storage for ChunkedTables<S> {
    type Source = ChunkSource<S>;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        let names = self.tables.keys().filter(|_| game == self.game);
        Ok(names.cloned().collect())
    }

    fn open(&self, name: &str) -> io::Result<ChunkSource<S>> {
        let name = name.strip_prefix(&*self.game).and_then(|name| name.strip_prefix('/'));
        let table = name.and_then(|name| self.tables.get(name));
        let table = table.ok_or(io::ErrorKind::NotFound)?;
        let bytes = self.store.chunk(table.chunk)?;
        let body = match table.at {
            Some(at) => {
                let start = at as usize;
                let end = usize::try_from(table.bytes).ok().and_then(|len| start.checked_add(len));
                match end.filter(|&end| end <= bytes.len()) {
                    Some(end) => Body::Whole { bytes, start, end },
                    None => return Err(damaged("a table extends beyond its chunk")),
                }
            }
            None => match Root::decode(&bytes).filter(|root| root.file_len == table.bytes) {
                Some(root) => Body::Split(root),
                None => return Err(damaged("the root of a table is malformed")),
            },
        };
        Ok(ChunkSource { body, store: Arc::clone(&self.store) })
    }
}

/// The bytes of a table that is stored in chunks.
#[derive(Debug)]
pub struct ChunkSource<S> {
    body: Body,
    store: Arc<S>,
}

#[derive(Debug)]
enum Body {
    /// A part of a chunk.
    Whole { bytes: Arc<[u8]>, start: usize, end: usize },
    /// A root and its pages.
    Split(Root),
}

impl<S: ChunkStore> Source for ChunkSource<S> {
    fn size(&self) -> u64 {
        match &self.body {
            Body::Whole { start, end, .. } => (end - start) as u64,
            Body::Split(root) => root.file_len,
        }
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let end = offset.checked_add(len as u64).filter(|&end| end <= self.size());
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        match &self.body {
            Body::Whole { bytes, start, .. } => Ok(&bytes[start + offset as usize..][..len]),
            Body::Split(root) => {
                buffer.clear();
                while buffer.len() < len {
                    self.append(root, offset + buffer.len() as u64, end, buffer)?;
                }
                Ok(buffer)
            }
        }
    }
}

impl<S: ChunkStore> ChunkSource<S> {
    /// Appends the bytes from `offset` up to `end`, or only up to the end of the part (head,
    /// entries of a page, or chunk) that has the byte at `offset`.
    fn append(&self, root: &Root, offset: u64, end: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        let mut take = |bytes: &[u8], start: u64| {
            let from = (offset - start) as usize;
            let to = bytes.len().min((end - start) as usize);
            buffer.extend(bytes.get(from..to).unwrap_or_default());
        };
        if offset < root.head.len() as u64 {
            take(&root.head, 0);
            return Ok(());
        }
        let number = root.page_at(offset).ok_or_else(unsound)?;
        let entries = root.entries_of(number);
        let page = self.store.chunk(root.pages[number].id)?;
        let page = Page::decode(&page, (entries.end - entries.start) as usize);
        let page = page.ok_or_else(unsound)?;
        if offset < root.data_start() {
            take(page.entries, entries.start);
            return Ok(());
        }
        let (start, link) = page.chunk_at(offset).ok_or_else(unsound)?;
        let chunk = self.store.chunk(link.id)?;
        if chunk.len() != link.len as usize {
            return Err(unsound());
        }
        take(&chunk, start);
        Ok(())
    }
}

fn unsound() -> io::Error {
    damaged("the chunks of a table are inconsistent")
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
