//! `damka plan`: estimates of the cost of `gen`.

use crate::Place;
use serde_json::Value;

/// The disk space of a plan, in bytes.
fn planned(words: &str) -> u64 {
    let lines = Place::new().damka(&format!("plan {words} --json")).success();
    let bytes = lines.lines().map(|line| {
        let job: Value = serde_json::from_str(line).expect("JSON");
        job["disk_bytes"].as_u64().expect("a number")
    });
    bytes.sum()
}

/// Compares with measured sizes, as in FIGURES.md and tables/results/README.md, in MB.
#[test]
fn disk_is_estimated_as_it_was_measured() {
    let sets = [
        ("russian 5 --metric wdl", 2.9),
        ("russian 5 --metric dtw", 17.4),
        ("english 5 --metric wdl", 1.71),
        ("english 5 --metric dtw", 43.3),
        ("brazilian 5 --metric wdl", 2.95),
        ("brazilian 5 --metric dtw", 17.4),
        ("pool 5 --metric wdl", 2.94),
        ("pool 5 --metric dtw", 17.4),
        ("russian 6 --metric wdl", 52.3),
        ("russian 6 --metric dtw", 315.0),
        ("english 6 --metric wdl", 41.0),
        ("english 6 --metric dtw", 569.0),
        ("brazilian 6 --metric wdl", 51.0),
        ("brazilian 6 --metric dtw", 301.0),
        ("pool 6 --metric wdl", 51.0),
        ("pool 6 --metric dtw", 301.0),
        ("russian 7 --metric wdl", 673.0),
        ("russian 8 --metric wdl", 7_200.0),
        ("russian KKMMvKKM", 728.0),
        ("alapo 4 --metric wdl", 6.3),
        ("alapo 4 --metric dtw", 21.9),
    ];
    for (words, measured) in sets {
        let error = planned(words) as f64 / (measured * 1e6) - 1.0;
        assert!(error.abs() < 0.15, "{words}: {:+.1} %", error * 100.0);
    }
}

/// Compares with the size of a set that is built here.
#[test]
fn disk_is_estimated_as_it_is_taken() {
    let taken = crate::russian_4().iter().filter(|(name, _)| !name.contains("/."));
    let taken: usize = taken.map(|(_, bytes)| bytes.len()).sum();
    let error = planned("russian 4") as f64 / taken as f64 - 1.0;
    assert!(error.abs() < 0.15, "{:+.1} %", error * 100.0);
}

/// Few positions need little memory, also with many threads.
#[test]
fn small_signatures_ask_for_little_memory() {
    for threads in [1, 2, 16] {
        for signature in ["KvK", "MvM", "KMvK", "KKKvK", "MMvMM"] {
            let words = format!("plan russian {signature} --threads {threads} --json");
            for line in Place::new().damka(&words).success().lines() {
                let job: Value = serde_json::from_str(line).expect("JSON");
                let memory = job["memory_bytes"].as_u64().expect("a number");
                assert!(memory < 48 << 20, "{memory} bytes: {line}");
            }
        }
    }
}

/// The planned memory is enough: the peak reported by the system is less.
#[cfg(target_os = "linux")]
#[test]
fn no_more_memory_is_used_than_planned() {
    for (signature, threads) in [("KvM", 1), ("KKKvK", 2), ("KMvKM", 4), ("MMvKM", 16)] {
        let words = format!("russian {signature} --threads {threads}");
        let plan = Place::new().damka(&format!("plan {words} --json")).success();
        let planned = plan.lines().map(|line| {
            let job: Value = serde_json::from_str(line).expect("JSON");
            job["memory_bytes"].as_u64().expect("a number")
        });
        let planned = planned.max().expect("a signature") as f64 / 1e6;
        let report = Place::new().damka(&format!("gen {words} --progress none --profile"));
        let report = report.success();
        let peak = report.lines().find_map(|line| line.strip_prefix("peak memory: "));
        let peak = peak.and_then(|size| size.strip_suffix(" MB")).expect("a size in MB");
        let peak: f64 = peak.parse().expect("a number");
        assert!(peak < planned, "{words}: {peak} MB where {planned} MB are planned");
    }
}
