//! `damka site`: the files it writes, and its errors.

use crate::Place;
#[cfg(unix)]
use crate::interrupt::Running;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A fake WebAssembly reader: the command copies its files without reading them.
fn reader(place: &Place) -> String {
    let directory = place.home().join("reader");
    fs::create_dir_all(&directory).expect("a directory");
    for name in ["damka.wasm", "client.js", "worker.js", "index.d.ts"] {
        fs::write(directory.join(name), name).expect("a file");
    }
    format!("--wasm {}", directory.display())
}

/// All files below a directory, with their contents.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(next) = directories.pop() {
        for entry in fs::read_dir(&next).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else {
                let name = path.strip_prefix(directory).expect("below it").to_string_lossy();
                let name = name.replace(std::path::MAIN_SEPARATOR, "/");
                files.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

/// The names of files that differ between two sites, or are in only one.
fn differing<'a>(
    one: &'a BTreeMap<String, Vec<u8>>,
    other: &'a BTreeMap<String, Vec<u8>>,
) -> Vec<&'a str> {
    let differs = |name: &&String| one.get(*name) != other.get(*name);
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(differs).map(String::as_str).collect()
}

/// Runs `damka site`, and returns the summary.
fn write(place: &Place, site: &Path, more: &str) -> Value {
    let words = format!("site {} --no-build --json {} {more}", site.display(), reader(place));
    serde_json::from_str(&place.damka(&words).success()).expect("an object")
}

/// The object of a file of a site.
fn object(site: &Path, file: &str) -> Value {
    serde_json::from_slice(&fs::read(site.join(file)).expect("a file")).expect("an object")
}

/// Asserts that every file named by another file exists, and that there is no other file.
fn assert_whole(site: &Path) {
    let there = files(site);
    let manifest = object(site, "site.json");
    let mut named: Vec<String> =
        ["damka-site.txt", ".nojekyll", "index.html", "site.json", "sw.js"]
            .map(str::to_owned)
            .into();
    let worker = String::from_utf8(there["sw.js"].clone()).expect("text");
    let line = worker.lines().next().expect("a line");
    let line = line.strip_prefix("const SITE = ").and_then(|line| line.strip_suffix(';'));
    let shell: Value = serde_json::from_str(line.expect("the files")).expect("an object");
    assert_eq!(shell["version"], manifest["version"]);
    let texts = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|text| text.as_str().expect("a text").to_owned()).collect()
    };
    named.extend(texts(&shell["files"]));
    for game in manifest["games"].as_array().expect("a list") {
        let index = game["index"].as_str().expect("a file");
        named.push(index.to_owned());
        let materials = object(site, index)["materials"].clone();
        let materials: BTreeMap<String, String> = serde_json::from_value(materials).expect("files");
        named.extend(materials.into_values());
        let directory = game["directory"].as_str().expect("a directory");
        named.extend(there.keys().filter(|file| file.starts_with(directory)).cloned());
        let chunks = &object(site, &format!("{directory}tables.json"))["chunks"];
        let count = there.keys().filter(|file| file.starts_with(directory)).count() as u64;
        // The counted chunks, the list of them, and this file.
        assert_eq!(chunks["count"].as_u64().expect("a number") + 2, count);
    }
    named.sort();
    let there: Vec<String> = there.into_keys().collect();
    assert_eq!(named, there);
}

#[test]
fn a_site_has_what_its_files_name_and_nothing_else() {
    let place = Place::with("russian 3");
    let site = place.home().join("site");
    let summary = write(&place, &site, "");
    assert_whole(&site);
    let [game] = &summary["games"].as_array().expect("a list")[..] else { panic!("one game") };
    assert_eq!(game["game"], "russian");
    assert_eq!(summary["files"].as_u64(), Some(files(&site).len() as u64));
    let bytes: usize = files(&site).values().map(Vec::len).sum();
    assert_eq!(summary["bytes"].as_u64(), Some(bytes as u64));
    assert!(!files(&site).keys().any(|file| file.ends_with(".d.ts")));

    // All files that the page names exist; it names its source, and nothing of the server.
    let page = fs::read_to_string(site.join("index.html")).expect("the page");
    for part in page.split("href=\"").chain(page.split("src=\"")).skip(1) {
        let path = part.split('"').next().expect("a path");
        assert!(site.join(path).is_file() || part.starts_with('<'), "{path}");
    }
    assert!(page.contains("name=\"damka-site\""), "{page}");
    assert!(!page.contains("api/"), "{page}");
}

/// The lists of the site agree with the output of the commands.
#[test]
fn numbers_and_lists_are_those_of_the_tables() {
    let place = Place::with("russian 3");
    let site = place.home().join("site");
    write(&place, &site, "");
    let game = object(&site, "site.json")["games"][0].clone();
    let index = object(&site, game["index"].as_str().expect("a file"));
    let output = place.damka("stats russian KKvK --json").success();
    let rows: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    let stats = index["stats"].as_array().expect("a list");
    let stats: Vec<&Value> = stats.iter().filter(|row| row["signature"] == "KKvK").collect();
    assert_eq!(stats.len(), 2);
    for (side, row) in stats.iter().zip(&rows) {
        assert_eq!((&side["wins"], &side["longest_win"]), (&row["wins"], &row["longest_win"]));
    }
    let material = object(&site, index["materials"]["KKvK"].as_str().expect("a file"));
    let lists = material["lists"].as_array().expect("lists");
    assert_eq!(lists.len(), 3);
    let zugzwangs = lists.iter().find(|list| list["zugzwang"] == true).expect("a list");
    let listed = place.damka("list russian KKvK --zugzwang --json --limit 120").success();
    let listed: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).expect("a position")).collect();
    let fens =
        |list: &[Value]| -> Vec<Value> { list.iter().map(|one| one["fen"].clone()).collect() };
    assert_eq!(fens(zugzwangs["positions"].as_array().expect("a list")), fens(&listed));
}

#[test]
fn a_second_run_changes_nothing_and_new_tables_are_added() {
    let place = Place::with("russian 2");
    let site = place.home().join("site");
    write(&place, &site, "");
    let before = files(&site);
    // Other files are not removed.
    fs::write(site.join("CNAME"), "example.org").expect("a file");
    write(&place, &site, "");
    fs::remove_file(site.join("CNAME")).expect("it is there");
    assert_eq!(differing(&before, &files(&site)), Vec::<&str>::new());

    place.damka("gen russian 3").success();
    write(&place, &site, "");
    assert_whole(&site);
    assert_ne!(before["site.json"], files(&site)["site.json"]);
    // With fewer pieces, the files of the larger tables are removed.
    write(&place, &site, "--pieces 2");
    assert_eq!(differing(&before, &files(&site)), Vec::<&str>::new());
}

#[test]
fn a_game_that_is_left_out_goes() {
    let place = Place::with("russian 2");
    place.damka("gen alapo 2").success();
    let site = place.home().join("site");
    let both = write(&place, &site, "");
    assert_eq!(both["games"].as_array().expect("a list").len(), 2);
    assert!(files(&site).keys().any(|file| file.starts_with("tables/alapo/")));
    let one = write(&place, &site, "--games russian");
    assert_eq!(one["games"].as_array().expect("a list").len(), 1);
    assert!(!files(&site).keys().any(|file| file.contains("alapo")));
    assert_whole(&site);
}

#[test]
fn directories_that_are_not_sites_are_refused() {
    let place = Place::with("russian 2");
    let (home, reader) = (place.home(), reader(&place));
    let refused = |words: &str, code: i32, about: &str| {
        let message = place.damka(words).failure(code);
        assert!(message.contains(about), "{message}");
    };
    let foreign = home.join("foreign");
    fs::create_dir(&foreign).expect("a directory");
    fs::write(foreign.join("index.html"), "mine").expect("a file");
    refused(
        &format!("site {} {reader}", foreign.display()),
        2,
        "files that do not belong to a site",
    );
    assert_eq!(fs::read(foreign.join("index.html")).expect("it is there"), b"mine");
    refused(&format!("site {} {reader}", foreign.join("index.html").display()), 1, "index.html");
    refused(
        &format!("site {} --wasm {}", home.join("s").display(), home.display()),
        2,
        "no damka.wasm",
    );
    refused(
        &format!("site {} --games chess --no-build {reader}", home.join("s").display()),
        3,
        "no tables",
    );
    refused(&format!("site {} --pieces 9 {reader}", home.join("s").display()), 2, "2 to 8");
    assert!(!home.join("s").exists());
}

/// A damaged table is named, and the previous site stays.
#[test]
fn a_damaged_table_is_named() {
    let place = Place::with("russian 3");
    let site = place.home().join("site");
    write(&place, &site, "");
    let before = files(&site);
    let table = place.table("russian/KMvK.dtw");
    let mut bytes = fs::read(&table).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&table, bytes).expect("a file");
    let words = format!("site {} --no-build {}", site.display(), reader(&place));
    let message = place.damka(&words).failure(4);
    assert!(message.contains("KMvK"), "{message}");
    for (file, bytes) in before {
        assert!(fs::read(site.join(&file)).is_ok_and(|now| now == bytes), "{file}");
    }
}

/// All commands report an unreadable table alike.
#[cfg(unix)]
#[test]
fn an_unreadable_table_is_not_reported_as_damaged() {
    let place = Place::with("russian 3");
    let site = place.home().join("site");
    write(&place, &site, "");
    let before = files(&site);
    let table = place.table("russian/KMvK.dtw");
    for lost in ["a link to nothing", "a directory"] {
        fs::remove_file(&table).expect("a table");
        match lost {
            "a directory" => fs::create_dir(&table).expect("a directory"),
            _ => std::os::unix::fs::symlink("nowhere", &table).expect("a link"),
        }
        let words = format!("site {} --no-build {}", site.display(), reader(&place));
        let message = place.damka(&words).failure(1);
        assert!(message.contains("KMvK.dtw cannot be read: "), "{message}");
        for words in ["stats russian", "plan russian 3", "gen russian 3 --progress none"] {
            assert_eq!(place.damka(words).failure(1), message, "{words}");
        }
    }
    assert_eq!(differing(&before, &files(&site)), Vec::<&str>::new());
}

/// A command killed at any time leaves the previous site, and the next one succeeds.
#[cfg(unix)]
#[test]
fn a_killed_command_leaves_the_previous_site() {
    let place = Place::with("russian 3");
    let undisturbed = place.home().join("undisturbed");
    write(&place, &undisturbed, "");
    let site = place.home().join("site");
    write(&place, &site, "--pieces 2");
    let before = files(&site);
    let words = format!("site {} --no-build {}", site.display(), reader(&place));
    for delay in [0, 5, 15, 40, 100] {
        let mut running = Running::start(&place, "stderr", &words);
        std::thread::sleep(std::time::Duration::from_millis(delay));
        running.signal("KILL");
        running.end();
        // The site is the previous one or the new one.
        let now = object(&site, "site.json");
        let shown = if now == object(&undisturbed, "site.json") { &undisturbed } else { &site };
        if shown == &site {
            for (file, bytes) in &before {
                let is_manifest = file.ends_with("tables.json");
                assert!(is_manifest || files(&site).get(file) == Some(bytes), "{file}");
            }
        }
    }
    write(&place, &site, "");
    assert_eq!(differing(&files(&undisturbed), &files(&site)), Vec::<&str>::new());
}
