//! The README's commands work as they stand there.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The commands in the README's `sh` blocks.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("\n```").next()).collect()
}

/// The output that the README shows behind a command.
fn shown(command: &str) -> &'static str {
    let block = README.split("```console\n").find_map(|block| {
        let (first, rest) = block.split_once('\n')?;
        (first == format!("$ {command}")).then_some(rest)
    });
    let output = block.and_then(|rest| rest.split("\n```").next());
    output.expect("an example in the README")
}

fn run(command: &str, tables: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .env("DAMKA_TABLES", tables)
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The first command builds the tables it needs and answers what the README shows.
#[test]
fn the_first_command_answers_from_nothing() {
    let tables = tempfile::tempdir().expect("a directory");
    let [probe, test] = commands()[..] else { panic!("two commands: {:?}", commands()) };
    assert_eq!(test, "cargo test --workspace", "you are running it");
    let position = "russian 'W:WKf8,Ke7,Kh6:BKb8'";
    assert_eq!(probe, format!("cargo run --release -- probe {position}"));
    let answer = run(probe, tables.path());
    assert_eq!(answer.trim_end(), shown(&format!("damka probe {position}")));
    let line = run(&probe.replace("probe", "line"), tables.path());
    assert_eq!(line.trim_end(), shown(&format!("damka line {position}")));
}

/// What lands has passed the very command that the README gives.
#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let script = include_str!("../../../.ci/run");
    let test = commands()[1];
    assert!(script.lines().any(|line| line == test), "{test} is not in .ci/run");
}
