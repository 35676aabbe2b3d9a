//! Decompression of zstd frames: with the C library, or in WebAssembly with a library in Rust.

#[cfg(not(target_family = "wasm"))]
pub(super) use in_c::Decompressor;
#[cfg(target_family = "wasm")]
pub(super) use in_rust::Decompressor;

/// The maximum compressed size of `len` bytes.
pub(super) fn max_compressed(len: usize) -> usize {
    const SMALL: usize = 128 << 10;
    len + (len >> 8) + (SMALL.saturating_sub(len) >> 11)
}

#[cfg(not(target_family = "wasm"))]
mod in_c {
    use std::io;
    use zstd::zstd_safe::{DCtx, get_error_name};

    /// Decompresses frames, reusing its memory.
    pub(in crate::format) struct Decompressor(DCtx<'static>);

    impl Decompressor {
        /// Creates a decompression context.
        ///
        /// # Errors
        /// Fails if memory cannot be allocated.
        pub(in crate::format) fn new() -> io::Result<Decompressor> {
            Ok(Decompressor(DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?))
        }

        /// Decompresses `data` into `block`, which must be empty and is not reallocated.
        ///
        /// # Errors
        /// Fails if `data` is not valid, or too large for the capacity of `block`.
        pub(in crate::format) fn decompress(
            &mut self,
            data: &[u8],
            block: &mut Vec<u8>,
        ) -> io::Result<()> {
            let decompressed = self.0.decompress(block, data);
            decompressed.map(drop).map_err(|code| io::Error::other(get_error_name(code)))
        }
    }
}

#[cfg(any(target_family = "wasm", test))]
mod in_rust {
    use ruzstd::decoding::FrameDecoder;
    use std::io;

    /// Decompresses frames, reusing its memory.
    pub(in crate::format) struct Decompressor(FrameDecoder);

    impl Decompressor {
        /// Creates a decompression context.
        ///
        /// # Errors
        /// Never fails.
        pub(in crate::format) fn new() -> io::Result<Decompressor> {
            Ok(Decompressor(FrameDecoder::new()))
        }

        /// Decompresses `data` into `block`, which must be empty and is not reallocated.
        ///
        /// # Errors
        /// Fails if `data` is not valid, or too large for the capacity of `block`.
        pub(in crate::format) fn decompress(
            &mut self,
            data: &[u8],
            block: &mut Vec<u8>,
        ) -> io::Result<()> {
            // The library's description of the error is long and of no use.
            self.0.decode_all_to_vec(data, block).map_err(|_| io::ErrorKind::InvalidData.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Decoder, TableReader};
    use std::path::Path;

    #[test]
    fn max_compressed_is_the_bound_of_zstd() {
        for len in [0, 1, 255, 256, 5_000, 16 << 10, 128 << 10, (128 << 10) + 1, 1 << 20] {
            assert_eq!(max_compressed(len), zstd::zstd_safe::compress_bound(len), "{len}");
        }
    }

    /// Every block of the golden tables, complete and truncated.
    #[test]
    fn both_libraries_decompress_the_same() {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden/russian");
        let mut compared = 0;
        for file in ["KvK.dtw", "KvM.dtw", "KMvK.dtw", "KKvK.wdl"] {
            let bytes = std::fs::read(golden.join(file)).expect("a table");
            let reader = TableReader::open(&bytes).expect("a table");
            for number in 0..reader.header().blocks() {
                let mut decoder = Decoder::new().expect("memory");
                let data = reader.block_data(&mut decoder, number).expect("a sound directory");
                let data = &bytes[data.start as usize..data.end as usize];
                if data.is_empty() {
                    continue;
                }
                let mut expected = Vec::new();
                reader.read_block(&mut decoder, number, &mut expected).expect("a sound block");
                let mut rust = in_rust::Decompressor::new().expect("memory");
                let mut block = Vec::with_capacity(expected.len());
                rust.decompress(data, &mut block).expect("a frame");
                assert_eq!(block, expected, "{file}, block {number}");
                block.clear();
                assert!(rust.decompress(&data[..data.len() - 1], &mut block).is_err());
                compared += 1;
            }
        }
        assert!(compared >= 4, "{compared}");
    }
}
