//! `damka list`: list/lines.rs writes positions as text, CSV or JSON, npy.rs as an array;
//! command.rs is the command that goes on where one has stopped.

mod command;
mod lines;
mod npy;

use super::input;
use super::missing::Supply;
use crate::args::ListArgs;
use crate::failure::Failure;
use crate::words::{count, note};
use crate::{json, progress};
use damka_gen::{Event, Family, NoProgress, Progress};
use damka_probe::{Filter, Listed, Query, Sample, Table};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Side, Signature};
use lines::Lines;
use npy::Npy;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow::{Break, Continue};

/// How many lines are printed unless `--limit` says otherwise.
const LIMIT: u64 = 100;

/// Where listed positions go.
trait Output<G: Indexable> {
    /// Takes a position.
    fn push(&mut self, listed: &Listed<G>) -> Result<(), Failure>;

    /// Passes on what has been taken. Called every few milliseconds.
    fn flush(&mut self) -> Result<(), Failure>;

    /// Ends the output.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// `damka list`.
pub(crate) fn list<G: Family>(game: G, args: &ListArgs) -> Result<(), Failure> {
    let signature = input::signature(game, &args.signature)?;
    let directory = input::directory(&args.tables)?;
    let supply = Supply::new(&directory, args.build.no_build);
    supply.build_unless(signature, &[Metric::Dtw])?;
    // Without distances the tables still know who wins.
    let has_distances = match Table::open(&directory, signature, Metric::Dtw) {
        Err(error) if error.is_missing() && args.distance.is_none() => false,
        table => table.map(|_| true)?,
    };
    let metric = if has_distances { Metric::Dtw } else { Metric::Wdl };
    let filter = Filter {
        wdl: args.value.map(Into::into),
        plies: args.distance,
        only_move: args.only_move,
        zugzwang: args.zugzwang,
    };
    let side = args.turn.map(|turn| Side::of_color(turn.into()));
    let tables = input::tables_in(game, &directory, &args.access);
    let mut listing = tables.list(Query { signature, metric, filter, side, copies: args.all })?;
    if let Some(cursor) = args.from {
        listing.resume(cursor);
    }
    let mut output: Box<dyn Output<G>> = match &args.npy {
        Some(path) => Box::new(Npy::create(path, metric)?),
        None if args.count => Box::new(Count { signature, is_json: args.json, count: 0 }),
        None => Box::new(Lines::new(args, metric)?),
    };
    let has_lines = args.npy.is_none() && !args.count;
    // Lines and a bar would share the terminal.
    let progress: Box<dyn Progress> = match has_lines && io::stdout().is_terminal() {
        true => Box::new(NoProgress),
        false => progress::of(args.progress.style),
    };
    let mut found = 0;
    let mut next = None;
    if let Some(positions) = args.sample {
        let sample = Sample { positions: positions as usize, seed: args.seed };
        for listed in listing.sample(sample, |done, total| advance(&*progress, done, total))? {
            output.push(&listed)?;
            found += 1;
        }
    } else {
        let limit = match args.limit.unwrap_or(if has_lines { LIMIT } else { 0 }) {
            0 => u64::MAX,
            limit => limit,
        };
        loop {
            let mut pushed = Ok(());
            let goes_on = listing.advance(|listed| {
                pushed = output.push(&listed);
                found += 1;
                if pushed.is_err() || found == limit { Break(()) } else { Continue(()) }
            })?;
            pushed?;
            output.flush()?;
            let (done, total) = listing.progress();
            advance(&*progress, done, total);
            if !goes_on || found == limit {
                break;
            }
        }
        next = listing.cursor();
    }
    drop(progress);
    output.finish()?;
    if !has_distances {
        note("there are no distances for these pieces (no DTW table)");
    }
    if found == 0 && has_lines {
        note("there is no such position");
    }
    if let Some(next) = next {
        let are = if found == 1 { "is" } else { "are" };
        let (found, command) = (count(found, "position"), command::going_on(next));
        note(&format!("{found} {are} listed; `{command}` goes on"));
    }
    Ok(())
}

/// Reports how many of the places have been passed.
fn advance(progress: &dyn Progress, done: u64, total: u64) {
    let share = done as f64 / total.max(1) as f64;
    progress.event(Event::Advanced { done, total, signature_share: None, share });
}

/// Only the number of positions.
struct Count<G> {
    signature: Signature<G>,
    is_json: bool,
    count: u64,
}

impl<G: Indexable> Output<G> for Count<G> {
    fn push(&mut self, _: &Listed<G>) -> Result<(), Failure> {
        self.count += 1;
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let Count { signature, is_json, count } = *self;
        let line = match is_json {
            true => json::object(json!({
                "game": signature.game().name(), "signature": signature.to_string(),
                "positions": count,
            })),
            false => count.to_string(),
        };
        Ok(writeln!(io::stdout(), "{line}")?)
    }
}
