use super::crc;
use super::{
    BLOCK_ENTRY_LEN, BLOCK_LEN, FormatError, GROUP_BLOCKS, GROUP_ENTRY_LEN, HEADER_LEN, MAGIC,
    MAJOR, MAJOR_OF_HALVES, MINOR, Section,
};
use crate::metric::{Longest, Metric, Packing, Summary};
use crate::{Index, Indexable, Side, Signature};
use std::ops::Range;

/// The header of a table file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) minor: u16,
    pub(super) game: String,
    pub(super) rules_version: u16,
    pub(super) index_version: u16,
    pub(super) signature: String,
    pub(super) metric: Metric,
    pub(super) packing: Packing,
    /// The number of positions with the first and with the second side to move; a single entry if
    /// both sides are equal.
    pub(super) positions: Vec<u64>,
    /// The side to move whose values are left out, if any.
    pub(super) left_out: Option<Side>,
    /// Counts, one for each entry of `positions`.
    pub(super) summaries: Vec<Summary>,
    /// BLAKE3 of all values, including those that are left out; see FORMAT.md.
    pub(super) digest: [u8; 32],
    pub(super) data_offset: u64,
    pub(super) file_len: u64,
}

/// The offsets of the fields. Each is defined by the end of the preceding field.
mod at {
    pub(super) const VERSION: usize = 8;
    pub(super) const HEADER_LEN: usize = VERSION + 4;
    pub(super) const GAME: usize = HEADER_LEN + 4;
    pub(super) const RULES_VERSION: usize = GAME + 16;
    pub(super) const INDEX_VERSION: usize = RULES_VERSION + 2;
    pub(super) const METRIC: usize = INDEX_VERSION + 2;
    pub(super) const PACKING: usize = METRIC + 1;
    pub(super) const CODEC: usize = PACKING + 1;
    pub(super) const PARTS: usize = CODEC + 1;
    pub(super) const BLOCK_LEN: usize = PARTS + 1;
    pub(super) const GROUP_BLOCKS: usize = BLOCK_LEN + 4;
    pub(super) const SIGNATURE: usize = GROUP_BLOCKS + 4;
    pub(super) const POSITIONS: usize = SIGNATURE + 32;
    /// Everything before this offset is known before the first block is written, and identifies the
    /// table.
    pub(super) const IDENTITY_END: usize = POSITIONS + 2 * 8;
    pub(super) const DATA_OFFSET: usize = IDENTITY_END;
    pub(super) const FILE_LEN: usize = DATA_OFFSET + 8;
    pub(super) const DIGEST: usize = FILE_LEN + 8;
    pub(super) const SUMMARIES: usize = DIGEST + 32;
    pub(super) const SUMMARY_LEN: usize = 3 * 8 + 2 * SUMMARY_LONGEST_LEN;
    pub(super) const SUMMARY_LONGEST_LEN: usize = 2 + 8;
    pub(super) const RESERVED: usize = SUMMARIES + 2 * SUMMARY_LEN;
    pub(super) const CRC: usize = super::HEADER_LEN - 4;
}

/// The only codec so far: each block is a zstd frame.
const ZSTD: u8 = 1;
/// In the field for the number of parts: there are two, and the second is left out.
const FIRST_OF_TWO: u8 = 3;
/// In the field for the number of parts: there are two, and the first is left out.
const SECOND_OF_TWO: u8 = 4;
/// In the distance field of the longest win or loss: there is none.
const NO_PLIES: u16 = u16::MAX;

impl Header {
    /// The header of a table about to be written: the layout is known, the results are not.
    pub(super) fn new<G: Indexable>(
        signature: &Signature<G>,
        metric: Metric,
        packing: Packing,
        positions: Vec<u64>,
    ) -> Header {
        let mut header = Header {
            minor: if metric.has_distances() { MINOR } else { 0 },
            game: signature.game().name().to_owned(),
            rules_version: signature.game().rules_version(),
            index_version: G::INDEX_VERSION,
            signature: signature.to_string(),
            metric,
            packing,
            left_out: None,
            summaries: vec![Summary::default(); positions.len()],
            positions,
            digest: [0; 32],
            data_offset: 0,
            file_len: 0,
        };
        header.lay_out();
        header
    }

    /// The header of the half table that leaves out the values with `side` to move.
    ///
    /// # Panics
    /// If both sides are equal, or a side is left out already.
    pub(super) fn without(&self, side: Side) -> Header {
        assert!(
            self.positions.len() == 2 && self.left_out.is_none(),
            "there is no side to leave out"
        );
        let mut header = Header { left_out: Some(side), ..self.clone() };
        header.lay_out();
        header
    }

    /// Places the data, which is empty so far, after the directory.
    fn lay_out(&mut self) {
        self.data_offset = self.directory_end();
        self.file_len = self.data_offset;
    }

    /// The kind of information in the table.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Whether the file has a histogram for each part. Tables of minor version 0 have none.
    pub(super) fn has_histograms(&self) -> bool {
        self.minor > 0 && self.metric.has_distances()
    }

    /// How values are packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// The length of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The side to move whose values the file leaves out: they follow from those of the other side
    /// by one move. `None` if the file has all values that tables of its metric hold.
    pub fn left_out(&self) -> Option<Side> {
        self.left_out
    }

    /// BLAKE3 of the values: equal for all files with the same contents, however they are packed
    /// and compressed, and whether or not a side is [left out](Header::left_out).
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The digest in hexadecimal digits.
    pub fn digest_hex(&self) -> String {
        blake3::Hash::from_bytes(self.digest).to_hex().to_string()
    }

    /// The number of positions with `side` to move; those that share a number count once.
    pub fn positions(&self, side: Side) -> u64 {
        self.positions[self.part(side)]
    }

    /// Counts over the positions with `side` to move.
    pub fn summary(&self, side: Side) -> &Summary {
        &self.summaries[self.part(side)]
    }

    /// The part of a side. If both sides of a table are equal, it has one part for both.
    pub(super) fn part(&self, side: Side) -> usize {
        (side as usize).min(self.positions.len() - 1)
    }

    /// Checks that this is the table of `signature` under `metric`, made with the versions of the
    /// rules and the index that this program uses. Does not build the index.
    ///
    /// # Errors
    /// Fails with [`FormatError::OtherTable`], which names the difference.
    pub fn check<G: Indexable>(
        &self,
        signature: &Signature<G>,
        metric: Metric,
    ) -> Result<(), FormatError> {
        let other = |what: String| Err(FormatError::OtherTable(what));
        if self.game != signature.game().name() || self.signature != signature.to_string() {
            return other(format!("{} {}", self.game, self.signature));
        }
        if self.metric != metric {
            return other(format!("metric {}", self.metric.name()));
        }
        if self.rules_version != signature.game().rules_version() {
            return other(format!("rules version {}", self.rules_version));
        }
        if self.index_version != G::INDEX_VERSION {
            return other(format!("index version {}", self.index_version));
        }
        let positions = signature.sides().iter().map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            Index::<G>::count(&mover, &opponent)
        });
        match self.positions.iter().copied().eq(positions) {
            true => Ok(()),
            false => other("a different number of positions".to_owned()),
        }
    }

    /// The number of blocks of all parts.
    pub fn blocks(&self) -> u64 {
        (0..self.positions.len()).map(|part| self.blocks_of(part)).sum()
    }

    /// The number of blocks of a part.
    fn blocks_of(&self, part: usize) -> u64 {
        match self.left_out {
            Some(side) if self.part(side) == part => 0,
            _ => self.positions[part].div_ceil(self.block_positions()),
        }
    }

    /// The number of positions in a full block.
    pub fn block_positions(&self) -> u64 {
        self.packing.per_bytes(BLOCK_LEN)
    }

    /// The first block of a side's part.
    pub(super) fn first_block(&self, side: Side) -> u64 {
        match self.part(side) {
            0 => 0,
            _ => self.blocks_of(0),
        }
    }

    /// The blocks of a side's part; none if it is [left out](Header::left_out).
    pub fn part_blocks(&self, side: Side) -> Range<u64> {
        let first = self.first_block(side);
        first..first + self.blocks_of(self.part(side))
    }

    /// The number of positions in a block, which determines its uncompressed size.
    pub(super) fn positions_in(&self, block: u64) -> u64 {
        let first = self.blocks_of(0);
        let (part, block) = match block.checked_sub(first) {
            Some(block) => (1, block),
            None => (0, block),
        };
        let before = block * self.block_positions();
        (self.positions[part] - before).min(self.block_positions())
    }

    pub(super) fn groups(&self) -> u64 {
        self.blocks().div_ceil(GROUP_BLOCKS.into())
    }

    /// The group of a block.
    pub(super) fn group(&self, block: u64) -> usize {
        (block / u64::from(GROUP_BLOCKS)) as usize
    }

    pub(super) fn block_entry(&self, block: u64) -> u64 {
        HEADER_LEN as u64 + self.groups() * GROUP_ENTRY_LEN + block * BLOCK_ENTRY_LEN
    }

    pub(super) fn directory_end(&self) -> u64 {
        self.block_entry(self.blocks())
    }

    /// The range of the block entries in the file; all entries have the same length. The header and
    /// the group entries precede them, the data of the blocks follows.
    pub fn block_entries(&self) -> Range<u64> {
        self.block_entry(0)..self.directory_end()
    }

    /// Encodes the header.
    pub(super) fn encode(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
        put(0, &MAGIC);
        let (major, parts) = match self.left_out {
            None => (MAJOR, self.positions.len() as u8),
            Some(Side::Second) => (MAJOR_OF_HALVES, FIRST_OF_TWO),
            Some(Side::First) => (MAJOR_OF_HALVES, SECOND_OF_TWO),
        };
        put(at::VERSION, &major.to_le_bytes());
        put(at::VERSION + 2, &self.minor.to_le_bytes());
        put(at::HEADER_LEN, &(HEADER_LEN as u32).to_le_bytes());
        put(at::GAME, self.game.as_bytes());
        put(at::RULES_VERSION, &self.rules_version.to_le_bytes());
        put(at::INDEX_VERSION, &self.index_version.to_le_bytes());
        put(at::METRIC, &[self.metric as u8]);
        put(at::PACKING, &[self.packing as u8]);
        put(at::CODEC, &[ZSTD]);
        put(at::PARTS, &[parts]);
        put(at::BLOCK_LEN, &BLOCK_LEN.to_le_bytes());
        put(at::GROUP_BLOCKS, &GROUP_BLOCKS.to_le_bytes());
        put(at::SIGNATURE, self.signature.as_bytes());
        for (part, positions) in self.positions.iter().enumerate() {
            put(at::POSITIONS + 8 * part, &positions.to_le_bytes());
        }
        put(at::DATA_OFFSET, &self.data_offset.to_le_bytes());
        put(at::FILE_LEN, &self.file_len.to_le_bytes());
        put(at::DIGEST, &self.digest);
        for (part, summary) in self.summaries.iter().enumerate() {
            let at = at::SUMMARIES + part * at::SUMMARY_LEN;
            put(at, &summary.wins.to_le_bytes());
            put(at + 8, &summary.draws.to_le_bytes());
            put(at + 16, &summary.losses.to_le_bytes());
            let longest = [summary.longest_win, summary.longest_loss];
            for (i, longest) in longest.into_iter().enumerate() {
                let at = at + 24 + i * at::SUMMARY_LONGEST_LEN;
                let plies = longest.map_or(NO_PLIES, |longest| longest.plies);
                let number = longest.map_or(0, |longest| longest.number);
                put(at, &plies.to_le_bytes());
                put(at + 2, &number.to_le_bytes());
            }
        }
        let crc = crc::hash(&bytes[..at::CRC]);
        bytes[at::CRC..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Decodes a header and checks its geometry against the length of the file.
    pub(super) fn decode(bytes: &[u8], file_len: u64) -> Result<Header, FormatError> {
        let fields = Fields(bytes);
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(FormatError::NotATable);
        }
        let truncated =
            || FormatError::WrongLength { expected: HEADER_LEN as u64, found: file_len };
        let version = fields.u32(at::VERSION).ok_or_else(truncated)?;
        let [major, minor] = [version as u16, (version >> 16) as u16];
        if major != MAJOR && major != MAJOR_OF_HALVES {
            return Err(FormatError::UnknownVersion { major, minor, known: MAJOR_OF_HALVES });
        }
        let bytes: &[u8; HEADER_LEN] = bytes.try_into().map_err(|_| truncated())?;
        let corrupt = || FormatError::Corrupt(Section::Header);
        if fields.u32(at::CRC) != Some(crc::hash(&bytes[..at::CRC])) {
            return Err(corrupt());
        }

        let metric = Metric::from_byte(bytes[at::METRIC]);
        let metric = metric.ok_or(FormatError::Unsupported("metric"))?;
        let packing = Packing::from_byte(bytes[at::PACKING])
            .ok_or(FormatError::Unsupported("way of packing values"))?;
        if bytes[at::CODEC] != ZSTD {
            return Err(FormatError::Unsupported("codec"));
        }
        if fields.u32(at::HEADER_LEN) != Some(HEADER_LEN as u32)
            || fields.u32(at::BLOCK_LEN) != Some(BLOCK_LEN)
            || fields.u32(at::GROUP_BLOCKS) != Some(GROUP_BLOCKS)
        {
            return Err(FormatError::Unsupported("block geometry"));
        }
        let (parts, left_out) = match (major, bytes[at::PARTS]) {
            (MAJOR, parts @ 1..=2) => (parts.into(), None),
            (MAJOR_OF_HALVES, FIRST_OF_TWO) => (2, Some(Side::Second)),
            (MAJOR_OF_HALVES, SECOND_OF_TWO) => (2, Some(Side::First)),
            _ => return Err(corrupt()),
        };
        if bytes[at::RESERVED..at::CRC].iter().any(|&b| b != 0) {
            return Err(corrupt());
        }
        let u64_at = |at| fields.u64(at).ok_or_else(corrupt);
        let positions = (0..parts).map(|part| u64_at(at::POSITIONS + 8 * part));
        let positions: Vec<u64> = positions.collect::<Result<_, _>>()?;
        let summaries = (0..parts).map(|part| fields.summary(part).ok_or_else(corrupt));
        let header = Header {
            minor,
            game: fields.text(at::GAME, 16).ok_or_else(corrupt)?,
            rules_version: fields.u16(at::RULES_VERSION).ok_or_else(corrupt)?,
            index_version: fields.u16(at::INDEX_VERSION).ok_or_else(corrupt)?,
            signature: fields.text(at::SIGNATURE, 32).ok_or_else(corrupt)?,
            metric,
            packing,
            summaries: summaries.collect::<Result<_, _>>()?,
            left_out,
            digest: bytes[at::DIGEST..at::DIGEST + 32].try_into().map_err(|_| corrupt())?,
            data_offset: u64_at(at::DATA_OFFSET)?,
            file_len: u64_at(at::FILE_LEN)?,
            positions,
        };
        // 2^50 positions are far more than any table has, and far from any overflow.
        let sane = header.positions.iter().all(|&n| (1..1 << 50).contains(&n));
        let summaries = header.positions.iter().zip(&header.summaries);
        let sane = sane && summaries.into_iter().all(|(&n, summary)| summary.is_sane(n));
        if !sane
            || header.data_offset != header.directory_end()
            || header.file_len < header.data_offset
        {
            return Err(corrupt());
        }
        if header.file_len != file_len {
            return Err(FormatError::WrongLength { expected: header.file_len, found: file_len });
        }
        Ok(header)
    }
}

/// A checksum of the bytes of the header that identify the table. It is mixed into every block's
/// CRC, so that blocks of another table are not accepted. Computed over the bytes as they are in the
/// file, not over the decoded fields.
pub(super) fn identity(header: &[u8]) -> u32 {
    crc::hash(&header[..at::IDENTITY_END])
}

/// Little-endian fields of a byte string; `None` beyond its end.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl Fields<'_> {
    fn bytes<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        self.bytes(at).map(u16::from_le_bytes)
    }

    pub(super) fn u32(&self, at: usize) -> Option<u32> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    pub(super) fn u64(&self, at: usize) -> Option<u64> {
        self.bytes(at).map(u64::from_le_bytes)
    }

    /// ASCII text padded with zeros.
    fn text(&self, at: usize, len: usize) -> Option<String> {
        let field = self.0.get(at..at + len)?;
        let end = field.iter().position(|&b| b == 0).unwrap_or(len);
        let (text, padding) = field.split_at(end);
        let sound = text.is_ascii() && padding.iter().all(|&b| b == 0);
        sound.then(|| String::from_utf8_lossy(text).into_owned())
    }

    fn summary(&self, part: usize) -> Option<Summary> {
        let at = at::SUMMARIES + part * at::SUMMARY_LEN;
        let longest = |i: usize| {
            let at = at + 24 + i * at::SUMMARY_LONGEST_LEN;
            let (plies, number) = (self.u16(at)?, self.u64(at + 2)?);
            Some((plies != NO_PLIES).then_some(Longest { plies, number }))
        };
        Some(Summary {
            wins: self.u64(at)?,
            draws: self.u64(at + 8)?,
            losses: self.u64(at + 16)?,
            longest_win: longest(0)?,
            longest_loss: longest(1)?,
        })
    }
}

/// The checksum of a block: of its data, its directory entry and that of its group, its number, and
/// the identity of its table.
pub(super) fn block_crc(
    identity: u32,
    block: u64,
    group_start: u64,
    place: u32,
    data: &[u8],
) -> u32 {
    let mut crc = crc::Hasher::new_with_initial(identity);
    crc.update(&block.to_le_bytes());
    crc.update(&group_start.to_le_bytes());
    crc.update(&place.to_le_bytes());
    crc.update(&(data.len() as u32).to_le_bytes());
    crc.update(data);
    crc.finalize()
}
