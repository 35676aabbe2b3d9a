use super::input;
use super::selection::no_tables;
use crate::args::InventoryArgs;
use crate::columns::write_aligned;
use crate::failure::Failure;
use crate::json;
use crate::stdout::Lenient;
use crate::words::{grouped, note, size, tables_option, with_path};
use damka::{AnyGame, DamagedTable, Game, Inventory, ProbeOptions, Signature, TableInfo};
use damka_games::{printable, with_game};
use damka_gen::journals;
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The contents of a directory of tables.
#[derive(Default)]
struct Found {
    tables: Vec<TableInfo>,
    damaged: Vec<DamagedTable>,
    unfinished: Vec<Unfinished>,
}

/// A signature whose build is not finished.
#[derive(Serialize)]
struct Unfinished {
    game: &'static str,
    signature: String,
    journal: String,
    bytes: u64,
}

/// `damka tables`.
pub(crate) fn tables(args: &InventoryArgs) -> Result<(), Failure> {
    let directory = input::directory(&args.tables)?;
    let mut found = Found::default();
    let games = match args.game {
        Some(game) => vec![game.0],
        None => AnyGame::all().collect(),
    };
    for game in games {
        look(game, &directory, &mut found)?;
    }
    let Found { tables, damaged, unfinished } = &found;
    let mut out = Lenient::lock();
    if args.json {
        writeln!(out, "{}", json::object(json!({"directory": directory.to_string_lossy()})))?;
        write_json(&mut out, tables)?;
        write_json(&mut out, damaged)?;
        write_json(&mut out, unfinished)?;
    } else if args.digests {
        for table in tables {
            let TableInfo { game, signature, metric, digest, positions, .. } = table;
            writeln!(out, "{game} {signature} {metric} {digest} {positions}")?;
        }
        for damaged in damaged {
            note(&printable(&damaged.error));
        }
    } else {
        writeln!(out, "tables in {}", printable(&directory.to_string_lossy()))?;
        let lines = if args.game.is_some() { each(tables) } else { by_pieces(tables) };
        if lines.len() > 1 {
            writeln!(out)?;
            write_aligned(&mut out, &lines, &[0, if args.game.is_some() { 1 } else { 2 }])?;
        }
        found.write_troubles(&mut out, &directory)?;
    }
    out.flush()?;
    if damaged.iter().any(|table| !table.is_unreadable) {
        return Err(Failure::Damaged("tables are damaged".to_owned()));
    }
    if !damaged.is_empty() {
        return Err(Failure::System("tables could not be read".to_owned()));
    }
    if tables.is_empty() && unfinished.is_empty() {
        return Err(match args.game {
            Some(game) => with_game!(game.0, game => no_tables(game, &directory)),
            None => Failure::Missing(format!(
                "there are no tables in {}; `damka gen russian 4{}`, for example, builds some",
                directory.display(),
                tables_option(&directory)
            )),
        });
    }
    Ok(())
}

/// Adds the tables of a game.
fn look(game: AnyGame, directory: &Path, found: &mut Found) -> Result<(), Failure> {
    let Inventory { tables, damaged } =
        damka::open(game, directory, ProbeOptions::default()).inventory()?;
    found.tables.extend(tables);
    found.damaged.extend(damaged.into_iter().map(|table| {
        let error = with_path(table.error, table.path.as_deref());
        DamagedTable { error, ..table }
    }));
    with_game!(game, game => {
        for (signature, journal) in journals(game, directory)? {
            found.unfinished.push(Unfinished {
                game: game.name(),
                signature: signature.to_string(),
                bytes: fs::metadata(&journal).map_or(0, |metadata| metadata.len()),
                journal: journal.to_string_lossy().into_owned(),
            });
        }
    });
    Ok(())
}

fn write_json(out: &mut impl Write, objects: &[impl Serialize]) -> io::Result<()> {
    objects.iter().try_for_each(|object| writeln!(out, "{}", json::object(object)))
}

/// One line for each game, number of pieces and metric.
fn by_pieces(tables: &[TableInfo]) -> Vec<Vec<String>> {
    let mut lines = vec![
        ["game", "pieces", "metric", "tables", "positions", "size"].map(str::to_owned).to_vec(),
    ];
    let mut sets: Vec<(&TableInfo, Vec<&TableInfo>)> = Vec::new();
    for table in tables {
        let same = |(set, _): &(&TableInfo, Vec<&TableInfo>)| {
            (set.game, set.pieces, set.metric) == (table.game, table.pieces, table.metric)
        };
        match sets.iter_mut().find(|set| same(set)) {
            Some((_, found)) => found.push(table),
            None => sets.push((table, vec![table])),
        }
    }
    lines.extend(sets.into_iter().map(|(set, found)| {
        let halves = found.iter().filter(|table| table.half).count();
        let half = if halves > 0 { format!(" ({halves} half)") } else { String::new() };
        vec![
            set.game.to_owned(),
            set.pieces.to_string(),
            set.metric.to_string(),
            format!("{} of {}{half}", found.len(), all_signatures(set)),
            grouped(found.iter().map(|table| table.positions).sum()),
            size(found.iter().map(|table| table.bytes).sum()),
        ]
    }));
    lines
}

/// The number of signatures of the game with as many pieces as the table.
fn all_signatures(table: &TableInfo) -> usize {
    let game: Result<AnyGame, _> = table.game.parse();
    game.map_or(0, |game| with_game!(game, game => Signature::all(game, table.pieces).len()))
}

/// One line for each table.
fn each(tables: &[TableInfo]) -> Vec<Vec<String>> {
    let header = ["signature", "metric", "positions", "size", "digest"].map(str::to_owned).to_vec();
    let lines = tables.iter().map(|table| {
        vec![
            table.signature.clone(),
            table.metric.to_string(),
            grouped(table.positions),
            format!("{}{}", size(table.bytes), if table.half { " (half)" } else { "" }),
            table.digest.clone(),
        ]
    });
    std::iter::once(header).chain(lines).collect()
}

impl Found {
    /// Reports damaged tables and unfinished work.
    fn write_troubles(&self, out: &mut impl Write, directory: &Path) -> io::Result<()> {
        let option = printable(&tables_option(directory));
        if !self.damaged.is_empty() || !self.unfinished.is_empty() {
            writeln!(out)?;
        }
        for damaged in &self.damaged {
            let fault = if damaged.is_unreadable { "unreadable" } else { "damaged" };
            writeln!(out, "{fault}: {}", printable(&damaged.error))?;
        }
        for Unfinished { game, signature, journal, bytes } in &self.unfinished {
            let (journal, bytes) = (printable(journal), size(*bytes));
            writeln!(
                out,
                "unfinished: {game} {signature}, {bytes} in {journal}; \
                 `damka gen {game} {signature}{option}` continues it"
            )?;
        }
        Ok(())
    }
}
