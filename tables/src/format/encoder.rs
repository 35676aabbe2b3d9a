use super::block::{Block, Content};
use crate::metric::{PackedValues, Packing};
use std::io;
use zstd::zstd_safe::{CCtx, CParameter, compress_bound, get_error_name};

/// Compresses blocks, reusing its buffers.
pub struct BlockEncoder {
    filled: Vec<u8>,
    zstd: CCtx<'static>,
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
        let mut zstd = CCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
        for parameter in [
            CParameter::CompressionLevel(zstd_level(packing)),
            // The directory determines the size and has its own checksum.
            CParameter::ContentSizeFlag(false),
            CParameter::ChecksumFlag(false),
        ] {
            zstd.set_parameter(parameter).map_err(failed)?;
        }
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
            _ => {
                let mut data = Vec::with_capacity(compress_bound(self.filled.len()));
                self.zstd.compress2(&mut data, &self.filled).map_err(failed)?;
                Content::Compressed(data)
            }
        }))
    }
}

/// The error that zstd returned.
fn failed(code: usize) -> io::Error {
    io::Error::other(get_error_name(code))
}
