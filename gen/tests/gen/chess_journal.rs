//! The journal of chess, in which each fibre is a round: the tests of [`journal`](super::journal) whose
//! code under test is different.

use super::journal::{Dropped, Files, Parts};
use damka_games::Chess;
use damka_gen::{Event, GenError, Options, Progress, Request, Stop, build};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_with, files};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// 24 fibres: one for each square of the pawn and its mirror image.
const SIGNATURE: &str = "KPvK";
const NAME: &str = ".KPvK.journal";

fn signature() -> Signature<Chess> {
    Signature::parse(Chess, SIGNATURE).expect("a signature")
}

fn options() -> Options {
    Options { metrics: Metric::ALL.to_vec(), checkpoint: Duration::ZERO, ..Options::default() }
}

/// Stops after this many fibres of the signature.
struct StopAfter {
    has_begun: AtomicBool,
    left: AtomicUsize,
    stop: Stop,
}

impl Progress for StopAfter {
    fn event(&self, event: Event) {
        if let Event::Started { signature } = &event {
            self.has_begun.store(signature == SIGNATURE, Ordering::Relaxed);
        }
        let Event::Advanced { done, total, .. } = event else { return };
        let is_counted = done < total && self.has_begun.load(Ordering::Relaxed);
        if is_counted && self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.request();
        }
    }
}

/// Builds the signature and stops after `fibres` fibres, including those in the journal. Returns
/// whether the build was completed.
fn run(place: &Path, fibres: usize) -> bool {
    let stop = Stop::default();
    let watch = StopAfter {
        has_begun: AtomicBool::new(false),
        left: AtomicUsize::new(fibres),
        stop: stop.clone(),
    };
    let request = Request { directory: place, options: options(), progress: &watch, stop };
    match build(&[signature()], &request) {
        Ok(()) => true,
        Err(GenError::Interrupted) => false,
        Err(error) => panic!("{error}"),
    }
}

/// A directory with the tables of everything that the signature leads to.
fn place() -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    build_with(&options(), &signature().exits(), place.path());
    place
}

/// The files after an uninterrupted build.
static FINISHED: LazyLock<Files> = LazyLock::new(|| {
    let place = place();
    build_with(&options(), &[signature()], place.path());
    files(Chess, place.path())
});

/// A directory in which the build was interrupted after some fibres, and its journal.
fn interrupted() -> (TempDir, Parts) {
    let place = place();
    assert!(!run(place.path(), 6));
    let journal = fs::read(place.path().join("chess").join(NAME)).expect("a journal");
    (place, Parts::of(&journal))
}

#[test]
fn a_run_can_be_interrupted_repeatedly() {
    let place = place();
    let mut lengths = Vec::new();
    for fibres in (3..).step_by(3) {
        if run(place.path(), fibres) {
            break;
        }
        let journal = fs::metadata(place.path().join("chess").join(NAME)).expect("a journal");
        lengths.push(journal.len());
    }
    assert!(lengths.len() > 3, "{lengths:?}");
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
    assert!(files(Chess, place.path()) == *FINISHED);
}

/// Resumes with this journal. Returns the messages about it.
fn resume_with(place: &Path, parts: &Parts) -> Vec<String> {
    fs::write(place.join("chess").join(NAME), parts.journal()).expect("a journal");
    let dropped = Dropped::default();
    let (options, progress) = (options(), &dropped);
    let request = Request { options, progress, ..Request::new(place) };
    build(&[signature()], &request).expect("tables");
    assert!(files(Chess, place) == *FINISHED);
    for metric in Metric::ALL {
        let table = place.join("chess").join(format!("{SIGNATURE}.{}", metric.name()));
        fs::remove_file(table).expect("a table");
    }
    dropped.messages()
}

#[test]
fn a_forged_journal_is_reported_and_dropped() {
    let (place, sound) = interrupted();
    assert!(resume_with(place.path(), &sound).is_empty());
    let forged = |parts: &Parts, what: &str| {
        let messages = resume_with(place.path(), parts);
        assert!(matches!(&messages[..], [one] if one.contains(NAME)), "{what}: {messages:?}");
    };
    for record in [0, 4] {
        let plain = |what: &str, change: &dyn Fn(&mut Vec<u8>)| {
            forged(&sound.with_plain(record, change), &format!("record {record}: {what}"));
        };
        plain("nothing", &|plain| plain.clear());
        plain("a byte less", &|plain| plain.truncate(plain.len() - 1));
        plain("a byte more", &|plain| plain.push(0));
        plain("endless", &|plain| plain.resize(1 << 20, 0));
        let no_frame = sound.with_records(|records| records[record] = b"no zstd frame".to_vec());
        forged(&no_frame, "no zstd frame");
        let twice = sound.with_records(|r| r.insert(record, r[record].clone()));
        forged(&twice, "two fibres in a round");
        forged(&sound.with_records(|r| r.insert(record, Vec::new())), "an empty round");
    }
    let endless = sound.with_records(|records| {
        let round = records[..2].to_vec();
        records.extend((0..100).flat_map(|_| round.clone()));
    });
    forged(&endless, "more fibres than there are");
}
