//! `damka stats --histogram`: how many positions are decided in how many plies.

use super::input;
use crate::args::StatsArgs;
use crate::columns::csv_line;
use crate::failure::Failure;
use crate::words::{grouped, outcome, to_move};
use damka_probe::Histogram;
use damka_tables::{Indexable, Side, Signature, Value};
use serde_json::json;
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
        writeln!(out, "game,signature,to_move,value,plies,positions")?;
    }
    for signature in signatures {
        for side in [Side::First, Side::Second] {
            let histogram = tables.histogram(signature, side)?;
            let (game, name, to_move) =
                (signature.game().name(), signature.to_string(), to_move(side));
            if args.json {
                let counts = rows(&histogram).into_iter();
                let counts: Vec<_> = counts
                    .map(|(value, positions)| {
                        json!({
                            "value": value.wdl().word(), "dtw": value.plies(),
                            "positions": positions,
                        })
                    })
                    .collect();
                let object = json!({
                    "game": game, "signature": name, "to_move": to_move, "histogram": counts,
                });
                writeln!(out, "{object}")?;
            } else if args.csv {
                for (value, positions) in rows(&histogram) {
                    let plies = value.plies().map(|plies| plies.to_string()).unwrap_or_default();
                    let word = value.wdl().word().to_owned();
                    let cells = [game.to_owned(), name.clone(), to_move.to_owned(), word, plies];
                    writeln!(
                        out,
                        "{}",
                        csv_line(cells.into_iter().chain([positions.to_string()]))
                    )?;
                }
            } else {
                write!(out, "{}", text(&format!("{name}, {to_move} to move"), &histogram))?;
            }
            out.flush()?;
        }
    }
    Ok(())
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
