//! CRC-32 (IEEE), computed by a library that uses special instructions, or in WebAssembly with a
//! small look-up table.

#[cfg(not(target_family = "wasm"))]
pub(super) use crc32fast::{Hasher, hash};
#[cfg(target_family = "wasm")]
pub(super) use small::{Hasher, hash};

#[cfg(any(target_family = "wasm", test))]
mod small {
    /// The checksum of each byte.
    static BYTES: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut crc = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xEDB8_8320 };
                bit += 1;
            }
            table[byte] = crc;
            byte += 1;
        }
        table
    };

    /// Computes the checksum of bytes that are passed in parts.
    pub(in crate::format) struct Hasher(u32);

    impl Hasher {
        /// Continues from the checksum of the preceding bytes.
        pub(in crate::format) fn new_with_initial(crc: u32) -> Hasher {
            Hasher(!crc)
        }

        pub(in crate::format) fn update(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = BYTES[(self.0 as u8 ^ byte) as usize] ^ self.0 >> 8;
            }
        }

        pub(in crate::format) fn finalize(self) -> u32 {
            !self.0
        }
    }

    /// The checksum of bytes.
    pub(in crate::format) fn hash(bytes: &[u8]) -> u32 {
        let mut hasher = Hasher::new_with_initial(0);
        hasher.update(bytes);
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::small;

    #[test]
    fn both_ways_have_the_same_checksums() {
        // The check value of the algorithm.
        assert_eq!(small::hash(b"123456789"), 0xCBF4_3926);
        let bytes: Vec<u8> = (0..1000u32).map(|i| (i * i % 251) as u8).collect();
        for len in [0, 1, 15, 16, 17, 1000] {
            assert_eq!(small::hash(&bytes[..len]), crc32fast::hash(&bytes[..len]), "{len}");
            let mut small = small::Hasher::new_with_initial(0x1234_5678);
            let mut fast = crc32fast::Hasher::new_with_initial(0x1234_5678);
            small.update(&bytes[..len]);
            fast.update(&bytes[..len]);
            assert_eq!(small.finalize(), fast.finalize(), "{len}");
        }
    }
}
