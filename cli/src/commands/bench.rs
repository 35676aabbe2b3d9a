use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::words;
use damka_engine::{Playable, bench as run};
use damka_games::Position;
use std::io::{self, Write};

/// `damka bench`.
pub(crate) fn bench<G: Playable>(game: G, args: &BenchArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let depth = args.depth.unwrap_or(G::BENCH_DEPTH);
    let bench = run::run(&mut args.engine.engine(game)?, depth);
    for (position, nodes) in &bench.nodes {
        writeln!(out, "{:>12}  {}", words::grouped(*nodes), position.fen())?;
    }
    let total = bench.total();
    let speed = total as f64 / bench.time.as_secs_f64().max(1e-9);
    writeln!(out, "\n{total} nodes at depth {depth}, {} a second", words::grouped(speed as u64))?;
    Ok(())
}
