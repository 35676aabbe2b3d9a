//! Tables from memory, and from a storage that a program implements.

use damka_games::{Game, Russian};
use damka_probe::{Storage, Tables, table_name};
use damka_tables::format::Source;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The bytes of a file as a server would send them: copies of any range, nothing borrowed.
struct Ranges(Vec<u8>);

impl Source for Ranges {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        buffer.clear();
        buffer.extend_from_slice(&self.0[offset as usize..][..len]);
        Ok(buffer)
    }
}

/// A server that has these files.
struct Server(HashMap<String, Vec<u8>>);

impl Storage for Server {
    type Source = Ranges;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        self.0.list(game)
    }

    fn open(&self, name: &str) -> io::Result<Ranges> {
        self.0.open(name).map(Ranges)
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new("https://tables.example").join(name)
    }
}

/// Tables in memory, and in a storage that is not the library's, give the same values as files.
#[test]
fn any_storage_gives_the_same_values() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/golden");
    let signatures = ["KvK", "KvM", "KKvK"].map(|text| Signature::parse(Russian, text).unwrap());
    let names = signatures.iter().map(|signature| table_name(signature, Metric::Wdl));
    let memory: HashMap<String, Vec<u8>> = names
        .map(|name| {
            let bytes = fs::read(golden.join(&name)).expect("a table");
            (name, bytes)
        })
        .collect();
    let served = Tables::in_storage(Russian, Server(memory.clone()), 1 << 20);
    let memory = Tables::in_storage(Russian, memory, 1 << 20);
    let files = Tables::open(Russian, golden);
    for listed in [served.signatures(), memory.signatures(), files.signatures()] {
        let listed = listed.expect("names");
        assert!(signatures.iter().all(|signature| listed.contains(signature)), "{listed:?}");
    }
    assert_eq!(memory.signatures().expect("names").len(), signatures.len());
    let mut compared = 0;
    for signature in &signatures {
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            let index = Index::new(Russian, mover, opponent);
            for position in index.positions(0..index.len()) {
                let value = files.wdl(&position).expect("a value");
                memory.prefetch(&position, Metric::Wdl).expect("a table");
                assert_eq!(memory.wdl(&position).expect("a value"), value);
                assert_eq!(served.wdl(&position).expect("a value"), value);
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
    let position = Russian.parse_fen("W:WKa1,Kc1,Ke1:BKh8").expect("a position");
    let error = served.wdl(&position).expect_err("no table");
    assert!(error.is_missing());
    assert_eq!(error.to_string(), "the table KKKvK.wdl is missing");
    let path = error.path().expect("the missing file");
    assert_eq!(path, Path::new("https://tables.example/russian/KKKvK.wdl"));
}
