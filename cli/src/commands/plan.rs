use super::generate::{metrics, requested};
use super::{input, jobs};
use crate::args::{PlanArgs, PlanFormat};
use crate::failure::Failure;
use crate::json;
use crate::progress::about_debug_builds;
use crate::words::{count, duration, grouped, note, size, with_path};
use damka_games::printable;
use damka_gen::{Family, Options, Request, memory};
use serde_json::json;
use std::io::{self, Write};
use std::thread::available_parallelism;

/// Planning more signatures than this takes seconds.
const MANY: usize = 10_000;

/// `damka plan`.
pub(crate) fn plan<G: Family>(game: G, args: &PlanArgs) -> Result<(), Failure> {
    let signatures = requested(game, &args.what)?;
    if signatures.len() > MANY {
        note(&format!("planning {}", count(signatures.len() as u64, "signature")));
    }
    let directory = input::directory_to_make(&args.tables)?;
    let threads = match usize::from(args.threads) {
        0 => available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let allowed = args.memory.unwrap_or_else(memory);
    let (metrics, memory) = (metrics(&args.metric), Some(allowed));
    let options = Options { metrics, threads, memory, ..Options::default() };
    let request = Request { options, ..Request::new(&directory) };
    if args.format != PlanFormat::Text {
        return jobs::print(game, &signatures, &request, args);
    }
    let plan = damka_gen::plan(&signatures, &request)?;
    let mut out = io::stdout().lock();
    if args.json {
        for job in &plan.jobs {
            let job = json::object(json!({
                "game": game.name(), "signature": job.signature.to_string(),
                "positions": job.positions, "threads": threads,
                "seconds": job.seconds(threads), "memory_bytes": job.memory,
                "disk_bytes": job.disk(), "scratch_bytes": job.scratch,
                "fits": job.memory <= allowed,
            }));
            writeln!(out, "{job}")?;
        }
        return Ok(());
    }
    writeln!(
        out,
        "{:>4}  {:<12}{:>20}{:>18}{:>12}{:>12}{:>12}",
        "", "signature", "positions", "time", "memory", "scratch", "disk"
    )?;
    for (place, job) in plan.jobs.iter().enumerate() {
        writeln!(
            out,
            "{:>4}  {:<12}{:>20}{:>18}{:>12}{:>12}{:>12}",
            place + 1,
            job.signature.to_string(),
            grouped(job.positions),
            duration(job.seconds(threads)),
            size(job.memory),
            size(job.scratch),
            size(job.disk()),
        )?;
    }
    let to_build = plan.to_build().count();
    let again = match plan.jobs.len() - to_build {
        0 => String::new(),
        again => format!(" ({} solved again for others)", grouped(again as u64)),
    };
    writeln!(
        out,
        "{} to build, {} are there{again}: {}, about {} on {}, \
         {} of memory, {} of scratch files and journals at most, {} of disk",
        count(to_build as u64, "signature"),
        plan.present.len(),
        count(plan.positions(), "position"),
        duration(plan.seconds(threads)),
        count(threads as u64, "thread"),
        size(plan.largest().map_or(0, |job| job.memory)),
        size(plan.scratch()),
        size(plan.disk()),
    )?;
    about_debug_builds(plan.seconds(threads)).into_iter().for_each(note);
    if let Some(job) = plan.largest().filter(|job| job.memory > allowed) {
        let (needed, allowed) = (size(job.memory), size(allowed));
        writeln!(
            out,
            "{} needs {needed} of memory, and only {allowed} are allowed",
            job.signature
        )?;
    }
    for damaged in &plan.damaged {
        writeln!(
            out,
            "damaged, to be built again: {}",
            printable(&with_path(damaged.to_string(), damaged.path()))
        )?;
    }
    Ok(())
}
