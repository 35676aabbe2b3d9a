//! The table file as specified in FORMAT.md: a header, a two-level directory, individually
//! compressed blocks of packed values, and histograms.

mod block;
mod crc;
mod decompress;
#[cfg(not(target_family = "wasm"))]
mod encoder;
mod error;
mod halve;
mod header;
mod histogram;
mod reader;
mod writer;

pub use block::Block;
#[cfg(not(target_family = "wasm"))]
pub use encoder::BlockEncoder;
pub use error::{FormatError, Section};
pub use header::Header;
pub use reader::{Decoder, Source, TableReader};
pub use writer::TableWriter;

/// The first bytes of every table: a byte that is not text, the name, and line ends that a transfer
/// in text mode would change.
const MAGIC: [u8; 8] = *b"\x89DMK\r\n\x1a\n";
/// Readers refuse files with another major version. A new minor version must not add anything that
/// old readers would misinterpret.
const MAJOR: u16 = 1;
/// The major version of tables that leave out a side to move. The format is otherwise the same.
const MAJOR_OF_HALVES: u16 = 2;
/// Tables without distances are written as minor version 0, which has no histograms.
const MINOR: u16 = 1;

/// The directory starts at the end of the header.
const HEADER_LEN: usize = 512;
/// The end of the histograms: the number of codes of each part, u16, and a CRC, u32.
const HISTOGRAM_END_LEN: usize = 8;
/// A directory entry of a group: the offset of its first data, u64.
const GROUP_ENTRY_LEN: u64 = 8;
/// A directory entry of a block: offset within the group's data, length and CRC, each u32.
const BLOCK_ENTRY_LEN: u64 = 12;
/// The uncompressed size of a block in bytes; the last block of a part may be shorter.
pub const BLOCK_LEN: u32 = 16 * 1024;
/// The number of blocks that share a group entry.
const GROUP_BLOCKS: u32 = 64;
