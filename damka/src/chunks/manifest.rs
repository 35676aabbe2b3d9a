use super::ChunkId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// The version of manifests and chunks. It grows when a reader of the current version would
/// misunderstand the new files.
const FORMAT: u32 = 1;

/// The tables of a game that are stored in chunks: the contents of `tables.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkManifest {
    format: u32,
    /// The game's name.
    pub game: String,
    /// All chunks.
    pub chunks: ChunkList,
    /// The tables by the names of their files, such as `KKMvKM.dtw`.
    pub tables: BTreeMap<String, ChunkedTable>,
}

/// The list of the chunks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkList {
    /// The chunk that names all others: for each its name in 16 bytes, and its length, u32.
    pub list: ChunkId,
    /// How many others there are.
    pub count: u64,
    /// The total length of the others, in bytes.
    pub bytes: u64,
}

/// Where a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkedTable {
    /// The size of the table's file in bytes.
    pub bytes: u64,
    /// The chunk that the whole table is in, or the root of the table.
    pub chunk: ChunkId,
    /// The place in the chunk where the table begins; `None` if the chunk is its root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
}

/// Why a text is not a manifest.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not JSON, or lacks a key.
    #[error("this is not a list of tables: {0}")]
    Json(#[from] serde_json::Error),
    /// A newer program wrote it.
    #[error("the list of tables has format {0}, but this program reads format {FORMAT}")]
    UnknownFormat(u32),
}

impl ChunkManifest {
    /// A manifest of these tables.
    pub fn new(
        game: &str,
        chunks: ChunkList,
        tables: BTreeMap<String, ChunkedTable>,
    ) -> ChunkManifest {
        ChunkManifest { format: FORMAT, game: game.to_owned(), chunks, tables }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// The text is not a manifest of this version.
    pub fn parse(json: &[u8]) -> Result<ChunkManifest, ManifestError> {
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }

        match serde_json::from_slice(json)? {
            Versioned { format: FORMAT } => Ok(serde_json::from_slice(json)?),
            Versioned { format } => Err(ManifestError::UnknownFormat(format)),
        }
    }

    /// The manifest as text.
    pub fn json(&self) -> String {
        // Strings, numbers and maps of them can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}
