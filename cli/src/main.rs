//! `damka`, the command line. The only crate that talks to a terminal.

mod args;
mod commands;
mod failure;
mod profile;
mod progress;
mod words;

use clap::Parser;
use failure::Failure;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Reader(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            // Whoever reads our output has seen enough.
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
