//! `damka stats --histogram`: the number of positions for each value and distance.

use crate::args::StatsArgs;
use crate::failure::Failure;
use crate::words::{grouped, outcome};
use crate::{json, progress};
use damka::{AnyTables, SideHistogram};
use damka_gen::Event;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The length of the longest bar, in characters.
const BAR_LEN: u64 = 40;

/// Writes the histograms of both sides to move, one signature after the other.
pub(super) fn write(
    tables: &dyn AnyTables,
    signatures: &[String],
    args: &StatsArgs,
) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if args.csv {
        writeln!(out, "game,signature,to_move,value,dtw,positions")?;
    }
    for signature in signatures {
        let progress = progress::of(args.progress.style);
        let histograms = tables.histogram(signature, &mut |done, total| {
            let share = done as f64 / total as f64;
            progress.event(Event::Advanced { done, total, signature_share: None, share });
            ControlFlow::Continue(())
        })?;
        drop(progress);
        for histogram in &histograms {
            let text = match (args.json, args.csv) {
                (true, _) => json::object(histogram) + "\n",
                (_, true) => csv(histogram),
                _ => text(histogram),
            };
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    Ok(())
}

fn csv(side: &SideHistogram) -> String {
    let SideHistogram { game, signature, to_move, histogram } = side;
    let rows = histogram.iter().map(|bar| {
        let dtw = bar.dtw.map(|plies| plies.to_string()).unwrap_or_default();
        format!("{game},{signature},{to_move},{},{dtw},{}\n", bar.value, bar.positions)
    });
    rows.collect()
}

fn text(side: &SideHistogram) -> String {
    let SideHistogram { signature, to_move, histogram, .. } = side;
    let most = histogram.iter().map(|bar| bar.positions).max().unwrap_or(1);
    let all = histogram.iter().map(|bar| bar.positions).sum();
    let mut text = format!("{signature}, {to_move} to move: {} positions\n", grouped(all));
    for bar in histogram {
        let len = (u128::from(bar.positions) * u128::from(BAR_LEN)).div_ceil(most.into()) as usize;
        let (outcome, marks) = (outcome(bar.value, bar.dtw), "#".repeat(len));
        text += &format!("  {outcome:<12}{:>16}  {marks}\n", grouped(bar.positions));
    }
    text + "\n"
}
