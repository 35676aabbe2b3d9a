//! One module for each command.

mod engine;
mod generate;
mod input;
mod manual;
mod perft;
mod plan;
mod probe;
mod rehearse;
mod stats;
mod verify;

use crate::args::{Args, Command, with_game};
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    use {
        engine::engine, generate::generate, perft::perft, plan::plan, probe::line, probe::probe,
        rehearse::rehearse, stats::stats, verify::verify,
    };
    match &args.command {
        Command::Gen(args) => with_game!(args.game, generate(args)),
        Command::Plan(args) => with_game!(args.game, plan(args)),
        Command::Rehearse(args) => with_game!(args.game, rehearse(args)),
        Command::Probe(args) => with_game!(args.game, probe(args)),
        Command::Line(args) => with_game!(args.game, line(args)),
        Command::Stats(args) => with_game!(args.game, stats(args)),
        Command::Verify(args) => with_game!(args.game, verify(args)),
        Command::Perft(args) => with_game!(args.game, perft(args)),
        Command::Engine(args) => with_game!(args.game, engine(args)),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { directory } => manual::man(directory.as_deref()),
    }
}
