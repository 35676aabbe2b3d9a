//! Builds that fail report why and leave everything else intact.

use damka_games::{Draughts, Russian};
use damka_gen::{GenError, Options, Request, Stop, build, rehearse};
use damka_tables::Signature;
use damka_tests::{build_tables, files};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn signature(text: &str) -> Signature<Draughts> {
    Signature::parse(Russian, text).expect("a signature")
}

fn built(text: &str, directory: &Path, options: &Options) -> Result<(), GenError> {
    let options = options.clone();
    build(&[signature(text)], &Request { options, ..Request::new(directory) })
}

/// A directory with the tables of these signatures and everything they lead to.
fn with(text: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    build_tables(&[signature(text)], directory.path());
    directory
}

#[test]
fn a_damaged_table_is_rebuilt() {
    let directory = with("KKvM");
    let before = files(Russian, directory.path());
    let path = directory.path().join("russian/KvM.dtw");
    let mut bytes = fs::read(&path).expect("a table");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, bytes).expect("a file");
    built("KKvM", directory.path(), &Options::default()).expect("tables");
    assert!(files(Russian, directory.path()) == before);
}

/// A rehearsal does not build tables of fewer pieces: they must exist and be valid.
#[test]
fn a_rehearsal_reports_the_missing_table() {
    let rehearsed = |directory: &Path| rehearse(signature("KMvK"), 5, &Request::new(directory));
    let directory = with("KMvK");
    rehearsed(directory.path()).expect("all that it leads to is there");
    let path = directory.path().join("russian/KvM.dtw");
    let table = fs::read(&path).expect("a table");

    // Damages all blocks, because not every block is read.
    let mut damaged = table.clone();
    damaged[600..].iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&path, damaged).expect("a file");
    let error = rehearsed(directory.path()).expect_err("a damaged table");
    assert!(matches!(error, GenError::Probe(_)), "{error:?}");
    assert!(error.to_string().contains("KvM.dtw"), "{error}");

    fs::remove_file(&path).expect("it is removed");
    fs::remove_file(path.with_extension("wdl")).expect("it is removed");
    let error = rehearsed(directory.path()).expect_err("a table is missing");
    assert!(matches!(&error, GenError::Probe(error) if error.is_missing()), "{error:?}");
    assert!(error.to_string().contains("KvM"), "{error}");
}

#[test]
fn the_error_names_a_directory_that_cannot_be_created() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("file");
    fs::write(&file, "mine").expect("a file");
    let error = built("KvK", &file, &Options::default()).expect_err("a file is in the way");
    assert!(matches!(error, GenError::Io { .. }), "{error:?}");
    assert!(error.to_string().ends_with("file is not a directory"), "{error}");
    assert_eq!(fs::read(&file).expect("the file"), b"mine");
}

#[test]
fn a_build_that_needs_too_much_memory_is_not_started() {
    let directory = tempfile::tempdir().expect("a directory");
    let options = Options { memory: Some(1 << 20), ..Options::default() };
    let error = built("KKvK", directory.path(), &options).expect_err("too little memory");
    assert!(matches!(error, GenError::Memory { allowed: 0x10_0000, .. }), "{error:?}");
    assert!(!files(Russian, directory.path()).keys().any(|name| name.contains("KvK")));
}

#[test]
fn a_stopped_build_is_an_error_and_keeps_finished_tables() {
    let directory = with("KvK");
    let before = files(Russian, directory.path());
    let stop = Stop::default();
    stop.request();
    let request = Request { stop, ..Request::new(directory.path()) };
    let stopped = build(&[signature("KKvK")], &request);
    assert!(matches!(stopped, Err(GenError::Interrupted)), "{stopped:?}");
    assert!(files(Russian, directory.path()) == before);
}
