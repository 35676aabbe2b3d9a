use super::missing::Supply;
use super::{histogram, input, selection};
use crate::args::StatsArgs;
use crate::columns::{csv_line, write_aligned};
use crate::failure::Failure;
use crate::json;
use crate::words::{grouped, size, to_move};
use damka::DtwStatus;
use damka_games::{Color, Position};
use damka_gen::{Family, TableDigest};
use damka_probe::{Access, Table, list_tables};
use damka_tables::metric::{Longest, Metric, Summary};
use damka_tables::{Indexable, Side, Signature};
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
    dtw_status: DtwStatus,
    longest_win: Option<u16>,
    longest_win_fen: Option<String>,
    longest_loss: Option<u16>,
    longest_loss_fen: Option<String>,
    wdl_bytes: Option<u64>,
    dtw_bytes: Option<u64>,
    wdl_digest: Option<String>,
    dtw_digest: Option<String>,
}

/// `damka stats`.
pub(crate) fn stats<G: Family>(game: G, args: &StatsArgs) -> Result<(), Failure> {
    let directory = input::directory(&args.tables)?;
    let present = list_tables(game, &directory)?;
    let signatures = selection::select(game, &args.signature, present, &directory)?;
    let supply = Supply::new(&directory, args.build.no_build);
    let metrics = if args.histogram { &[Metric::Dtw][..] } else { &Metric::ALL };
    for signature in &signatures {
        supply.build_unless(*signature, metrics)?;
    }
    if args.histogram {
        return histogram::write(game, &signatures, &directory, args);
    }
    let mut rows = Vec::new();
    for signature in signatures {
        rows.extend(rows_of::<G>(signature, &directory, args.access.access.into())?);
    }
    let mut out = io::stdout().lock();
    if args.json {
        for row in &rows {
            writeln!(out, "{}", json::object(row))?;
        }
        return Ok(());
    }
    if args.csv {
        writeln!(out, "{}", csv_line(CSV_COLUMNS.map(|(name, _)| name.to_owned())))?;
        for row in &rows {
            writeln!(out, "{}", csv_line(CSV_COLUMNS.map(|(_, cell)| cell(row))))?;
        }
        return Ok(());
    }
    let header = [
        "signature",
        "to move",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win",
        "longest loss",
        "wdl",
        "dtw",
        "position of the longest win",
    ];
    let header = header.map(str::to_owned).to_vec();
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(rows.iter().map(cells)).collect();
    Ok(write_aligned(&mut out, &lines, &[0, 1, 10])?)
}

/// Both sides to move of a signature, from whichever tables there are.
fn rows_of<G: Indexable>(
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
    let digest =
        |table: &Option<Table<G>>| table.as_ref().map(|table| TableDigest::of(table).hex());
    Ok([Side::First, Side::Second].map(|side| {
        let summary: &Summary = table.header().summary(side);
        let fen = |longest: &Longest| {
            let position = table.side_index(side).position(longest.number);
            (match side.color() {
                Color::White => position,
                Color::Black => position.flip(),
            })
            .fen()
        };
        Row {
            game: signature.game().name(),
            signature: signature.to_string(),
            to_move: to_move(side),
            positions: summary.positions(),
            wins: summary.wins,
            draws: summary.draws,
            losses: summary.losses,
            dtw_status: if dtw.is_some() { DtwStatus::Known } else { DtwStatus::Unknown },
            longest_win: summary.longest_win.map(|longest| longest.plies),
            longest_win_fen: summary.longest_win.as_ref().map(fen),
            longest_loss: summary.longest_loss.map(|longest| longest.plies),
            longest_loss_fen: summary.longest_loss.as_ref().map(fen),
            wdl_bytes: bytes(&wdl),
            dtw_bytes: bytes(&dtw),
            wdl_digest: digest(&wdl),
            dtw_digest: digest(&dtw),
        }
    }))
}

/// The name of a column, and its cell in a row.
type Column = (&'static str, fn(&Row) -> String);

/// The columns of CSV: the keys of JSON, but for the schema.
const CSV_COLUMNS: [Column; 16] = [
    ("game", |row| row.game.to_owned()),
    ("signature", |row| row.signature.clone()),
    ("to_move", |row| row.to_move.to_owned()),
    ("positions", |row| row.positions.to_string()),
    ("wins", |row| row.wins.to_string()),
    ("draws", |row| row.draws.to_string()),
    ("losses", |row| row.losses.to_string()),
    ("dtw_status", |row| row.dtw_status.word().to_owned()),
    ("longest_win", |row| told(row.longest_win)),
    ("longest_win_fen", |row| told(row.longest_win_fen.as_ref())),
    ("longest_loss", |row| told(row.longest_loss)),
    ("longest_loss_fen", |row| told(row.longest_loss_fen.as_ref())),
    ("wdl_bytes", |row| told(row.wdl_bytes)),
    ("dtw_bytes", |row| told(row.dtw_bytes)),
    ("wdl_digest", |row| told(row.wdl_digest.as_ref())),
    ("dtw_digest", |row| told(row.dtw_digest.as_ref())),
];

/// What is known, or nothing.
fn told(cell: Option<impl ToString>) -> String {
    cell.map(|cell| cell.to_string()).unwrap_or_default()
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
        told(row.longest_win_fen.as_ref()),
    ]
}
