//! Programs without files: tables in memory are probed and searched with.

use damka::engine::{Control, EndgameTables, Engine, History, Limits};
use damka::{Answer, AnyTables, Game, Metric, Position, Russian, Tables, Wdl};
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

/// The tables of two kings in memory, and nothing else.
fn tables() -> Tables<damka::Draughts, HashMap<String, Vec<u8>>> {
    let golden = crate::golden();
    let files = ["russian/KvK.wdl", "russian/KvK.dtw"].map(|name| {
        let bytes = fs::read(golden.join(name)).expect("a table");
        (name.to_owned(), bytes)
    });
    Tables::in_storage(Russian, files.into(), 1 << 20)
}

#[test]
fn tables_in_memory_serve_probes_and_searches() {
    let tables = Arc::new(tables());
    assert_eq!(tables.signatures().expect("names").len(), 1);
    // The king takes the other one at once.
    let position = Russian.parse_fen("W:WKa1:BKg7").expect("a position");
    let answer = Answer::of(&tables, &position.into(), Metric::Dtw).expect("an answer");
    assert_eq!((answer.value, answer.dtw), (Some(Wdl::Win), Some(1)));
    let any: &dyn AnyTables = &*tables;
    assert_eq!(any.answer("W:WKa1:BKg7", Metric::Dtw).expect("an answer"), answer);

    // A king against a king is drawn, unless it is given away.
    let position = Russian.parse_fen("W:WKa1:BKb8").expect("a position");
    let mut engine = Engine::try_new(Russian, 1 << 20).expect("memory");
    engine.set_tables(Some(Arc::new(EndgameTables::new(tables).expect("tables"))));
    let limits = Limits::depth(1);
    let game = History::new(position);
    let found = engine.search(&game, &limits, &Control::default(), |_| {});
    assert_eq!(found.value.map(damka::Value::wdl), Some(Wdl::Draw));
    let best = position.play(found.best().expect("a move"));
    assert!(!best.captures_only(), "the king is given away");
}
