//! `damka list`: list/writer.rs writes positions as text, CSV or JSON, npy.rs as an array;
//! command.rs makes the command that continues a list.

mod command;
mod npy;
mod writer;

use super::input;
use super::missing::Supply;
use crate::args::ListArgs;
use crate::failure::Failure;
use crate::signals::stop_on_signal;
use crate::words::{count, note};
use crate::{json, progress};
use damka::{AnyListed, AnyListing, Cursor, Filter, ListQuery, Metric};
use damka_gen::{Event, NoProgress, Progress, Stop};
use damka_probe::Sample;
use npy::Npy;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow::{self, Break, Continue};
use writer::PositionWriter;

/// The default of `--limit` for lines.
const LIMIT: u64 = 100;

/// The output of listed positions.
trait Output {
    /// Adds a position.
    fn push(&mut self, listed: &dyn AnyListed) -> Result<(), Failure>;

    /// Writes the positions added so far. Called every few milliseconds.
    fn flush(&mut self) -> Result<(), Failure>;

    /// Ends the output.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// `damka list`.
pub(crate) fn list(args: &ListArgs) -> Result<(), Failure> {
    let game = args.game.0;
    let signature = input::canonical(game, &args.signature)?;
    let directory = input::directory(&args.tables)?;
    let tables = input::any_tables(game, &directory, &args.access);
    let supply = Supply::new(game, &directory, args.build.no_build);
    supply.build_unless(&*tables, &signature, &[Metric::Dtw])?;
    // Without distances, WDL tables have the values.
    let has_distances = args.distance.is_some() || tables.has_table(&signature, Metric::Dtw)?;
    let metric = if has_distances { Metric::Dtw } else { Metric::Wdl };
    let filter = Filter {
        wdl: args.value.map(Into::into),
        plies: args.distance,
        only_move: args.only_move,
        zugzwang: args.zugzwang,
    };
    let turn = args.turn.map(Into::into);
    let query =
        ListQuery { signature: args.signature.clone(), metric, filter, turn, copies: args.all };
    let mut listing = tables.listing(&query)?;
    if let Some(cursor) = args.from {
        listing.resume(cursor).map_err(|error| Failure::Input(format!("--from: {error}")))?;
    }
    let mut output: Box<dyn Output> = match &args.npy {
        Some(path) => Box::new(Npy::create(path, game, metric)?),
        None if args.count => {
            let game = game.name();
            Box::new(Count { game, signature: listing.signature(), is_json: args.json, count: 0 })
        }
        None => Box::new(PositionWriter::new(args, metric)?),
    };
    let has_lines = args.npy.is_none() && !args.count;
    // No progress bar among lines on a terminal.
    let progress: Box<dyn Progress> = match has_lines && io::stdout().is_terminal() {
        true => Box::new(NoProgress),
        false => progress::of(args.progress.style),
    };
    // The first signal ends the list but not the process, so that no incomplete array is left.
    let stop = args.npy.is_some().then(stop_on_signal).unwrap_or_default();
    let watch = Watch { progress, stop };
    let (found, next) = match args.sample {
        Some(positions) => {
            let sample = Sample { positions: positions as usize, seed: args.seed };
            (write_sample(listing, sample, &mut *output, &watch)?, None)
        }
        None => {
            let limit = args.limit.unwrap_or(if has_lines { LIMIT } else { 0 });
            let limit = if limit == 0 { u64::MAX } else { limit };
            let found = write_list(&mut *listing, limit, &mut *output, &watch)?;
            (found, listing.cursor())
        }
    };
    drop(watch);
    output.finish()?;
    if !has_distances {
        note("there are no distances for these pieces (no DTW table)");
    }
    if found == 0 && has_lines {
        note("there is no such position");
    }
    if let Some(next) = next {
        note_continuation(found, next, has_lines);
    }
    Ok(())
}

/// Shows progress, and asks for the end after a signal.
struct Watch {
    progress: Box<dyn Progress>,
    stop: Stop,
}

impl Watch {
    /// Reports the number of index places passed.
    fn advance(&self, done: u64, total: u64) -> ControlFlow<()> {
        let share = done as f64 / total.max(1) as f64;
        self.progress.event(Event::Advanced { done, total, signature_share: None, share });
        if self.stop.is_requested() { Break(()) } else { Continue(()) }
    }
}

/// Writes a random sample, and returns its size.
fn write_sample(
    listing: Box<dyn AnyListing + '_>,
    sample: Sample,
    output: &mut dyn Output,
    watch: &Watch,
) -> Result<u64, Failure> {
    let (mut found, mut pushed) = (0, Ok(()));
    let is_whole =
        listing.sample(sample, &mut |done, total| watch.advance(done, total), &mut |listed| {
            if pushed.is_ok() {
                pushed = output.push(listed);
                found += 1;
            }
        })?;
    pushed?;
    if is_whole { Ok(found) } else { Err(no_array()) }
}

/// Writes the list until `limit` positions are written, and returns their number.
fn write_list(
    listing: &mut dyn AnyListing,
    limit: u64,
    output: &mut dyn Output,
    watch: &Watch,
) -> Result<u64, Failure> {
    let mut found = 0;
    loop {
        let mut pushed = Ok(());
        let goes_on = listing.advance(&mut |listed| {
            pushed = output.push(listed);
            found += 1;
            if pushed.is_err() || found == limit { Break(()) } else { Continue(()) }
        })?;
        pushed?;
        output.flush()?;
        let (done, total) = listing.progress();
        if watch.advance(done, total).is_break() {
            return Err(no_array());
        }
        if !goes_on || found == limit {
            return Ok(found);
        }
    }
}

/// Says how to continue a list.
fn note_continuation(found: u64, next: Cursor, has_lines: bool) {
    let are = if found == 1 { "is" } else { "are" };
    let found = count(found, "position");
    note(&match has_lines {
        true => {
            format!("{found} {are} listed; `{}` continues the list", command::continuation(next))
        }
        false => {
            format!(
                "{found} {are} in the array; `--from {next}` continues the list in another file"
            )
        }
    });
}

/// The failure when a signal ends the command before the array is complete.
fn no_array() -> Failure {
    Failure::Interrupted("interrupted: no array was written".to_owned())
}

/// Counts positions.
struct Count {
    game: &'static str,
    signature: String,
    is_json: bool,
    count: u64,
}

impl Output for Count {
    fn push(&mut self, _: &dyn AnyListed) -> Result<(), Failure> {
        self.count += 1;
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        let Count { game, signature, is_json, count } = *self;
        let line = match is_json {
            true => json::object(json!({
                "game": game, "signature": signature, "positions": count,
            })),
            false => count.to_string(),
        };
        Ok(writeln!(io::stdout(), "{line}")?)
    }
}
