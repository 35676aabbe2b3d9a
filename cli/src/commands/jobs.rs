//! A plan as jobs for several processes, for programs that run jobs, such as make and Snakemake.

use super::input;
use crate::args::{MetricName, PlanArgs, PlanFormat};
use crate::failure::Failure;
use crate::json;
use crate::words::{count, size};
use clap::ValueEnum;
use damka_gen::{Family, Request, Share, memory, shares};
use damka_tables::Signature;
use damka_tables::metric::Metric;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::absolute;
use std::thread::available_parallelism;

/// A job: a process that builds some signatures.
struct Job {
    /// The name of the job: the last of its signatures.
    name: String,
    signatures: Vec<String>,
    metrics: Vec<&'static str>,
    /// The signatures whose values the job looks up.
    inputs: Vec<String>,
    /// The numbers of the jobs that must end first.
    after: Vec<usize>,
    positions: u64,
    seconds: f64,
    memory: u64,
    scratch: u64,
    disk: u64,
}

/// The jobs of a plan, and what they have in common.
struct Jobs {
    jobs: Vec<Job>,
    game: &'static str,
    /// What is built, as the user named it.
    what: String,
    tables: String,
    threads: usize,
    /// The options of `gen` for all jobs.
    options: Vec<String>,
}

/// Prints the jobs of a plan.
pub(super) fn print<G: Family>(
    game: G,
    signatures: &[Signature<G>],
    request: &Request<'_>,
    args: &PlanArgs,
) -> Result<(), Failure> {
    let directory = input::directory_to_make(&args.tables)?;
    let directory = absolute(&directory).map_err(|error| {
        Failure::System(format!("cannot find the place of {}: {error}", directory.display()))
    })?;
    let tables = directory.to_str().filter(|path| !path.contains(char::is_control));
    let tables = tables.ok_or_else(|| {
        Failure::Input(format!("the name of {} cannot be printed", directory.display()))
    })?;
    let threads = match usize::from(args.threads) {
        0 => available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let names =
        |&name: &MetricName| name.to_possible_value().map(|name| name.get_name().to_owned());
    let metrics: Vec<String> = args.metric.iter().filter_map(names).collect();
    let mut options = vec!["--tables".to_owned(), tables.to_owned()];
    options.extend(["--metric".to_owned(), metrics.join(",")]);
    options.extend(["--threads".to_owned(), threads.to_string()]);
    if let Some(memory) = args.memory {
        options.extend(["--memory".to_owned(), memory.to_string()]);
    }
    options.extend(["--progress".to_owned(), "plain".to_owned()]);
    let mut jobs = Vec::new();
    let mut job_of: BTreeMap<String, usize> = BTreeMap::new();
    for (number, share) in shares(signatures, request)?.iter().enumerate() {
        let names: Vec<String> = share.signatures().map(|one| one.to_string()).collect();
        job_of.extend(names.iter().map(|name| (name.clone(), number)));
        let mut after: Vec<usize> =
            share.after.iter().map(|needed| job_of[&needed.to_string()]).collect();
        after.sort_unstable();
        after.dedup();
        jobs.push(job(share, names, after, threads));
    }
    let allowed = args.memory.unwrap_or_else(memory);
    if let Some(job) = jobs.iter().max_by_key(|job| job.memory).filter(|job| job.memory > allowed) {
        let (needed, allowed) = (size(job.memory), size(allowed));
        return Err(Failure::System(format!(
            "the job {} needs {needed} of memory, and only {allowed} are allowed: --memory names what a \
             process may use",
            job.name
        )));
    }
    let what = args.what.join(" ");
    let jobs = Jobs { jobs, game: game.name(), what, tables: tables.to_owned(), threads, options };
    let text = match args.format {
        PlanFormat::Make => make(&jobs)?,
        PlanFormat::Snakemake => snakemake(&jobs)?,
        PlanFormat::Slurm => slurm(&jobs),
        PlanFormat::Json | PlanFormat::Text => objects(&jobs),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn job<G: Family>(share: &Share<G>, names: Vec<String>, after: Vec<usize>, threads: usize) -> Job {
    let metrics = Metric::ALL
        .into_iter()
        .filter(|metric| share.jobs.iter().any(|job| job.metrics.contains(metric)));
    Job {
        name: names.last().cloned().unwrap_or_default(),
        signatures: names,
        metrics: metrics.map(Metric::name).collect(),
        inputs: share.inputs.iter().map(Signature::to_string).collect(),
        after,
        positions: share.positions(),
        seconds: share.seconds(threads),
        memory: share.memory(),
        scratch: share.scratch(),
        disk: share.disk(),
    }
}

impl Jobs {
    /// The words of the command that builds these signatures; with none, of the command that checks
    /// that all are built.
    fn command(&self, only: &[String]) -> Vec<String> {
        let mut words = vec!["damka".to_owned(), "gen".to_owned(), self.game.to_owned()];
        words.extend(self.what.split(' ').map(str::to_owned));
        words.extend(self.options.iter().cloned());
        if !only.is_empty() {
            words.push("--only".to_owned());
            words.extend(only.iter().cloned());
        }
        words
    }

    /// The command for a shell.
    fn line(&self, only: &[String]) -> String {
        self.command(only).iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    /// The command for make and Snakemake, which skip a job if its [note](Jobs::notes) exists. If a table is
    /// missing or damaged, the command removes all notes, so that the next run starts every job again.
    fn retried(&self, only: &[String]) -> String {
        let (line, notes) = (self.line(only), quoted(&self.notes()));
        format!("{line} || {{ code=$?; case $code in 3|4) rm -f {notes}/* ;; esac; exit $code; }}")
    }

    /// The directory of this plan's notes. A note is a file by which make and Snakemake mark a finished job.
    fn notes(&self) -> String {
        let metrics = self.options[3].replace(',', "-");
        let what = self.what.replace(' ', "-");
        let end = what.char_indices().nth(80).map_or(what.len(), |(end, _)| end);
        format!("{}/{}/.jobs-{}-{metrics}", self.tables, self.game, &what[..end])
    }

    /// The comment at the top of a file.
    fn comment(&self, how: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let Jobs { game, what, jobs, .. } = self;
        format!(
            "# The tables of `{game} {what}` in {}: {how}\n\
             # Printed by `damka plan`, version {version}. Run it again after a failure: jobs that are done\n\
             # end at once. The last job removes the seed files of the others.\n",
            count(jobs.len() as u64, "job"),
        )
    }
}

/// A word, quoted for a POSIX shell if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The memory to request, in MiB: a tenth and 32 MiB more than planned.
fn mebibytes(bytes: u64) -> u64 {
    (bytes + bytes / 10).div_ceil(1 << 20) + 32
}

/// The time to request, in minutes: four times the planned time, and ten minutes more.
fn minutes(seconds: f64) -> u64 {
    10 + (4.0 * seconds / 60.0).ceil() as u64
}

fn objects(jobs: &Jobs) -> String {
    let name = |&number: &usize| jobs.jobs[number].name.as_str();
    let object = |job: &Job| {
        let Job { name: of_job, signatures, metrics, inputs, .. } = job;
        let after: Vec<&str> = job.after.iter().map(name).collect();
        let object = json::object(json!({
            "game": jobs.game, "job": of_job, "signatures": signatures, "metrics": metrics,
            "inputs": inputs, "after": after, "positions": job.positions,
            "threads": jobs.threads, "seconds": job.seconds, "memory_bytes": job.memory,
            "scratch_bytes": job.scratch, "disk_bytes": job.disk,
            "command": jobs.command(signatures),
        }));
        format!("{object}\n")
    };
    jobs.jobs.iter().map(object).collect()
}

/// The plan as a Makefile.
///
/// # Errors
/// The directory has a name that cannot be written in a Makefile.
fn make(jobs: &Jobs) -> Result<String, Failure> {
    if jobs.tables.contains(|c: char| c.is_whitespace() || "#$%:;=*?[]~\\\"'`|&<>()".contains(c)) {
        return Err(Failure::Input(format!(
            "make cannot use the directory {}: name one without spaces and special characters",
            jobs.tables
        )));
    }
    let mut text = jobs.comment("make -j 2 -f FILE");
    text += &format!("\nNOTES := {}\nJOBS :=", jobs.notes());
    jobs.jobs.iter().for_each(|job| text += &format!(" \\\n    $(NOTES)/{}", job.name));
    text += "\n\n.PHONY: all\nall: $(JOBS)\n";
    text += &format!("\t{}\n", jobs.line(&[]));
    for job in &jobs.jobs {
        text += &format!("\n$(NOTES)/{}:", job.name);
        for &number in &job.after {
            text += &format!(" $(NOTES)/{}", jobs.jobs[number].name);
        }
        text += &format!("\n\t@{}\n", jobs.retried(&job.signatures).replace('$', "$$"));
        text += "\t@mkdir -p $(NOTES) && touch $@\n";
    }
    Ok(text)
}

/// The plan as a Snakefile.
///
/// # Errors
/// The directory has a name that Snakemake would read as a pattern.
fn snakemake(jobs: &Jobs) -> Result<String, Failure> {
    if jobs.tables.contains(['{', '}']) {
        return Err(Failure::Input(format!(
            "Snakemake cannot use the directory {}: name one without braces",
            jobs.tables
        )));
    }
    // Strings and lists of JSON are also valid in Python.
    let text_of = |value: &str| json!(value).to_string();
    let mut text = jobs.comment("snakemake --cores 2 --snakefile FILE");
    text += &format!("\nNOTES = {}\nJOBS = {{\n", text_of(&jobs.notes()));
    for job in &jobs.jobs {
        let after: Vec<&str> = job.after.iter().map(|&n| jobs.jobs[n].name.as_str()).collect();
        text += &format!(
            "    {}: dict(after={}, memory={}, minutes={}, disk={}, command={}),\n",
            text_of(&job.name),
            json!(after),
            mebibytes(job.memory),
            minutes(job.seconds),
            (job.scratch + job.disk).div_ceil(1 << 20),
            text_of(&jobs.retried(&job.signatures)),
        );
    }
    text += &format!(
        r#"}}

localrules: all

rule all:
    input: expand(NOTES + "/{{job}}", job=JOBS)
    run: shell({})

rule job:
    output: touch(NOTES + "/{{job}}")
    input: lambda wildcards: [NOTES + "/" + job for job in JOBS[wildcards.job]["after"]]
    params: command=lambda wildcards: JOBS[wildcards.job]["command"]
    threads: {}
    resources:
        mem_mb=lambda wildcards: JOBS[wildcards.job]["memory"],
        disk_mb=lambda wildcards: JOBS[wildcards.job]["disk"],
        runtime=lambda wildcards: JOBS[wildcards.job]["minutes"],
    shell: "{{params.command}}"
"#,
        text_of(&jobs.line(&[])),
        jobs.threads,
    );
    Ok(text)
}

fn slurm(jobs: &Jobs) -> String {
    let mut text = String::from("#!/usr/bin/env bash\n");
    text += &jobs.comment("bash FILE, with options for sbatch if need be");
    text += &format!(
        r#"set -euo pipefail

logs={}
mkdir -p "$logs"

# submit NAME MEBIBYTES MINUTES AFTER COMMAND: submits a job that runs when those before it have ended well.
# Prints its number.
submit() {{
    sbatch --parsable --job-name="damka-$1" --mem="$2M" --time="$3" --cpus-per-task={} --requeue \
        --output="${{logs//%/%%}}/%x.log" --open-mode=append --kill-on-invalid-dep=yes \
        ${{4:+--dependency=afterok:$4}} "${{options[@]}}" --wrap="$5"
}}
options=("$@")

"#,
        quoted(&jobs.notes()),
        jobs.threads,
    );
    let after = |numbers: &[usize]| {
        let ids: Vec<String> = numbers.iter().map(|number| format!("$job{number}")).collect();
        ids.join(":")
    };
    for (number, job) in jobs.jobs.iter().enumerate() {
        text += &format!(
            "job{number}=$(submit {} {} {} \"{}\" {})\n",
            job.name,
            mebibytes(job.memory),
            minutes(job.seconds),
            after(&job.after),
            quoted(&jobs.line(&job.signatures)),
        );
    }
    let is_last = |number: &usize| !jobs.jobs.iter().any(|job| job.after.contains(number));
    let last: Vec<usize> = (0..jobs.jobs.len()).filter(is_last).collect();
    text += &format!(
        "last=$(submit all 256 60 \"{}\" {})\necho \"submitted {} jobs; the last one is $last\"\n",
        after(&last),
        quoted(&jobs.line(&[])),
        jobs.jobs.len() + 1,
    );
    text
}
