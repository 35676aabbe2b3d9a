use super::generate::{metrics, requested};
use super::input;
use crate::args::RehearseArgs;
use crate::failure::Failure;
use crate::profile::Profiler;
use crate::progress;
use crate::signals::stop_on_signal;
use damka_gen::{Family, Options, Request, rehearse as solve_part};
use std::io::{self, Write};

/// `damka rehearse`.
pub(crate) fn rehearse<G: Family>(game: G, args: &RehearseArgs) -> Result<(), Failure> {
    let signatures = requested(game, std::slice::from_ref(&args.signature))?;
    let [signature] = signatures[..] else {
        return Err(Failure::Input(format!("`{}`: expected one signature", args.signature)));
    };
    let threads = args.work.threads.into();
    let options = Options { metrics: metrics(&args.metric), threads, ..Options::default() };
    let directory = input::directory(&args.tables)?;
    let progress = progress::of(args.work.progress.style);
    let profiler = Profiler::new(&*progress);
    let stop = stop_on_signal();
    let request = Request { directory: &directory, options, progress: &profiler, stop };
    solve_part(signature, args.steps, &request)?;
    let report = profiler.report();
    drop(progress);
    io::stdout().lock().write_all(report.as_bytes())?;
    Ok(())
}
