//! Builds by several processes: `damka gen --only`, and the plans of their jobs.

use crate::{Outcome, Place};
use serde_json::Value;
#[cfg(unix)]
use std::{path::Path, process::Command};

/// The jobs of a plan.
fn jobs(place: &Place, words: &str) -> Vec<Value> {
    let lines = place.damka(&format!("plan {words} --format json")).success();
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Runs the command of a job.
fn run(place: &Place, job: &Value) -> Outcome {
    let words = job["command"].as_array().expect("words");
    let words: Vec<&str> = words.iter().map(|word| word.as_str().expect("a word")).collect();
    assert_eq!(words[0], "damka");
    crate::outcome(place.command().args(&words[1..]))
}

#[test]
fn the_jobs_of_a_plan_build_what_one_process_does() {
    let (whole, parts) = (Place::with("russian 4"), Place::new());
    let jobs = jobs(&parts, "russian 4");
    for job in &jobs {
        run(&parts, job).success();
    }
    let last = parts.damka("gen russian 4");
    assert_eq!(last.stderr, "all 23 signatures are already built\n");
    assert!(whole.files() == parts.files());
    assert!(jobs.last().is_some_and(|job| run(&parts, job).stderr.contains("already built\n")));
    assert!(self::jobs(&parts, "russian 4").is_empty());
}

#[test]
fn missing_inputs_of_a_job_are_reported() {
    let place = Place::new();
    let message = place.damka("gen russian --only KKvM").failure(3);
    assert!(message.contains("not built yet") && message.contains("KvM, KvK, KKvK"), "{message}");
    assert!(message.contains("tables"), "{message}");
    let nowhere = place.damka("gen russian 3 --only KvK --inputs nowhere").failure(3);
    assert!(nowhere.contains("there is no directory nowhere"), "{nowhere}");
    let words = "gen russian --only KvK KvM KKvK KKvM --out here --inputs .";
    crate::outcome(place.command().current_dir(place.home()).args(words.split(' '))).success();
    assert!(place.home().join("here/russian/KKvM.wdl").is_file());
}

#[test]
fn options_of_jobs_are_checked() {
    let place = Place::new();
    for (words, expected) in [
        ("gen russian", "PIECES|SIGNATURE"),
        ("gen russian 3 --only KKvKK", "KKvKK is not part of `3`"),
        ("gen russian 3 --only KQvK", "KQvK"),
        ("gen russian 3 --only KvK 2", "`2`"),
        ("gen russian 3 --inputs here", "--only"),
        ("gen russian 3 --only KvK --out here --tables there", "--tables"),
        ("plan russian 3 --format mak", "make"),
        ("plan russian 3 --format make --json", "--json"),
    ] {
        let message = place.damka(words).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

/// Names with spaces and quotes are quoted, or refused if a format has no quotes.
#[cfg(unix)]
#[test]
fn directories_have_any_name() {
    let place = Place::new();
    let plan = |format: &str, name: &str| {
        let words = ["plan", "russian", "2", "--format", format, "--tables", name];
        crate::outcome(place.command().current_dir(place.home()).args(words))
    };
    for (format, name, expected) in
        [("make", "my tables", "without spaces"), ("snakemake", "a{b}", "without braces")]
    {
        let message = plan(format, name).failure(2);
        assert!(message.contains(expected), "{message}");
    }
    let script = plan("slurm", "it's my $HOME").success();
    let file = place.home().join("submit.sh");
    // Replaces sbatch, and runs its command at once.
    let sbatch =
        "sbatch() { for last; do :; done; sh -c \"${last#--wrap=}\" >&2 || exit 1; echo 7; }\n";
    std::fs::write(&file, format!("{sbatch}export -f sbatch\n{script}")).expect("a script");
    let path = Path::new(env!("CARGO_BIN_EXE_damka")).parent().expect("a directory");
    let paths = std::env::join_paths([path, Path::new("/usr/bin"), Path::new("/bin")]);
    let mut shell = Command::new("bash");
    shell.arg(&file).current_dir(place.home()).env("HOME", place.home());
    shell.env("PATH", paths.expect("paths"));
    let printed = crate::outcome(&mut shell).success();
    assert!(printed.ends_with(" jobs; the last one is 7\n"), "{printed}");
    assert!(place.home().join("it's my $HOME/russian/KvK.dtw").is_file());
}

/// The plans are for Unix shells; make cannot use a directory with a drive letter.
#[cfg(unix)]
#[test]
fn plans_are_for_the_programs_that_they_name() {
    let place = Place::new();
    let plan = |words: &str| place.damka(&format!("plan russian 5 --threads 3 {words}")).success();
    let slurm = plan("--format slurm --metric wdl --memory 2G");
    for part in ["#!/usr/bin/env bash", "--cpus-per-task=3", "--memory 2147483648", "--metric wdl "]
    {
        assert!(slurm.contains(part), "{part}");
    }
    let snakefile = plan("--format snakemake");
    for part in ["rule all:", "threads: 3", "mem_mb", "command=\"damka gen russian 5 "] {
        assert!(snakefile.contains(part), "{part}");
    }
    let makefile = plan("--format make");
    assert!(makefile.contains("\nall: $(JOBS)\n\tdamka gen russian 5 "), "{makefile}");
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let message = Place::new().damka("plan russian 5 --format make --memory 60M").failure(1);
    assert!(message.contains("needs") && message.contains("--memory"), "{message}");
}

/// Several processes can work at the same time.
#[test]
fn jobs_do_not_all_wait_for_each_other() {
    let jobs = jobs(&Place::new(), "russian 5");
    let waits = |job: &Value, other: &Value| {
        job["after"].as_array().is_some_and(|after| after.contains(&other["job"]))
    };
    let pairs = jobs.windows(2).filter(|pair| !waits(&pair[1], &pair[0])).count();
    assert!(jobs.len() > 10 && pairs > jobs.len() / 2, "{} jobs, {pairs}", jobs.len());
}
