//! Help, man pages and completions.

use crate::Place;
use damka_games::AnyGame;
use std::fs;

const COMMANDS: [&str; 20] = [
    "gen",
    "plan",
    "rehearse",
    "probe",
    "line",
    "search",
    "bench",
    "engine",
    "bot",
    "match",
    "book",
    "play",
    "rules",
    "tables",
    "stats",
    "list",
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

/// Help begins with what a command does; then come usage, options and examples. Rules are in a
/// command of their own.
#[test]
fn help_begins_with_what_a_command_does() {
    let place = Place::new();
    for command in COMMANDS {
        let help = place.damka(&format!("{command} --help")).success();
        let mut lines = help.lines();
        let about = lines.next().unwrap_or_default();
        assert!(about.starts_with(char::is_uppercase) && about.len() < 100, "{about}");
        assert_eq!(lines.next(), Some(""), "{help}");
        assert!(lines.next().is_some_and(|usage| usage.starts_with("Usage: damka ")), "{help}");
        let examples = help.split_once("\nExample").expect("examples").1;
        let examples = examples.split_once('\n').expect("lines").1;
        assert!(examples.lines().all(|line| line.starts_with("  ")), "{examples}");
        for game in AnyGame::all() {
            assert!(!help.contains(&game.summary()), "{command} --help has rules");
        }
    }
}

#[test]
fn rules_have_their_own_command() {
    let place = Place::new();
    let all = place.damka("rules").success();
    let json = place.damka("rules --json").success();
    assert_eq!(json.lines().count(), AnyGame::all().count());
    for (game, json) in AnyGame::all().zip(json.lines()) {
        let summary = game.summary();
        let line = all.lines().find(|line| line.split(' ').next() == Some(game.name()));
        assert!(line.is_some_and(|line| line.ends_with(&summary)), "{all}");
        let text = place.damka(&format!("rules {}", game.name())).success();
        assert!(summary.split("; ").all(|rule| text.contains(&format!("  {rule}\n"))), "{text}");
        let object: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(object["game"], game.name());
        let rules: Vec<_> = object["rules"].as_array().into_iter().flatten().collect();
        assert_eq!(rules.len(), summary.split("; ").count());
        let start = object["start"].as_str().expect("a FEN");
        assert!(text.contains(start), "{text}");
    }
    let text = place.damka("rules Checkers").success();
    assert!(text.starts_with("english, also checkers, american\n"), "{text}");
    assert!(text.contains("A capture must be made"), "{text}");
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
        for section in ["SYNOPSIS", "EXAMPLES", "\"EXIT STATUS\"", "ENVIRONMENT", "FILES"] {
            assert_eq!(text.matches(&format!(".SH {section}\n")).count(), 1, "{page}: {section}");
        }
        // Name, section, no date, and the version as the source.
        let name = page.strip_suffix(".1").expect("a page of section 1");
        let source = concat!("\"damka ", env!("CARGO_PKG_VERSION"), "\"");
        let title = format!("\n.TH {name} 1 \"\" {source} damka\n");
        assert!(text.contains(&title), "{page}: {text:.200}");
        assert!(!text.contains("EXTRA") && text.contains("verification failed"), "{page}");
    }
    let page = fs::read_to_string(directory.join("damka-match.1")).expect("a page");
    let examples = page.split(".SH EXAMPLES\n").nth(1).and_then(|rest| rest.split(".SH").next());
    let examples = examples.expect("examples");
    assert!(examples.starts_with(".nf\n  damka match russian "), "{examples}");
    // Text above the examples is in the description.
    let text = "search that counts material";
    assert!(!examples.contains(text) && page.contains(text));
}

/// Exit codes are listed in help and documents.
#[test]
fn exit_codes_are_the_same_everywhere() {
    let help = Place::new().damka("--help").success();
    let codes = help.split("Exit codes:\n").nth(1).expect("exit codes").lines();
    let codes = codes.map_while(|line| line.trim().split_once(' '));
    let codes: Vec<_> = codes.map(|(code, meaning)| (code, meaning.trim())).collect();
    let guide = include_str!("../../../docs/GUIDE.md");
    let table = guide.split("| exit code | meaning |\n|---|---|\n").nth(1).expect("the table");
    let rows = table.lines().map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows: Vec<_> = rows.filter_map(|row| row.split_once(" | ")).collect();
    assert_eq!(codes, rows);
    assert_eq!(codes.len(), 7);
}

#[cfg(unix)]
#[test]
fn man_pages_that_cannot_be_written_are_reported() {
    let message = Place::new().damka("man /dev/null/man").failure(1);
    assert!(message.contains("cannot write /dev/null/man: null is not a directory"), "{message}");
}
