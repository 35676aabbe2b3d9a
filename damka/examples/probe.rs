//! Looks up a position of Russian draughts and ranks its moves:
//! `cargo run --release -p damka --example probe -- DIR 'W:WKf8,Ke7,Kh6:BKb8'`.
#![allow(clippy::print_stdout)]

use damka::{Game, Metric, Position, Russian, Tables};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let [directory, fen] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| {
        "expected a directory of tables and a position; `damka gen russian 4 --tables DIR` builds some"
    })?;
    let position = Russian.parse_fen(&fen)?;
    let tables = Tables::open(Russian, directory);
    let value = tables.dtw(&position)?;
    println!("{}, plies to the end: {:?}", value.wdl().word(), value.plies());
    for ranked in tables.moves(&position, Metric::Dtw)? {
        let mv = position.format_move(ranked.mv);
        println!("{mv:>8}  {} {:?}", ranked.value.wdl().word(), ranked.value.plies());
    }
    Ok(())
}
