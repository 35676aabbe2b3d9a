//! Queries the tables and the engine of a game named at run time, and prints the JSON of the
//! command `damka`:
//! `cargo run --release -p damka --features serde --example ask -- russian DIR 'W:WKa1,Kc1:BKh4'`.
#![allow(clippy::print_stdout)]

use damka::{AnyGame, AnyTables, Control, Filter, Limits, ListQuery, ListRequest, Metric};
use damka::{PlayerSettings, SearchRequest, json::Object};
use serde::Serialize;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "expected a game, a directory of tables and a position";
    let words: [String; 3] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().or(Err(usage))?;
    let [game, directory, fen] = words;
    let game: AnyGame = game.parse()?;
    let tables = damka::open(game, &directory, Default::default());
    ask(&*tables, &fen)?.iter().for_each(|line| println!("{line}"));
    let settings =
        PlayerSettings { tables: Some(directory.into()), ..PlayerSettings::minimal(game) };
    println!("{}", search(&settings, &fen)?);
    Ok(())
}

/// What `damka probe`, `line`, `stats` and `list --only-move --limit 10` print; `stats` and `list`
/// for the last signature.
pub(crate) fn ask(tables: &dyn AnyTables, fen: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut lines = vec![json(tables.answer(fen, Metric::Dtw)?)?, json(tables.line(fen)?)?];
    let Some(signature) = tables.signatures()?.pop() else { return Ok(lines) };
    lines.extend(tables.stats(&signature)?.map(json).into_iter().collect::<Result<Vec<_>, _>>()?);
    let filter = Filter { only_move: true, ..Filter::default() };
    let query = ListQuery { signature, metric: Metric::Dtw, filter, turn: None, copies: false };
    let request = ListRequest { query, from: None, limit: 10, deadline: None };
    for position in tables.list(&request)?.positions {
        lines.push(json(position)?);
    }
    Ok(lines)
}

/// What `damka search --depth 8 --lines 3` prints.
pub(crate) fn search(
    settings: &PlayerSettings<AnyGame>,
    fen: &str,
) -> Result<String, Box<dyn Error>> {
    let mut engine = damka::open_engine(settings)?;
    engine.set_position(fen, &[])?;
    let limits = Limits { is_analysis: true, ..Limits::depth(8) };
    let request = SearchRequest { limits, lines: Some(3) };
    json(engine.search(&request, &Control::default(), &mut |_| ()))
}

fn json(object: impl Serialize) -> Result<String, Box<dyn Error>> {
    Ok(serde_json::to_string(&Object::new(object))?)
}
