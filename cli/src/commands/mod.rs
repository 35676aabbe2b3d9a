//! One module for each command.

mod annotate;
mod bench;
mod board;
mod book;
#[cfg(feature = "bot")]
mod bot;
mod engine;
mod generate;
mod histogram;
mod input;
mod jobs;
mod list;
mod manual;
mod matches;
mod missing;
mod notation;
mod perft;
mod picture;
mod plan;
mod play;
mod probe;
mod records;
mod rehearse;
mod rules;
mod search;
mod selection;
mod serve;
mod site;
mod stats;
mod tables;
mod tune;
mod verify;

#[cfg(feature = "bot")]
use crate::args::BotCommand;
use crate::args::{Args, BookCommand, Command};
use crate::failure::Failure;
use damka_games::with_game;

/// Runs a command.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    use {
        bench::bench, book::add, book::build, book::show, engine::engine, generate::generate,
        list::list, matches::matches, perft::perft, plan::plan, play::play, probe::line,
        probe::probe, rehearse::rehearse, search::search, stats::stats, tables::tables, tune::tune,
        verify::verify,
    };
    match &args.command {
        Command::Gen(args) => with_game!(args.game.0, game => generate(game, args)),
        Command::Plan(args) => with_game!(args.game.0, game => plan(game, args)),
        Command::Rehearse(args) => with_game!(args.game.0, game => rehearse(game, args)),
        Command::Probe(args) => probe(args),
        Command::Line(args) => line(args),
        Command::Search(args) => search(args),
        Command::Bench(args) => with_game!(args.game.0, game => bench(game, args)),
        Command::Match(args) => with_game!(args.game.0, game => matches(game, args)),
        Command::Book { command: BookCommand::Build(args) } => {
            with_game!(args.game.0, game => build(game, args))
        }
        Command::Book { command: BookCommand::Show(args) } => {
            with_game!(args.game.0, game => show(game, args))
        }
        Command::Book { command: BookCommand::Add(args) } => {
            with_game!(args.game.0, game => add(game, args))
        }
        Command::Tune(args) => with_game!(args.game.0, game => tune(game, args)),
        Command::Play(args) => with_game!(args.game.0, game => play(game, args)),
        Command::Annotate(args) => annotate::annotate(args),
        Command::Board(args) => picture::board(args),
        Command::Stats(args) => stats(args),
        Command::List(args) => list(args),
        Command::Tables(args) => tables(args),
        Command::Verify(args) => with_game!(args.game.0, game => verify(game, args)),
        Command::Perft(args) => perft(args),
        Command::Rules(args) => rules::rules(args),
        Command::Engine(args) => engine(args),
        Command::Serve(args) => serve::serve(args),
        Command::Site(args) => site::site(args),
        #[cfg(feature = "bot")]
        Command::Bot { command: BotCommand::Dagaz(args) } => bot::dagaz(args),
        #[cfg(not(feature = "bot"))]
        Command::Bot { .. } => Err(Failure::Input(
            "this damka was built without the bot; in damka's source directory, `cargo install --path cli \
             --locked --features bot` installs one with it"
                .to_owned(),
        )),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { directory } => manual::man(directory.as_deref()),
    }
}
