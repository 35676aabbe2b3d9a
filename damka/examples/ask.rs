//! Asks tables and the engine about a game named at run time, and prints the JSON of the command `damka`:
//! `cargo run --release -p damka --features serde --example ask -- russian DIR 'W:WKa1,Kc1:BKh4'`.
#![allow(clippy::print_stdout)]

use damka::{AnyGame, Control, Filter, Limits, ListQuery, ListRequest, Metric, PlayerSettings};
use damka::{SearchRequest, json::Object};
use serde::Serialize;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let [game, directory, fen] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "a game, a directory of tables and a position expected")?;
    let game: AnyGame = game.parse()?;
    let tables = damka::open(game, &directory, Default::default());
    print(tables.answer(&fen, Metric::Dtw)?)?;
    print(tables.line(&fen)?)?;
    let tables_path = Some(directory.into());
    let settings = PlayerSettings { tables: tables_path, ..PlayerSettings::minimal(game) };
    let mut engine = damka::open_engine(&settings)?;
    engine.set_position(&fen, &[])?;
    let request = SearchRequest { limits: Limits::depth(8), lines: Some(3) };
    print(engine.search(&request, &Control::default(), &mut |_| ()))?;
    let Some(signature) = tables.signatures()?.pop() else { return Ok(()) };
    tables.stats(&signature)?.map(print).into_iter().collect::<Result<(), _>>()?;
    let filter = Filter { only_move: true, ..Filter::default() };
    let query = ListQuery { signature, metric: Metric::Dtw, filter, turn: None, copies: false };
    let request = ListRequest { query, from: None, limit: 10, deadline: None };
    tables.list(&request)?.positions.into_iter().try_for_each(print)
}

fn print(object: impl Serialize) -> Result<(), Box<dyn Error>> {
    println!("{}", serde_json::to_string(&Object::new(object))?);
    Ok(())
}
