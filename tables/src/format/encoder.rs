use super::block::{Block, Content};
use crate::metric::{PackedValues, Packing};
use std::io;

/// Compresses blocks, reusing its buffers.
pub struct BlockEncoder {
    filled: Vec<u8>,
    zstd: zstd::bulk::Compressor<'static>,
}

/// The highest level at which compression does not take longer than solving.
fn zstd_level(packing: Packing) -> i32 {
    match packing {
        Packing::TwoBits => 12,
        Packing::Byte | Packing::TwoBytes => 7,
    }
}

impl BlockEncoder {
    /// An encoder of blocks with this packing.
    ///
    /// # Errors
    /// Fails if memory for the compressor cannot be allocated.
    pub fn new(packing: Packing) -> io::Result<BlockEncoder> {
        let mut zstd = zstd::bulk::Compressor::new(zstd_level(packing))?;
        // The directory has the size and its own checksum.
        zstd.include_contentsize(false)?;
        zstd.include_checksum(false)?;
        Ok(BlockEncoder { filled: Vec::new(), zstd })
    }

    /// Encodes the values of one block. Don't-cares are filled so that the block compresses well.
    ///
    /// # Errors
    /// Fails if the compressor fails.
    pub fn encode(&mut self, values: &PackedValues<'_>) -> io::Result<Block> {
        values.fill(&mut self.filled);
        Ok(Block(match self.filled[..] {
            [first, ref rest @ ..] if rest.iter().all(|&byte| byte == first) => {
                Content::Constant(first)
            }
            _ => Content::Compressed(self.zstd.compress(&self.filled)?),
        }))
    }
}
