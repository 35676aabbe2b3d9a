//! The root of a table and its pages. `CHUNKS.md` describes their bytes.

use super::ChunkId;
use std::ops::Range;

/// The bytes of a root before the head.
const FIELDS_LEN: usize = 20;
/// The bytes of a chunk's length and name.
const LINK_LEN: usize = 4 + ChunkId::LEN;

/// A link to a chunk of consecutive bytes of a table, or to the page of consecutive blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The bytes of the table's file in the chunk, or in all blocks of the page.
    pub(super) len: u32,
    pub(super) id: ChunkId,
}

/// The root of a table: its beginning, and where its pages are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    /// The length of the table's file.
    pub(super) file_len: u64,
    /// The length of the block entries, which follow the head in the file.
    pub(super) entries_len: u32,
    /// The length of a page's block entries; the last page may have fewer.
    pub(super) page_entries_len: u32,
    /// The bytes of the file before the block entries.
    pub(super) head: Vec<u8>,
    pub(super) pages: Vec<Link>,
}

/// A page: the entries of some blocks, and the chunks that hold the blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page<'a> {
    pub(super) entries: &'a [u8],
    /// Where the first chunk begins in the file.
    pub(super) start: u64,
    chunks: &'a [[u8; LINK_LEN]],
}

impl Link {
    #[cfg(any(not(target_family = "wasm"), test))]
    fn encode(self) -> [u8; LINK_LEN] {
        let mut bytes = [0; LINK_LEN];
        bytes[..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4..].copy_from_slice(&self.id.0);
        bytes
    }

    fn decode(bytes: &[u8; LINK_LEN]) -> Option<Link> {
        let (len, id) = bytes.split_first_chunk()?;
        Some(Link { len: u32::from_le_bytes(*len), id: ChunkId(id.try_into().ok()?) })
    }
}

impl Root {
    #[cfg(any(not(target_family = "wasm"), test))]
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = self.file_len.to_le_bytes().to_vec();
        for len in [self.head.len() as u32, self.entries_len, self.page_entries_len] {
            bytes.extend(len.to_le_bytes());
        }
        bytes.extend(&self.head);
        bytes.extend(self.pages.iter().flat_map(|page| page.encode()));
        bytes
    }

    /// The root with these bytes; `None` if the bytes are not a sound root.
    pub(super) fn decode(bytes: &[u8]) -> Option<Root> {
        let (fields, rest) = bytes.split_first_chunk::<FIELDS_LEN>()?;
        let (file_len, lens) = fields.split_first_chunk()?;
        let &[head, entries, page_entries] = lens.as_chunks().0 else { return None };
        let [head_len, entries_len, page_entries_len] =
            [head, entries, page_entries].map(u32::from_le_bytes);
        let (head, pages) = rest.split_at_checked(head_len as usize)?;
        let (pages, rest) = pages.as_chunks();
        let root = Root {
            file_len: u64::from_le_bytes(*file_len),
            entries_len,
            page_entries_len,
            head: head.to_vec(),
            pages: pages.iter().map(Link::decode).collect::<Option<_>>()?,
        };
        let data_len: u64 = root.pages.iter().map(|page| u64::from(page.len)).sum();
        let is_sound = rest.is_empty()
            && page_entries_len > 0
            && root.pages.len() == entries_len.div_ceil(page_entries_len) as usize
            && root.data_start() + data_len == root.file_len;
        is_sound.then_some(root)
    }

    /// Where the data begins in the file.
    pub(super) fn data_start(&self) -> u64 {
        self.head.len() as u64 + u64::from(self.entries_len)
    }

    /// The range of a page's block entries in the file.
    pub(super) fn entries_of(&self, page: usize) -> Range<u64> {
        let entries_start = self.head.len() as u64;
        let start = page as u64 * u64::from(self.page_entries_len);
        let end = (start + u64::from(self.page_entries_len)).min(self.entries_len.into());
        entries_start + start..entries_start + end
    }

    /// The page that has the byte at `offset`, after the head; `None` at the end of the file.
    pub(super) fn page_at(&self, offset: u64) -> Option<usize> {
        let head_len = self.head.len() as u64;
        if offset < self.data_start() {
            return Some(((offset - head_len) / u64::from(self.page_entries_len)) as usize);
        }
        let mut end = self.data_start();
        self.pages.iter().position(|page| {
            end += u64::from(page.len);
            offset < end
        })
    }
}

impl<'a> Page<'a> {
    /// The bytes of a page.
    #[cfg(any(not(target_family = "wasm"), test))]
    pub(super) fn encode(entries: &[u8], start: u64, chunks: &[Link]) -> Vec<u8> {
        let mut bytes = entries.to_vec();
        bytes.extend(start.to_le_bytes());
        bytes.extend(chunks.iter().flat_map(|chunk| chunk.encode()));
        bytes
    }

    /// The page with these bytes, whose entries have this length; `None` if the bytes are not a
    /// page.
    pub(super) fn decode(bytes: &'a [u8], entries_len: usize) -> Option<Page<'a>> {
        let (entries, rest) = bytes.split_at_checked(entries_len)?;
        let (start, chunks) = rest.split_first_chunk()?;
        let (chunks, rest) = chunks.as_chunks();
        rest.is_empty().then_some(Page { entries, start: u64::from_le_bytes(*start), chunks })
    }

    /// The chunk with the byte of the file at `offset`, and where it begins in the file; `None` if it
    /// is not on this page.
    pub(super) fn chunk_at(&self, offset: u64) -> Option<(u64, Link)> {
        let mut start = self.start;
        for chunk in self.chunks {
            let link = Link::decode(chunk)?;
            let end = start + u64::from(link.len);
            if (start..end).contains(&offset) {
                return Some((start, link));
            }
            start = end;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> Root {
        let link = |len: u32| Link { len, id: ChunkId::of(&len.to_le_bytes()) };
        let pages = vec![link(100), link(0), link(7)];
        let (entries_len, page_entries_len, head) = (28, 12, vec![9; 30]);
        Root { file_len: 30 + 28 + 107, entries_len, page_entries_len, head, pages }
    }

    #[test]
    fn each_byte_is_on_one_page() {
        let root = root();
        assert_eq!(Root::decode(&root.encode()), Some(root.clone()));
        let pages = |bytes: Range<u64>| bytes.map(|at| root.page_at(at)).collect::<Vec<_>>();
        assert_eq!(pages(30..42), [Some(0); 12]);
        assert_eq!(pages(42..54), [Some(1); 12]);
        assert_eq!(pages(54..58), [Some(2); 4]);
        assert_eq!(pages(58..158), [Some(0); 100]);
        assert_eq!(pages(158..165), [Some(2); 7]);
        assert_eq!(root.page_at(165), None);
        assert_eq!([0, 1, 2].map(|page| root.entries_of(page)), [30..42, 42..54, 54..58]);
    }

    #[test]
    fn roots_that_are_not_whole_are_refused() {
        let bytes = root().encode();
        for len in 0..bytes.len() {
            assert_eq!(Root::decode(&bytes[..len]), None, "{len} bytes");
        }
        let longer = [&*bytes, &[0; LINK_LEN]].concat();
        assert_eq!(Root::decode(&longer), None);
    }

    #[test]
    fn a_page_finds_the_chunk_of_a_byte() {
        let chunks =
            [Link { len: 5, id: ChunkId::of(b"a") }, Link { len: 3, id: ChunkId::of(b"b") }];
        let bytes = Page::encode(&[1, 2, 3], 100, &chunks);
        let page = Page::decode(&bytes, 3).expect("a page");
        assert_eq!(page.entries, [1, 2, 3]);
        let found = [99, 100, 104, 105, 107, 108].map(|at| page.chunk_at(at));
        let [first, second] = [Some((100, chunks[0])), Some((105, chunks[1]))];
        assert_eq!(found, [None, first, first, second, second, None]);
        assert_eq!(Page::decode(&bytes, 4), None);
        assert_eq!(Page::decode(&bytes[..bytes.len() - 1], 3), None);
    }
}
