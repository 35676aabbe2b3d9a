//! `damka gen`: the tables it builds, their bytes, and its progress.

use crate::{Files, Place, assert_same, russian_4};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::time::SystemTime;

fn times(place: &Place) -> Vec<SystemTime> {
    let files = place.files();
    let tables = files.keys().filter(|name| !name.ends_with(".lock"));
    tables
        .map(|name| fs::metadata(place.table(name)).and_then(|m| m.modified()).expect("a time"))
        .collect()
}

/// The names of the tables, without game and metric.
fn signatures(files: &Files) -> BTreeSet<&str> {
    let stems = files.keys().filter_map(|name| name.split(['/', '.']).nth(1));
    stems.filter(|stem| !stem.is_empty()).collect()
}

#[test]
fn all_signatures_of_a_number_of_pieces_are_built() {
    let place = Place::with("russian 3");
    let all = ["KvK", "KvM", "MvM", "KKvK", "KKvM", "KMvK", "KMvM", "MMvK", "MMvM"];
    let files = place.files();
    assert_eq!(signatures(&files), all.into());
    for metric in ["wdl", "dtw"] {
        let tables = files.keys().filter(|name| name.ends_with(metric));
        assert_eq!(tables.count(), all.len());
    }
}

#[test]
fn a_signature_comes_with_everything_it_leads_to() {
    let place = Place::with("russian KvMK");
    assert_eq!(signatures(&place.files()), ["KvK", "KvM", "KKvK", "KMvK"].into());
}

#[test]
fn numbers_and_signatures_are_mixed_in_any_form() {
    let place = Place::with("russian 2 kkvk MkvK kvKM 2");
    let all = ["KvK", "KvM", "MvM", "KKvK", "KMvK"];
    assert_eq!(signatures(&place.files()), all.into());
    let message = Place::new().damka("gen russian 2 99").failure(2);
    assert!(message.contains("`99`: expected numbers of pieces"), "{message}");
    Place::new().damka("gen russian 2 KvQ").failure(2);
    let plan = Place::new().damka("plan russian 2 kkvK --json").success();
    assert_eq!(plan.lines().count(), 4);
}

#[test]
fn sound_tables_are_left_alone() {
    let place = Place::with("russian 3");
    let before = (times(&place), place.files());
    let outcome = place.damka("gen russian 3");
    assert_eq!(outcome.stderr, "all 9 signatures are already built\n");
    assert_eq!(outcome.success(), "");
    assert_eq!((times(&place), place.files()), before);
}

#[test]
fn damaged_tables_are_announced_and_built_again_to_the_same_bytes() {
    let place = Place::with("russian 3");
    let sound = place.files();
    let damaged = ["KKvM.dtw", "KKvK.wdl", "KvK.dtw", "MvM.wdl"];
    place.edit("russian/KKvM.dtw", |bytes| bytes[600] ^= 1);
    place.flip_last_byte("russian/KKvK.wdl");
    place.edit("russian/KvK.dtw", |bytes| bytes.truncate(520));
    place.edit("russian/MvM.wdl", Vec::clear);
    let outcome = place.damka("gen russian 3");
    for name in damaged {
        let path = place.table(&format!("russian/{name}")).display().to_string();
        let is_reported = outcome
            .stderr
            .lines()
            .any(|line| line.starts_with("building again: ") && line.contains(&path));
        assert!(is_reported, "{name}: {outcome:?}");
    }
    outcome.success();
    assert_same(&place.files(), &sound);
}

#[test]
fn one_metric_can_be_added_to_the_other() {
    let both = Place::with("russian 3").files();
    for (first, second) in [("wdl", "dtw"), ("dtw", "wdl")] {
        let place = Place::with(&format!("russian 3 --metric {first}"));
        let endings: BTreeSet<String> = place
            .files()
            .keys()
            .filter_map(|name| Some(name.split_once('.')?.1.to_owned()))
            .collect();
        assert_eq!(endings, [first.to_owned(), "lock".to_owned()].into());
        place.generate(&format!("russian 3 --metric {second}"));
        assert_same(&place.files(), &both);
    }
}

#[test]
fn the_same_bytes_come_out_for_any_number_of_threads() {
    let built =
        |game: &str, threads: u32| Place::with(&format!("{game} --threads {threads}")).files();
    for threads in [1, 7] {
        assert_same(&built("russian 4", threads), russian_4());
    }
    let one = built("alapo 2", 1);
    assert_eq!(signatures(&one).len(), 21);
    for threads in [2, 7] {
        assert_same(&built("alapo 2", threads), &one);
    }
}

#[test]
fn work_that_needs_more_memory_than_allowed_is_not_started() {
    let place = Place::new();
    let outcome = place.damka("gen russian 4 --memory 1M --progress none");
    let message = outcome.failure(1);
    let needed = message.split_whitespace().zip(message.split_whitespace().skip(1));
    let needed: Vec<f64> =
        needed.filter(|(_, unit)| *unit == "MB").filter_map(|(n, _)| n.parse().ok()).collect();
    assert!(matches!(needed[..], [needed, 1.05] if needed > 1.05), "{message}");
    let message = place.damka("gen russian 4 --memory 100k --progress none").failure(1);
    assert!(message.contains("only 102.40 kB are allowed"), "{message}");
    assert!(signatures(&place.files()).is_empty());
    // The named amount is enough, apart from rounding.
    place.generate(&format!("russian 3 --memory {}", ((needed[0] + 0.01) * 1e6) as u64));
}

/// Regression: the message said `build it again` although `gen` was doing so.
#[test]
fn a_table_in_the_wrong_place_is_replaced_with_a_message() {
    let place = Place::with("english 2");
    fs::create_dir(place.table("russian")).expect("a directory");
    fs::copy(place.table("english/KvK.wdl"), place.table("russian/KvK.wdl")).expect("a copy");
    let outcome = place.damka("gen russian KvK --progress plain");
    let line = outcome.stderr.lines().find(|line| line.contains("another table: english KvK"));
    let line = line.unwrap_or_else(|| panic!("{outcome:?}"));
    assert!(line.starts_with("building again: the table "), "{line}");
    assert!(!line.contains("build it again"), "{line}");
    outcome.success();
}

#[test]
fn sizes_are_understood_in_many_forms() {
    for size in ["4G", "4g", "4GiB", "4gb", "4096M", "4194304k", "4294967296", "1T"] {
        let outcome = Place::new().damka(&format!("gen russian KvK --memory {size}"));
        assert_eq!(outcome.code, Some(0), "{size}: {outcome:?}");
    }
}

#[test]
fn a_program_can_follow_the_progress() {
    let place = Place::new();
    let outcome = place.damka("gen russian 4 --progress json");
    let events: Vec<Value> = outcome
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    outcome.success();
    let of = |kind: &'static str| events.iter().filter(move |event| event["event"] == kind);
    let number = |event: &Value, key: &str| {
        event[key].as_f64().unwrap_or_else(|| panic!("{key} of {event}"))
    };

    let planned = &events[0];
    assert_eq!((&planned["event"], of("planned").count()), (&"planned".into(), 1));
    assert_eq!((&planned["signatures"], &planned["present"]), (&23.into(), &0.into()));
    for key in ["positions", "memory_bytes", "disk_bytes", "seconds"] {
        assert!(number(planned, key) > 0.0, "{planned}");
    }
    let names = |kind| of(kind).map(|event| event["signature"].as_str()).collect::<Vec<_>>();
    assert_eq!(names("started").len(), 23);
    assert_eq!(names("started"), names("finished"));
    let sum = |key: &str| of("finished").map(|event| number(event, key)).sum::<f64>();
    assert_eq!(sum("positions"), number(planned, "positions"));
    let bytes: usize = place.files().values().map(Vec::len).sum();
    assert_eq!(sum("bytes"), bytes as f64);
    let done = events.last().expect("an event");
    assert_eq!((&done["event"], of("done").count()), (&"done".into(), 1));
    assert_eq!((&done["signatures"], &done["tables"]), (&23.into(), &46.into()));
    assert_eq!(number(done, "positions"), number(planned, "positions"));
    assert_eq!(number(done, "bytes"), bytes as f64);
    assert_eq!(done["directory"].as_str(), place.table("russian").to_str());
    assert!(number(done, "seconds") > 0.0, "{done}");
    // The number of these events depends on the time.
    let done: Vec<f64> = of("progress").map(|event| number(event, "done")).collect();
    assert!(done.is_sorted(), "{done:?}");
    for event in of("progress") {
        assert!(number(event, "done") <= number(event, "total"), "{event}");
        assert!(number(event, "seconds_left") >= 0.0, "{event}");
    }
    let known = ["planned", "started", "progress", "finished", "done"];
    assert_eq!(known.map(|kind| of(kind).count()).iter().sum::<usize>(), events.len());
}

/// Regression: an empty sum was `-0.0`.
#[test]
fn numbers_are_plain_when_nothing_is_to_be_done() {
    let place = Place::with("russian 2");
    let outcome = place.damka("gen russian 2 --progress json");
    for line in outcome.stderr.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON");
        for (key, value) in event.as_object().expect("an object") {
            assert!(!value.is_null(), "{key}: {line}");
            if let Some(number) = value.as_f64() {
                assert!(number.is_sign_positive(), "{key}: {line}");
            }
        }
    }
    assert_eq!(outcome.stderr.lines().count(), 2, "{outcome:?}");
    outcome.success();
    let plan = place.damka("plan russian 2 --json");
    assert_eq!(plan.success(), "");
}

#[test]
fn a_person_can_follow_the_progress() {
    let place = Place::new();
    let outcome = place.damka("gen russian 2");
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(lines[0].starts_with("signatures to build: 3 (0 already built): "), "{outcome:?}");
    for signature in ["KvK", "KvM", "MvM"] {
        let is_reported = lines.iter().any(|line| line.starts_with(&format!("{signature}: ")));
        assert!(is_reported, "{outcome:?}");
    }
    let directory = place.table("russian");
    let last = lines.last().expect("a line");
    assert!(last.starts_with("built 3 signatures (6 tables) in "), "{outcome:?}");
    assert!(last.contains("2,758 positions, ") && last.contains(&*directory.to_string_lossy()));
    assert_eq!(outcome.success(), "", "results only on standard output");
    let outcome = place.damka("gen russian 3 --progress none");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
}

#[test]
fn what_a_killed_run_left_behind_is_removed() {
    let place = Place::with("russian 2");
    let left = ["russian/.KKvK.dtw.Xa3b9Z.tmp", "russian/..manifest.Xa3b9Z.tmp"];
    let left = left.map(|name| place.table(name));
    left.iter().for_each(|path| fs::write(path, "half a file").expect("a file"));
    let foreign = place.table("russian/notes.txt");
    fs::write(&foreign, "mine").expect("a file");
    place.generate("russian 2");
    assert!(!left.iter().any(|path| path.exists()));
    assert!(foreign.exists(), "the file of another program was removed");
}

#[test]
fn only_tables_remain() {
    let place = Place::with("russian 3");
    for name in place.files().keys() {
        let ending = name.rsplit('.').next().unwrap_or_default();
        assert!(["wdl", "dtw", "lock"].contains(&ending), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn tables_have_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with("russian 2");
    fs::write(place.table("russian/other.lock"), "").expect("a file");
    let mode =
        |name: &str| fs::metadata(place.table(name)).expect("a file").permissions().mode() & 0o777;
    for name in place.files().keys().filter(|name| !name.ends_with(".lock")) {
        assert_eq!(mode(name), mode("russian/other.lock"), "{name}");
    }
}
