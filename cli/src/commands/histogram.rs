//! `damka stats --histogram`: how many positions are decided in how many plies.

use super::input;
use crate::args::StatsArgs;
use crate::failure::Failure;
use crate::words::{grouped, outcome, to_move};
use crate::{json, progress};
use damka::DtwStatus;
use damka_gen::Event;
use damka_probe::Histogram;
use damka_tables::{Indexable, Side, Signature, Value, Wdl};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The longest bar, in letters.
const BAR_LEN: u64 = 40;

/// Writes the histograms of both sides to move, one signature after the other.
pub(super) fn write<G: Indexable>(
    game: G,
    signatures: &[Signature<G>],
    directory: &Path,
    args: &StatsArgs,
) -> Result<(), Failure> {
    let tables = input::tables_in(game, directory, &args.access);
    let mut out = io::stdout().lock();
    if args.csv {
        writeln!(out, "game,signature,to_move,value,dtw,positions")?;
    }
    for &signature in signatures {
        // Where both sides have the same pieces the histograms are the same.
        let progress = progress::of(args.progress.style);
        let sides = signature.sides();
        let mut histograms = Vec::new();
        for (before, &side) in (0..).zip(sides) {
            histograms.push(tables.histogram(&signature, side, |done, total| {
                let total = total * sides.len() as u64;
                let done = done + before * total / sides.len() as u64;
                let share = done as f64 / total as f64;
                progress.event(Event::Advanced { done, total, signature_share: None, share });
            })?);
        }
        drop(progress);
        for (side, histogram) in
            [Side::First, Side::Second].into_iter().zip(histograms.iter().cycle())
        {
            let text = match (args.json, args.csv) {
                (true, _) => object(&signature, side, histogram) + "\n",
                (_, true) => csv(&signature, side, histogram),
                _ => text(&format!("{signature}, {} to move", to_move(side)), histogram),
            };
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

fn object<G: Indexable>(signature: &Signature<G>, side: Side, histogram: &Histogram) -> String {
    let bars = rows(histogram).into_iter().map(|(value, positions)| Bar {
        value: value.wdl(),
        dtw: value.plies(),
        dtw_status: value.plies().map_or(DtwStatus::Draw, |_| DtwStatus::Known),
        positions,
    });
    json::object(Bars {
        game: signature.game().name(),
        signature: signature.to_string(),
        to_move: to_move(side),
        histogram: bars.collect(),
    })
}

fn csv<G: Indexable>(signature: &Signature<G>, side: Side, histogram: &Histogram) -> String {
    let rows = rows(histogram).into_iter().map(|(value, positions)| {
        let dtw = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
        let (game, word) = (signature.game().name(), value.wdl().word());
        format!("{game},{signature},{},{word},{dtw},{positions}\n", to_move(side))
    });
    rows.collect()
}

/// A histogram in JSON.
#[derive(Serialize)]
struct Bars {
    game: &'static str,
    signature: String,
    to_move: &'static str,
    histogram: Vec<Bar>,
}

/// The positions of one value.
#[derive(Serialize)]
struct Bar {
    value: Wdl,
    dtw: Option<u16>,
    dtw_status: DtwStatus,
    positions: u64,
}

/// The values that there are, best first, and how many positions have each.
fn rows(histogram: &Histogram) -> Vec<(Value, u64)> {
    let decided = (0..).map(Value::decided).zip(histogram.decided.iter().copied());
    let mut rows: Vec<(Value, u64)> = decided.chain([(Value::DRAW, histogram.draws)]).collect();
    rows.retain(|&(_, positions)| positions > 0);
    rows.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    rows
}

fn text(title: &str, histogram: &Histogram) -> String {
    let rows = rows(histogram);
    let most = rows.iter().map(|&(_, positions)| positions).max().unwrap_or(1);
    let all = rows.iter().map(|&(_, positions)| positions).sum();
    let mut text = format!("{title}: {} positions\n", grouped(all));
    for (value, positions) in rows {
        let len = (u128::from(positions) * u128::from(BAR_LEN)).div_ceil(most.into()) as usize;
        let (outcome, bar) = (outcome(value.wdl(), value.plies()), "#".repeat(len));
        text += &format!("  {outcome:<12}{:>16}  {bar}\n", grouped(positions));
    }
    text + "\n"
}
