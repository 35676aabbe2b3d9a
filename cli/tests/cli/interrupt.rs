//! Work that is cut short: by the user, by force, by a full disk. Finished
//! tables stay, no half table is taken for a whole one, and running again ends
//! where an undisturbed run does.

use crate::{Outcome, Place, assert_same, outcome, russian_4, say};
use damka_games::Russian;
use damka_probe::{ProbeError, Table, list_tables};
use damka_tables::metric::Metric;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "gave up waiting until {what}");
        sleep(Duration::from_millis(5));
    }
}

/// A `damka` at work; killed should a test fail.
pub(crate) struct Running<'a> {
    place: &'a Place,
    name: &'static str,
    damka: Child,
}

impl Running<'_> {
    /// Starts `damka`. Its standard error goes to a file called `name`.
    pub(crate) fn start<'a>(place: &'a Place, name: &'static str, words: &str) -> Running<'a> {
        Running::start_by(place, name, "", words)
    }

    /// The same by another program, if one is named.
    pub(crate) fn start_by<'a>(
        place: &'a Place,
        name: &'static str,
        by: &str,
        words: &str,
    ) -> Running<'a> {
        let stderr = File::create(place.home().join(name)).expect("a file");
        let mut damka = match by {
            "" => place.command(),
            by => place.command_by(by),
        };
        damka.args(words.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        Running { place, name, damka: damka.spawn().expect("damka starts") }
    }

    /// What it has said on standard error so far.
    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(self.place.home().join(self.name)).expect("its standard error")
    }

    /// Waits until it has said this on standard error.
    pub(crate) fn wait_until_it_says(&self, words: &str) {
        wait_until(&format!("damka says `{words}`"), || self.stderr().contains(words));
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.damka.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
    }

    /// Waits for the end.
    pub(crate) fn end(&mut self) -> Outcome {
        wait_until("damka ends", || self.damka.try_wait().expect("a status").is_some());
        let code = self.damka.wait().expect("a status").code();
        Outcome { code, stdout: String::new(), stderr: self.stderr() }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.damka.kill();
        let _ = self.damka.wait();
    }
}

/// Asserts that every file that has the name of a table is a whole one; returns
/// how many there are.
fn whole_tables(place: &Place) -> usize {
    let signatures = list_tables(Russian, &place.tables()).expect("tables are listed");
    let tables = signatures.iter().flat_map(|&s| Metric::ALL.map(|metric| (s, metric)));
    let whole = tables.filter(|&(signature, metric)| {
        match Table::open(&place.tables(), signature, metric).and_then(|table| table.check()) {
            Ok(()) => true,
            Err(ProbeError::Missing { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    });
    whole.count()
}

fn temporary_files(place: &Place) -> Vec<String> {
    place.files().into_keys().filter(|name| name.ends_with(".tmp")).collect()
}

/// Interrupts `gen` when it has begun to finish tables of four pieces.
fn interrupted_by(signal: &str) -> Place {
    let place = Place::new();
    let mut damka = Running::start(&place, "stderr", "gen russian 5 --progress plain");
    wait_until("the first table of four pieces is there", || {
        list_tables(Russian, &place.tables())
            .is_ok_and(|tables| tables.iter().any(|signature| signature.pieces() == 4))
    });
    damka.signal(signal);
    let outcome = damka.end();
    let last = outcome.stderr.lines().last().unwrap_or_default();
    assert!(last.starts_with("damka: interrupted"), "{signal}: {outcome:?}");
    assert_eq!(outcome.code, Some(130), "{signal}");
    assert!(whole_tables(&place) > 18);
    assert_eq!(temporary_files(&place), [""; 0]);
    drop(damka);
    place
}

#[test]
fn an_interrupted_run_leaves_sound_tables_and_can_go_on() {
    interrupted_by("TERM");
    let place = interrupted_by("INT");
    place.damka("verify russian").success();
    place.generate("russian 4");
    let mut files = place.files();
    files.retain(|name, _| name.len() < "russian/KKKvKK.wdl".len());
    assert_same(&files, russian_4());
}

#[test]
fn a_killed_run_leaves_no_half_table_and_can_go_on() {
    let place = Place::new();
    for delay in [50, 100, 200, 400, 800].map(Duration::from_millis) {
        let mut damka = Running::start(&place, "stderr", "gen russian 4 --progress none");
        sleep(delay);
        damka.signal("KILL");
        damka.end();
        whole_tables(&place);
    }
    place.generate("russian 4");
    assert_same(&place.files(), russian_4());
}

/// Kills a build at any moment, over and over. Each run goes on where the one before
/// was, also within a signature.
#[test]
fn a_build_that_is_killed_over_and_over_comes_to_the_same_end() {
    const WORDS: &str = "russian KKMvKM --checkpoint 0";
    let start = Instant::now();
    let undisturbed = Place::with(WORDS).files();
    // Twenty such delays together are far shorter than one undisturbed run.
    let delay = start.elapsed() / 30;

    let place = Place::new();
    let progress = || {
        let mut files = place.files();
        files.retain(|name, _| !name.ends_with(".tmp"));
        files
    };
    let (mut kills, mut journals, mut stalled) = (0, 0, 0);
    let mut before = progress();
    loop {
        let words = format!("gen {WORDS} --progress none");
        let mut damka = Running::start(&place, "stderr", &words);
        // Spread evenly from a quarter of the delay, and longer while nothing comes of it.
        let share = f64::from(kills) * 0.618_034;
        sleep(delay.mul_f64(0.25 + 0.75 * share.fract()) * (1 + stalled));
        damka.damka.kill().expect("it is killed, or has finished");
        let outcome = damka.end();
        whole_tables(&place);
        let after = progress();
        if let Some(code) = outcome.code {
            assert_eq!(code, 0, "{outcome:?}");
            break;
        }
        kills += 1;
        journals += u32::from(after.keys().any(|name| name.ends_with(".journal")));
        stalled = if after == before { stalled + 1 } else { 0 };
        before = after;
    }
    assert!(kills >= 20, "killed only {kills} times");
    assert!(journals >= kills / 4, "only {journals} of {kills} killed runs left a journal");
    assert_same(&place.files(), &undisturbed);
}

/// The size limit of files stands for a full disk: writing fails in the middle.
#[test]
fn a_full_disk_leaves_finished_tables_and_can_go_on() {
    let place = Place::new();
    let limited = |blocks: u32, words: &str| {
        // Without its signal, the limit makes writing fail.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_damka")]).args(words.split(' '));
        outcome(shell.env("DAMKA_TABLES", place.tables()))
    };
    // 64 KiB hold the tables of 3 pieces, and of 4 kings; KKMvK.dtw is larger.
    let message = limited(128, "gen russian KKMvK --progress none").failure(1);
    assert!(message.contains("cannot write") && message.contains("KKMvK.dtw"), "{message}");
    assert!(whole_tables(&place) >= 10);
    assert_eq!(temporary_files(&place), [""; 0]);

    place.generate("russian KKMvK");
    assert_same(&place.files(), &Place::with("russian KKMvK").files());
}

#[test]
fn two_at_once_wait_for_each_other() {
    let place = Place::with("russian 2");
    let lock = File::open(place.table("russian/.lock")).expect("the lock");
    lock.lock().expect("the lock is free");
    let names = ["one", "other"];
    let mut both = names.map(|name| Running::start(&place, name, "gen russian 3"));
    for damka in &both {
        damka.wait_until_it_says("waiting for another damka");
    }
    drop(lock);
    for damka in &mut both {
        assert_eq!(damka.end().code, Some(0));
    }
    // The second finds the work of the first.
    let said = both.each_ref().map(Running::stderr);
    assert!(said.iter().any(|said| said.contains("all 9 signatures are there")), "{said:?}");
    assert_same(&place.files(), &Place::with("russian 3").files());
}

/// Who waits for another once did not hear the user.
#[test]
fn waiting_can_be_interrupted() {
    let place = Place::with("russian 2");
    let lock = File::open(place.table("russian/.lock")).expect("the lock");
    lock.lock().expect("the lock is free");
    let mut damka = Running::start(&place, "stderr", "gen russian 3");
    damka.wait_until_it_says("waiting for another damka");
    damka.signal("INT");
    assert_eq!(damka.end().code, Some(130));
}

/// Having built a table, `probe` once no longer heard the user.
#[test]
fn a_stream_can_be_interrupted() {
    let place = Place::new();
    let mut damka = Running::start(&place, "stderr", "probe russian -");
    let mut questions = damka.damka.stdin.take().expect("its standard input");
    let mut answers = BufReader::new(damka.damka.stdout.take().expect("its standard output"));
    say(&mut questions, "W:WKa1:BKh8");
    answers.read_line(&mut String::new()).expect("an answer");
    // Not INT, which a shell has commands in its background ignore.
    damka.signal("TERM");
    // 130, or none if it was the signal itself that ended the process.
    assert!([Some(130), None].contains(&damka.end().code));
}

#[test]
fn an_interrupted_book_is_not_written() {
    let place = Place::new();
    let book = place.home().join("own.book");
    let words = format!(
        "book build russian {} --self-play 1000000 --player depth=1,memory=1M",
        book.display()
    );
    let mut damka = Running::start(&place, "stderr", &words);
    damka.wait_until_it_says("games played");
    damka.signal("INT");
    let outcome = damka.end();
    assert_eq!(outcome.code, Some(130), "{outcome:?}");
    assert!(outcome.stderr.ends_with("interrupted; no book is written\n"), "{outcome:?}");
    assert!(!book.exists());
}

#[test]
fn an_interrupted_verification_says_so() {
    let place = Place::holding(russian_4());
    let mut damka = Running::start(&place, "stderr", "verify russian --progress json");
    damka.wait_until_it_says("started");
    damka.signal("INT");
    assert_eq!(damka.end().code, Some(130));
}
