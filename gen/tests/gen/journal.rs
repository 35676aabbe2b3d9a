//! Journals of unfinished signatures: the next run resumes from them, and the tables are the same
//! whatever happened to the file.

use damka_games::{Draughts, Russian};
use damka_gen::{Event, GenError, Options, Progress, Request, Stop, build};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_with, files};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;
use tempfile::TempDir;

/// A signature that is solved quickly, in many rounds.
const SIGNATURE: &str = "KMvKM";
const NAME: &str = ".KMvKM.journal";

pub(super) type Files = BTreeMap<String, Vec<u8>>;

fn signature() -> Signature<Draughts> {
    Signature::parse(Russian, SIGNATURE).expect("a signature")
}

fn options(metrics: &[Metric]) -> Options {
    Options { metrics: metrics.to_vec(), checkpoint: Duration::ZERO, ..Options::default() }
}

/// Records the length of the journal after every round, and stops after `rounds` rounds.
struct Watch {
    journal: PathBuf,
    lengths: Mutex<Vec<u64>>,
    rounds: usize,
    stop: Stop,
}

impl Progress for Watch {
    fn event(&self, event: Event) {
        let Event::Advanced { done, total, .. } = event else { return };
        // Everything is solved, and tables are being written.
        if done == total {
            return;
        }
        // The journal is removed at the end.
        let Ok(journal) = fs::metadata(&self.journal) else { return };
        let mut lengths = self.lengths.lock().expect("no panic");
        lengths.push(journal.len());
        if lengths.len() == self.rounds {
            self.stop.request();
        }
    }
}

/// Builds the signature in a directory that has its successors, and interrupts the build after
/// `rounds` rounds. Returns the lengths of the journal after each round, and whether the build was
/// completed.
fn run(place: &Path, metrics: &[Metric], rounds: usize) -> (Vec<u64>, bool) {
    let journal = place.join("russian").join(NAME);
    let stop = Stop::default();
    let watch = Watch { journal, lengths: Mutex::default(), rounds, stop: stop.clone() };
    let options = options(metrics);
    let request = Request { directory: place, options, progress: &watch, stop };
    let finished = match build(&[signature()], &request) {
        Ok(()) => true,
        Err(GenError::Interrupted) => false,
        Err(error) => panic!("{error}"),
    };
    (watch.lengths.into_inner().expect("no panic"), finished)
}

/// A directory with these files.
fn holding(files: &Files) -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    fs::create_dir(place.path().join("russian")).expect("a directory");
    for (name, bytes) in files {
        fs::write(place.path().join("russian").join(name), bytes).expect("a file");
    }
    place
}

/// The tables of everything that the signature leads to.
static BEFORE: LazyLock<Files> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("a directory");
    build_with(&options(&Metric::ALL), &signature().exits(), place.path());
    files(Russian, place.path())
});

/// The files after an uninterrupted build.
static FINISHED: LazyLock<Files> = LazyLock::new(|| {
    let place = holding(&BEFORE);
    build_with(&Options::default(), &[signature()], place.path());
    files(Russian, place.path())
});

/// The files of a build that was interrupted after `rounds` rounds, and the lengths of the journal
/// after each.
fn interrupted(metrics: &[Metric], rounds: usize) -> (Files, Vec<u64>) {
    let place = holding(&BEFORE);
    let (lengths, finished) = run(place.path(), metrics, rounds);
    assert!(!finished);
    assert_eq!(lengths.len(), rounds);
    assert!(lengths.is_sorted_by(|a, b| a < b), "{lengths:?}");
    let files = files(Russian, place.path());
    assert_eq!(files[NAME].len() as u64, lengths[rounds - 1]);
    (files, lengths)
}

/// Resumes in a directory with these files. Asserts that the first `rounds` rounds of the journal
/// are not solved again, and that the result is the same as without interruption.
#[track_caller]
fn assert_resumes(files_then: &Files, rounds: usize, lengths: &[u64], what: &str) {
    let place = holding(files_then);
    let (now, finished) = run(place.path(), &Metric::ALL, usize::MAX);
    assert!(finished, "{what}");
    // Every solved round makes the journal longer.
    let kept = rounds.checked_sub(1).map(|last| lengths[last]);
    let solved = now.iter().skip_while(|&&length| Some(length) == kept).count();
    assert_eq!(now.len() - solved, rounds, "{what}: {now:?}");
    assert!(now[rounds..].is_sorted_by(|a, b| a < b), "{what}: {now:?}");
    assert!(now.len() > lengths.len(), "{what}");
    let files = files(Russian, place.path());
    assert!(files == *FINISHED, "{what}: {:?}", files.keys());
}

#[test]
fn rounds_in_the_journal_are_not_solved_again() {
    for rounds in [1, 2, 7] {
        let (files, lengths) = interrupted(&Metric::ALL, rounds);
        assert_resumes(&files, rounds, &lengths, "a sound journal");
    }
}

#[test]
fn a_run_can_be_interrupted_repeatedly() {
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
    assert!(files(Russian, place.path()) == *FINISHED);
}

/// Damage affects only the rounds from there on.
#[test]
fn a_damaged_journal_only_costs_time() {
    const ROUNDS: usize = 6;
    let (files, lengths) = interrupted(&Metric::ALL, ROUNDS);
    let journal = files[NAME].clone();
    let assert_resumes_with = |journal: Vec<u8>, rounds: usize, what: &str| {
        let mut files = files.clone();
        files.insert(NAME.to_owned(), journal);
        assert_resumes(&files, rounds, &lengths, what);
    };
    // The number of whole rounds before a byte.
    let rounds_before = |at: usize| lengths.iter().filter(|&&end| end <= at as u64).count();
    let end_of = |rounds: usize| lengths[rounds - 1] as usize;

    let begin = journal.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
    let third = end_of(2);
    // The first line; length and checksum, in the first and in a later record; the data; a mark;
    // the end.
    let places =
        [0, begin - 2, begin, begin + 5, begin + 7, begin + 9, third, third + 7, third + 8];
    let more = [begin + 40, third + 40, journal.len() / 2, end_of(4) - 1, journal.len() - 12];
    for at in places.into_iter().chain(more).chain([journal.len() - 1]) {
        let mut flipped = journal.clone();
        flipped[at] ^= 0x10;
        assert_resumes_with(flipped, rounds_before(at), &format!("byte {at} flipped"));
    }
    for len in [0, 1, begin - 1, begin, begin + 3, begin + 12, third, third + 1, end_of(4) - 12] {
        let what = format!("cut to {len} bytes");
        assert_resumes_with(journal[..len].to_vec(), rounds_before(len), &what);
    }
    let garbage: Vec<u8> = (0..journal.len()).map(|i| (i * 167 + i / 256) as u8).collect();
    assert_resumes_with(garbage.clone(), 0, "garbage");
    assert_resumes_with([&journal[..begin], &garbage].concat(), 0, "garbage after the identity");
    assert_resumes_with([&journal[..third], &garbage].concat(), 2, "garbage after two rounds");
    assert_resumes_with([&journal[..], &garbage].concat(), ROUNDS, "garbage after everything");
    assert_resumes_with([&journal[..], &[0; 4096]].concat(), ROUNDS, "zeros after everything");
    assert_resumes_with([&journal[..third], &[0; 4096]].concat(), 2, "zeros after two rounds");
    assert_resumes_with([&journal[..third], &journal[end_of(3)..]].concat(), 2, "a round missing");
    assert_resumes_with([&journal[..third], &journal[end_of(1)..]].concat(), 2, "a round twice");
}

/// The journal of a run for other metrics is not used and does no harm.
#[test]
fn the_journal_of_another_metric_is_not_used() {
    let (files, lengths) = interrupted(&[Metric::Wdl], 6);
    assert_resumes(&files, 0, &lengths, "wdl, then both");

    let (files, _) = interrupted(&Metric::ALL, 6);
    let place = holding(&files);
    let (_, finished) = run(place.path(), &[Metric::Wdl], usize::MAX);
    assert!(finished);
    let wdl = format!("{SIGNATURE}.wdl");
    let there = fs::read(place.path().join("russian").join(&wdl)).expect("a table");
    assert!(there == FINISHED[&wdl]);
}

/// A run may be killed between writing its last table and removing the journal.
#[test]
fn the_journal_of_a_finished_signature_is_removed() {
    let (left, _) = interrupted(&Metric::ALL, 6);
    let mut all = FINISHED.clone();
    all.insert(NAME.to_owned(), left[NAME].clone());
    let place = holding(&all);
    build_with(&Options::default(), &[signature()], place.path());
    assert!(files(Russian, place.path()) == *FINISHED);
}

/// Requests a stop when everything is solved.
struct StopWhenSolved(Stop);

impl Progress for StopWhenSolved {
    fn event(&self, event: Event) {
        if matches!(event, Event::Advanced { done, total, .. } if done == total) {
            self.0.request();
        }
    }
}

#[test]
fn a_stop_while_tables_are_written_leaves_only_the_journal() {
    let place = holding(&BEFORE);
    let stop = Stop::default();
    let (options, progress) = (options(&Metric::ALL), &StopWhenSolved(stop.clone()));
    let request = Request { options, progress, stop, ..Request::new(place.path()) };
    let stopped = build(&[signature()], &request);
    assert!(matches!(stopped, Err(GenError::Interrupted)), "{stopped:?}");
    let left = files(Russian, place.path());
    let new: Vec<&String> = left.keys().filter(|name| !BEFORE.contains_key(*name)).collect();
    assert_eq!(new, [NAME]);
    let (lengths, finished) = run(place.path(), &Metric::ALL, usize::MAX);
    assert!(finished);
    assert!(lengths.iter().all(|&len| len == left[NAME].len() as u64), "solved again: {lengths:?}");
    assert!(files(Russian, place.path()) == *FINISHED);
}

/// A journal split into its parts.
#[derive(Clone)]
pub(super) struct Parts {
    head: String,
    /// The last one is the mark at the end of a round: empty.
    records: Vec<Vec<u8>>,
}

impl Parts {
    pub(super) fn of(journal: &[u8]) -> Parts {
        let end = journal.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
        let (head, mut rest) = journal.split_at(end);
        let head = String::from_utf8(head.to_vec()).expect("text");
        let mut records = Vec::new();
        while let Some((len, more)) = rest.split_first_chunk() {
            let (data, more) = more[4..].split_at(u64::from_le_bytes(*len) as usize);
            records.push(data.to_vec());
            rest = more;
        }
        assert_eq!(records.last(), Some(&Vec::new()));
        Parts { head, records }
    }

    /// The bytes of the journal, with matching checksums.
    pub(super) fn journal(&self) -> Vec<u8> {
        let mut journal = self.head.clone().into_bytes();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&journal);
        for record in &self.records {
            let len = (record.len() as u64).to_le_bytes();
            crc.update(&len);
            crc.update(record);
            journal.extend(len);
            journal.extend(crc.clone().finalize().to_le_bytes());
            journal.extend(record);
        }
        journal
    }

    /// A copy in which the uncompressed contents of a record are changed.
    pub(super) fn with_plain(&self, record: usize, change: impl FnOnce(&mut Vec<u8>)) -> Parts {
        let mut parts = self.clone();
        let mut plain = zstd::decode_all(&parts.records[record][..]).expect("a zstd frame");
        change(&mut plain);
        parts.records[record] = zstd::encode_all(&plain[..], 1).expect("it is compressed");
        parts
    }

    pub(super) fn with_records(&self, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Parts {
        let mut parts = self.clone();
        change(&mut parts.records);
        parts
    }
}

/// Collects the messages about dropped journals.
#[derive(Default)]
pub(super) struct Dropped(Mutex<Vec<String>>);

impl Dropped {
    pub(super) fn messages(self) -> Vec<String> {
        self.0.into_inner().expect("no panic")
    }
}

impl Progress for Dropped {
    fn event(&self, event: Event) {
        if let Event::JournalDropped { message, .. } = event {
            self.0.lock().expect("no panic").push(message);
        }
    }
}

/// Builds in a directory with these files and this journal. Returns the messages about dropped
/// journals, and the files at the end.
fn resume_with(before: &Files, journal: Vec<u8>, metrics: &[Metric]) -> (Vec<String>, Files) {
    let place = holding(before);
    fs::write(place.path().join("russian").join(NAME), journal).expect("a journal");
    let dropped = Dropped::default();
    let (options, progress) = (options(metrics), &dropped);
    let request = Request { options, progress, ..Request::new(place.path()) };
    build(&[signature()], &request).expect("tables");
    (dropped.messages(), files(Russian, place.path()))
}

/// Asserts that a journal is reported and dropped, and that the build succeeds without it.
#[track_caller]
fn assert_dropped(before: &Files, parts: &Parts, metrics: &[Metric], what: &str) {
    let (messages, mut files) = resume_with(before, parts.journal(), metrics);
    assert!(matches!(&messages[..], [one] if one.contains(NAME)), "{what}: {messages:?}");
    let mut expected = FINISHED.clone();
    expected.retain(|name, _| files.contains_key(name));
    files.retain(|name, _| expected.contains_key(name));
    assert!(files == expected, "{what}: other tables");
    assert!(metrics.iter().all(|m| files.contains_key(&format!("{SIGNATURE}.{}", m.name()))));
    assert!(!files.contains_key(NAME), "{what}");
}

/// Anyone who can produce matching checksums can forge the contents as well.
#[test]
fn a_forged_journal_is_reported_and_dropped() {
    let (files, _) = interrupted(&Metric::ALL, 3);
    let sound = Parts::of(&files[NAME]);
    let (messages, finished) = resume_with(&BEFORE, sound.journal(), &Metric::ALL);
    assert!(messages.is_empty() && finished == *FINISHED, "{messages:?}");

    let forged = |parts: &Parts, what: &str| assert_dropped(&BEFORE, parts, &Metric::ALL, what);
    let marks: Vec<usize> =
        (0..sound.records.len()).filter(|&i| sound.records[i].is_empty()).collect();
    assert_eq!(marks.len(), 3);
    let first_of_second = marks[0] + 1;
    for record in [0, first_of_second, marks[2] - 1] {
        let plain = |what: &str, change: &dyn Fn(&mut Vec<u8>)| {
            forged(&sound.with_plain(record, change), &format!("record {record}: {what}"));
        };
        plain("nothing", &|plain| plain.clear());
        plain("a byte less", &|plain| plain.truncate(plain.len() - 1));
        plain("a byte more", &|plain| plain.push(0));
        plain("twice as much", &|plain| plain.extend_from_within(..));
        // Far more than the positions of the whole signature.
        plain("endless", &|plain| plain.resize(1 << 28, 0));
        plain("no score", &|plain| plain[0] = 255);
        plain("no score", &|plain| plain[1000] = 255);
        plain("a win in 253", &|plain| plain[7] = 128);
        let no_frame = sound.with_records(|records| records[record] = b"no zstd frame".to_vec());
        forged(&no_frame, "no zstd frame");
        let missing = sound.with_records(|records| drop(records.remove(record)));
        forged(&missing, "a record missing");
        let twice = sound.with_records(|r| r.insert(record, r[record].clone()));
        forged(&twice, "a record twice");
    }
    forged(&sound.with_records(|records| drop(records.remove(marks[1]))), "two rounds in one");
    forged(&sound.with_records(|records| records.insert(0, Vec::new())), "an empty round");
    forged(&sound.with_records(|records| records.push(Vec::new())), "an empty round at the end");
    let endless = sound.with_records(|records| {
        let round = records[first_of_second..=marks[1]].to_vec();
        records.extend((0..10_000).flat_map(|_| round.clone()));
    });
    forged(&endless, "more rounds than there are");
    let unmarked = sound.with_records(|records| {
        let record = records[0].clone();
        records.extend((0..1000).map(|_| record.clone()));
    });
    forged(&unmarked, "a round without an end");
}

/// Forged values of two bits, as in journals without distances.
#[test]
fn a_forged_journal_without_distances_is_dropped() {
    let (files, _) = interrupted(&[Metric::Wdl], 3);
    let sound = Parts::of(&files[NAME]);
    let (messages, _) = resume_with(&BEFORE, sound.journal(), &[Metric::Wdl]);
    assert!(messages.is_empty(), "{messages:?}");
    for place in [0, 100] {
        let forged = sound.with_plain(0, |plain| plain[place] |= 3 << 4);
        assert_dropped(&BEFORE, &forged, &[Metric::Wdl], "neither win, draw nor loss");
    }
}

/// A journal may be valid but belong to other work.
#[test]
fn a_journal_of_other_work_is_reported_and_dropped() {
    let (files, _) = interrupted(&Metric::ALL, 3);
    let sound = Parts::of(&files[NAME]);
    let words = sound.head.split_whitespace().count();
    // Versions, game, signature, metrics, and the digest of the tables that it was made from.
    for word in 0..words {
        let words = sound.head.split_whitespace().enumerate();
        let changed = words.map(|(i, text)| match i == word {
            true => text.chars().map(|c| if c == '1' { '2' } else { '1' }).collect(),
            false => text.to_owned(),
        });
        let head = changed.collect::<Vec<String>>().join(" ") + "\n";
        assert_ne!(head, sound.head);
        let other = Parts { head, ..sound.clone() };
        assert_dropped(&BEFORE, &other, &Metric::ALL, &format!("word {word} of the first line"));
    }
    assert_eq!(words, 10, "{}", sound.head);
}

/// The tables that a journal was made from may have been replaced since.
#[test]
fn a_journal_made_from_other_tables_is_dropped() {
    let (files, _) = interrupted(&Metric::ALL, 3);
    let mut stale = BEFORE.clone();
    // The offset of the digest in FORMAT.md. The signature does not lead to this table by a single
    // move.
    const DIGEST: usize = 112;
    let table = stale.get_mut("KvK.dtw").expect("a table");
    table[DIGEST] ^= 1;
    let crc = crc32fast::hash(&table[..508]).to_le_bytes();
    table[508..512].copy_from_slice(&crc);
    let (messages, files) = resume_with(&stale, files[NAME].clone(), &Metric::ALL);
    assert!(matches!(&messages[..], [one] if one.contains(NAME)), "{messages:?}");
    assert!(files["KMvKM.dtw"] == FINISHED["KMvKM.dtw"]);
}

/// A crash may leave an incomplete first line, or anything after the last round.
#[test]
fn remains_of_a_crash_are_dropped_silently() {
    let (files, _) = interrupted(&Metric::ALL, 3);
    let journal = &files[NAME];
    let line = journal.iter().position(|&byte| byte == b'\n').expect("a first line");
    for left in [0, 1, line, line + 1, line + 5, journal.len() - 1] {
        let (messages, files) = resume_with(&BEFORE, journal[..left].to_vec(), &Metric::ALL);
        assert!(messages.is_empty() && files == *FINISHED, "{left} bytes: {messages:?}");
    }
    let zeros = [&journal[..], &[0; 4096]].concat();
    let (messages, files) = resume_with(&BEFORE, zeros, &Metric::ALL);
    assert!(messages.is_empty() && files == *FINISHED, "{messages:?}");
}
