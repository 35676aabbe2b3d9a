//! The histograms at the end of a table with distances: for each part the number of positions of
//! each code, from 0; then how many codes each part has, and a checksum.

use super::crc;
use super::{HISTOGRAM_END_LEN, Header};
use crate::Value;
use crate::metric::Histogram;

/// The maximum number of codes of a part.
const MAX_CODES: usize = Value::MAX_PLIES as usize + 2;

/// The bytes of a count.
const COUNT_LEN: usize = 8;

/// How many codes each part has, given the last bytes of the file.
fn codes(end: &[u8; HISTOGRAM_END_LEN]) -> [usize; 2] {
    [u16::from_le_bytes([end[0], end[1]]), u16::from_le_bytes([end[2], end[3]])].map(usize::from)
}

/// The length of the counts, given the last bytes of the file.
pub(super) fn counts_len(end: &[u8; HISTOGRAM_END_LEN]) -> usize {
    codes(end).into_iter().sum::<usize>() * COUNT_LEN
}

/// Encodes the histograms of all parts of the table with this identity.
///
/// # Panics
/// If there are more than two, or a distance is longer than [`Value::MAX_PLIES`].
pub(super) fn encode(histograms: &[Histogram], identity: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut lens = [0u16; 2];
    for (len, histogram) in lens.iter_mut().zip(histograms) {
        let counts = histogram.by_code();
        assert!(counts.len() <= MAX_CODES, "too long a distance");
        *len = counts.len() as u16;
        bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    }
    bytes.extend(lens.map(u16::to_le_bytes).as_flattened());
    let crc = checksum(identity, &bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

/// Decodes the histograms of all parts; `None` if they are damaged or do not agree with the
/// summaries of the header.
pub(super) fn decode(bytes: &[u8], header: &Header, identity: u32) -> Option<Vec<Histogram>> {
    let (counts, end) = bytes.split_last_chunk()?;
    let (checked, crc) = bytes.split_last_chunk()?;
    let codes = codes(end);
    let parts = header.summaries.len();
    let is_sound = u32::from_le_bytes(*crc) == checksum(identity, checked)
        && counts.len() == counts_len(end)
        && codes.iter().all(|&codes| codes <= MAX_CODES)
        && codes[parts..].iter().all(|&codes| codes == 0);
    if !is_sound {
        return None;
    }
    let mut counts = counts.as_chunks().0.iter().map(|count| u64::from_le_bytes(*count));
    let histogram = |&codes| Histogram::of_codes(counts.by_ref().take(codes).collect());
    let histograms: Vec<Histogram> = codes[..parts].iter().map(histogram).collect();
    let pairs = histograms.iter().zip(&header.summaries);
    let agree = pairs.into_iter().all(|(histogram, summary)| histogram.agrees_with(summary));
    agree.then_some(histograms)
}

fn checksum(identity: u32, bytes: &[u8]) -> u32 {
    let mut crc = crc::Hasher::new_with_initial(identity);
    crc.update(bytes);
    crc.finalize()
}
