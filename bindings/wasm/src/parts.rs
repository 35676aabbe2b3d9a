use damka::chunks::{ChunkId, ChunkStore};
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A part of a file that is fetched as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PartId {
    /// A chunk of tables.
    Chunk(ChunkId),
    /// `len` bytes of a file from `start`.
    Range { file: u32, start: u64, len: u32 },
}

/// The form for JavaScript: the name of a chunk, or the numbers of a range.
impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartId::Chunk(id) => id.fmt(f),
            PartId::Range { file, start, len } => write!(f, "{file}:{start}:{len}"),
        }
    }
}

/// The error of a text that is not the name of a part.
pub(crate) struct BadPartId;

impl FromStr for PartId {
    type Err = BadPartId;

    fn from_str(text: &str) -> Result<PartId, BadPartId> {
        let Some((file, rest)) = text.split_once(':') else {
            return text.parse().map(PartId::Chunk).map_err(|_| BadPartId);
        };
        let range = rest.split_once(':').and_then(|(start, len)| {
            let (file, start, len) = (file.parse().ok()?, start.parse().ok()?, len.parse().ok()?);
            Some(PartId::Range { file, start, len })
        });
        range.ok_or(BadPartId)
    }
}

/// Fetched parts, up to a limit, and needed parts. Shared by all tables.
#[derive(Debug)]
pub(crate) struct Parts(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    parts: HashMap<PartId, Part>,
    /// The size of all parts.
    bytes: usize,
    limit: usize,
    /// The number of reads so far.
    reads: u64,
    /// The needed parts, in the order of requests.
    needed: Vec<PartId>,
}

#[derive(Debug)]
struct Part {
    bytes: Arc<[u8]>,
    /// The number of the last read.
    last: u64,
}

impl Parts {
    pub(crate) fn new(limit: usize) -> Parts {
        let (parts, needed) = (HashMap::new(), Vec::new());
        Parts(Mutex::new(Kept { parts, bytes: 0, limit, reads: 0, needed }))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// The part is not there. It is noted as needed.
    pub(crate) fn get(&self, id: PartId) -> io::Result<Arc<[u8]>> {
        let kept = &mut *self.kept();
        kept.reads += 1;
        match kept.parts.get_mut(&id) {
            Some(part) => {
                part.last = kept.reads;
                Ok(Arc::clone(&part.bytes))
            }
            None => {
                if !kept.needed.contains(&id) {
                    kept.needed.push(id);
                }
                Err(io::ErrorKind::WouldBlock.into())
            }
        }
    }

    /// The parts needed since the last call.
    pub(crate) fn take_needed(&self) -> Vec<PartId> {
        std::mem::take(&mut self.kept().needed)
    }

    /// Stores a part. While all parts together exceed the limit, drops the least recently read one. Returns false
    /// if the bytes are not those of the part.
    pub(crate) fn put(&self, id: PartId, bytes: &[u8]) -> bool {
        let is_right = match id {
            PartId::Chunk(id) => ChunkId::of(bytes) == id,
            PartId::Range { len, .. } => bytes.len() == len as usize,
        };
        if !is_right {
            return false;
        }
        let kept = &mut *self.kept();
        kept.reads += 1;
        kept.bytes += bytes.len();
        if let Some(old) = kept.parts.insert(id, Part { bytes: bytes.into(), last: kept.reads }) {
            kept.bytes -= old.bytes.len();
        }
        while kept.bytes > kept.limit && kept.parts.len() > 1 {
            let oldest = kept.parts.iter().min_by_key(|(_, part)| part.last);
            let Some((&oldest, _)) = oldest else { break };
            if let Some(part) = kept.parts.remove(&oldest) {
                kept.bytes -= part.bytes.len();
            }
        }
        true
    }

    /// Drops the parts of files whose numbers are no longer used.
    pub(crate) fn forget(&self, is_gone: impl Fn(u32) -> bool) {
        let kept = &mut *self.kept();
        kept.parts.retain(|id, part| match id {
            PartId::Range { file, .. } if is_gone(*file) => {
                kept.bytes -= part.bytes.len();
                false
            }
            _ => true,
        });
    }
}

impl ChunkStore for Parts {
    fn chunk(&self, id: ChunkId) -> io::Result<Arc<[u8]>> {
        self.get(PartId::Chunk(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u64) -> PartId {
        PartId::Range { file: 7, start: number, len: 10 }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for id in [id(3), PartId::Chunk(ChunkId::of(b"bytes"))] {
            assert!(id.to_string().parse() == Ok(id));
        }
        for text in ["", "7", "7:3", "7:3:", "7:3:x", "7:3:10:1", "af1349b9"] {
            assert!(text.parse::<PartId>().is_err(), "{text}");
        }
    }

    impl PartialEq for BadPartId {
        fn eq(&self, _: &BadPartId) -> bool {
            true
        }
    }

    #[test]
    fn each_missing_part_is_reported_once() {
        let parts = Parts::new(100);
        for number in [1, 2, 1] {
            let error = parts.get(id(number)).expect_err("not there");
            assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        }
        assert_eq!(parts.take_needed(), [id(1), id(2)]);
        assert_eq!(parts.take_needed(), []);
    }

    #[test]
    fn other_bytes_are_refused() {
        let parts = Parts::new(100);
        assert!(!parts.put(id(1), &[0; 9]));
        let chunk = PartId::Chunk(ChunkId::of(b"bytes"));
        assert!(!parts.put(chunk, b"bytez"));
        assert!(parts.put(chunk, b"bytes"));
        assert_eq!(*parts.get(chunk).expect("bytes"), *b"bytes");
    }

    #[test]
    fn the_part_that_was_not_read_for_longest_goes_first() {
        let parts = Parts::new(30);
        for number in 1..=3 {
            assert!(parts.put(id(number), &[number as u8; 10]));
        }
        parts.get(id(1)).expect("all are there");
        assert!(parts.put(id(4), &[4; 10]));
        assert!(parts.put(id(4), &[4; 10]));
        assert!(parts.get(id(2)).is_err());
        for number in [1, 3, 4] {
            assert_eq!(*parts.get(id(number)).expect("it is there"), [number as u8; 10]);
        }
        parts.forget(|file| file == 7);
        assert!(parts.get(id(1)).is_err());
    }
}
