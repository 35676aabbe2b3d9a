//! Checks that the README's commands work, and the recipes for a variant and a metric.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

const README: &str = include_str!("../../../README.md");

/// The commands in the README's `sh` blocks.
fn commands() -> Vec<&'static str> {
    let blocks = README.split("```sh\n").skip(1);
    blocks.filter_map(|block| block.split("\n```").next()).collect()
}

/// A copy of the workspace with an additional variant of draughts and an additional metric, both
/// called `toy`, each a row as CONTRIBUTING.md says. It is built once for the README's command and
/// the recipes.
fn workspace() -> &'static Path {
    static COPY: LazyLock<PathBuf> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-more-of-each");
        mirror(root, &copy, &|path, bytes| {
            let edits: &[Edit] = match path {
                _ if path.ends_with("draughts/rules.rs") => &VARIANT,
                _ if path.ends_with("metric/mod.rs") => &METRIC,
                _ if path.ends_with("args/shared.rs") => &METRIC_NAME,
                _ => return bytes,
            };
            let text = String::from_utf8(bytes).expect("text");
            edits.iter().fold(text, |text, edit| edited(&text, edit)).into_bytes()
        });
        copy
    });
    &COPY
}

/// A text of the workspace, and its replacement.
type Edit = [&'static str; 2];

/// Kings move one step and men capture backwards: damka has no such game.
const VARIANT: [Edit; 1] = [[
    "variants! { $\n",
    "variants! { $
    /// A toy.
    Toy = Rules { name: \"toy\", flying_kings: false, promotion: Promotion::AtEnd, ..RUSSIAN };
",
]];

/// A metric like WDL, with another name.
const METRIC: [Edit; 3] = [
    ["    Dtw = 1,\n", "    Dtw = 1,\n    /// A toy.\n    Toy = 2,\n"],
    [
        "[Metric; 2] = [Metric::Wdl, Metric::Dtw]",
        "[Metric; 3] = [Metric::Wdl, Metric::Dtw, Metric::Toy]",
    ],
    [
        "        match self {
            Metric::Wdl => &Row",
        "        match self {
            Metric::Toy => &Row {
                name: \"toy\",
                has_distances: false,
                derived_from: &[Metric::Wdl, Metric::Dtw],
            },
            Metric::Wdl => &Row",
    ],
];

/// The metric on the command line.
const METRIC_NAME: [Edit; 2] = [
    ["    /// Win, draw or loss.\n", "    /// A toy.\n    Toy,\n    /// Win, draw or loss.\n"],
    [
        "            MetricName::Wdl => Metric::Wdl,\n",
        "            MetricName::Wdl => Metric::Wdl,\n            MetricName::Toy => Metric::Toy,\n",
    ],
];

/// Applies an edit, which must match once.
fn edited(text: &str, [from, to]: &Edit) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replace(from, to)
}

/// Copies the files of a build. Equal files are not written again, so that they are not compiled
/// again.
fn mirror(from: &Path, to: &Path, edit: &dyn Fn(&Path, Vec<u8>) -> Vec<u8>) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" || entry.file_name() == ".git" {
            continue;
        }
        if entry.file_type().expect("a type").is_dir() {
            mirror(&from, &to, edit);
            continue;
        }
        let edited = edit(&from, fs::read(&from).expect("a file"));
        if fs::read(&to).ok().as_ref() != Some(&edited) {
            fs::write(&to, edited).expect("a file");
        }
    }
}

/// Runs a command in the copy of the workspace with this input; returns its output.
fn run_reading(command: &str, tables: &Path, input: &str) -> String {
    let mut child = Command::new("sh")
        .args(["-c", command])
        .current_dir(workspace())
        .env("DAMKA_TABLES", tables)
        .env("CARGO_TARGET_DIR", workspace().join("target"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn run(command: &str, tables: &Path) -> String {
    run_reading(command, tables, "")
}

/// The first command compiles damka, which answers. `the_first_command_of_the_readme_answers_from_nothing`
/// (cli/tests/cli/probe.rs) compares the answer.
#[test]
#[ignore = "builds a copy of the workspace: .ci/nightly does"]
fn the_first_command_compiles_damka() {
    let tables = tempfile::tempdir().expect("a directory");
    let answer = run(commands()[0], tables.path());
    assert!(answer.contains("White wins in 25 plies"), "{answer}");
}

/// The README's first command builds damka without the bot and its dependencies. A message says how to
/// get the bot.
#[test]
#[ignore = "builds a copy of the workspace: .ci/nightly does"]
fn the_first_command_is_built_without_the_bot() {
    let tables = tempfile::tempdir().expect("a directory");
    let bot = "bot dagaz --url http://127.0.0.1:1 --user me";
    let output = run(&format!("cargo run --quiet -- {bot} 2>&1; test $? = 2"), tables.path());
    let install = "cargo install --path cli --locked --features bot";
    assert!(output.contains(install) && README.contains(install), "{output}");
    let tree = run("cargo tree -p damka-cli --edges normal --prefix none --offline", tables.path());
    for package in ["ureq", "rustls", "ring", "tracing-subscriber"] {
        let is_same = |line: &str| line.split(' ').next() == Some(package);
        assert!(!tree.lines().any(is_same), "{package}: {tree}");
    }
}

/// With one row of flags, a variant of draughts has rules, tables, verification, a search, and Hub.
#[test]
#[ignore = "builds a copy of the workspace: .ci/nightly does"]
fn a_variant_is_a_row() {
    let tables = tempfile::tempdir().expect("a directory");
    let damka = |words: &str, input: &str| {
        run_reading(&format!("cargo run --quiet -- {words}"), tables.path(), input)
    };
    // Without kings the game is like Russian draughts; the number is published.
    assert!(damka("perft toy 4", "").contains("1469"));
    damka("gen toy 3 --progress none", "");
    let verified = damka("verify toy --progress none", "");
    assert!(verified.contains("every value follows from its successors"), "{verified}");
    // A king that moves one step has one move here, and cannot reach the other king as in Russian
    // draughts.
    let corner = "'W:WKa1:BKg7'";
    let answer = damka(&format!("probe toy {corner} --no-build --json"), "");
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    let moves = answer["moves"].as_array().expect("moves");
    assert_eq!((moves.len(), moves[0]["move"].as_str()), (1, Some("a1-b2")), "{answer}");
    let found = damka(&format!("search toy {corner} --depth 3 --json"), "");
    assert!(found.contains(r#""move":"a1-b2""#), "{found}");
    let start = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    let script = format!("hub\ninit\npos pos=W{start}\nlevel depth=1\ngo think\nquit\n");
    let output = damka("engine toy", &script);
    assert!(output.contains("name=variant value=toy"), "{output}");
    assert!(output.contains("\ndone move="), "{output}");
}

/// With one row, a metric whose values follow from another's has tables, verification, digests and
/// counts.
#[test]
#[ignore = "builds a copy of the workspace: .ci/nightly does"]
fn a_metric_is_a_row() {
    let tables = tempfile::tempdir().expect("a directory");
    let damka = |words: &str| run(&format!("cargo run --quiet -- {words}"), tables.path());
    damka("gen russian 3 --metric wdl,toy --progress none");
    let directory = tables.path().join("russian");
    let [wdl, toy] = ["KKvM.wdl", "KKvM.toy"].map(|name| fs::metadata(directory.join(name)));
    assert_eq!(wdl.expect("a table").len(), toy.expect("a table").len());
    let digests = damka("tables russian --digests");
    assert!(digests.contains("russian KKvM toy ") && !digests.contains(" dtw "), "{digests}");
    assert!(damka("verify russian --progress none").contains("every value follows"));
}

/// `.ci/run` runs the test command of the README.
#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let script = include_str!("../../../.ci/run");
    let test = commands()[1];
    assert!(script.lines().any(|line| line.trim() == test), "{test} is not in .ci/run");
}
