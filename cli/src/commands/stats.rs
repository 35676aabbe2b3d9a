use super::input;
use crate::args::StatsArgs;
use crate::failure::Failure;
use crate::words::{grouped, size};
use damka_games::Color;
use damka_probe::{Access, Table, list_tables};
use damka_tables::format::{Longest, Metric, Summary};
use damka_tables::{Layout, Side, Signature};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// One signature with one side to move.
#[derive(Serialize)]
struct Row {
    game: &'static str,
    signature: String,
    to_move: &'static str,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<u16>,
    longest_win_fen: Option<String>,
    longest_loss: Option<u16>,
    longest_loss_fen: Option<String>,
    wdl_bytes: Option<u64>,
    dtw_bytes: Option<u64>,
}

/// `damka stats`.
pub(crate) fn stats<G: Layout>(args: &StatsArgs) -> Result<(), Failure> {
    let directory = input::present_directory(&args.tables)?;
    let signatures = wanted::<G>(&args.signature, &directory)?;
    let mut rows = Vec::new();
    for signature in signatures {
        rows.extend(rows_of::<G>(signature, &directory, args.access.access.into())?);
    }
    let mut out = io::stdout().lock();
    if args.json {
        for row in &rows {
            writeln!(out, "{}", serde_json::to_string(row).unwrap_or_default())?;
        }
        return Ok(());
    }
    let header = ["signature", "to move", "positions", "wins", "draws", "losses"];
    let header = header
        .map(str::to_owned)
        .into_iter()
        .chain(["longest win", "longest loss", "wdl", "dtw"].map(str::to_owned));
    let lines: Vec<Vec<String>> =
        std::iter::once(header.collect()).chain(rows.iter().map(cells)).collect();
    write_columns(&mut out, &lines)
}

/// The signatures named, or all there are.
pub(crate) fn wanted<G: Layout>(
    names: &[String],
    directory: &Path,
) -> Result<Vec<Signature<G>>, Failure> {
    if !names.is_empty() {
        return input::signatures(names);
    }
    let found = list_tables::<G>(directory)?;
    if found.is_empty() {
        let (game, directory) = (G::NAME, directory.display());
        return Err(Failure::Missing(format!(
            "there are no tables of {game} in {directory}; `damka gen {game} 4` builds some"
        )));
    }
    Ok(found)
}

/// Both sides to move of a signature, from whichever tables there are.
fn rows_of<G: Layout>(
    signature: Signature<G>,
    directory: &Path,
    access: Access,
) -> Result<[Row; 2], Failure> {
    let open = |metric| match Table::open_with(directory, signature, metric, access) {
        Err(error) if error.is_missing() => Ok((None, Some(error))),
        table => table.map(|table| (Some(table), None)),
    };
    let (wdl, _) = open(Metric::Wdl)?;
    let (dtw, missing) = open(Metric::Dtw)?;
    let Some(table) = dtw.as_ref().or(wdl.as_ref()) else {
        return Err(missing.map_or(Failure::No, Failure::from));
    };
    let bytes = |table: &Option<Table<G>>| table.as_ref().map(|table| table.header().file_len());
    Ok([Side::First, Side::Second].map(|side| {
        let summary: &Summary = table.header().summary(side);
        let fen = |longest: &Longest| {
            let position = table.side_index(side).position(longest.number);
            G::fen(&match side.color() {
                Color::White => position,
                Color::Black => G::flip(&position),
            })
        };
        Row {
            game: G::NAME,
            signature: signature.to_string(),
            to_move: if side == Side::First { "white" } else { "black" },
            positions: summary.positions(),
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            longest_win: summary.longest_win.map(|longest| longest.plies),
            longest_win_fen: summary.longest_win.as_ref().map(fen),
            longest_loss: summary.longest_loss.map(|longest| longest.plies),
            longest_loss_fen: summary.longest_loss.as_ref().map(fen),
            wdl_bytes: bytes(&wdl),
            dtw_bytes: bytes(&dtw),
        }
    }))
}

fn cells(row: &Row) -> Vec<String> {
    let longest = |plies: Option<u16>| plies.map_or("-".to_owned(), |plies| plies.to_string());
    let bytes = |bytes: Option<u64>| bytes.map_or("-".to_owned(), size);
    vec![
        row.signature.clone(),
        row.to_move.to_owned(),
        grouped(row.positions),
        grouped(row.wins),
        grouped(row.draws),
        grouped(row.losses),
        longest(row.longest_win),
        longest(row.longest_loss),
        bytes(row.wdl_bytes),
        bytes(row.dtw_bytes),
    ]
}

/// Writes lines with their cells aligned: words to the left, numbers to the right.
fn write_columns(out: &mut impl Write, lines: &[Vec<String>]) -> Result<(), Failure> {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in lines {
        let cells =
            line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
                0 | 1 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
