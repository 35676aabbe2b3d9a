//! What a run leaves of a signature that it did not finish: the next one goes on
//! there, and whatever has become of the file, the tables come out the same.

use damka_games::Russian;
use damka_gen::{Event, GenError, Options, Progress, Stop, build};
use damka_tables::Signature;
use damka_tables::format::Metric;
use damka_tests::{build_with, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// Solved in many rounds, and quickly.
const SIGNATURE: &str = "KMvKM";
const NAME: &str = ".KMvKM.journal";

type Files = BTreeMap<String, Vec<u8>>;

fn signature() -> Signature<Russian> {
    SIGNATURE.parse().expect("a signature")
}

fn options(metrics: &[Metric]) -> Options {
    Options { metrics: metrics.to_vec(), checkpoint: Duration::ZERO, ..Options::default() }
}

/// Notes how long the journal is after every round, and stops after so many.
struct Watch {
    journal: PathBuf,
    lengths: Mutex<Vec<u64>>,
    rounds: usize,
    stop: Stop,
}

impl Progress for Watch {
    fn event(&self, event: Event) {
        let Event::Advanced { done, total, .. } = event else { return };
        // All is solved: tables are written.
        if done == total {
            return;
        }
        // At the end it is no more.
        let Ok(journal) = fs::metadata(&self.journal) else { return };
        let mut lengths = self.lengths.lock().expect("no panic");
        lengths.push(journal.len());
        if lengths.len() == self.rounds {
            self.stop.request();
        }
    }
}

/// Builds the signature in a place that has what it leads to, and interrupts that
/// after so many rounds. Returns the lengths of the journal after each round, and
/// whether the build came to its end.
fn run(place: &Path, metrics: &[Metric], rounds: usize) -> (Vec<u64>, bool) {
    let journal = place.join("russian").join(NAME);
    let stop = Stop::default();
    let watch = Watch { journal, lengths: Mutex::default(), rounds, stop: stop.clone() };
    let finished = match build(&[signature()], place, &options(metrics), &watch, &stop) {
        Ok(()) => true,
        Err(GenError::Interrupted) => false,
        Err(error) => panic!("{error}"),
    };
    (watch.lengths.into_inner().expect("no panic"), finished)
}

/// A place with these files.
fn holding(files: &Files) -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    fs::create_dir(place.path().join("russian")).expect("a directory");
    for (name, bytes) in files {
        fs::write(place.path().join("russian").join(name), bytes).expect("a file");
    }
    place
}

/// Everything that the signature leads to.
static BEFORE: LazyLock<Files> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("a directory");
    build_with(&options(&Metric::ALL), &signature().exits(), place.path());
    files::<Russian>(place.path())
});

/// What an undisturbed build leaves.
static FINISHED: LazyLock<Files> = LazyLock::new(|| {
    let place = holding(&BEFORE);
    build_with(&Options::default(), &[signature()], place.path());
    files::<Russian>(place.path())
});

/// The files of a build that was interrupted after so many rounds, and the lengths
/// of the journal after each.
fn interrupted(metrics: &[Metric], rounds: usize) -> (Files, Vec<u64>) {
    let place = holding(&BEFORE);
    let (lengths, finished) = run(place.path(), metrics, rounds);
    assert!(!finished);
    assert_eq!(lengths.len(), rounds);
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
    let files = files::<Russian>(place.path());
    assert_eq!(files[NAME].len() as u64, lengths[rounds - 1]);
    (files, lengths)
}

/// Builds on in a place with these files. Asserts that the journal's first rounds,
/// so many, are not solved again, and that all ends as if nothing had happened.
#[track_caller]
fn goes_on(files_then: &Files, rounds: usize, lengths: &[u64], what: &str) {
    let place = holding(files_then);
    let (now, finished) = run(place.path(), &Metric::ALL, usize::MAX);
    assert!(finished, "{what}");
    // A round that is solved makes the journal longer.
    let kept = rounds.checked_sub(1).map(|last| lengths[last]);
    let solved = now.iter().skip_while(|&&length| Some(length) == kept).count();
    assert_eq!(now.len() - solved, rounds, "{what}: {now:?}");
    assert!(now[rounds..].is_sorted_by(|a, b| a < b), "{what}: {now:?}");
    assert!(now.len() > lengths.len(), "{what}");
    let files = files::<Russian>(place.path());
    assert!(files == *FINISHED, "{what}: {:?}", files.keys());
}

#[test]
fn rounds_in_the_journal_are_not_solved_again() {
    for rounds in [1, 2, 7] {
        let (files, lengths) = interrupted(&Metric::ALL, rounds);
        goes_on(&files, rounds, &lengths, "a sound journal");
    }
}

#[test]
fn a_run_can_be_interrupted_again_and_again() {
    let place = holding(&BEFORE);
    let mut lengths = Vec::new();
    for rounds in 1.. {
        let (now, finished) = run(place.path(), &Metric::ALL, rounds);
        if finished {
            break;
        }
        lengths.push(now[rounds - 1]);
    }
    assert!(lengths.len() > 5);
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
    assert!(files::<Russian>(place.path()) == *FINISHED);
}

/// Damage costs the rounds from there on, and nothing else.
#[test]
fn a_damaged_journal_costs_time_only() {
    const ROUNDS: usize = 6;
    let (files, lengths) = interrupted(&Metric::ALL, ROUNDS);
    let journal = files[NAME].clone();
    let goes_on_with = |journal: Vec<u8>, rounds: usize, what: &str| {
        let mut files = files.clone();
        files.insert(NAME.to_owned(), journal);
        goes_on(&files, rounds, &lengths, what);
    };
    // How many whole rounds there are before a byte.
    let rounds_before = |at: usize| lengths.iter().filter(|&&end| end <= at as u64).count();
    let end_of = |rounds: usize| lengths[rounds - 1] as usize;

    let begin = journal.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
    let third = end_of(2);
    // The identity; length and checksum, in the first record and in a later one; the
    // data; a mark; the end.
    let places =
        [0, begin - 2, begin, begin + 5, begin + 7, begin + 9, third, third + 7, third + 8];
    let more = [begin + 40, third + 40, journal.len() / 2, end_of(4) - 1, journal.len() - 12];
    for at in places.into_iter().chain(more).chain([journal.len() - 1]) {
        let mut flipped = journal.clone();
        flipped[at] ^= 0x10;
        goes_on_with(flipped, rounds_before(at), &format!("byte {at} flipped"));
    }
    for len in [0, 1, begin - 1, begin, begin + 3, begin + 12, third, third + 1, end_of(4) - 12] {
        let what = format!("cut to {len} bytes");
        goes_on_with(journal[..len].to_vec(), rounds_before(len), &what);
    }
    let garbage: Vec<u8> = (0..journal.len()).map(|i| (i * 167 + i / 256) as u8).collect();
    goes_on_with(garbage.clone(), 0, "garbage");
    goes_on_with([&journal[..begin], &garbage].concat(), 0, "garbage behind the identity");
    goes_on_with([&journal[..third], &garbage].concat(), 2, "garbage behind two rounds");
    goes_on_with([&journal[..], &garbage].concat(), ROUNDS, "garbage behind everything");
    goes_on_with([&journal[..], &[0; 4096]].concat(), ROUNDS, "zeros behind everything");
    goes_on_with([&journal[..third], &[0; 4096]].concat(), 2, "zeros behind two rounds");
    goes_on_with([&journal[..third], &journal[end_of(3)..]].concat(), 2, "a round missing");
    goes_on_with([&journal[..third], &journal[end_of(1)..]].concat(), 2, "a round twice");
}

/// What a run for other metrics left is no use, and no harm.
#[test]
fn the_journal_of_another_kind_is_not_used() {
    let (files, lengths) = interrupted(&[Metric::Wdl], 6);
    goes_on(&files, 0, &lengths, "wdl, then both");

    let (files, _) = interrupted(&Metric::ALL, 6);
    let place = holding(&files);
    let (_, finished) = run(place.path(), &[Metric::Wdl], usize::MAX);
    assert!(finished);
    let wdl = format!("{SIGNATURE}.wdl");
    let there = fs::read(place.path().join("russian").join(&wdl)).expect("a table");
    assert!(there == FINISHED[&wdl]);
}

/// A run may be killed between its last table and the end of the journal.
#[test]
fn the_journal_of_a_finished_signature_is_removed() {
    let (left, _) = interrupted(&Metric::ALL, 6);
    let mut all = FINISHED.clone();
    all.insert(NAME.to_owned(), left[NAME].clone());
    let place = holding(&all);
    build_with(&Options::default(), &[signature()], place.path());
    assert!(files::<Russian>(place.path()) == *FINISHED);
}
