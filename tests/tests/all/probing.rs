//! Guarantees for engines: one `Tables` for many threads, exact answers, typed errors.

use damka_games::{
    Alapo, Brazilian, Color, Draughts, English, Game, Pool, Position, Russian, SquareSet, draughts,
};
use damka_gen::Family;
use damka_probe::{Access, ProbeError, ProbeOptions, Tables};
use damka_tables::format::FormatError;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature, Value, Wdl};
use damka_tests::build_all;
use damka_tests::plain::Library;
use std::fs;

fn positions(signature: &str) -> Vec<draughts::Position> {
    let signature = Signature::parse(Russian, signature).expect("a signature");
    let [mover, opponent] = signature.to_move(damka_tables::Side::First);
    let index = Index::new(Russian, mover, opponent);
    (0..index.len()).step_by(3).map(|number| index.position(number)).collect()
}

/// Threads share the tables, even with room for a single block in the cache.
#[test]
fn threads_share_tables() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    let positions = positions("KMvK");
    let alone = Tables::open(Russian, directory.path());
    let expected: Vec<Value> =
        positions.iter().map(|position| alone.dtw(position).expect("a value")).collect();
    for cache_bytes in [0, 17 << 10, 64 << 20] {
        let options = ProbeOptions { cache_bytes, ..ProbeOptions::default() };
        let shared = Tables::open_with(Russian, directory.path(), options);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (shared, positions, expected) = (&shared, &positions, &expected);
                scope.spawn(move || {
                    for i in (thread..positions.len()).step_by(2) {
                        assert_eq!(shared.dtw(&positions[i]).expect("a value"), expected[i]);
                        let wdl = shared.wdl(&positions[i]).expect("a value");
                        assert_eq!(wdl, expected[i].wdl());
                    }
                });
            }
        });
    }
}

/// With every way to read files and to keep blocks, a value is that of the plain solver, and cheap
/// probes return it when all needed blocks are decoded.
#[test]
fn every_way_to_probe_is_exact() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build_all(Russian, 3, directory);
    let mut library = Library::<Draughts>::default();
    let signatures: Vec<Signature<Draughts>> =
        (2..=3).flat_map(|pieces| Signature::all(Russian, pieces)).collect();
    let positions = signatures.iter().flat_map(|signature| {
        library.solved(signature);
        let positions = positions(&signature.to_string()).into_iter();
        positions.flat_map(|position| [position, position.flip()])
    });
    let positions: Vec<draughts::Position> = positions.collect();
    let check = |tables: &Tables<Draughts>, all_is_decoded: bool| {
        let mut decoded = 0;
        for position in &positions {
            let expected = library.value(position);
            for metric in Metric::ALL {
                let expected = match metric {
                    Metric::Wdl => expected.without_distance(),
                    Metric::Dtw => expected,
                };
                tables.prefetch(position, metric).expect("tables");
                let cheap = tables.value_if_decoded(position, metric).expect("sound tables");
                assert!(cheap.is_none_or(|value| value == expected));
                assert!(cheap.is_some() || !all_is_decoded);
                decoded += usize::from(cheap.is_some());
                assert_eq!(tables.value(position, metric).expect("a value"), expected);
            }
        }
        decoded
    };
    for access in [Access::Map, Access::Read] {
        for (cache_bytes, keeps_all) in [(0, false), (17 << 10, false), (64 << 20, true)] {
            let tables =
                Tables::open_with(Russian, directory, ProbeOptions { cache_bytes, access });
            let decoded = check(&tables, false);
            assert!(decoded < 2 * positions.len(), "nothing is decoded at first");
            check(&tables, keeps_all);

            let tables =
                Tables::open_with(Russian, directory, ProbeOptions { cache_bytes, access });
            let pin_all = || -> Vec<u64> {
                let pin = |metric| signatures.iter().map(move |signature| (signature, metric));
                let pinned = Metric::ALL.into_iter().flat_map(pin);
                pinned.map(|(of, metric)| tables.pin(of, metric).expect("a table")).collect()
            };
            let bytes = pin_all();
            assert!(bytes.iter().sum::<u64>() > 0);
            assert_eq!(pin_all(), bytes, "nothing more to pin");
            check(&tables, true);
        }
    }
}

/// In every game and with either side to move: also if captures must be resolved, the last piece is
/// captured, or a move wins at once.
#[test]
fn probes_are_exact_in_every_game() {
    probes_are_exact(Russian, 3);
    probes_are_exact(English, 3);
    probes_are_exact(Brazilian, 3);
    probes_are_exact(Pool, 3);
    probes_are_exact(Alapo, 2);
}

fn probes_are_exact<G: Family>(game: G, pieces: u32) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(game, pieces, directory.path());
    let tables = Tables::open(game, directory.path());
    let mut library = Library::<G>::default();
    let mut resolved = 0;
    for signature in (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)) {
        library.solved(&signature);
        for &side in signature.sides() {
            let [mover, opponent] = signature.to_move(side);
            let index = Index::new(game, mover, opponent);
            for number in (0..index.len()).step_by(3) {
                let position = index.position(number);
                resolved += usize::from(position.captures_only());
                for position in [position, position.flip()] {
                    let expected = library.value(&position);
                    let [wdl, dtw] = Metric::ALL.map(|metric| tables.value(&position, metric));
                    let values = (wdl.expect("a value"), dtw.expect("a value"));
                    let fen = position.fen();
                    assert_eq!(values, (expected.without_distance(), expected), "{fen}");
                }
            }
        }
    }
    assert!(resolved > 500, "{resolved} positions with captures");
}

/// A cheap probe opens no file, and returns no value if a table is missing.
#[test]
fn a_cheap_probe_reads_nothing() {
    let tables = Tables::open(Russian, "no such directory");
    let position = Russian.parse_fen("W:WKa1:BKh2").expect("a position");
    assert_eq!(tables.value_if_decoded(&position, Metric::Wdl).expect("no error"), None);
    assert!(tables.prefetch(&position, Metric::Wdl).expect_err("no table").is_missing());
    let signature = Signature::parse(Russian, "KvK").expect("a signature");
    assert!(tables.pin(&signature, Metric::Wdl).expect_err("no table").is_missing());
    // One capture wins, so the value after the other is not needed.
    let win = Russian.parse_fen("W:WKa1:BKg7").expect("a position");
    let value = tables.value_if_decoded(&win, Metric::Wdl).expect("no error");
    assert_eq!(value.map(Value::wdl), Some(Wdl::Win));
}

/// Moves are ranked best first, and the best one has the value of the position.
#[test]
fn the_best_move_is_worth_the_position() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    let tables = Tables::open(Russian, directory.path());
    for position in positions("KKvM") {
        for position in [position, position.flip()] {
            let value = tables.dtw(&position).expect("a value");
            let moves = tables.moves(&position, Metric::Dtw).expect("moves");
            assert!(moves.is_sorted_by(|a, b| a.value >= b.value));
            assert_eq!(moves.len(), position.moves().len());
            assert_eq!(moves.first().map_or(Value::LOST, |best| best.value), value);
            let line = tables.line(&position).expect("a line");
            assert_eq!(line.len(), usize::from(value.plies().unwrap_or(0)));
            if let Some(last) = line.last() {
                assert!(last.position.moves().is_empty(), "the line has an end");
            }
        }
    }
}

/// A missing table can be built later.
#[test]
fn a_missing_table_is_a_typed_error_until_it_is_built() {
    let directory = tempfile::tempdir().expect("a directory");
    let tables = Tables::open(Russian, directory.path());
    let position = Russian.parse_fen("W:WKa1:BKh2").expect("a position");
    let error = tables.wdl(&position).expect_err("no table");
    assert!(error.is_missing());
    let path = directory.path().join("russian/KvK.wdl");
    assert!(matches!(error, ProbeError::Missing { path: p, .. } if p == path));
    build_all(Russian, 2, directory.path());
    assert_eq!(tables.wdl(&position).expect("a value"), Wdl::Draw);
}

/// A file of a later major version is refused with that error, not misread.
#[test]
fn a_table_of_another_major_version_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 2, directory.path());
    let path = directory.path().join("russian/KvK.wdl");
    let mut bytes = fs::read(&path).expect("a table");
    bytes[8] = 3;
    fs::write(&path, bytes).expect("a table");
    let position = Russian.parse_fen("W:WKa1:BKh2").expect("a position");
    let error = Tables::open(Russian, directory.path()).wdl(&position).expect_err("refused");
    assert!(error.is_unknown_version());
    let ProbeError::Damaged { error, .. } = error else { panic!("{error}") };
    assert!(matches!(error, FormatError::UnknownVersion { major: 3, .. }), "{error}");
}

/// Positions at the end of a game need no table.
#[test]
fn a_side_without_pieces_has_lost() {
    let tables = Tables::open(Russian, "no such directory");
    let (king, none) = (SquareSet::new(1 << 28), SquareSet::EMPTY);
    let lost = draughts::Position::new(Russian, none, king, king, Color::White);
    assert_eq!(tables.dtw(&lost).expect("a value"), Value::LOST);
    let won = draughts::Position::new(Russian, king, none, king, Color::White);
    assert_eq!(tables.dtw(&won).expect("a value"), Value::decided(1));
}
