//! Completions and man pages, from the one definition of the arguments.

use crate::args::Args;
use crate::failure::Failure;
use clap::CommandFactory;
use std::io::{self, Write};
use std::path::Path;

/// `damka completions`.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "damka", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// `damka man`.
pub(crate) fn man(directory: Option<&Path>) -> Result<(), Failure> {
    let Some(directory) = directory else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Args::command()).render(&mut page)?;
        return Ok(io::stdout().write_all(&page)?);
    };
    let failure =
        |error| Failure::System(format!("cannot write to {}: {error}", directory.display()));
    std::fs::create_dir_all(directory).map_err(failure)?;
    clap_mangen::generate_to(Args::command(), directory).map_err(failure)
}
