//! Tables in a directory. Only on Linux, where `/proc` lists the files that a process has open.

use damka_games::{Game, Russian};
use damka_probe::{Access, ProbeOptions, Tables, list_tables, table_path};
use damka_tables::metric::Metric;
use damka_tables::{MAX_TABLE_PIECES, Signature};
use std::fs;
use std::path::Path;

/// How many files in `directory` the process has open or mapped.
fn in_use(directory: &Path) -> usize {
    let directory = directory.to_str().expect("text");
    let maps = fs::read_to_string("/proc/self/maps").expect("the maps");
    let mapped = maps.lines().filter(|line| line.contains(directory)).count();
    let files = fs::read_dir("/proc/self/fd").expect("the open files");
    let files = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    mapped + files.filter(|file| file.starts_with(directory)).count()
}

/// Opening a directory opens none of its tables.
#[test]
fn a_table_is_opened_when_it_is_needed() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    fs::create_dir(directory.join("russian")).expect("a directory");
    // Only the first of these files becomes a table.
    let signatures: Vec<_> =
        (2..=MAX_TABLE_PIECES).flat_map(|pieces| Signature::all(Russian, pieces)).collect();
    for signature in &signatures {
        for metric in Metric::ALL {
            fs::write(table_path(directory, signature, metric), "no table").expect("a file");
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
    fs::copy(golden.join("russian/KvK.wdl"), directory.join("russian/KvK.wdl")).expect("a copy");
    assert_eq!(list_tables(Russian, directory).expect("names"), signatures);

    for access in [Access::Map, Access::Read] {
        let options = ProbeOptions { access, ..ProbeOptions::default() };
        let tables = Tables::open_with(Russian, directory, options);
        let position = Russian.parse_fen("W:WKa1:BKh2").expect("a position");
        let known = tables.value_if_decoded(&position, Metric::Wdl).expect("nothing read");
        assert_eq!(known, None);
        assert_eq!(in_use(directory), 0);
        tables.wdl(&position).expect("a value");
        assert_eq!(in_use(directory), 1, "{access:?}");
    }
}
