//! Tables against the [plain solver](plain), which looks at one position at a time:
//! every value, every count, every digest.

use damka_games::draughts::{Czech, Italian, Spanish, Thai};
use damka_games::{Alapo, Brazilian, English, Pool, Russian};
use damka_gen::Family;
use damka_probe::{Table, list_tables};
use damka_tables::metric::{Metric, PackedValues, Packing};
use damka_tables::{Signature, Value};
use damka_tests::build_tables;
use damka_tests::plain::{Dense, Library};
use std::path::Path;

/// Builds tables, and compares all that have been built.
fn check<G: Family>(game: G, signatures: &[Signature<G>]) {
    let directory = tempfile::tempdir().expect("a directory");
    build_tables(signatures, directory.path());
    let built = list_tables(game, directory.path()).expect("tables");
    assert!(signatures.iter().all(|signature| built.contains(signature)));
    let mut library = Library::default();
    for signature in &built {
        let plain = library.solved(signature);
        for metric in Metric::ALL {
            compare(plain, metric, directory.path());
        }
    }
}

/// Compares a table with the results of the plain solver.
fn compare<G: Family>(plain: &Dense<G>, metric: Metric, directory: &Path) {
    let signature = *plain.signature();
    let name = format!("{} {signature}.{}", signature.game().name(), metric.name());
    let table = Table::open(directory, signature, metric).expect("a table");
    table.check().expect("a sound table");
    let mut stored = Vec::new();
    for (half, &side) in plain.halves().iter().zip(signature.sides()) {
        assert_eq!(*table.header().summary(side), half.summary().reduced_to(metric), "{name}");
        let values = half.stored(0..half.values.len());
        let mut next = 0;
        let read = table.read_values(side, |block| {
            for &value in block {
                let expected = match values[next] {
                    Value::DONT_CARE => value,
                    expected => expected.reduced_to(metric),
                };
                if value != expected {
                    let position = half.index.position(next as u64);
                    panic!("{name}: {value:?}, not {expected:?}: {position:?}");
                }
                next += 1;
            }
        });
        read.expect("values");
        assert_eq!(next, values.len(), "{name}");
        let packing = Packing::of(metric, Value::MAX_PLIES);
        stored.push(PackedValues::pack(packing, &values));
    }
    table.check_digest(stored).expect("the digest of these values");
}

/// All signatures of 2 to `pieces` pieces.
fn up_to<G: Family>(game: G, pieces: u32) -> Vec<Signature<G>> {
    (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect()
}

#[test]
fn russian_tables_are_what_the_plain_solver_finds() {
    check(Russian, &up_to(Russian, 4));
}

#[test]
fn brazilian_tables_are_what_the_plain_solver_finds() {
    check(Brazilian, &up_to(Brazilian, 3));
}

#[test]
fn pool_tables_are_what_the_plain_solver_finds() {
    check(Pool, &up_to(Pool, 3));
}

#[test]
fn english_tables_are_what_the_plain_solver_finds() {
    check(English, &up_to(English, 4));
}

#[test]
fn alapo_tables_are_what_the_plain_solver_finds() {
    check(Alapo, &up_to(Alapo, 3));
}

/// Rules for which the generator has no fast method.
#[test]
fn tables_of_other_rules_are_what_the_plain_solver_finds() {
    check(Czech, &up_to(Czech, 3));
    check(Spanish, &up_to(Spanish, 3));
    check(Italian, &up_to(Italian, 3));
    check(Thai, &up_to(Thai, 3));
}

/// Each takes minutes:
/// `cargo test --release -p damka-gen --test gen -- --ignored plain_solver`.
mod everything_up_to_five_pieces {
    use super::{Brazilian, English, Pool, Russian, check, up_to};

    #[test]
    #[ignore = "takes minutes"]
    fn russian() {
        check(Russian, &up_to(Russian, 5));
    }

    #[test]
    #[ignore = "takes minutes"]
    fn brazilian() {
        check(Brazilian, &up_to(Brazilian, 5));
    }

    #[test]
    #[ignore = "takes minutes"]
    fn pool() {
        check(Pool, &up_to(Pool, 5));
    }

    #[test]
    #[ignore = "takes minutes"]
    fn english() {
        check(English, &up_to(English, 5));
    }
}
