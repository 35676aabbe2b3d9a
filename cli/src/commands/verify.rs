use super::{input, selection};
use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::progress;
use crate::signals::stop_on_signal;
use crate::stdout::Lenient;
use crate::words::{count, grouped, outcome, plies};
use damka_games::printable;
use damka_gen::{
    Check, DigestList, Family, Finding, Options, Request, Sample, verify as verify_tables,
};
use damka_probe::list_tables;
use damka_system::read_whole;
use damka_tables::Indexable;
use std::collections::HashSet;
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::Path;

/// `damka verify`.
pub(crate) fn verify<G: Family>(game: G, args: &VerifyArgs) -> Result<(), Failure> {
    let directory = input::directory(&args.tables)?;
    let list = args.digests.as_deref().map(|path| digest_list(game, path)).transpose()?;
    let mut known = list_tables(game, &directory)?;
    known.extend(list.iter().flat_map(DigestList::signatures));
    let signatures = selection::select(game, &args.signature, known, &directory)?;
    let progress = progress::of(args.work.progress.style);
    let options = Options {
        threads: args.work.threads.into(),
        access: args.access.access.into(),
        ..Options::default()
    };
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    let sample = args.sample.map(|positions| Sample { positions, seed });
    let check = match (&list, sample) {
        (Some(list), _) => Check::Digests(list),
        (None, Some(sample)) => Check::Sample(sample),
        (None, None) => Check::Whole,
    };
    let stop = stop_on_signal();
    let request = Request { directory: &directory, options, progress: &*progress, stop };
    let verification = verify_tables(&signatures, check, &request)?;
    drop(progress);

    let mut out = Lenient::lock();
    let (mut failure, mut reported) = (None, HashSet::new());
    for finding in verification.findings {
        let (severity, message) = describe(finding);
        // A damaged table is reported by every table that leads to it.
        if reported.insert(message.clone()) {
            writeln!(out, "{}", printable(&message))?;
        }
        let worst = failure.get_or_insert(severity);
        *worst = (*worst).max(severity);
    }
    let tables = count(verification.tables as u64, "table");
    let positions = count(verification.positions, "position");
    match (sample, failure) {
        (None, None) => {
            let result = match list {
                None => "every value follows from its successors",
                Some(_) => "every digest is that of the list",
            };
            writeln!(out, "{tables}, {positions}: {result}")?;
        }
        // About the tables that could be checked.
        (None, Some(Severity::Unlisted | Severity::Missing)) if verification.tables > 0 => {
            let result = match list {
                None => "every value of these follows from its successors",
                Some(_) => "these agree with the list",
            };
            writeln!(out, "{tables}, {positions}: {result}")?;
        }
        (None, Some(_)) => {}
        // The seed is needed to reproduce a finding.
        (Some(Sample { seed, .. }), _) => {
            let result = match failure {
                None => "every one follows from its successors",
                Some(_) => "errors found",
            };
            writeln!(out, "{tables}, {positions} sampled with seed {seed}: {result}")?;
        }
    }
    match failure {
        None => Ok(()),
        Some(Severity::Unlisted) => Err(Failure::No),
        Some(Severity::Missing) => Err(Failure::Missing("tables are missing".to_owned())),
        Some(Severity::System) => Err(Failure::System("tables could not be read".to_owned())),
        Some(Severity::Damaged) => Err(Failure::Damaged("tables are damaged".to_owned())),
        Some(Severity::Wrong) => Err(Failure::Wrong),
    }
}

/// The list of digests in a file.
fn digest_list<G: Indexable>(game: G, path: &Path) -> Result<DigestList<G>, Failure> {
    let failed = |error: &dyn Display| Failure::Input(format!("{}: {error}", path.display()));
    let bytes = read_whole(path).map_err(|error| failed(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
    DigestList::parse(game, &text).map_err(|error| failed(&error))
}

/// The severity of a finding. The worst one decides the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Unlisted,
    Missing,
    System,
    Damaged,
    Wrong,
}

fn describe(finding: Finding) -> (Severity, String) {
    match finding {
        Finding::Unusable(error) => {
            let failure = Failure::from(error);
            let severity = match failure {
                Failure::Missing(_) => Severity::Missing,
                Failure::Damaged(_) => Severity::Damaged,
                _ => Severity::System,
            };
            (severity, failure.message().unwrap_or_default())
        }
        Finding::Counts { signature, metric } => {
            let message =
                format!("{signature}.{}: the counts are not those of the values", metric.name());
            (Severity::Wrong, message)
        }
        Finding::Histogram { signature, metric } => {
            let message =
                format!("{signature}.{}: the histogram is not that of the values", metric.name());
            (Severity::Wrong, message)
        }
        Finding::Digest { signature, metric } => {
            let metric = metric.name();
            let message = format!("{signature}.{metric}: the digest is not that of the values");
            (Severity::Wrong, message)
        }
        Finding::DigestMismatch { signature, metric } => {
            let metric = metric.name();
            (Severity::Wrong, format!("{signature}.{metric}: the list has another digest"))
        }
        Finding::Unlisted { signature, metric } => {
            let metric = metric.name();
            (Severity::Unlisted, format!("{signature}.{metric}: it is not in the list"))
        }
        Finding::Wrong { signature, metric, count, fen, stored, derived } => {
            let (name, count) = (metric.name(), grouped(count));
            let [stored, derived] =
                [stored, derived].map(|value| outcome(value.wdl(), plies(value, metric)));
            let message = format!(
                "{signature}.{name}: {count} wrong values; first `{fen}`: \
                 the table says {stored}, its successors say {derived}"
            );
            (Severity::Wrong, message)
        }
    }
}
