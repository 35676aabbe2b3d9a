//! Tables as static files that any web server can serve: cut into chunks of about 12 kB, each a file
//! named by its hash. `CHUNKS.md` beside this module describes the files.
//!
//! * `write.rs` (not in WebAssembly): cuts the tables of a game
//! * `manifest.rs`: which tables there are, and where each begins
//! * `layout.rs`: the chunks that locate the bytes of a large table: its root and its pages
//! * `read.rs`: a [`Storage`](crate::Storage) over chunks from anywhere

mod layout;
mod manifest;
mod read;
#[cfg(not(target_family = "wasm"))]
mod write;

pub use manifest::{ChunkList, ChunkManifest, ChunkedTable, ManifestError};
pub use read::{ChunkFiles, ChunkSource, ChunkStore, ChunkedTables};
#[cfg(not(target_family = "wasm"))]
pub use write::{
    ChunkRequest, ChunksError, ChunksWritten, PreparedChunks, prepare_chunks, write_chunks,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The size that chunks are filled up to. A block that is larger has a chunk of its own.
pub const CHUNK_LEN: usize = 12 << 10;

/// The name of a game's manifest, in the directory of the game.
pub const MANIFEST_NAME: &str = "tables.json";

/// The ending of the names of chunks.
const ENDING: &str = ".bin";

/// The name of a chunk: the first 16 bytes of the BLAKE3 hash of its bytes.
///
/// ```
/// use damka::chunks::ChunkId;
/// let id = ChunkId::of(b"");
/// assert_eq!(id.to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
/// assert_eq!(id.path(), "af/1349b9f5f9a1a6a0404dea36dcc949.bin");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId([u8; ChunkId::LEN]);

/// A text that is not the name of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the name of a chunk has 32 hexadecimal digits")]
pub struct BadChunkId;

impl ChunkId {
    const LEN: usize = 16;

    /// The name of the chunk with these bytes.
    pub fn of(bytes: &[u8]) -> ChunkId {
        let mut id = [0; ChunkId::LEN];
        id.copy_from_slice(&blake3::hash(bytes).as_bytes()[..ChunkId::LEN]);
        ChunkId(id)
    }

    /// The path of the chunk's file in the directory of its game, with `/`.
    pub fn path(self) -> String {
        let name = self.to_string();
        let (directory, rest) = name.split_at(2);
        format!("{directory}/{rest}{ENDING}")
    }
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ChunkId {
    type Err = BadChunkId;

    fn from_str(text: &str) -> Result<ChunkId, BadChunkId> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() != 2 * ChunkId::LEN || !text.bytes().all(is_hex) {
            return Err(BadChunkId);
        }
        let mut id = [0; ChunkId::LEN];
        for (byte, digits) in id.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = str::from_utf8(digits).map_err(|_| BadChunkId)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| BadChunkId)?;
        }
        Ok(ChunkId(id))
    }
}

impl Serialize for ChunkId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChunkId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ChunkId, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}
