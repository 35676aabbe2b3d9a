use super::block::{Block, Content};
use crate::metric::{PackedValues, Packing};
use std::io;

/// Compresses blocks, reusing its buffer.
pub struct BlockEncoder {
    filled: Vec<u8>,
    zstd: zstd::bulk::Compressor<'static>,
}

/// The highest level that does not take longer than solving.
fn zstd_level(packing: Packing) -> i32 {
    match packing {
        Packing::TwoBits => 12,
        Packing::Byte | Packing::TwoBytes => 7,
    }
}

impl BlockEncoder {
    /// An encoder of blocks in this packing.
    ///
    /// # Errors
    /// Memory for the compressor could not be had.
    pub fn new(packing: Packing) -> io::Result<BlockEncoder> {
        let mut zstd = zstd::bulk::Compressor::new(zstd_level(packing))?;
        // The directory knows the size and has its own checksum.
        zstd.include_contentsize(false)?;
        zstd.include_checksum(false)?;
        Ok(BlockEncoder { filled: Vec::new(), zstd })
    }

    /// Encodes the values of one block, don't-cares as what makes files small.
    ///
    /// # Errors
    /// The compressor failed.
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
