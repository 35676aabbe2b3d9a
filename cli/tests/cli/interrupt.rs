//! Killed processes. Finished tables stay, an incomplete table is never used, and another run gives
//! the result of an undisturbed run.

use crate::{Outcome, Place, assert_same, russian_4};
use damka_games::Russian;
use damka_probe::{ProbeError, Table, list_tables};
use damka_tables::metric::Metric;
use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Much longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "gave up waiting until {what}");
        sleep(Duration::from_millis(5));
    }
}

/// A running `damka`; killed if a test fails.
pub(crate) struct Running<'a> {
    place: &'a Place,
    name: &'static str,
    pub(crate) damka: Child,
}

impl Running<'_> {
    /// Starts `damka`. Its standard error goes to a file called `name`.
    pub(crate) fn start<'a>(place: &'a Place, name: &'static str, words: &str) -> Running<'a> {
        Running::start_by(place, name, "", words)
    }

    /// Starts `damka` through another program, if one is named.
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

    /// Its standard error so far.
    pub(crate) fn stderr(&self) -> String {
        fs::read_to_string(self.place.home().join(self.name)).expect("its standard error")
    }

    /// Waits until its standard error contains these words.
    pub(crate) fn wait_until_it_says(&self, words: &str) {
        wait_until(&format!("damka says `{words}`"), || self.stderr().contains(words));
    }

    /// Sends it a signal.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.damka.id());
        let mut shell = std::process::Command::new("sh");
        assert!(shell.args(["-c", &kill]).status().expect("a shell").success());
    }

    /// Kills it; returns whether it had finished before.
    fn kill(&mut self) -> bool {
        self.damka.kill().expect("it is killed, or has finished");
        let outcome = self.end();
        // Without signals, the killer sets the exit code.
        let was_killed =
            if cfg!(windows) { outcome.code == Some(1) } else { outcome.code.is_none() };
        assert!(was_killed || outcome.code == Some(0), "{outcome:?}");
        !was_killed
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

/// Asserts that every file with the name of a table is complete; returns the number of tables.
pub(crate) fn whole_tables(place: &Place) -> usize {
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

#[test]
fn a_killed_run_leaves_no_half_table_and_can_go_on() {
    let place = Place::new();
    for delay in [50, 100, 200, 400, 800].map(Duration::from_millis) {
        let mut damka = Running::start(&place, "stderr", "gen russian 4 --progress none");
        sleep(delay);
        damka.kill();
        whole_tables(&place);
    }
    place.generate("russian 4");
    assert_same(&place.files(), russian_4());
}

/// Kills a build at many moments. Each run continues where the previous one was, also within a
/// signature.
#[test]
fn a_build_that_is_killed_repeatedly_gives_the_same_tables() {
    const WORDS: &str = "russian KMMvM --checkpoint 0";
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
        // The delays are spread evenly from a quarter of `delay`, and grow while no progress is
        // made.
        let share = f64::from(kills) * 0.618_034;
        sleep(delay.mul_f64(0.25 + 0.75 * share.fract()) * (1 + stalled));
        let is_done = damka.kill();
        whole_tables(&place);
        let after = progress();
        if is_done {
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

/// Regression: `probe` waited for another process without a message, and a job did not say for
/// which.
#[test]
fn a_wait_for_another_process_is_reported() {
    for (lock, words, reason) in [
        (".lock", "gen russian KvK", "works in this directory"),
        (".lock", "probe russian W:WKa1:BKb8", "works in this directory"),
        (".KvK.lock", "gen russian KvK --only KvK", "builds KvK"),
    ] {
        let place = Place::new();
        let directory = place.table("russian");
        fs::create_dir_all(&directory).expect("a directory");
        let lock = File::create(directory.join(lock)).expect("a lock");
        lock.lock().expect("the lock is free");
        let mut damka = Running::start(&place, "stderr", words);
        damka.wait_until_it_says(&format!("waiting for another damka that {reason}"));
        drop(lock);
        assert_eq!(damka.end().code, Some(0), "{words}");
    }
}

#[test]
fn two_builds_at_once_wait_for_each_other() {
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
    // The second run finds the tables of the first.
    let outputs = both.each_ref().map(Running::stderr);
    assert!(
        outputs.iter().any(|output| output.contains("all 9 signatures are already built")),
        "{outputs:?}"
    );
    assert_same(&place.files(), &Place::with("russian 3").files());
}
