//! A program that uses only the crate `damka` gives the same answers as the commands, from files and
//! from bytes in memory.

#[path = "../../../damka/examples/ask.rs"]
#[allow(dead_code)]
mod ask;

use crate::Place;
use damka::{AnyGame, PlayerSettings};
use std::collections::HashMap;

#[test]
fn a_small_program_prints_what_the_commands_print() {
    let place = Place::with("russian 3 --metric dtw");
    let game: AnyGame = "russian".parse().expect("a game");
    let fen = "W:WKa1,Kc1:BKh4";
    let in_files = damka::open(game, place.tables(), Default::default());
    let files =
        in_files.signatures().expect("tables").into_iter().flat_map(|signature| {
            ["wdl", "dtw"].map(|metric| format!("russian/{signature}.{metric}"))
        });
    let bytes: HashMap<String, Vec<u8>> = files
        .filter_map(|name| Some((name.clone(), std::fs::read(place.table(&name)).ok()?)))
        .collect();
    let in_memory = damka::open_in(game, bytes, 1 << 20);
    let last = in_files.signatures().expect("tables").pop().expect("a table");

    let commands = [
        format!("probe russian {fen} --json"),
        format!("line russian {fen} --json"),
        format!("stats russian {last} --json"),
        format!("list russian {last} --only-move --limit 10 --json"),
    ];
    let printed: String = commands.iter().map(|words| place.damka(words).success()).collect();
    for tables in [&in_files, &in_memory] {
        let lines = ask::ask(&**tables, fen).expect("answers");
        assert_eq!(lines.join("\n") + "\n", printed);
    }

    let settings = PlayerSettings { tables: Some(place.tables()), ..PlayerSettings::minimal(game) };
    let words = format!("search russian {fen} --depth 8 --lines 3 --json");
    let found = ask::search(&settings, fen).expect("a search");
    assert_eq!(found + "\n", place.damka(&words).success());
}
