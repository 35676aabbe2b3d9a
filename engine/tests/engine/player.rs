//! Players that share tables.

use damka_engine::History;
use damka_engine::{Control, EndgameTables, Limits, Player, PlayerSettings, Resources};
use damka_games::{Game, Russian};
use damka_probe::{Access, Files, Storage, Tables};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

/// Files, with the number of times that each was opened.
struct Counted {
    files: Files,
    opened: Arc<Mutex<HashMap<String, u32>>>,
}

impl Storage for Counted {
    type Source = <Files as Storage>::Source;

    fn list(&self, game: &str) -> io::Result<Vec<String>> {
        self.files.list(game)
    }

    fn open(&self, name: &str) -> io::Result<Self::Source> {
        let source = self.files.open(name)?;
        *self.opened.lock().expect("no panic").entry(name.to_owned()).or_default() += 1;
        Ok(source)
    }
}

#[test]
fn four_players_open_each_table_once() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
    let opened = Arc::new(Mutex::new(HashMap::new()));
    let files = Files::new(directory, Access::Read);
    let storage = Counted { files, opened: Arc::clone(&opened) };
    let tables = Arc::new(Tables::in_storage(Russian, storage, 1 << 20));
    let mut resources = Resources::built_in(Russian);
    resources.tables = Some(Arc::new(EndgameTables::new(tables).expect("tables")));
    let settings = PlayerSettings::minimal(Russian);
    let position = Russian.parse_fen("W:WKa1,Kc1:BKh8").expect("a position");
    for _ in 0..4 {
        let mut player = Player::with_resources(&settings, resources.clone()).expect("a player");
        player.set_history(History::new(position));
        let found = player.search(&Limits::depth(4), &Control::default(), |_| ());
        assert!(found.table_hits > 0, "{found:?}");
    }
    let opened = opened.lock().expect("no panic");
    assert!(!opened.is_empty() && opened.values().all(|&times| times == 1), "{opened:?}");
}
