//! `damka`, the command line. The only crate that talks to a terminal.
//!
//! # Where things are
//!
//! * `args/`: every flag; help, man pages and completions come from here.
//! * `commands/`: one module for each command; input.rs reads arguments that they share, board.rs draws;
//!   play/ is a game in the terminal: command.rs reads commands, session.rs runs them, walk.rs is the
//!   game with its variations, navigate.rs goes through it, show.rs shows it
//! * `lines.rs`: standard input, in lines of bounded length
//! * `commands/missing.rs`: builds missing tables, offers to build them, or names them in the error
//! * `columns.rs`: cells, aligned for people or as CSV; `json.rs`: the common form of JSON objects; `words.rs`: numbers,
//!   values and lists in words
//! * `failure.rs`: what is wrong and what to do about it, and the exit code
//! * `progress.rs`, `profile.rs`: what `gen` and `verify` report while they run, and afterwards
//! * `signals.rs`, `stdout.rs`: interruptions; standard output that is closed

mod args;
mod columns;
mod commands;
mod failure;
mod json;
mod lines;
mod profile;
mod progress;
mod signals;
mod stdout;
mod words;

use clap::error::{ContextKind, ContextValue};
use damka_games::excerpt;
use failure::Failure;
use mimalloc::MiMalloc;
use std::io::{self, Write};
use std::process::ExitCode;

/// With tables in the cache, an answer of `serve` takes up to a sixth less processor time than with the
/// allocator of glibc.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Reader(error)) if damka_system::is_reader_gone(&error) => {
            // The reader of the output has closed it.
            ExitCode::SUCCESS
        }
        Err(failure) => {
            if let Some(message) = failure.message() {
                let _ = writeln!(io::stderr(), "damka: {message}");
            }
            failure.exit_code()
        }
    }
}

fn run() -> Result<(), Failure> {
    damka_system::allow_many_files();
    signals::survive_file_size_limit();
    let args = match args::Args::parse() {
        Err(error) if error.use_stderr() => quoting_little(error).exit(),
        args => args,
    };
    if stdout::was_closed() {
        return Err(Failure::Reader(io::Error::other("standard output is closed")));
    }
    match args {
        Ok(args) => commands::run(args)?,
        // Help or the version.
        Err(text) => text.print()?,
    }
    Ok(io::stdout().flush()?)
}

/// The parser's error with shorter quotations: it quotes no more of the command line than other
/// errors do.
fn quoting_little(mut error: clap::Error) -> clap::Error {
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidSubcommand, ContextKind::InvalidValue]
    {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let shown = excerpt(text);
            if shown != *text {
                error.insert(kind, ContextValue::String(shown));
                // The message repeats the argument.
                error.insert(ContextKind::Suggested, ContextValue::None);
            }
        }
    }
    error
}
