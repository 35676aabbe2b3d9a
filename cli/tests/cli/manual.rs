//! Help, man pages and completions.

use crate::Place;
use std::fs;

const COMMANDS: [&str; 14] = [
    "gen",
    "probe",
    "line",
    "search",
    "bench",
    "engine",
    "match",
    "book",
    "play",
    "stats",
    "verify",
    "perft",
    "completions",
    "man",
];

#[test]
fn help_teaches_with_examples() {
    let place = Place::new();
    let main = place.damka("--help").success();
    assert!(main.contains("Examples:\n") && main.contains("Exit codes:\n"), "{main}");
    for command in COMMANDS {
        assert!(main.contains(&format!("\n  {command} ")), "{command} is not in the help");
        let help = place.damka(&format!("{command} --help")).success();
        assert!(help.contains(&format!("\n  damka {command} ")), "{help}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let text = Place::new().damka("--version").success();
    assert_eq!(text, concat!("damka ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn there_are_completions_for_every_shell() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.damka(&format!("completions {shell}")).success();
        for word in COMMANDS.iter().chain(&["no-build", "memory"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
}

#[test]
fn the_man_page_is_printed() {
    let page = Place::new().damka("man").success();
    assert!(page.contains(".TH damka 1"), "{page}");
    assert!(page.contains("damka probe russian"), "the examples are missing:\n{page}");
}

#[test]
fn every_command_has_its_man_page() {
    let place = Place::new();
    let directory = place.home().join("share/man/man1");
    let mut command = place.command();
    crate::outcome(command.arg("man").arg(&directory)).success();
    for page in
        COMMANDS.map(|command| format!("damka-{command}.1")).iter().chain(&["damka.1".into()])
    {
        let text = fs::read_to_string(directory.join(page)).expect("a page");
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
}

#[cfg(unix)]
#[test]
fn man_pages_that_cannot_be_written_are_told() {
    let message = Place::new().damka("man /dev/null/man").failure(1);
    assert!(message.contains("cannot write to /dev/null/man"), "{message}");
}
