//! Searches a position of Russian draughts for two seconds, with the tables of a directory:
//! `cargo run --release -p damka --example search -- DIR 'W:Wc3,e3,g3:Bb6,d6,f6'`.
#![allow(clippy::print_stdout)]

use damka::engine::{Control, EndgameTables, Engine, History, Limits};
use damka::{Game, Position, Russian, Tables};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let [directory, fen] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected a directory of tables and a position")?;
    let position = Russian.parse_fen(&fen)?;
    let mut engine = Engine::try_new(Russian, 64 << 20)?;
    engine.set_tables(Some(Arc::new(EndgameTables::new(Arc::new(Tables::open(
        Russian, directory,
    )))?)));
    let limits = Limits::time(Duration::from_secs(2));
    let found = engine.search(&History::new(position), &limits, &Control::default(), |report| {
        println!("depth {}: {}", report.depth, report.score);
    });
    match found.best() {
        Some(mv) => println!("{}", position.format_move(mv)),
        None => println!("no legal move"),
    }
    Ok(())
}
