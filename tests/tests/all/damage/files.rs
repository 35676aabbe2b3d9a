//! Damaged files in a directory of tables.

use super::*;
use damka_games::Position;
use std::ops::ControlFlow::Continue;

/// Some positions of a signature whose values are in its table.
fn positions<G: Indexable>(signature: &Signature<G>) -> Vec<G::Position> {
    let mut positions = Vec::new();
    for &side in signature.sides() {
        let [mover, opponent] = signature.to_move(side);
        let index = Index::new(signature.game(), mover, opponent);
        let some = (0..index.len()).step_by(1 + index.len() as usize / 60);
        positions.extend(some.map(|number| index.position(number)));
    }
    positions.retain(|position| !position.captures_only());
    positions
}

/// Probes a directory with one damaged table: every position must have its value, or an error that
/// names the file. Returns the number of errors.
fn probe(
    directory: &Path,
    damaged: &Path,
    known: &[(<Draughts as Game>::Position, Value)],
) -> usize {
    let [map, read] = [Access::Map, Access::Read].map(|access| {
        let tables =
            Tables::open_with(Russian, directory, ProbeOptions { cache_bytes: 1 << 16, access });
        probe_with(&tables, damaged, known)
    });
    assert_eq!(map, read, "as many errors");
    map
}

fn probe_with(
    tables: &Tables<Draughts>,
    damaged: &Path,
    known: &[(<Draughts as Game>::Position, Value)],
) -> usize {
    let mut errors = 0;
    for (position, value) in known {
        let dtw = damaged.extension().is_some_and(|ending| ending == "dtw");
        let found = match dtw {
            true => tables.dtw(position).map(|found| found == *value),
            false => tables.wdl(position).map(|found| found == value.wdl()),
        };
        match found {
            Ok(right) => assert!(right, "a wrong value of {}", position.fen()),
            Err(ProbeError::Damaged { path, .. }) if path == damaged => errors += 1,
            Err(error) => panic!("{error}"),
        }
    }
    errors
}

#[test]
fn a_damaged_file_gives_an_error_or_the_right_value() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build_all(Russian, 3, directory);
    let sound = Tables::open(Russian, directory);
    let mut random = Random::new(6);
    let mut variants = 0;
    for signature in ["KvK", "KvM", "KKvM", "KMvM"].map(|text| signature(Russian, text)) {
        let positions = positions(&signature).into_iter();
        let known: Vec<_> = positions.map(|p| (p, sound.dtw(&p).expect("a sound table"))).collect();
        for metric in Metric::ALL {
            let path = table_path(directory, &signature, metric);
            let bytes = fs::read(&path).expect("a table");
            let values = bytes.len() - histograms_len(&bytes);
            assert_eq!(probe(directory, &path, &known), 0);
            for variant in 0..60 {
                let mut damaged = bytes.clone();
                match variant % 3 {
                    0 => damaged[below(&mut random, values)] ^= 1 << below(&mut random, 8),
                    1 => damaged[HEADER_LEN + below(&mut random, values - HEADER_LEN)] ^= 255,
                    _ => damaged.truncate(below(&mut random, bytes.len())),
                }
                fs::write(&path, damaged).expect("written");
                assert!(probe(directory, &path, &known) > 0, "{}", path.display());
                let checked = Table::open(directory, signature, metric).and_then(|t| t.check());
                let is_reported =
                    matches!(&checked, Err(ProbeError::Damaged { path: p, .. }) if *p == path);
                assert!(is_reported, "{checked:?}");
                let pinned = Tables::open(Russian, directory).pin(&signature, metric);
                let is_reported =
                    matches!(&pinned, Err(ProbeError::Damaged { path: p, .. }) if *p == path);
                assert!(is_reported, "{pinned:?}");
                variants += 1;
            }
            // Values do not depend on histograms.
            for at in (values..bytes.len()).step_by(100) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                fs::write(&path, damaged).expect("written");
                assert_eq!(probe(directory, &path, &known), 0);
                let tables = Tables::open(Russian, directory);
                let histogram =
                    tables.histogram(&signature, Side::First, |_, _| Continue(())).map(drop);
                let table = Table::open(directory, signature, metric).expect("a sound header");
                for result in [histogram, table.check()] {
                    let error = result.expect_err("a damaged histogram");
                    assert!(error.to_string().contains("the histogram is damaged"), "{error}");
                }
            }
            fs::write(&path, bytes).expect("written");
        }
    }
    assert!(variants >= 400, "{variants}");
}

#[test]
fn a_table_under_a_wrong_name_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build_all(Russian, 3, directory);
    build_all(English, 2, directory);
    let target: Signature<Draughts> = signature(Russian, "KKvK");
    let path = table_path(directory, &target, Metric::Wdl);
    let position = positions(&target)[0];
    let open = || match Tables::open(Russian, directory).wdl(&position) {
        Ok(value) => panic!("{value}"),
        Err(error) => {
            let opened = Table::open(directory, target, Metric::Wdl).expect_err("no table");
            assert_eq!(opened.to_string(), error.to_string());
            error
        }
    };
    let why = |error| match error {
        ProbeError::Damaged { error, .. } => error,
        error => panic!("{error}"),
    };

    fs::remove_file(&path).expect("removed");
    // Without this, the DTW table would answer.
    let distances = table_path(directory, &target, Metric::Dtw);
    let aside = directory.join("aside");
    fs::rename(&distances, &aside).expect("renamed");
    assert!(open().is_missing());
    fs::rename(&aside, &distances).expect("renamed");
    fs::write(&path, b"").expect("written");
    assert!(matches!(why(open()), FormatError::NotATable));
    fs::write(&path, "<!DOCTYPE html>\n<title>404</title>").expect("written");
    assert!(matches!(why(open()), FormatError::NotATable));

    // Sound tables of other pieces, another metric, another game.
    let other = |game: &str, name: &str| directory.join(game).join(name);
    for (game, name, known_as) in [
        ("russian", "KvM.wdl", "russian KvM"),
        ("russian", "KKvM.wdl", "russian KKvM"),
        ("russian", "KKvK.dtw", "metric dtw"),
        ("english", "KvK.wdl", "english KvK"),
    ] {
        fs::copy(other(game, name), &path).expect("copied");
        let error = why(open());
        assert!(matches!(&error, FormatError::OtherTable(what) if what == known_as), "{error}");
    }
    let pair = signature(Russian, "KvK");
    fs::copy(other("english", "KvK.wdl"), other("russian", "KvK.wdl")).expect("copied");
    let error = why(Table::open(directory, pair, Metric::Wdl).expect_err("another game"));
    assert!(matches!(&error, FormatError::OtherTable(what) if what == "english KvK"), "{error}");

    // A directory is an I/O error, not damage.
    fs::remove_file(&path).expect("removed");
    fs::create_dir(&path).expect("a directory");
    assert!(matches!(open(), ProbeError::Io { .. }));
}
