//! Damaged tables: disks fail, downloads are incomplete, and one table is copied over another.
//! damka may refuse a damaged file with a clear error, but it must not crash or give a wrong value.
//!
//! Every test damages sound tables in one way, and counts the variants.

mod files;
mod forged;

use crate::fuzz::tamper;
use crate::fuzz::tamper::{
    ENTRY_LEN, GROUP_BLOCKS, HEADER_LEN, at, histograms_len, number, seal, seal_header,
};
use crate::golden::golden_halves;
use damka_games::{Draughts, English, Game, Random, Russian};
use damka_probe::{Access, ProbeError, ProbeOptions, Table, Tables, table_path};
use damka_tables::format::{BlockEncoder, Decoder, FormatError, Section, TableReader, TableWriter};
use damka_tables::metric::{Histogram, Metric, PackedValues, Packing, Summary};
use damka_tables::{Index, Indexable, Side, Signature, Value};
use damka_tests::{below, build_all, build_tables};
use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// Every byte of tables up to this size is damaged.
const SMALL: usize = 3000;

/// A sound table and its values.
struct Sample {
    name: String,
    bytes: Vec<u8>,
    /// The values with each side to move.
    values: [Vec<Value>; 2],
}

/// All Russian tables of 2 and 3 pieces, two of 4 pieces with many blocks, some half tables, and
/// one with two groups and blocks of every kind.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    let many: Signature<Draughts> = signature(Russian, "KKMvK");
    build_tables(&[many], directory.path());
    let small = (2..=3).flat_map(|pieces| Signature::all(Russian, pieces));
    let mut samples = Vec::new();
    for signature in small.chain([many]) {
        for metric in Metric::ALL {
            let path = table_path::<Draughts>(directory.path(), &signature, metric);
            let bytes = fs::read(path).expect("a table");
            samples.push(Sample::new(format!("{signature}.{}", metric.name()), bytes));
        }
    }
    for name in ["KvM.wdl", "KvM.dtw", "KKvK.wdl"] {
        let bytes = fs::read(golden_halves().join("russian").join(name)).expect("a table");
        samples.push(Sample::new(format!("half of {name}"), bytes));
    }
    samples.push(Sample::new("wide".to_owned(), wide()));
    samples
});

fn signature<G: Indexable>(game: G, text: &str) -> Signature<G> {
    Signature::parse(game, text).expect("a signature")
}

fn sample(name: &str) -> &'static Sample {
    SAMPLES.iter().find(|sample| sample.name == name).expect("a sample")
}

/// The small tables: every byte of them is damaged.
fn small() -> impl Iterator<Item = &'static Sample> {
    SAMPLES.iter().filter(|sample| sample.bytes.len() < SMALL)
}

/// A table of 35 + 37 blocks with two bytes per value: constant blocks, compressible ones, and
/// blocks of noise, which all have the same compressed size.
fn wide() -> Vec<u8> {
    let mut random = Random::new(1);
    let (packing, positions) = (Packing::TwoBytes, vec![34 * 8192 + 100, 37 * 8192 - 5]);
    let out = Cursor::new(Vec::new());
    let signature: Signature<Draughts> = signature(Russian, "KKMvKM");
    let mut writer = TableWriter::new(out, &signature, Metric::Dtw, packing, positions.clone())
        .expect("written to memory");
    let mut encoder = BlockEncoder::new(packing).expect("an encoder");
    for left in positions {
        for block in 0..left.div_ceil(8192) {
            let len = (left - block * 8192).min(8192);
            let mut value = || match block % 4 {
                0 | 1 => Value::from_code(block as u16 * 257),
                2 => Value::from_code(random.next() as u16 % 0xFF00),
                _ => Value::from_code(random.next() as u16 % 5),
            };
            let values: Vec<Value> = (0..len).map(|_| value()).collect();
            let values = PackedValues::pack(packing, &values);
            writer.digest(&values);
            writer.append(&encoder.encode(&values).expect("encoded")).expect("written to memory");
        }
    }
    let histograms = [Histogram::default(), Histogram::default()];
    let written = writer.finish(vec![Summary::default(); 2], &histograms);
    written.expect("written to memory").into_inner()
}

impl Sample {
    fn new(name: String, bytes: Vec<u8>) -> Sample {
        let table = TableReader::open(&bytes).expect("a sound table");
        table.check().expect("a sound table");
        let values = SIDES.map(|side| {
            let mut values = Vec::new();
            let read = table.read_values(side, |block| values.extend(block));
            assert_eq!(read.is_err(), table.header().left_out() == Some(side));
            values
        });
        let sample = Sample { name, values, bytes };
        assert_eq!(Parts::of(&sample.bytes).join(), sample.bytes, "{}", sample.name);
        sample
    }

    /// The error of a damaged variant, which must be refused.
    fn refused(&self, damaged: &[u8]) -> FormatError {
        self.never_wrong(damaged);
        match TableReader::open(damaged).and_then(|table| table.check()) {
            Err(error) => error,
            Ok(()) => panic!("{}: damage was not noticed", self.name),
        }
    }

    /// Reads as much of a damaged variant as possible; no value may be wrong.
    fn never_wrong(&self, damaged: &[u8]) {
        let Ok(table) = TableReader::open(damaged) else { return };
        for side in SIDES {
            let mut left = &self.values[side as usize][..];
            let read = table.read_values(side, |values| {
                let (known, rest) = left.split_at_checked(values.len()).expect("as many values");
                assert!(known == values, "{}: a wrong value", self.name);
                left = rest;
            });
            assert!(read.is_err() || left.is_empty(), "{}: too few values", self.name);
        }
    }

    fn blocks(&self) -> usize {
        TableReader::open(&self.bytes).expect("a sound table").header().blocks() as usize
    }

    /// The places of the entries of groups, the entries of blocks, the data and the histograms.
    fn sections(&self) -> [Range<usize>; 4] {
        let entries = HEADER_LEN + self.blocks().div_ceil(GROUP_BLOCKS) * 8;
        let data = entries + self.blocks() * ENTRY_LEN;
        let (end, all) = (self.histograms(), self.bytes.len());
        [HEADER_LEN..entries, entries..data, data..end, end..all]
    }

    /// The start of the histograms, or the end of the file if there are none.
    fn histograms(&self) -> usize {
        self.bytes.len() - histograms_len(&self.bytes)
    }

    /// The place of a block's entry.
    fn entry(&self, block: usize) -> Range<usize> {
        let start = self.sections()[1].start + block * ENTRY_LEN;
        start..start + ENTRY_LEN
    }

    /// The place of a block's data; empty for a constant block.
    fn data(&self, block: usize) -> Range<usize> {
        let group = HEADER_LEN + block / GROUP_BLOCKS * 8;
        let entry = self.entry(block).start as u64;
        let place = number::<4>(&self.bytes, entry);
        match number::<4>(&self.bytes, entry + 4) {
            0 => 0..0,
            len => {
                let start = (number::<8>(&self.bytes, group as u64) + place) as usize;
                start..start + len as usize
            }
        }
    }

    /// The section of the file that contains the byte at `at`.
    fn section(&self, at: usize) -> Section {
        let [groups, entries, data, _] = self.sections();
        if at < HEADER_LEN {
            Section::Header
        } else if at < groups.end {
            Section::Block(((at - groups.start) / 8 * GROUP_BLOCKS) as u64)
        } else if at < entries.end {
            Section::Block(((at - entries.start) / ENTRY_LEN) as u64)
        } else if at >= data.end {
            Section::Histogram
        } else {
            let holds = |&block: &usize| self.data(block).contains(&at);
            Section::Block((0..self.blocks()).find(holds).expect("a block") as u64)
        }
    }

    /// Changes the byte at `at`; the error must name its section.
    fn change(&self, at: usize, change: u8) {
        let mut damaged = self.bytes.clone();
        damaged[at] ^= change;
        let error = self.refused(&damaged);
        let is_expected = match at {
            0..8 => matches!(error, FormatError::NotATable),
            // One known version may turn into the other.
            8..10 => matches!(
                error,
                FormatError::UnknownVersion { known: 2, .. }
                    | FormatError::Corrupt(Section::Header)
            ),
            _ => matches!(error, FormatError::Corrupt(section) if section == self.section(at)),
        };
        assert!(is_expected, "{}: byte {at} ^ {change:#x}: {error}", self.name);
    }
}

/// A table split into its parts.
#[derive(Clone)]
struct Parts {
    header: Vec<u8>,
    blocks: Vec<Block>,
    histograms: Vec<u8>,
}

/// The byte of a constant block, or 0; the checksum; the data.
#[derive(Clone, PartialEq)]
struct Block {
    constant: u32,
    crc: u32,
    data: Vec<u8>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Parts {
        let blocks = tamper::blocks(bytes);
        let entries = HEADER_LEN as u64 + blocks.div_ceil(GROUP_BLOCKS as u64) * 8;
        let block = |block| {
            let group = number::<8>(bytes, HEADER_LEN as u64 + block / GROUP_BLOCKS as u64 * 8);
            let entry = entries + block * ENTRY_LEN as u64;
            let [place, len, crc] = [0, 4, 8].map(|field| number::<4>(bytes, entry + field));
            let data = match len {
                0 => Vec::new(),
                len => bytes[(group + place) as usize..][..len as usize].to_vec(),
            };
            let constant = if len == 0 { place as u32 } else { 0 };
            Block { constant, crc: crc as u32, data }
        };
        Parts {
            header: bytes[..HEADER_LEN].to_vec(),
            blocks: (0..blocks).map(block).collect(),
            histograms: bytes[bytes.len() - histograms_len(bytes)..].to_vec(),
        }
    }

    /// Joins the parts to a file with the old checksums of blocks and a correct header.
    fn join(&self) -> Vec<u8> {
        let (mut groups, mut entries, mut data) = (Vec::new(), Vec::new(), Vec::new());
        let count = self.blocks.len();
        let data_start = HEADER_LEN + count.div_ceil(GROUP_BLOCKS) * 8 + count * ENTRY_LEN;
        let mut group_start = 0;
        for (number, block) in self.blocks.iter().enumerate() {
            if number % GROUP_BLOCKS == 0 {
                group_start = data.len();
                groups.extend(((data_start + group_start) as u64).to_le_bytes());
            }
            let place = match block.data[..] {
                [] => block.constant,
                _ => (data.len() - group_start) as u32,
            };
            let entry = [place, block.data.len() as u32, block.crc];
            entries.extend(entry.map(u32::to_le_bytes).as_flattened());
            data.extend(&block.data);
        }
        let histograms = self.histograms.clone();
        let mut bytes = [self.header.clone(), groups, entries, data, histograms].concat();
        let len = bytes.len() as u64;
        put(&mut bytes, at::DATA_OFFSET, &(data_start as u64).to_le_bytes());
        put(&mut bytes, at::FILE_LEN, &len.to_le_bytes());
        seal_header(&mut bytes);
        bytes
    }
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

fn is_block(error: &FormatError, block: usize) -> bool {
    matches!(error, FormatError::Corrupt(Section::Block(number)) if *number == block as u64)
}

#[test]
fn a_changed_byte_is_noticed_and_located() {
    let mut variants = 0;
    let changes = [255, 1, 2, 4, 8, 16, 32, 64, 128];
    for sample in small() {
        // All bits of the smallest tables, two changes of each byte of the others.
        let changes = if sample.bytes.len() < 700 { &changes[..] } else { &changes[..2] };
        for at in 0..sample.bytes.len() {
            for &change in changes {
                sample.change(at, change);
                variants += 1;
            }
        }
    }
    // For large tables: the header, the directory, and random other bytes.
    let mut random = Random::new(2);
    for sample in SAMPLES.iter().filter(|sample| sample.bytes.len() >= SMALL) {
        let [_, entries, data, _] = sample.sections();
        for at in (0..entries.end).step_by(3) {
            sample.change(at, 1 << below(&mut random, 8));
            variants += 1;
        }
        for _ in 0..150 {
            let at = data.start + below(&mut random, data.len());
            sample.change(at, 1 + below(&mut random, 255) as u8);
            variants += 1;
        }
    }
    assert!(variants >= 50_000, "{variants}");
}

#[test]
fn a_table_cut_short_is_noticed() {
    let mut variants = 0;
    let mut random = Random::new(3);
    for sample in SAMPLES.iter() {
        let all = sample.bytes.len();
        let lengths: Vec<usize> = match all < SMALL {
            true => (0..all).collect(),
            false => (0..2000).chain((0..1000).map(|_| below(&mut random, all))).collect(),
        };
        for len in lengths {
            let error = sample.refused(&sample.bytes[..len]);
            let is_expected = match (len, &error) {
                (0..8, FormatError::NotATable) => true,
                (8.., FormatError::WrongLength { expected, found }) => {
                    let known = if len < HEADER_LEN { HEADER_LEN } else { all };
                    (*expected, *found) == (known as u64, len as u64)
                }
                _ => false,
            };
            assert!(is_expected, "{} cut to {len} bytes: {error}", sample.name);
            variants += 1;
        }
    }
    assert!(variants >= 35_000, "{variants}");
}

#[test]
fn a_table_with_something_after_it_is_noticed() {
    let mut variants = 0;
    for sample in SAMPLES.iter() {
        let copy = sample.bytes.clone();
        let zeros = (1..40).map(|len| vec![0; len]);
        for tail in zeros.chain([vec![255], b"\n".to_vec(), copy]) {
            let mut damaged = [&sample.bytes[..], &tail].concat();
            let error = sample.refused(&damaged);
            assert!(matches!(error, FormatError::WrongLength { .. }), "{}: {error}", sample.name);
            // The header's length includes the tail.
            let len = damaged.len() as u64;
            put(&mut damaged, at::FILE_LEN, &len.to_le_bytes());
            seal_header(&mut damaged);
            let error = sample.refused(&damaged);
            let is_expected = match sample.histograms() == sample.bytes.len() {
                true => matches!(error, FormatError::Corrupt(Section::Layout)),
                false => {
                    matches!(error, FormatError::Corrupt(Section::Layout | Section::Histogram))
                }
            };
            assert!(is_expected, "{}: {error}", sample.name);
            variants += 2;
        }
    }
    assert!(variants >= 1_700, "{variants}");
}

/// The damage of a file system that loses a page, or fills it with other data.
#[test]
fn stretches_of_bytes_lost_or_moved_are_noticed() {
    let mut variants = 0;
    let mut random = Random::new(4);
    for sample in SAMPLES.iter() {
        let all = sample.bytes.len();
        let sections = sample.sections().into_iter().chain(std::iter::once(0..HEADER_LEN));
        let blocks = (0..sample.blocks()).flat_map(|b| [sample.entry(b), sample.data(b)]);
        let some = (0..80).map(|_| {
            let (a, b) = (below(&mut random, all), below(&mut random, all));
            a.min(b)..a.max(b) + 1
        });
        for range in sections.chain(blocks).chain(some.collect::<Vec<_>>()) {
            let mut filled = [0, 255, b' '].map(|byte| {
                let mut damaged = sample.bytes.clone();
                damaged[range.clone()].fill(byte);
                damaged
            });
            let mut moved = sample.bytes.clone();
            let to = below(&mut random, all - range.len() + 1);
            moved.copy_within(range.clone(), to);
            let mut turned = sample.bytes.clone();
            turned[range.clone()].rotate_left(range.len() / 3);
            let [zeros, ones, spaces] = &mut filled;
            for damaged in [zeros, ones, spaces, &mut moved, &mut turned] {
                if *damaged != sample.bytes {
                    sample.refused(damaged);
                    variants += 1;
                }
            }
        }
    }
    assert!(variants >= 9_000, "{variants}");
}

#[test]
fn blocks_in_each_others_place_are_noticed() {
    let mut variants = 0;
    let mut same_length = 0;
    for name in ["wide", "KKMvK.dtw", "KKMvK.wdl", "KMvM.dtw", "KMvM.wdl"] {
        let sample = sample(name);
        let parts = Parts::of(&sample.bytes);
        let pairs = (0..sample.blocks()).flat_map(|j| (0..j).map(move |i| (i, j)));
        for (i, j) in pairs.filter(|(i, j)| i % 8 == 2 || j - i == 1) {
            // Only the data, if it has the same length.
            let (first, second) = (sample.data(i), sample.data(j));
            if first.len() == second.len()
                && sample.bytes[first.clone()] != sample.bytes[second.clone()]
            {
                let mut damaged = sample.bytes.clone();
                put(&mut damaged, first.start, &sample.bytes[second.clone()]);
                put(&mut damaged, second.start, &sample.bytes[first]);
                let error = sample.refused(&damaged);
                assert!(is_block(&error, i), "{name}: data of {i} and {j}: {error}");
                same_length += 1;
            }
            // Only the entries.
            let mut damaged = sample.bytes.clone();
            put(&mut damaged, sample.entry(i).start, &sample.bytes[sample.entry(j)]);
            put(&mut damaged, sample.entry(j).start, &sample.bytes[sample.entry(i)]);
            let error = sample.refused(&damaged);
            assert!(is_block(&error, i), "{name}: entries of {i} and {j}: {error}");
            // Both, with all data between moved accordingly.
            let mut swapped = parts.clone();
            swapped.blocks.swap(i, j);
            let error = sample.refused(&swapped.join());
            assert!(is_block(&error, i), "{name}: blocks {i} and {j}: {error}");
            variants += 2;
        }
    }
    // The entries of groups.
    let sample = sample("wide");
    let mut damaged = sample.bytes.clone();
    damaged[sample.sections()[0].clone()].rotate_left(8);
    assert!(is_block(&sample.refused(&damaged), 0));
    assert!(same_length >= 40, "{same_length}");
    assert!(variants >= 1_000, "{variants}");
}

#[test]
fn a_block_of_another_table_is_noticed() {
    let mut variants = 0;
    for host in SAMPLES.iter() {
        let parts = Parts::of(&host.bytes);
        for guest in SAMPLES.iter().filter(|guest| guest.name != host.name) {
            let guest_parts = Parts::of(&guest.bytes);
            let blocks = parts.blocks.len().min(guest_parts.blocks.len());
            // The first block, one in the middle, the last.
            for block in [0, blocks / 2, blocks - 1] {
                let mut spliced = parts.clone();
                spliced.blocks[block] = guest_parts.blocks[block].clone();
                let error = host.refused(&spliced.join());
                // Blocks before this one are at their places; later ones may have moved.
                let is_expected = is_block(&error, block);
                assert!(is_expected, "block {block} of {} in {}: {error}", guest.name, host.name);
                variants += 1;
            }
            // All blocks of the other table after this header.
            if parts.blocks.len() == guest_parts.blocks.len() {
                let spliced = Parts { blocks: guest_parts.blocks, ..parts.clone() }.join();
                assert!(is_block(&host.refused(&spliced), 0));
                let table = TableReader::open(&spliced[..]).expect("a header that fits");
                let mut decoder = Decoder::new().expect("memory");
                for block in 0..table.header().blocks() {
                    let error = table.read_block(&mut decoder, block, &mut Vec::new()).unwrap_err();
                    assert!(is_block(&error, block as usize), "{error}");
                }
                variants += 1;
            }
        }
    }
    assert!(variants >= 1_000, "{variants}");
}

/// The beginning of one file and the rest of another, as after a resumed download.
#[test]
fn halves_of_two_tables_are_noticed() {
    let mut variants = 0;
    let mut random = Random::new(5);
    for host in SAMPLES.iter() {
        for guest in SAMPLES.iter().filter(|guest| guest.name != host.name) {
            let shorter = host.bytes.len().min(guest.bytes.len());
            let cuts = [
                HEADER_LEN,
                shorter,
                below(&mut random, shorter),
                1 + below(&mut random, HEADER_LEN),
            ];
            for cut in cuts {
                let mixed = [&host.bytes[..cut], &guest.bytes[cut..]].concat();
                // A mixture equal to one of the files is not damaged.
                if mixed != host.bytes && mixed != guest.bytes {
                    host.refused(&mixed);
                    variants += 1;
                }
            }
        }
    }
    assert!(variants >= 1_000, "{variants}");
}
