use super::input;
use super::selection::no_tables;
use crate::args::InventoryArgs;
use crate::columns::write_aligned;
use crate::failure::Failure;
use crate::json;
use crate::words::{grouped, note, size, tables_option, with_path};
use damka_games::{AnyGame, printable, with_game};
use damka_gen::{TableDigest, journals};
use damka_probe::{Table, list_tables};
use damka_tables::metric::Metric;
use damka_tables::{Indexable, Signature};
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// What is in a directory of tables.
#[derive(Default)]
struct Inventory {
    tables: Vec<Present>,
    damaged: Vec<Damaged>,
    unfinished: Vec<Unfinished>,
}

/// A table, as its header has it.
#[derive(Serialize)]
struct Present {
    game: &'static str,
    signature: String,
    metric: &'static str,
    positions: u64,
    bytes: u64,
    digest: String,
    #[serde(skip)]
    pieces: u32,
    /// How many signatures there are of so many pieces.
    #[serde(skip)]
    signatures: usize,
    /// The line of a list of digests.
    #[serde(skip)]
    line: String,
}

/// A table that cannot be used.
#[derive(Serialize)]
struct Damaged {
    game: &'static str,
    signature: String,
    metric: &'static str,
    error: String,
}

/// A signature that `gen` has begun.
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
    let mut inventory = Inventory::default();
    let games = match args.game {
        Some(game) => vec![game.0],
        None => AnyGame::all().collect(),
    };
    for game in games {
        with_game!(game, game => look(game, &directory, &mut inventory))?;
    }
    let Inventory { tables, damaged, unfinished } = &inventory;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json::object(json!({"directory": directory.to_string_lossy()})))?;
        write_json(&mut out, tables)?;
        write_json(&mut out, damaged)?;
        write_json(&mut out, unfinished)?;
    } else if args.digests {
        for table in tables {
            writeln!(out, "{}", table.line)?;
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
        inventory.write_troubles(&mut out, &directory)?;
    }
    out.flush()?;
    if !damaged.is_empty() {
        return Err(Failure::Damaged("tables are damaged".to_owned()));
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

/// Adds what there is of a game.
fn look<G: Indexable>(game: G, directory: &Path, inventory: &mut Inventory) -> Result<(), Failure> {
    let (name, mut pieces, mut signatures) = (game.name(), 0, 0);
    for signature in list_tables(game, directory)? {
        if signature.pieces() != pieces {
            pieces = signature.pieces();
            signatures = Signature::all(game, pieces).len();
        }
        for metric in Metric::ALL {
            let table = Table::open(directory, signature, metric);
            let table = table.and_then(|table| table.check_directory().map(|()| table));
            let (signature, metric) = (signature.to_string(), metric.name());
            let table = match table {
                Err(error) if error.is_missing() => continue,
                Err(error) => {
                    let error = with_path(error.to_string(), error.path());
                    inventory.damaged.push(Damaged { game: name, signature, metric, error });
                    continue;
                }
                Ok(table) => table,
            };
            let digest = TableDigest::of(&table);
            inventory.tables.push(Present {
                game: name,
                signature,
                metric,
                positions: digest.positions,
                bytes: table.header().file_len(),
                digest: digest.hex(),
                pieces,
                signatures,
                line: digest.to_string(),
            });
        }
    }
    for (signature, journal) in journals(game, directory)? {
        let bytes = fs::metadata(&journal).map_or(0, |metadata| metadata.len());
        let journal = journal.to_string_lossy().into_owned();
        let signature = signature.to_string();
        inventory.unfinished.push(Unfinished { game: name, signature, journal, bytes });
    }
    Ok(())
}

fn write_json(out: &mut impl Write, objects: &[impl Serialize]) -> io::Result<()> {
    objects.iter().try_for_each(|object| writeln!(out, "{}", json::object(object)))
}

/// One line for each game, number of pieces and metric.
fn by_pieces(tables: &[Present]) -> Vec<Vec<String>> {
    let mut lines = vec![
        ["game", "pieces", "metric", "tables", "positions", "size"].map(str::to_owned).to_vec(),
    ];
    let mut sets: Vec<(&Present, u64, u64, u64)> = Vec::new();
    for table in tables {
        let same = |&(set, ..): &(&Present, u64, u64, u64)| {
            (set.game, set.pieces, set.metric) == (table.game, table.pieces, table.metric)
        };
        let place = sets.iter().position(same).unwrap_or_else(|| {
            sets.push((table, 0, 0, 0));
            sets.len() - 1
        });
        let (_, count, positions, bytes) = &mut sets[place];
        *count += 1;
        *positions += table.positions;
        *bytes += table.bytes;
    }
    lines.extend(sets.into_iter().map(|(set, count, positions, bytes)| {
        vec![
            set.game.to_owned(),
            set.pieces.to_string(),
            set.metric.to_owned(),
            format!("{count} of {}", set.signatures),
            grouped(positions),
            size(bytes),
        ]
    }));
    lines
}

/// One line for each table.
fn each(tables: &[Present]) -> Vec<Vec<String>> {
    let header = ["signature", "metric", "positions", "size", "digest"].map(str::to_owned).to_vec();
    let lines = tables.iter().map(|table| {
        vec![
            table.signature.clone(),
            table.metric.to_owned(),
            grouped(table.positions),
            size(table.bytes),
            table.digest.clone(),
        ]
    });
    std::iter::once(header).chain(lines).collect()
}

impl Inventory {
    /// Tells what is damaged and what is not finished.
    fn write_troubles(&self, out: &mut impl Write, directory: &Path) -> io::Result<()> {
        let option = printable(&tables_option(directory));
        if !self.damaged.is_empty() || !self.unfinished.is_empty() {
            writeln!(out)?;
        }
        for damaged in &self.damaged {
            writeln!(out, "damaged: {}", printable(&damaged.error))?;
        }
        for Unfinished { game, signature, journal, bytes } in &self.unfinished {
            let (journal, bytes) = (printable(journal), size(*bytes));
            writeln!(
                out,
                "unfinished: {game} {signature}, {bytes} in {journal}; \
                 `damka gen {game} {signature}{option}` goes on"
            )?;
        }
        Ok(())
    }
}
