//! Completions and man pages, from the definition of the arguments.

use super::input::cannot_write;
use crate::args;
use crate::failure::Failure;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use damka_system::{create_directories, write_atomically};
use std::io::{self, Write};
use std::path::Path;

/// Titles of paragraphs in the help, and the sections of man pages that they become, in order.
const TITLES: [(&str, &str); 5] = [
    ("Example:", "EXAMPLES"),
    ("Examples:", "EXAMPLES"),
    ("Exit codes:", "EXIT STATUS"),
    ("Environment:", "ENVIRONMENT"),
    ("Files:", "FILES"),
];

/// `damka completions`.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut args::command(), "damka", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// `damka man`.
pub(crate) fn man(directory: Option<&Path>) -> Result<(), Failure> {
    let mut main = args::command().disable_help_subcommand(true);
    main.build();
    let Some(directory) = directory else {
        return Ok(io::stdout().write_all(&page(&main, &main)?)?);
    };
    create_directories(directory).map_err(|error| cannot_write(directory, &error))?;
    write_pages(&main, &main, directory)
}

/// Writes the pages of `command` and its subcommands.
fn write_pages(command: &Command, main: &Command, directory: &Path) -> Result<(), Failure> {
    for subcommand in command.get_subcommands() {
        write_pages(subcommand, main, directory)?;
    }
    let path = directory.join(Man::new(command.clone()).get_filename());
    write_atomically(&path, &page(command, main)?).map_err(|error| cannot_write(&path, &error))
}

/// The page of `command`. If its help has no section on files, variables or exit codes, that of `main`
/// is used.
fn page(command: &Command, main: &Command) -> io::Result<Vec<u8>> {
    let source = concat!("damka ", env!("CARGO_PKG_VERSION"));
    // A page has a version, not a date. The empty date is quoted, so that the next field is not
    // read as the date.
    let man = Man::new(command.clone()).date("\"\"").source(source).manual("damka");
    let (notes, own) = help(command);
    let (_, general) = help(main);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for note in notes {
        let mut roff = Roff::new();
        roff.control("PP", []);
        // Line breaks of a list are kept.
        match note.starts_with(' ') {
            true => roff.control("nf", []).text([roman(note)]).control("fi", []),
            false => roff.text([roman(note)]),
        };
        roff.to_writer(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    for (title, name) in TITLES {
        let inherited =
            || general.iter().filter(|_| name != "EXAMPLES").find(|part| part.0 == title);
        if let Some((_, text)) = own.iter().find(|part| part.0 == title).or_else(inherited) {
            let mut roff = Roff::new();
            roff.control("SH", [name]).control("nf", []).text([roman(text)]).control("fi", []);
            roff.to_writer(&mut page)?;
        }
    }
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The text after the options in the help of a command: the paragraphs without one of [`TITLES`], and
/// those with one as title and text.
fn help(command: &Command) -> (Vec<String>, Vec<(String, String)>) {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let (mut notes, mut parts) = (Vec::new(), Vec::new());
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) {
        match paragraph.split_once('\n') {
            Some((title, text)) if TITLES.iter().any(|known| known.0 == title) => {
                parts.push((title.to_owned(), text.to_owned()));
            }
            _ => notes.push(paragraph.to_owned()),
        }
    }
    (notes, parts)
}
