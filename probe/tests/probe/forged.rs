//! A file costs little to open and to read, whatever its header and its directory claim.

use crate::counting::taken;
use crate::tamper::{at, seal_header};
use damka_games::{Alapo, Russian};
use damka_probe::{ProbeError, ProbeOptions, Table, Tables, list_tables, table_path};
use damka_tables::format::{Decoder, FormatError, Section, Source, TableReader};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use std::path::Path;
use std::{fs, io};

/// A table of 2 kings.
fn golden() -> Vec<u8> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
    fs::read(golden.join("russian/KvK.wdl")).expect("a table")
}

/// A table of 2 kings whose header claims other pieces, with 1 position.
fn forge<G: Indexable>(game: G, directory: &Path, signature: &str) -> Signature<G> {
    const GAME: usize = 16;
    const SIGNATURE: usize = 48;
    let mut bytes = golden();
    let mut put = |at: usize, field: &[u8]| bytes[at..][..field.len()].copy_from_slice(field);
    put(GAME, &[0; 16]);
    put(GAME, game.name().as_bytes());
    put(GAME + 18, &G::INDEX_VERSION.to_le_bytes());
    put(SIGNATURE, signature.as_bytes());
    put(at::POSITIONS, &1u64.to_le_bytes());
    seal_header(&mut bytes);
    let signature = Signature::parse(game, signature).expect("a signature");
    let path = table_path(directory, &signature, Metric::Wdl);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, bytes).expect("a file");
    signature
}

/// A file of 4 GiB that ends in a hole, and panics if much of it is read at once.
struct Reluctant<'a>(&'a [u8]);

impl Reluctant<'_> {
    const LEN: u64 = u32::MAX as u64;
}

impl Source for Reluctant<'_> {
    fn size(&self) -> u64 {
        Reluctant::LEN
    }

    fn read<'a>(&'a self, offset: u64, len: usize, out: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        assert!(len <= 1 << 16, "{len} bytes at once");
        self.0.read(offset, len, out)
    }
}

/// The error of opening a forged table. Checks that this takes little memory.
fn refused<G: Indexable>(game: G, directory: &Path, signature: &str) -> ProbeError {
    let signature = forge(game, directory, signature);
    let options = ProbeOptions { cache_bytes: 1 << 20, ..ProbeOptions::default() };
    let tables = Tables::open_with(game, directory, options);
    let before = taken();
    let error = Table::open(directory, signature, Metric::Wdl).expect_err("forged");
    tables.preload(&signature, Metric::Wdl).expect_err("forged");
    let taken = taken().bytes - before.bytes;
    assert!(taken < 64 << 10, "{signature}: {taken} bytes");
    error
}

#[test]
fn a_forged_header_creates_no_index() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    // Both sides have the same pieces, so there is one part, as in the table of 2 kings.
    for signature in ["KKKKvKKKK", "KKKMvKKKM"] {
        let error = refused(Russian, directory, signature);
        let ProbeError::Damaged { error: FormatError::OtherTable(what), .. } = error else {
            panic!("{error}");
        };
        assert_eq!(what, "a different number of positions");
    }
    refused(Alapo, directory, "QQRRvQQRR");
    for signature in ["KKKKKKvKKKKKK", "KKKKKKKKKKKKvKKKKKKKKKKKK"] {
        let error = refused(Russian, directory, signature);
        assert!(matches!(error, ProbeError::TooManyPieces { .. }), "{error}");
    }
    let listed = list_tables(Russian, directory).expect("names");
    let listed: Vec<String> = listed.iter().map(Signature::to_string).collect();
    assert_eq!(listed, ["KKKMvKKKM", "KKKKvKKKK"]);
}

/// A block that claims more data than any compressor makes of its values.
#[test]
fn blocks_with_too_much_data_are_not_read() {
    /// The offset of the length of the only block's data: after the only group and the block's
    /// place.
    const LEN: usize = 512 + 8 + 4;
    let mut bytes = golden();
    // zstd's bound for inputs of less than 128 KiB; a value takes a quarter of a byte.
    let values = 262u32.div_ceil(4);
    let bound = values + (values >> 8) + (((128 << 10) - values) >> 11);
    for len in [bound + 1, 1 << 20, (Reluctant::LEN - 532) as u32] {
        bytes[LEN..][..4].copy_from_slice(&len.to_le_bytes());
        bytes[at::FILE_LEN..][..8].copy_from_slice(&Reluctant::LEN.to_le_bytes());
        seal_header(&mut bytes);
        let table = TableReader::open(Reluctant(&bytes)).expect("a header that fits");
        let mut decoder = Decoder::new().expect("memory");
        for error in [
            table.read_block(&mut decoder, 0, &mut Vec::new()).expect_err("too long"),
            table.block_data(&mut decoder, 0).map(drop).expect_err("too long"),
        ] {
            assert!(matches!(error, FormatError::Corrupt(Section::Block(0))), "{error}");
        }
    }
}
