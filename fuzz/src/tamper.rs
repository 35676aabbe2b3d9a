//! Tools to damage tables, books and weights.

/// The length of a table's header; its checksum is at its end.
pub const HEADER_LEN: usize = 512;
/// The length of a block's entry in the directory.
pub const ENTRY_LEN: usize = 12;
/// The length of the end of the histograms: the number of counts of each part, and a checksum.
pub const HISTOGRAM_END_LEN: usize = 8;
/// The number of blocks of a group.
pub const GROUP_BLOCKS: usize = 64;

/// The offsets of fields of the header.
pub mod at {
    /// The minor version of the format.
    pub const MINOR: usize = 10;
    /// The metric.
    pub const METRIC: usize = 36;
    /// The packing of values.
    pub const PACKING: usize = 37;
    /// The number of parts, and which is left out.
    pub const PARTS: usize = 39;
    /// The numbers of positions, 0 if both sides are the same.
    pub const POSITIONS: usize = 80;
    /// The end of the bytes that are in the checksum of every block.
    pub const IDENTITY_END: usize = 96;
    /// The offset of the first data.
    pub const DATA_OFFSET: usize = 96;
    /// The length of the file.
    pub const FILE_LEN: usize = 104;
    /// The checksum of the header.
    pub const CRC: usize = super::HEADER_LEN - 4;
}

/// The CRC-32 of zlib over `bytes`, continuing from `crc` (0 at the start).
pub fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    /// The checksum of each byte.
    const BYTES: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < table.len() {
            let mut rest = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                rest = (rest >> 1) ^ if rest & 1 == 1 { 0xEDB8_8320 } else { 0 };
                bit += 1;
            }
            table[byte] = rest;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!crc, |crc, &byte| (crc >> 8) ^ BYTES[usize::from(crc as u8 ^ byte)])
}

/// The number of `N` bytes at `at`; 0 beyond the end.
pub fn number<const N: usize>(bytes: &[u8], at: u64) -> u64 {
    let mut number = [0; 8];
    let end = at.saturating_add(N as u64) as usize;
    number[..N].copy_from_slice(bytes.get(at as usize..end).unwrap_or(&[0; N]));
    u64::from_le_bytes(number)
}

/// Corrects the header's checksum, so that changed fields are read.
pub fn seal_header(bytes: &mut [u8]) {
    if bytes.len() >= HEADER_LEN {
        let crc = crc32(0, &bytes[..at::CRC]);
        bytes[at::CRC..HEADER_LEN].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Corrects the checksum in the header of a book or of weights.
pub fn seal_contents(bytes: &mut [u8]) {
    /// The offset of the checksum; the contents follow it.
    const CRC: usize = 26;
    const CONTENTS: usize = CRC + 4;
    if bytes.len() >= CONTENTS {
        let crc = crc32(0, &bytes[CONTENTS..]);
        bytes[CRC..CONTENTS].copy_from_slice(&crc.to_le_bytes());
    }
}

/// The number of blocks by the header; any number if it is damaged.
pub fn blocks(bytes: &[u8]) -> u64 {
    let positions = [0, 8].map(|part| number::<8>(bytes, at::POSITIONS as u64 + part));
    let in_block = match number::<1>(bytes, at::PACKING as u64) {
        0 => 1 << 16,
        1 => 1 << 14,
        _ => 1 << 13,
    };
    let [first, second] = positions.map(|n| n.div_ceil(in_block));
    match number::<1>(bytes, at::PARTS as u64) {
        3 => first,
        4 => second,
        _ => first + second,
    }
}

/// The length of the histograms at the end of the file; 0 if it has none. If the file is damaged, any length
/// up to that of the file.
pub fn histograms_len(bytes: &[u8]) -> usize {
    const DTW: u8 = 1;
    let has_histograms = bytes.len() >= HEADER_LEN + HISTOGRAM_END_LEN
        && number::<2>(bytes, at::MINOR as u64) > 0
        && bytes[at::METRIC] == DTW;
    if !has_histograms {
        return 0;
    }
    let end = (bytes.len() - HISTOGRAM_END_LEN) as u64;
    let codes = number::<2>(bytes, end) + number::<2>(bytes, end + 2);
    bytes.len().min(codes as usize * 8 + HISTOGRAM_END_LEN)
}

/// Corrects the length in the header and all checksums, as in a forged table.
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() < HEADER_LEN {
        return;
    }
    let len = bytes.len() as u64;
    bytes[at::FILE_LEN..at::FILE_LEN + 8].copy_from_slice(&len.to_le_bytes());
    seal_header(bytes);
    let identity = crc32(0, &bytes[..at::IDENTITY_END]);
    let histograms = histograms_len(bytes);
    if histograms > 0 {
        let crc = bytes.len() - 4;
        let sum = crc32(identity, &bytes[bytes.len() - histograms..crc]);
        bytes[crc..].copy_from_slice(&sum.to_le_bytes());
    }
    let blocks = blocks(bytes);
    let groups = HEADER_LEN as u64;
    let entries = groups + blocks.div_ceil(GROUP_BLOCKS as u64) * 8;
    // Only entries of the directory that are in the file.
    for block in 0..blocks.min(len / ENTRY_LEN as u64) {
        let entry = entries + block * ENTRY_LEN as u64;
        let group = groups + block / GROUP_BLOCKS as u64 * 8;
        if entry + ENTRY_LEN as u64 > len {
            return;
        }
        let start = number::<8>(bytes, group);
        let (place, size) = (number::<4>(bytes, entry), number::<4>(bytes, entry + 4));
        let data = start.saturating_add(place);
        let data = match size {
            0 => Some(&[][..]),
            _ => bytes.get(data as usize..data.saturating_add(size) as usize),
        };
        let Some(data) = data else { continue };
        let crc = crc32(identity, &block.to_le_bytes());
        let crc = crc32(crc, &start.to_le_bytes());
        let crc = crc32(crc, &bytes[entry as usize..entry as usize + 8]);
        let crc = crc32(crc, data);
        bytes[entry as usize + 8..][..4].copy_from_slice(&crc.to_le_bytes());
    }
}
