//! Compares docs/JSON.md with the output of the commands.

use crate::{Outcome, Place, outcome};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const PAGE: &str = include_str!("../../../docs/JSON.md");

/// Keys whose values differ from machine to machine.
const VOLATILE: &[&str] = &["command", "directory", "seconds", "memory_bytes"];

/// Commands whose figures change when the engine improves: only keys and types are compared.
const FREE: &[&str] = &["search", "match"];

/// A command of the page, and the objects that the page shows after it.
struct Example {
    words: Vec<String>,
    with_errors: bool,
    shown: Vec<Value>,
}

/// The part of the page below a heading.
struct Section {
    examples: Vec<Example>,
    documented: BTreeSet<String>,
}

fn sections() -> Vec<Section> {
    PAGE.split("\n## ").skip(1).map(section).collect()
}

fn section(text: &str) -> Section {
    let mut examples: Vec<Example> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ damka ") {
            let (command, with_errors) = match command.strip_suffix(" 2>&1") {
                Some(command) => (command, true),
                None => (command, false),
            };
            examples.push(Example { words: words(command), with_errors, shown: Vec::new() });
        } else if line.starts_with('{') {
            let object =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            examples.last_mut().expect("a command").shown.push(object);
        }
    }
    let first_cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let keys = first_cells.flat_map(|cell| cell.split(", "));
    let documented = keys.map(|key| key.trim_matches('`').to_owned()).collect();
    Section { examples, documented }
}

/// The words of a command line with single quotes.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let parts = parts.map(|(part, text)| match part % 2 {
        0 => text.replace(' ', "\n"),
        _ => text.to_owned(),
    });
    parts.collect::<String>().split('\n').map(str::to_owned).collect()
}

/// Adds the keys of all objects in a value.
fn collect_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                keys.insert(key.clone());
                collect_keys(value, keys);
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect_keys(value, keys)),
        _ => {}
    }
}

/// Asserts that two values have the same keys and types, and the same values unless `is_free`.
fn assert_alike(shown: &Value, printed: &Value, is_free: bool) {
    match (shown, printed) {
        (Value::Object(shown), Value::Object(printed)) => {
            assert!(shown.keys().eq(printed.keys()), "{shown:?}\n{printed:?}");
            for (key, value) in shown {
                let is_free = is_free || VOLATILE.contains(&key.as_str());
                assert_alike(value, &printed[key], is_free);
            }
        }
        (Value::Array(shown), Value::Array(printed)) => {
            assert!(is_free || shown.len() == printed.len(), "{shown:?}\n{printed:?}");
            shown.iter().zip(printed).for_each(|(a, b)| assert_alike(a, b, is_free));
        }
        (Value::Number(_), Value::Number(_)) | (Value::String(_), Value::String(_)) if is_free => {}
        (Value::Null, _) | (_, Value::Null) if is_free => {}
        _ => assert_eq!(shown, printed),
    }
}

/// A place with the files that the examples need.
fn place() -> Place {
    let place = Place::with("russian KvM");
    place.generate("chess KPvK");
    let games = "1. c3-d4 b6-a5 1-0\n\n1. c3-d4 1/2-1/2\n\n1. e3-f4 0-1\n";
    fs::write(place.home().join("games.pdn"), games).expect("games");
    let tags = "[White \"Ivanov\"]\n[Black \"Petrov\"]\n[FEN \"W:WKb8:Bd4\"]";
    let game = format!("{tags}\n\n1. b8-a7 d4-c3 *\n");
    fs::write(place.home().join("endgame.pdn"), game).expect("a game");
    let words = ["book", "build", "russian", "my.book", "games.pdn"];
    outcome(place.command().current_dir(place.home()).args(words)).success();
    place
}

#[test]
fn the_page_shows_what_the_commands_print() {
    let (place, empty) = (place(), Place::new());
    for example in sections().into_iter().flat_map(|section| section.examples) {
        // `plan` and `gen` leave out existing tables.
        let is_new = ["plan", "gen"].contains(&example.words[0].as_str());
        let place = if is_new { &empty } else { &place };
        let mut command = place.command();
        let Outcome { stdout, stderr, .. } =
            outcome(command.current_dir(place.home()).args(&example.words));
        let text = if example.with_errors { stdout + &stderr } else { stdout };
        let printed = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let printed = printed.filter(|object: &Value| object["event"] != "progress");
        let printed: Vec<Value> = printed.collect();
        assert_eq!(printed.len(), example.shown.len(), "{:?}: {text}{stderr}", example.words);
        for (shown, printed) in example.shown.iter().zip(&printed) {
            assert_alike(shown, printed, FREE.contains(&example.words[0].as_str()));
            assert_eq!(printed["schema"], 1);
        }
    }
}

#[test]
fn every_key_is_documented() {
    let sections = sections();
    let common = &sections[0].documented;
    for section in &sections {
        let mut keys = BTreeSet::new();
        let shown = section.examples.iter().flat_map(|example| &example.shown);
        shown.for_each(|object| collect_keys(object, &mut keys));
        let known = |key: &&String| common.contains(*key) || section.documented.contains(*key);
        let missing: Vec<&String> = keys.iter().filter(|key| !known(key)).collect();
        assert!(missing.is_empty(), "not documented: {missing:?}");
    }
    let examples = sections.iter().map(|section| section.examples.len()).sum::<usize>();
    assert!(examples > 12, "{examples} examples");
}
