//! One module for each command.

mod bench;
mod book;
mod engine;
mod generate;
mod histogram;
mod input;
mod list;
mod manual;
mod matches;
mod notation;
mod perft;
mod plan;
mod play;
mod probe;
mod records;
mod rehearse;
mod search;
mod selection;
mod small;
mod stats;
mod tables;
mod tune;
mod unbuilt;
mod verify;

use crate::args::{Args, BookCommand, Command, with_game};
use crate::failure::Failure;

/// Runs a command.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    use {
        bench::bench, book::add, book::build, book::show, engine::engine, generate::generate,
        list::list, matches::matches, perft::perft, plan::plan, play::play, probe::line,
        probe::probe, rehearse::rehearse, search::search, stats::stats, tables::tables, tune::tune,
        verify::verify,
    };
    match &args.command {
        Command::Gen(args) => with_game!(args.game, generate(args)),
        Command::Plan(args) => with_game!(args.game, plan(args)),
        Command::Rehearse(args) => with_game!(args.game, rehearse(args)),
        Command::Probe(args) => with_game!(args.game, probe(args)),
        Command::Line(args) => with_game!(args.game, line(args)),
        Command::Search(args) => with_game!(args.game, search(args)),
        Command::Bench(args) => with_game!(args.game, bench(args)),
        Command::Match(args) => with_game!(args.game, matches(args)),
        Command::Book { command: BookCommand::Build(args) } => {
            with_game!(args.game, build(args))
        }
        Command::Book { command: BookCommand::Show(args) } => with_game!(args.game, show(args)),
        Command::Book { command: BookCommand::Add(args) } => with_game!(args.game, add(args)),
        Command::Tune(args) => with_game!(args.game, tune(args)),
        Command::Play(args) => with_game!(args.game, play(args)),
        Command::Stats(args) => with_game!(args.game, stats(args)),
        Command::List(args) => with_game!(args.game, list(args)),
        Command::Tables(args) => tables(args),
        Command::Verify(args) => with_game!(args.game, verify(args)),
        Command::Perft(args) => with_game!(args.game, perft(args)),
        Command::Engine(args) => with_game!(args.game, engine(args)),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { directory } => manual::man(directory.as_deref()),
    }
}
