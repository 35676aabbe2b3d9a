//! Several processes build a set together: each builds some signatures, from tables and seed files of
//! the others.

use damka_games::{Chess, Draughts, Italian, Russian};
use damka_gen::{
    Event, Family, GenError, Options, Progress, Request, build, build_share, plan, shares,
};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use damka_tests::{build_tables, build_with, files};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use tempfile::TempDir;

fn signature(text: &str) -> Signature<Draughts> {
    Signature::parse(Russian, text).expect("a signature")
}

/// A signature and everything that it leads to, each after what it leads to.
fn closure<G: Family>(signature: Signature<G>) -> Vec<Signature<G>> {
    let empty = tempfile::tempdir().expect("a directory");
    let plan = plan(&[signature], &Request::new(empty.path())).expect("a plan");
    plan.jobs.iter().map(|job| job.signature).collect()
}

/// Records which signatures are built, and which seed files are refused.
#[derive(Default)]
struct Notes {
    built: Mutex<Vec<String>>,
    refused: Mutex<Vec<(PathBuf, String)>>,
}

impl Progress for Notes {
    fn event(&self, event: Event) {
        match event {
            Event::Started { signature } => self.built.lock().expect("no panic").push(signature),
            Event::SeedDropped { path, message } => {
                self.refused.lock().expect("no panic").push((path, message));
            }
            _ => {}
        }
    }
}

/// The signatures that were built, and the seed files that were refused, with the reasons.
type Outcome = (Vec<String>, Vec<(PathBuf, String)>);

/// Builds the signature `only`, in the set of the signature `set` and everything it leads to.
fn share(set: &str, only: &str, directory: &Path) -> Result<Outcome, GenError> {
    let notes = Notes::default();
    let request = Request { progress: &notes, ..Request::new(directory) };
    build_share(Some(&[signature(set)]), &[signature(only)], directory, &request)?;
    Ok((notes.built.into_inner().expect("no panic"), notes.refused.into_inner().expect("no panic")))
}

/// Builds all but the last signature of a set, each by a process of its own.
fn all_but_the_last(set: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let all = closure(signature(set));
    for one in &all[..all.len() - 1] {
        share(set, &one.to_string(), directory.path()).expect("its inputs are there");
    }
    directory
}

/// The tables of a set.
fn tables(set: &str) -> BTreeMap<String, Vec<u8>> {
    let directory = tempfile::tempdir().expect("a directory");
    build_tables(&[signature(set)], directory.path());
    tables_in(directory.path())
}

fn tables_in(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(Russian, directory);
    files.retain(|name, _| name.ends_with(".wdl") || name.ends_with(".dtw"));
    files
}

/// Builds everything that `signature` leads to one by one, and compares with a whole build.
fn agrees<G: Family>(signature: Signature<G>, metrics: &[Metric], knows_set: bool) {
    let game = signature.game();
    let options = Options { metrics: metrics.to_vec(), ..Options::default() };
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
    build_with(&options, &[signature], whole.path());
    let request = Request { options, ..Request::new(parts.path()) };
    let set = [signature];
    for one in closure(signature) {
        let set = knows_set.then_some(&set[..]);
        build_share(set, &[one], parts.path(), &request).expect("its inputs are there");
    }
    // The only work left is to remove the seed files and locks.
    build(&set, &request).expect("all tables are there");
    assert!(files(game, whole.path()) == files(game, parts.path()), "{signature} {metrics:?}");
}

#[test]
fn signatures_built_one_by_one_have_the_same_tables() {
    agrees(signature("KKvKM"), &[Metric::Wdl], true);
    for knows_set in [true, false] {
        agrees(signature("KMvK"), &Metric::ALL, knows_set);
        let italian = Signature::parse(Italian, "KMvK").expect("a signature");
        agrees(italian, &Metric::ALL, knows_set);
        let chess = Signature::parse(Chess, "KPvK").expect("a signature");
        agrees(chess, &Metric::ALL, knows_set);
    }
}

#[test]
fn what_is_missing_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    match share("KKvM", "KKvM", directory.path()) {
        Err(GenError::MissingInputs { missing, .. }) => assert_eq!(missing, ["KvM", "KvK", "KKvK"]),
        other => panic!("{other:?}"),
    }
    assert!(tables_in(directory.path()).is_empty());
}

#[test]
fn what_is_done_is_not_done_again() {
    let directory = all_but_the_last("KKvM");
    assert_eq!(share("KKvM", "KKvM", directory.path()).expect("tables").0, ["KKvM"]);
    let before = files(Russian, directory.path());
    assert!(share("KKvM", "KKvM", directory.path()).expect("tables").0.is_empty());
    assert!(files(Russian, directory.path()) == before);
}

#[test]
fn a_seed_file_that_is_gone_is_made_again() {
    let directory = all_but_the_last("KKvM");
    let path = directory.path().join("russian/KKvK.dtw.seed");
    let seed = fs::read(&path).expect("a seed file");
    fs::remove_file(&path).expect("it is removed");
    assert_eq!(share("KKvM", "KKvK", directory.path()).expect("tables").0, ["KKvK"]);
    assert!(fs::read(&path).expect("a seed file") == seed);
}

/// Whatever is wrong with a seed file, the tables are correct, and the file is reported.
#[test]
fn seed_files_that_cannot_be_used_are_refused() {
    let expected = tables("KKvM");
    let fresh = all_but_the_last("KKvM");
    let name = "KKvK.dtw.seed";
    let seed = fs::read(fresh.path().join("russian").join(name)).expect("a seed file");
    let other = fs::read(fresh.path().join("russian/KvK.dtw.seed")).expect("a seed file");
    let flipped = |place: usize| {
        let mut seed = seed.clone();
        seed[place] ^= 1;
        seed
    };
    let digest = seed.iter().position(|&byte| byte == b'\n').expect("a line") - 40;
    let mut longer = seed.clone();
    longer.push(0);
    let cases = [
        (flipped(3), "version"),
        (flipped(digest), "another table"),
        (flipped(seed.len() - 60), ""),
        (flipped(seed.len() - 1), "damaged"),
        (seed[..seed.len() - 1].to_vec(), "incomplete"),
        (seed[..seed.len() / 2].to_vec(), ""),
        (longer, "damaged"),
        (other, "another signature"),
        (Vec::new(), "first line"),
    ];
    for (bytes, why) in cases {
        let directory = all_but_the_last("KKvM");
        let path = directory.path().join("russian").join(name);
        fs::write(&path, bytes).expect("a file");
        let (_, refused) = share("KKvM", "KKvM", directory.path()).expect("tables");
        let [(refused, message)] = &refused[..] else { panic!("{why}: {refused:?}") };
        assert_eq!(*refused, path);
        assert!(message.contains("KKvK") && message.contains(why), "{message}");
        assert!(tables_in(directory.path()) == expected, "{why}");
    }
}

#[test]
fn processes_may_build_the_same_signature() {
    let directory = all_but_the_last("KMvKM");
    thread::scope(|scope| {
        let work = || share("KMvKM", "KMvKM", directory.path()).expect("tables").0.len();
        let both = [scope.spawn(work), scope.spawn(work)];
        let built: usize = both.into_iter().map(|one| one.join().expect("no panic")).sum();
        assert_eq!(built, 1);
    });
    assert!(tables_in(directory.path()) == tables("KMvKM"));
}

#[test]
fn inputs_may_be_elsewhere() {
    let inputs = all_but_the_last("KKvM");
    let before = files(Russian, inputs.path());
    let out = tempfile::tempdir().expect("a directory");
    let request = Request::new(out.path());
    build_share(None, &[signature("KKvM")], inputs.path(), &request).expect("tables");
    assert!(files(Russian, inputs.path()) == before);
    let built = tables_in(out.path());
    assert_eq!(built.keys().collect::<Vec<_>>(), ["KKvM.dtw", "KKvM.wdl"]);
    assert!(tables("KKvM")["KKvM.dtw"] == built["KKvM.dtw"]);
}

/// Tables made from a table that was replaced are stale.
#[test]
fn tables_made_from_others_are_made_again() {
    let directory = all_but_the_last("KKvM");
    share("KKvM", "KKvM", directory.path()).expect("tables");
    let manifest = directory.path().join("russian/.manifest");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let lines = text.lines().map(|line| match line.split_once(" KKvK=") {
        Some((before, after)) => format!("{before} KKvK={}{}\n", "0".repeat(64), &after[64..]),
        None => format!("{line}\n"),
    });
    fs::write(&manifest, lines.collect::<String>()).expect("a file");
    assert_eq!(share("KKvM", "KKvM", directory.path()).expect("tables").0, ["KKvM"]);
}

/// A table is read again if it has changed, or on request.
#[test]
fn sound_tables_are_not_read_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let built = |recheck| {
        let options = Options { recheck, ..Options::default() };
        let notes = Notes::default();
        let request = Request { options, progress: &notes, ..Request::new(directory.path()) };
        build(&[signature("KKvM")], &request).expect("tables");
        notes.built.into_inner().expect("no panic")
    };
    assert_eq!(built(false).last().map(String::as_str), Some("KKvM"));
    // A time long before the manifest's line is written, so that the manifest trusts it.
    let path = directory.path().join("russian/KKvM.wdl");
    let sound = fs::read(&path).expect("a table");
    let change = |bytes: &[u8], seconds| {
        fs::write(&path, bytes).expect("a file");
        let file = File::options().write(true).open(&path).expect("the file");
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        file.set_modified(time).expect("a time");
    };
    change(&sound, 1_000_000_000);
    assert!(built(false).is_empty());
    let mut damaged = sound.clone();
    *damaged.last_mut().expect("bytes") ^= 1;
    change(&damaged, 1_000_000_000);
    assert!(built(false).is_empty(), "nothing shows that it has changed");
    assert_eq!(built(true), ["KKvM"]);
    assert!(fs::read(&path).expect("a table") == sound);
    change(&damaged, 1_000_000_001);
    assert_eq!(built(false), ["KKvM"]);
}

/// A plan for several processes has each signature once, after all that it needs.
#[test]
fn shares_are_in_order() {
    let directory = tempfile::tempdir().expect("a directory");
    let all = Signature::all(Russian, 4);
    let mut built: Vec<Signature<Draughts>> = Vec::new();
    for share in shares(&all, &Request::new(directory.path())).expect("a plan") {
        assert!(share.inputs.iter().all(|needed| built.contains(needed)));
        assert!(share.after.is_subset(&share.inputs) && share.memory() > 0);
        built.extend(share.signatures());
    }
    assert_eq!(built.len(), 23);
    // If all tables exist, nothing is left to do.
    build_tables(&all, directory.path());
    assert!(shares(&all, &Request::new(directory.path())).expect("a plan").is_empty());
}

/// Chess tables are not loaded. A signature whose seed file exists is not solved again.
#[test]
fn chess_is_not_solved_again_where_seed_files_are() {
    let directory = tempfile::tempdir().expect("a directory");
    let chess = |text| Signature::parse(Chess, text).expect("a signature");
    let (all, request) = (closure(chess("KPvK")), Request::new(directory.path()));
    let jobs = || {
        let plan = plan(&[chess("KPvK")], &request).expect("a plan");
        plan.jobs.iter().map(|job| job.signature.to_string()).collect::<Vec<_>>()
    };
    for one in &all[..all.len() - 1] {
        build_share(None, &[*one], directory.path(), &request).expect("its inputs are there");
    }
    assert_eq!(jobs(), ["KPvK"]);
    fs::remove_file(directory.path().join("chess/KQvK.dtw.seed")).expect("a seed file");
    assert_eq!(jobs(), ["KQvK", "KPvK"]);
}
