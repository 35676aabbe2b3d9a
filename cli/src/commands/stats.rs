use super::missing::Supply;
use super::{histogram, input, selection};
use crate::args::StatsArgs;
use crate::columns::{csv_line, write_aligned};
use crate::failure::Failure;
use crate::json;
use crate::words::{grouped, note, size};
use damka::{Metric, SideStats};
use damka_games::with_game;
use damka_probe::list_tables;
use damka_tables::Signature;
use std::io::{self, Write};

/// `damka stats`.
pub(crate) fn stats(args: &StatsArgs) -> Result<(), Failure> {
    let directory = input::directory(&args.tables)?;
    let signatures: Vec<String> = with_game!(args.game.0, game => {
        let present = list_tables(game, &directory)?;
        let selected = selection::select(game, &args.signature, present, &directory)?;
        selected.iter().map(Signature::to_string).collect()
    });
    let tables = input::any_tables(args.game.0, &directory, &args.access);
    let supply = Supply::new(args.game.0, &directory, args.build.no_build);
    let metrics = if args.histogram { &[Metric::Dtw][..] } else { &Metric::ALL };
    for signature in &signatures {
        supply.build_unless(&*tables, signature, metrics)?;
    }
    if args.histogram {
        return histogram::write(&*tables, &signatures, args);
    }
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for signature in &signatures {
        match tables.stats(signature) {
            Ok(sides) => rows.extend(sides),
            Err(error) => failures.push(Failure::from(error)),
        }
    }
    if !rows.is_empty() {
        print(&rows, args)?;
    }
    // A damaged table decides the exit code.
    let damaged = failures.iter().position(|failure| matches!(failure, Failure::Damaged(_)));
    let last = failures.len().checked_sub(1);
    let Some(decides) = damaged.or(last) else { return Ok(()) };
    let decides = failures.swap_remove(decides);
    failures.iter().filter_map(Failure::message).for_each(|message| note(&message));
    Err(decides)
}

fn print(rows: &[SideStats], args: &StatsArgs) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        for row in rows {
            writeln!(out, "{}", json::object(row))?;
        }
        return Ok(());
    }
    if args.csv {
        writeln!(out, "{}", csv_line(CSV_COLUMNS.map(|(name, _)| name.to_owned())))?;
        for row in rows {
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
    write_aligned(&mut out, &lines, &[0, 1, 10])
}

/// The name of a column, and its cell in a row.
type Column = (&'static str, fn(&SideStats) -> String);

/// The columns of CSV: the keys of JSON without the schema.
const CSV_COLUMNS: [Column; 16] = [
    ("game", |row| row.game.to_owned()),
    ("signature", |row| row.signature.clone()),
    ("to_move", |row| row.to_move.to_owned()),
    ("positions", |row| row.positions.to_string()),
    ("wins", |row| row.wins.to_string()),
    ("draws", |row| row.draws.to_string()),
    ("losses", |row| row.losses.to_string()),
    ("dtw_status", |row| row.dtw_status.word().to_owned()),
    ("longest_win", |row| or_empty(row.longest_win)),
    ("longest_win_fen", |row| or_empty(row.longest_win_fen.as_ref())),
    ("longest_loss", |row| or_empty(row.longest_loss)),
    ("longest_loss_fen", |row| or_empty(row.longest_loss_fen.as_ref())),
    ("wdl_bytes", |row| or_empty(row.wdl_bytes)),
    ("dtw_bytes", |row| or_empty(row.dtw_bytes)),
    ("wdl_digest", |row| or_empty(row.wdl_digest.as_ref())),
    ("dtw_digest", |row| or_empty(row.dtw_digest.as_ref())),
];

/// The number, or an empty cell.
fn or_empty(cell: Option<impl ToString>) -> String {
    cell.map(|cell| cell.to_string()).unwrap_or_default()
}

fn cells(row: &SideStats) -> Vec<String> {
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
        or_empty(row.longest_win_fen.as_ref()),
    ]
}
