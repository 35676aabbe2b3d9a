//! `damka tables`: a list of tables, and of damaged and unfinished ones.

use crate::Place;
use crate::json::{Row, read, read_all};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;

/// The object of a table.
#[derive(Deserialize, Serialize)]
struct Present {
    schema: u32,
    game: String,
    signature: String,
    metric: String,
    positions: u64,
    bytes: u64,
    half: bool,
    digest: String,
}

#[test]
fn tables_are_listed_by_game_pieces_and_metric() {
    let place = Place::with("russian 3");
    place.generate("russian KKKvK --metric wdl");
    place.generate("alapo KvF");
    let text = place.damka("tables").success();
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let directory = place.tables().to_string_lossy().into_owned();
    assert_eq!(lines.next(), Some(vec!["tables", "in", &directory]), "{text}");
    assert_eq!(lines.next(), Some(vec![]));
    let header = ["game", "pieces", "metric", "tables", "positions", "size"];
    assert_eq!(lines.next(), Some(header.to_vec()));
    // Numbers of signatures as in tables/results, and of positions as `gen` counts them.
    let expected = [
        "russian 2 wdl 3 of 3 2,758",
        "russian 2 dtw 3 of 3 2,758",
        "russian 3 wdl 6 of 6 173,844",
        "russian 3 dtw 6 of 6 173,844",
        "russian 4 wdl 1 of 14",
        "alapo 2 wdl 1 of 21",
        "alapo 2 dtw 1 of 21",
    ];
    for expected in expected {
        let line = lines.next().expect("a line").join(" ");
        assert!(line.starts_with(expected), "{expected}: {text}");
    }
    assert_eq!(lines.next(), None, "{text}");
}

#[test]
fn each_table_of_a_game_is_listed() {
    let place = Place::with("russian KMvM");
    place.generate("english KvK");
    let text = place.damka("tables russian --json").success();
    let (first, rest) = text.split_once('\n').expect("lines");
    let first: Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(first["directory"], place.tables().to_string_lossy().as_ref());
    let tables: Vec<Present> = read_all(rest);
    let files = place.files();
    let names = files.keys().filter(|name| name.starts_with("russian/") && !name.contains("/."));
    assert_eq!(tables.len(), names.count());
    let rows: Vec<Row> = read_all(&place.damka("stats russian --json").success());
    let plain = place.damka("tables russian").success();
    for Present { game, signature, metric, positions, bytes, digest, .. } in tables {
        assert_eq!(bytes, files[&format!("{game}/{signature}.{metric}")].len() as u64);
        let row = rows.iter().find(|row| row.signature == signature).expect("a row");
        let expected = if metric == "wdl" { &row.wdl_digest } else { &row.dtw_digest };
        assert_eq!(Some(&digest), expected.as_ref());
        assert!(positions > 0);
        let is_listed = plain.lines().any(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            cells.first() == Some(&&signature[..])
                && cells.get(1) == Some(&&metric[..])
                && cells.last() == Some(&&digest[..])
        });
        assert!(is_listed, "{signature}.{metric}: {plain}");
    }
}

#[test]
fn half_tables_are_marked_and_answer() {
    let place = Place::with("russian KMvM --metric wdl");
    let probe = "probe russian W:WKa1,c3:Bb8 --json --no-build";
    let answer = place.damka(probe).success();
    let digests = place.damka("tables --digests").success();
    let events = place.damka("gen russian KMvM --metric wdl --half --progress json");
    let halved: Vec<Value> =
        events.stderr.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let halved: Vec<&Value> = halved.iter().filter(|event| event["event"] == "halved").collect();
    assert!(halved.iter().all(|event| event["bytes"].as_u64() < event["bytes_before"].as_u64()));
    let tables: Vec<Present> =
        read_all(place.damka("tables russian --json").success().split_once('\n').expect("lines").1);
    let is_half = |table: &&Present| table.half;
    assert_eq!(tables.iter().filter(is_half).count(), halved.len());
    let letters = |table: &Present| table.signature.split_once('v').map(|(a, b)| a == b);
    assert!(tables.iter().all(|table| table.half != letters(table).expect("two sides")));
    assert!(place.damka("tables").success().contains("(1 half)"));
    assert!(place.damka("tables russian").success().contains("(half)"));

    assert_eq!(place.damka("tables --digests").success(), digests);
    assert_eq!(place.damka(probe).success(), answer);
    place.damka("verify russian").success();
    place.damka("gen russian KMvM --metric wdl --half --only KMvM").failure(2);
}

#[test]
fn damaged_and_unfinished_tables_are_reported() {
    let place = Place::with("russian 2");
    place.edit("russian/KvM.dtw", |bytes| bytes[20] ^= 1);
    fs::write(place.table("russian/.KMvK.journal"), "begun").expect("a file");
    // A name in another case is not damka's, if the file system distinguishes case.
    let other = Some(place.table("russian/.kmvk.journal")).filter(|other| !other.exists());
    if let Some(other) = &other {
        fs::write(other, "mine").expect("a file");
    }
    let outcome = place.damka("tables");
    let is_reported = |start: &str, names: &str| {
        outcome.stdout.lines().any(|line| line.starts_with(start) && line.contains(names))
    };
    assert!(is_reported("damaged: ", "KvM.dtw"), "{outcome:?}");
    let journal = place.table("russian/.KMvK.journal");
    assert!(
        is_reported("unfinished: russian KMvK, 5 B in ", &journal.to_string_lossy()),
        "{outcome:?}"
    );
    assert_eq!(outcome.stdout.matches("unfinished").count(), 1, "{outcome:?}");
    assert!(outcome.stdout.contains("2 of 3"), "{outcome:?}");
    outcome.failure(4);

    let json = place.damka("tables russian --json");
    let objects = json.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let objects: Vec<Value> = objects.collect();
    let damaged = objects.iter().find(|object| object["error"].is_string()).expect("an error");
    assert_eq!((&damaged["signature"], &damaged["metric"]), (&"KvM".into(), &"dtw".into()));
    let unfinished =
        objects.iter().find(|object| object["journal"].is_string()).expect("a journal");
    assert_eq!((&unfinished["signature"], &unfinished["bytes"]), (&"KMvK".into(), &5.into()));
    json.failure(4);

    // `gen` repairs and finishes them.
    place.generate("russian KMvK");
    if let Some(other) = other {
        fs::remove_file(other).expect("the file");
    }
    let text = place.damka("tables").success();
    assert!(!text.contains("damaged") && !text.contains("unfinished"), "{text}");
}

#[test]
fn a_directory_without_tables_is_reported() {
    let place = Place::new();
    let message = place.damka("tables").failure(3);
    assert!(message.contains(&*place.tables().to_string_lossy()), "{message}");
    let message = place.damka("tables pool").failure(3);
    assert!(message.contains("`damka gen pool 4 --tables "), "{message}");
    let message = place.damka("tables --tables nowhere").failure(3);
    assert!(message.contains("there is no directory nowhere"), "{message}");
}

/// `verify` reads this list: see verify.rs.
#[test]
fn digests_are_printed_as_a_list() {
    let place = Place::with("russian KvK --metric wdl");
    let [row, _]: [Row; 2] =
        read_all(&place.damka("stats russian --json").success()).try_into().expect("rows");
    let list = place.damka("tables russian --digests").success();
    assert_eq!(list, format!("russian KvK wdl {} 262\n", row.wdl_digest.expect("a digest")));
    let object = place.damka("tables russian --json").success();
    let table: Present = read(object.lines().nth(1).expect("a table"));
    assert_eq!(table.positions, 262);
}
