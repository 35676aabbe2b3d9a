//! Forged tables: header or directory are changed, and their checksums corrected.

use super::*;

/// A header is changed and its checksum corrected. The checksum of every block also covers all fields
/// on which values depend.
#[test]
fn a_forged_header_gives_no_wrong_values() {
    /// The place of the results, on which no values depend.
    const RESULTS: Range<usize> = 112..232;
    let mut variants = 0;
    for sample in small() {
        for at in 0..at::CRC {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                let mut damaged = sample.bytes.clone();
                damaged[at] ^= change;
                seal_header(&mut damaged);
                sample.never_wrong(&damaged);
                if !RESULTS.contains(&at) {
                    sample.refused(&damaged);
                }
                variants += 1;
            }
        }
    }
    assert!(variants >= 60_000, "{variants}");
}

#[test]
fn a_forged_header_gets_a_typed_error() {
    use FormatError::{Corrupt, NotATable, UnknownVersion, Unsupported, WrongLength};
    fn is_header(error: &FormatError) -> bool {
        matches!(error, Corrupt(Section::Header))
    }
    let u64s = |numbers: [u64; 2]| numbers.map(u64::to_le_bytes).as_flattened().to_vec();
    let original = sample("KKvK.dtw");
    let positions = SIDES.map(|side| original.values[side as usize].len() as u64);
    // The offset and the new bytes (see tables/FORMAT.md), and the expected error. A name of full
    // length is valid, but it is not the name of this table.
    type Case = (usize, Vec<u8>, fn(&FormatError) -> bool);
    let block_0: fn(&FormatError) -> bool = |error| is_block(error, 0);
    let cases: Vec<Case> = vec![
        (0, b"\x89PNG".to_vec(), |e| matches!(e, NotATable)),
        // Version 2 has other numbers of parts.
        (8, vec![2, 0, 0, 0], is_header),
        (8, vec![3, 0, 0, 0], |e| matches!(e, UnknownVersion { major: 3, minor: 0, .. })),
        (8, vec![0, 0, 9, 0], |e| matches!(e, UnknownVersion { major: 0, minor: 9, .. })),
        (12, vec![0, 4], |e| matches!(e, Unsupported("block geometry"))),
        (16, vec![b'x'; 16], block_0),
        (16, b"russ\0ian".to_vec(), is_header),
        (16, "шашки".into(), is_header),
        (32, vec![9], block_0),
        (34, vec![9], block_0),
        (36, vec![0], block_0),
        (36, vec![2], |e| matches!(e, Unsupported("metric"))),
        (37, vec![3], |e| matches!(e, Unsupported("way of packing values"))),
        (38, vec![0], |e| matches!(e, Unsupported("codec"))),
        (38, vec![2], |e| matches!(e, Unsupported("codec"))),
        (39, vec![0], is_header),
        (39, vec![3], is_header),
        (39, vec![4], is_header),
        (39, vec![255], is_header),
        (40, vec![0; 4], |e| matches!(e, Unsupported("block geometry"))),
        (40, vec![255; 4], |e| matches!(e, Unsupported("block geometry"))),
        (44, vec![0; 4], |e| matches!(e, Unsupported("block geometry"))),
        (48, vec![b'K'; 32], block_0),
        (48, b"KvKK".to_vec(), block_0),
        (48, vec![200], is_header),
        (80, u64s([positions[0] - 1, positions[1]]), block_0),
        (80, u64s([positions[1], positions[0] + 1]), block_0),
        (80, u64s([0, positions[1]]), is_header),
        (80, u64s([positions[0], 0]), is_header),
        (80, u64s([positions[0] << 8, positions[1]]), is_header),
        (80, u64s([1 << 49, 1 << 49]), is_header),
        (80, u64s([1 << 63, 1 << 63]), is_header),
        (80, u64s([u64::MAX, u64::MAX]), is_header),
        (at::DATA_OFFSET, vec![0; 8], is_header),
        (at::DATA_OFFSET, vec![255; 8], is_header),
        (at::FILE_LEN, vec![0; 8], is_header),
        (at::FILE_LEN, vec![255; 8], |e| matches!(e, WrongLength { expected: u64::MAX, .. })),
        (232, vec![1], is_header),
        (507, vec![1], is_header),
    ];
    for (at, field, expected) in cases {
        let mut damaged = original.bytes.clone();
        put(&mut damaged, at, &field);
        seal_header(&mut damaged);
        let error = original.refused(&damaged);
        assert!(expected(&error), "{field:?} at {at}: {error}");
    }
    // A second side without positions.
    let mut damaged = sample("KvK.dtw").bytes.clone();
    put(&mut damaged, 39, &[2]);
    seal_header(&mut damaged);
    let error = TableReader::open(&damaged[..]).expect_err("no positions");
    assert!(is_header(&error), "{error}");
}

/// A header whose numbers are consistent, but too large for the file, such as 2^50 positions. The
/// reader must not allocate memory for them.
#[test]
fn a_table_that_claims_to_be_enormous_is_refused_at_once() {
    for packing in 0..3 {
        for positions in [1 << 20, 1 << 32, 1 << 40, (1 << 50) - 1, 1 << 50, 1 << 59] {
            let mut damaged = sample("KvK.dtw").bytes.clone();
            put(&mut damaged, at::PACKING, &[packing]);
            put(&mut damaged, at::POSITIONS, &u64::to_le_bytes(positions));
            let blocks = tamper::blocks(&damaged);
            let groups = blocks.div_ceil(GROUP_BLOCKS as u64);
            let directory_end = HEADER_LEN as u64 + groups * 8 + blocks * ENTRY_LEN as u64;
            put(&mut damaged, at::DATA_OFFSET, &directory_end.to_le_bytes());
            for file_len in [damaged.len() as u64, directory_end, u64::MAX] {
                put(&mut damaged, at::FILE_LEN, &file_len.to_le_bytes());
                seal_header(&mut damaged);
                let error = TableReader::open(&damaged[..]).expect_err("not a table");
                let is_expected = match error {
                    FormatError::Corrupt(Section::Header) => true,
                    // A possible number, but the file is too short for it.
                    FormatError::WrongLength { .. } => positions < 1 << 50,
                    _ => false,
                };
                assert!(is_expected, "{error}");
            }
        }
    }
}

/// A directory with arbitrary offsets and correct checksums.
#[test]
fn a_forged_directory_leads_nowhere() {
    let original = sample("wide");
    let [groups, _, data, _] = original.sections();
    let noise = (0..original.blocks()).find(|&b| b % 4 == 2).expect("a block of noise");
    let entry = original.entry(noise).start;
    let end = original.bytes.len() as u64;
    let u32s = |place: u32, len: u32| [place, len].map(u32::to_le_bytes).concat();
    let start = |group_start: u64| (groups.start, group_start.to_le_bytes().to_vec());
    let place = |place, len| (entry, u32s(place, len));
    let cases = [
        // A group that starts at 0, a byte too early or late, near the end, after it, or far beyond
        // it.
        start(0),
        start(data.start as u64 - 1),
        start(data.start as u64 + 1),
        start(end - 1),
        start(end),
        start(u64::MAX - 1),
        start(u64::MAX),
        // A block that is longer than the file, begins after its end, or whose end overflows; a
        // constant that is not a byte.
        place(0, u32::MAX),
        place(u32::MAX, 1),
        place(u32::MAX, u32::MAX),
        place(end as u32, 1),
        place(0, 1),
        place(256, 0),
        place(u32::MAX, 0),
    ];
    for (at, field) in cases {
        let mut damaged = original.bytes.clone();
        put(&mut damaged, at, &field);
        seal(&mut damaged);
        let table = TableReader::open(&damaged[..]).expect("a header that fits");
        let error = table.check().expect_err("blocks that are nowhere");
        let is_expected = match at == entry {
            true => is_block(&error, noise),
            false => matches!(error, FormatError::Corrupt(Section::Layout)),
        };
        assert!(is_expected, "{field:?} at {at}: {error}");
        for block in 0..table.header().blocks() {
            let mut decoder = Decoder::new().expect("memory");
            let read = table.read_block(&mut decoder, block, &mut Vec::new());
            assert!(matches!(read, Ok(()) | Err(FormatError::Corrupt(_))), "{read:?}");
        }
    }
    // Two blocks that share their data: each is sound, but the layout is not.
    let other = (noise + 1..original.blocks()).find(|&b| b % 4 == 2).expect("another");
    let mut damaged = original.bytes.clone();
    put(&mut damaged, original.entry(other).start, &original.bytes[entry..entry + 8]);
    seal(&mut damaged);
    let table = TableReader::open(&damaged[..]).expect("a header that fits");
    assert!(matches!(table.check(), Err(FormatError::Corrupt(Section::Layout))));
    // A group that starts too early, with its blocks at the right places.
    let mut damaged = original.bytes.clone();
    let start = number::<8>(&damaged, groups.start as u64 + 8) - 1;
    put(&mut damaged, groups.start + 8, &start.to_le_bytes());
    for block in (GROUP_BLOCKS..original.blocks()).filter(|&b| !original.data(b).is_empty()) {
        let entry = original.entry(block).start;
        let place = number::<4>(&damaged, entry as u64) as u32 + 1;
        put(&mut damaged, entry, &place.to_le_bytes());
    }
    seal(&mut damaged);
    let table = TableReader::open(&damaged[..]).expect("a header that fits");
    assert!(matches!(table.check(), Err(FormatError::Corrupt(Section::Layout))));
}

/// Data that is not a zstd frame, or is a frame that unpacks to too few bytes, or from a few bytes
/// to gigabytes.
#[test]
fn a_frame_of_another_size_is_refused() {
    /// A zstd frame of runs of zeros.
    fn zeros(runs: &[u32]) -> Vec<u8> {
        let mut frame = b"\x28\xB5\x2F\xFD\x00\x58".to_vec();
        for (i, len) in runs.iter().enumerate() {
            let head = u32::from(i + 1 == runs.len()) | 1 << 1 | len << 3;
            frame.extend(&head.to_le_bytes()[..3]);
            frame.push(0);
        }
        frame
    }
    /// A frame that stores its content uncompressed.
    fn stored(content: &[u8]) -> Vec<u8> {
        let head = 1 | (content.len() as u32) << 3;
        [b"\x28\xB5\x2F\xFD\x00\x58", &head.to_le_bytes()[..3], content].concat()
    }
    let original = sample("KvK.dtw");
    let mut parts = Parts::of(&original.bytes);
    let positions = original.values[0].len();
    let mut frame = |data: Vec<u8>| {
        parts.blocks[0].data = data;
        let mut bytes = parts.join();
        seal(&mut bytes);
        let table = TableReader::open(&bytes[..]).expect("a header that fits");
        let mut block = Vec::new();
        let read = table.read_block(&mut Decoder::new().expect("memory"), 0, &mut block);
        assert!(block.capacity() < 1 << 16, "{} bytes", block.capacity());
        match read.and(table.check()) {
            Ok(()) => true,
            Err(error) => {
                assert!(is_block(&error, 0), "{error}");
                false
            }
        }
    };
    assert!(frame(stored(&vec![3; positions])), "the right size");
    for wrong in [0, 1, positions - 1, positions + 1, 2 * positions, 16 << 10, 100 << 10] {
        assert!(!frame(stored(&vec![3; wrong])), "{wrong} bytes of {positions}");
    }
    assert!(frame(zeros(&[positions as u32])), "the right size");
    assert!(!frame(zeros(&[128 << 10])));
    assert!(!frame(zeros(&[128 << 10; 1 << 14])), "2 GiB");
    // A frame that claims a content of 2^60 bytes.
    assert!(!frame(b"\x28\xB5\x2F\xFD\xE0\0\0\0\0\0\0\0\x10\x01\0\0".to_vec()));
    // A skippable frame, a truncated one, and no frame.
    assert!(!frame(b"\x50\x2A\x4D\x18\x04\0\0\0abcd".to_vec()));
    assert!(!frame(stored(&vec![3; positions])[..positions / 2].to_vec()));
    assert!(!frame(vec![0x28]));
    assert!(!frame(vec![0; 1000]));

    // A valid frame in the header, at the place of the digest.
    const DIGEST: usize = 112;
    let mut damaged = original.bytes.clone();
    let hidden = zeros(&[positions as u32]);
    put(&mut damaged, DIGEST, &hidden);
    let entry = [DIGEST as u32, hidden.len() as u32].map(u32::to_le_bytes);
    put(&mut damaged, HEADER_LEN, &0u64.to_le_bytes());
    put(&mut damaged, original.entry(0).start, entry.as_flattened());
    seal(&mut damaged);
    let table = TableReader::open(&damaged[..]).expect("a header that fits");
    let error = table.check().expect_err("a block in the header");
    assert!(is_block(&error, 0), "{error}");
}

/// Results are only in the header. Their sums must not overflow, and the positions of the longest
/// wins and losses must exist.
#[test]
fn a_forged_summary_is_refused() {
    let original = sample("KvK.dtw");
    let positions = original.values[0].len() as u64;
    const WINS: usize = 144;
    const LONGEST_WIN: usize = WINS + 3 * 8;
    let most = u64::MAX.to_le_bytes();
    let cases = [
        (WINS, [most, most].concat()),
        (WINS + 8, [most, most].concat()),
        (LONGEST_WIN + 2, most.to_vec()),
        (LONGEST_WIN + 2, positions.to_le_bytes().to_vec()),
        (LONGEST_WIN, vec![0xFE, 0xFF]),
    ];
    for (at, field) in cases {
        let mut damaged = original.bytes.clone();
        put(&mut damaged, at, &field);
        seal_header(&mut damaged);
        let error = TableReader::open(&damaged[..]).expect_err("an impossible result");
        assert!(matches!(error, FormatError::Corrupt(Section::Header)), "{field:?} at {at}");
    }
}

/// Forged histograms with correct checksums must agree with the header.
#[test]
fn a_forged_histogram_is_refused() {
    let original = sample("KMvM.dtw");
    let (start, end) = (original.histograms(), original.bytes.len());
    // The counts of a part, before the numbers of codes of each part and the checksum.
    let codes = [end - 8, end - 6].map(|at| number::<2>(&original.bytes, at as u64));
    let second = start + 8 * codes[0] as usize;
    let count = |at: usize| number::<8>(&original.bytes, at as u64);
    let put_all = |fields: &[(usize, Vec<u8>)]| {
        let mut damaged = original.bytes.clone();
        for (at, field) in fields {
            put(&mut damaged, *at, field);
        }
        seal(&mut damaged);
        damaged
    };
    let u64s = |number: u64| number.to_le_bytes().to_vec();
    let u16s = |number: u64| (number as u16).to_le_bytes().to_vec();
    assert_eq!(put_all(&[]), original.bytes);
    let mut cases = vec![
        put_all(&[(start, u64s(count(start) + 1))]),
        put_all(&[(second, u64s(count(second) + 1))]),
        put_all(&[(start, u64s(u64::MAX))]),
        // Right sums, but a wrong longest distance.
        put_all(&[
            (second - 8, u64s(0)),
            (second - 24, u64s(count(second - 24) + count(second - 8))),
        ]),
        // One more code in this part, and one less in the other.
        put_all(&[(end - 8, u16s(codes[0] + 1)), (end - 6, u16s(codes[1] - 1))]),
        put_all(&[(end - 6, u16s(codes[1] - 1))]),
        put_all(&[(end - 6, u16s(codes[1] + 1))]),
        put_all(&[(end - 8, vec![0xFF; 4])]),
        put_all(&[(end - 8, vec![0; 4])]),
        // A win more in the header.
        put_all(&[(144, u64s(number::<8>(&original.bytes, 144) + 1))]),
    ];
    // The histograms of another table, with their checksum from there.
    let mut other = Parts::of(&original.bytes);
    other.histograms = Parts::of(&sample("KvM.dtw").bytes).histograms;
    cases.push(other.join());
    for damaged in cases {
        original.never_wrong(&damaged);
        let table = TableReader::open(&damaged[..]).expect("a header that fits");
        let checked = [table.check(), table.check_directory()].into_iter();
        let read = SIDES.map(|side| table.histogram(side).map(drop));
        for result in checked.chain(read) {
            let error = result.expect_err("a forged histogram");
            assert!(matches!(error, FormatError::Corrupt(Section::Histogram)), "{error}");
            assert_eq!(error.to_string(), "the histogram is damaged");
        }
    }
    // A histogram for a second part in a table of one part.
    let one_part = sample("KvK.dtw");
    let mut damaged = one_part.bytes.clone();
    let end = damaged.len();
    put(&mut damaged, end - 6, &[1, 0]);
    let codes = number::<2>(&damaged, end as u64 - 8) as u16;
    put(&mut damaged, end - 8, &(codes - 1).to_le_bytes());
    seal(&mut damaged);
    let table = TableReader::open(&damaged[..]).expect("a header that fits");
    table.histogram(Side::First).expect_err("a second part");
}

/// Writes a table in which every position has the same value.
fn write_constant(directory: &Path, name: &str, value: Value) {
    let signature: Signature<Draughts> = signature(Russian, name);
    let sides = signature.sides().iter().map(|&side| signature.to_move(side));
    let positions: Vec<u64> = sides.map(|[a, b]| Index::new(Russian, a, b).len()).collect();
    let packing = Packing::TwoBytes;
    let out = Cursor::new(Vec::new());
    let mut writer = TableWriter::new(out, &signature, Metric::Dtw, packing, positions.clone())
        .expect("written to memory");
    let mut encoder = BlockEncoder::new(packing).expect("an encoder");
    for left in &positions {
        for first in (0..*left).step_by(8192) {
            let values = vec![value; (left - first).min(8192) as usize];
            let values = PackedValues::pack(packing, &values);
            writer.append(&encoder.encode(&values).expect("encoded")).expect("written");
        }
    }
    let summaries = vec![Summary::default(); positions.len()];
    let histograms = vec![Histogram::default(); positions.len()];
    let bytes = writer.finish(summaries, &histograms).expect("written").into_inner();
    let path = table_path(directory, &signature, Metric::Dtw);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, bytes).expect("written");
}

/// The plies of moves before a table's position are added to its distance, which must not overflow.
#[test]
fn a_value_beyond_all_distances_is_damage() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    // White can offer a king, so that a capture and a move come before KKvK.
    let position = Russian.parse_fen("W:WKa1,Kc1:BKh8,Kf8").expect("a position");
    for code in [0xFF01, 0xFFFD, 0xFFFE] {
        for name in ["KvK", "KKvK", "KKvKK"] {
            write_constant(directory, name, Value::from_code(code));
        }
        let tables = Tables::open(Russian, directory);
        let error = tables.moves(&position, Metric::Dtw).expect_err("no such values");
        assert!(matches!(error, ProbeError::Damaged { .. }), "{error}");
    }
}

#[test]
fn best_play_ends_even_if_values_contradict_each_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let position = Russian.parse_fen("W:WKa1:BKb8").expect("a position");
    write_constant(directory.path(), "KvK", Value::decided(3));
    let line = Tables::open(Russian, directory.path()).line(&position).expect("a line");
    assert!(line.len() <= 3, "{}", line.len());
}

/// A table with a later minor version is read, but the checksums of blocks cover the version.
#[test]
fn a_later_minor_version_is_read() {
    for sample in small() {
        let mut later = sample.bytes.clone();
        put(&mut later, 10, &[7]);
        seal_header(&mut later);
        assert!(is_block(&sample.refused(&later), 0));
        seal(&mut later);
        TableReader::open(&later[..]).and_then(|table| table.check()).expect("a sound table");
        sample.never_wrong(&later);
    }
}
