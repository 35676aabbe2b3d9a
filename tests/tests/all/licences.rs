//! What damka is made of: which licences its dependencies have, and which of them come in
//! several versions. A new licence or a new duplicate is a decision, made in these lists.

use serde_json::{Value, json};
use spdx::{Expression, LicenseReq};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What is in what people get asks nothing of them but to keep the notices. `ISC` is what TLS is
/// written under, `CDLA-Permissive-2.0` the list of authorities that it trusts, which is data.
const SHIPPED: [&str; 9] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "Unlicense",
    "Unicode-3.0",
];

/// What only builds and tests it may ask for changes of itself as well.
const TOOLS: [&str; 1] = ["MPL-2.0"];

/// Crates of which several versions are used, one of them at most in what ships, but for those below.
const DUPLICATES: [&str; 3] = ["getrandom", "syn", "winnow"];

/// Small crates that ship in two versions: TLS (ring) asks the system for random numbers by another
/// one than temporary files do.
const SHIPPED_TWICE: [&str; 1] = ["getrandom"];

/// The crates of this workspace that do not ship.
const NOT_SHIPPED: [&str; 1] = ["damka-tests"];

/// What cargo knows of the workspace and all that it is made of on this platform.
fn metadata() -> Value {
    let output = |command: &mut Command| {
        let output = command.output().expect("cargo and rustc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let version = output(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let text = output(
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
            .current_dir(env!("CARGO_MANIFEST_DIR")),
    );
    serde_json::from_str(&text).expect("JSON")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The names of the crates, by id.
fn names(metadata: &Value) -> BTreeMap<&str, &str> {
    list(&metadata["packages"])
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect()
}

/// The ids of the crates that become part of what ships.
fn shipped(metadata: &Value) -> BTreeSet<&str> {
    let names = names(metadata);
    let nodes = list(&metadata["resolve"]["nodes"]);
    let nodes: BTreeMap<&str, &Value> = nodes.map(|node| (text(&node["id"]), node)).collect();
    let own = list(&metadata["workspace_members"]).map(text);
    let mut open: Vec<&str> = own.filter(|id| !NOT_SHIPPED.contains(&names[id])).collect();
    let mut shipped = BTreeSet::new();
    while let Some(id) = open.pop() {
        if shipped.insert(id) {
            // Neither what only builds nor what only tests: those kinds have names.
            let is_part = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null());
            open.extend(list(&nodes[id]["deps"]).filter(is_part).map(|dep| text(&dep["pkg"])));
        }
    }
    shipped
}

/// The crates whose licences allow more than `SHIPPED` and, for tools, `TOOLS` say.
fn refused(metadata: &Value) -> Vec<String> {
    let shipped = shipped(metadata);
    let is_refused = |package: &&Value| {
        let is_shipped = shipped.contains(text(&package["id"]));
        let is_allowed = |wanted: &LicenseReq| {
            let name = wanted.license.id().map_or("", |id| id.name);
            SHIPPED.contains(&name) || !is_shipped && TOOLS.contains(&name)
        };
        let licence = Expression::parse_mode(text(&package["license"]), spdx::ParseMode::LAX);
        !licence.is_ok_and(|licence| licence.evaluate(is_allowed))
    };
    let refused = list(&metadata["packages"]).filter(is_refused);
    refused.map(|package| [text(&package["name"]), text(&package["license"])].join(": ")).collect()
}

#[test]
fn licences_are_those_that_were_agreed_to() {
    let metadata = metadata();
    assert_eq!(refused(&metadata), [""; 0]);
    let shipped = shipped(&metadata);
    let names = names(&metadata);
    let ships = |name: &str| shipped.iter().any(|id| names[id] == name);
    assert!(ships("damka") && ships("zstd-sys") && ships("blake3"));
    assert!(!ships("proptest") && !ships("cbindgen") && !ships("damka-tests"));
}

/// A crate of another licence, under what ships and under what tests.
#[test]
fn other_licences_are_refused() {
    let mut metadata = metadata();
    let cli = names(&metadata).into_iter().find(|(_, name)| *name == "damka").expect("the cli");
    let cli = cli.0.to_owned();
    for (licence, kind, is_refused) in [
        ("GPL-3.0-only", Value::Null, true),
        ("GPL-3.0-only", json!("dev"), true),
        ("AGPL-3.0-or-later", Value::Null, true),
        ("MIT AND LGPL-2.1-only", Value::Null, true),
        ("MPL-2.0", Value::Null, true),
        ("MPL-2.0", json!("build"), false),
        ("", Value::Null, true),
        ("GPL-2.0-only OR MIT", Value::Null, false),
    ] {
        let before = metadata.clone();
        let nodes = metadata["resolve"]["nodes"].as_array_mut().expect("nodes");
        let own = nodes.iter_mut().find(|node| node["id"] == *cli).expect("the cli's node");
        let dep = json!({ "name": "other", "pkg": "other 1", "dep_kinds": [{ "kind": kind }] });
        own["deps"].as_array_mut().expect("deps").push(dep);
        nodes.push(json!({ "id": "other 1", "deps": [] }));
        let package = json!({ "id": "other 1", "name": "other", "license": licence });
        metadata["packages"].as_array_mut().expect("packages").push(package);
        assert_eq!(!refused(&metadata).is_empty(), is_refused, "{licence} as {kind}");
        metadata = before;
    }
}

#[test]
fn several_versions_are_those_that_were_agreed_to() {
    let metadata = metadata();
    let shipped = shipped(&metadata);
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names(&metadata).values() {
        *versions.entry(name).or_default() += 1;
    }
    let several = versions.into_iter().filter(|(_, count)| *count > 1).map(|(name, _)| name);
    assert_eq!(several.collect::<Vec<_>>(), DUPLICATES);
    let names = names(&metadata);
    for duplicate in DUPLICATES {
        let count = shipped.iter().filter(|id| names[*id] == duplicate).count();
        let most = if SHIPPED_TWICE.contains(&duplicate) { 2 } else { 1 };
        assert!(count <= most, "{duplicate}");
    }
}
