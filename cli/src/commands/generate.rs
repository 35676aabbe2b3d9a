use super::input;
use crate::args::{GenArgs, MetricName, ProgressStyle, TablesArg};
use crate::failure::Failure;
use crate::profile::Profiler;
use crate::progress;
use crate::signals::stop_on_signal;
use crate::words::note;
use damka_gen::{Family, GenError, Options, Request, build, build_share};
use damka_tables::metric::Metric;
use damka_tables::{MAX_TABLE_PIECES, Signature};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

/// `damka gen`.
pub(crate) fn generate<G: Family>(game: G, args: &GenArgs) -> Result<(), Failure> {
    let set = requested(game, &args.what)?;
    let only = args.only.iter().map(|name| input::signature(game, name));
    let only = only.collect::<Result<Vec<_>, _>>()?;
    if let Some(other) = only.iter().find(|one| !set.is_empty() && !leads_to(&set, one)) {
        let what = args.what.join(" ");
        return Err(Failure::Input(format!("{other} is not part of `{what}`")));
    }
    if let Some(inputs) = args.inputs.as_ref().filter(|inputs| !inputs.is_dir()) {
        let inputs = inputs.display();
        return Err(Failure::Missing(format!(
            "there is no directory {inputs}, which --inputs names"
        )));
    }
    let metrics = metrics(&args.metric);
    let threads = args.work.threads.into();
    let checkpoint = Duration::from_secs(args.checkpoint.into());
    let GenArgs { memory, recheck, half, .. } = *args;
    let options =
        Options { metrics, threads, memory, checkpoint, recheck, half, ..Options::default() };
    let tables = match &args.out {
        Some(out) => &TablesArg::of(out),
        None => &args.tables,
    };
    let directory = input::directory_to_make(tables)?;
    let style = args.work.progress.style;
    if matches!(style, ProgressStyle::Auto | ProgressStyle::Plain) && !directory.exists() {
        note(&format!("making the directory {}", directory.display()));
    }
    let progress = progress::of(style);
    let profiler = Profiler::new(&*progress);
    let stop = stop_on_signal();
    let request = Request { directory: &directory, options, progress: &profiler, stop };
    let built = match &only[..] {
        [] => build(&set, &request),
        only => {
            let set = (!set.is_empty()).then_some(&set[..]);
            let inputs = args.inputs.as_deref().unwrap_or(&directory);
            build_share(set, only, inputs, &request)
        }
    };
    built.map_err(|error| match error {
        GenError::Interrupted => Failure::Interrupted(format!("{error}; finished tables are kept")),
        error => error.into(),
    })?;
    if args.profile {
        let report = profiler.report();
        drop(progress);
        io::stdout().lock().write_all(report.as_bytes())?;
    }
    Ok(())
}

/// Whether a signature is in a set, or play leads to it from the set.
fn leads_to<G: Family>(set: &[Signature<G>], one: &Signature<G>) -> bool {
    set.contains(one) || {
        let mut seen = BTreeSet::new();
        let mut left = set.to_vec();
        while let Some(signature) = left.pop() {
            left.extend(signature.exits().into_iter().filter(|exit| seen.insert(*exit)));
        }
        seen.contains(one)
    }
}

/// The metrics with these names, each once.
pub(super) fn metrics(names: &[MetricName]) -> Vec<Metric> {
    let named = |metric: &Metric| names.iter().any(|&name| Metric::from(name) == *metric);
    Metric::ALL.into_iter().filter(named).collect()
}

/// The signatures that `what` selects, each once; a number N selects all of 2 to N pieces.
pub(super) fn requested<G: Family>(game: G, what: &[String]) -> Result<Vec<Signature<G>>, Failure> {
    let mut signatures = Vec::new();
    for word in what {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            signatures.extend(up_to(game, word)?);
        } else {
            signatures.push(input::signature(game, word)?);
        }
    }
    signatures.sort_by_key(|signature| (signature.pieces(), *signature));
    signatures.dedup();
    match signatures.iter().find(|signature| !signature.can_have_table()) {
        Some(big) => Err(Failure::Input(format!(
            "{big} has {} pieces: tables have at most {MAX_TABLE_PIECES}",
            big.pieces()
        ))),
        None => Ok(signatures),
    }
}

/// All signatures of 2 to `number` pieces.
fn up_to<G: Family>(game: G, number: &str) -> Result<Vec<Signature<G>>, Failure> {
    match number.parse::<u32>() {
        Ok(pieces @ 2..=MAX_TABLE_PIECES) => {
            Ok((2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect())
        }
        _ => Err(input::not_pieces(number)),
    }
}
