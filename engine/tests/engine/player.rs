//! Players that share tables, and how well they play.

use damka_engine::{
    Control, EndgameTables, Engine, History, Level, Limits, Playable, Player, PlayerSettings,
    Resources,
};
use damka_games::chess::QUEEN;
use damka_games::{Alapo, Chess, Game, Position, Russian};
use damka_probe::{Access, Files, Storage, Tables};
use std::collections::{HashMap, HashSet};
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

/// A player without tables, and with the built-in book, where the game has one.
fn player<G: Playable>(game: G, level: u8, seed: u64) -> Player<G> {
    let level = Level::new(level).expect("a level");
    let settings = PlayerSettings { level, seed, ..PlayerSettings::minimal(game) };
    Player::new(&settings).expect("a player")
}

/// The first moves of a game that the player plays with itself.
fn moves<G: Playable>(player: &mut Player<G>, limits: &Limits, plies: usize) -> Vec<G::Move> {
    for _ in 0..plies {
        let found = player.think(limits, &Control::default(), |_| ());
        let Some(mv) = found.best() else { break };
        assert!(player.position().moves().contains(&mv), "{found:?}");
        player.play(mv);
    }
    player.history().moves().to_vec()
}

#[test]
fn the_same_seed_gives_the_same_game_at_every_level() {
    fn check<G: Playable>(game: G) {
        for level in 1..10 {
            let plies = if level < 6 { 40 } else { 8 };
            let [first, again, other] = [1, 1, 2]
                .map(|seed| moves(&mut player(game, level, seed), &Limits::default(), plies));
            assert_eq!(first, again, "level {level}");
            assert!(level > 5 || first != other, "level {level}");
        }
    }
    check(Russian);
    check(Alapo);
    check(Chess);
}

/// At full strength only the limits bound the search. A lower level searches less.
#[test]
fn only_the_limits_count_at_full_strength() {
    let limits = Limits::depth(5);
    let (mut full, mut engine) = (player(Chess, 10, 1), Engine::new(Chess, 1 << 20));
    let game = full.history().clone();
    let found = full.think(&limits, &Control::default(), |_| ());
    let expected = engine.search(&game, &limits, &Control::default(), |_| ());
    assert_eq!((found.pv, found.nodes), (expected.pv, expected.nodes));
    let found = player(Chess, 1, 1).think(&limits, &Control::default(), |_| ());
    assert_eq!((found.depth, found.other_lines.len()), (1, 0));
}

#[test]
fn a_beginner_takes_what_it_sees_at_once() {
    // A mate in one, and the last piece.
    for seed in 0..20 {
        let mut chess = player(Chess, 1, seed);
        let position = Chess.parse_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").expect("a position");
        chess.set_history(History::new(position));
        let found = chess.think(&Limits::default(), &Control::default(), |_| ());
        assert_eq!(found.score.plies(), Some(1), "{found:?}");
        let mut russian = player(Russian, 1, seed);
        russian
            .set_history(History::new(Russian.parse_fen("W:WKa1,c1:Bd4,h8").expect("a position")));
        let found = russian.think(&Limits::default(), &Control::default(), |_| ());
        assert!(russian.position().is_capture(found.best().expect("a move")));
    }
}

#[test]
fn books_and_tables_are_for_those_who_know_them() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/golden");
    let ending = Russian.parse_fen("W:WKa1,Kc1:BKh8").expect("a position");
    for number in 1..=10 {
        let level = Level::new(number).expect("a level");
        let tables = Some(tables.into());
        let settings = PlayerSettings { level, tables, ..PlayerSettings::new(Russian) };
        let mut player = Player::new(&settings).expect("a player");
        assert_eq!(player.book_move().is_some(), number >= 5, "level {number}");
        player.set_history(History::new(ending));
        let found = player.think(&Limits::depth(4), &Control::default(), |_| ());
        assert_eq!(found.table_hits > 0, number >= 8, "level {number}: {found:?}");
        // A hint or an analysis is searched at full strength.
        let analysis = Limits { is_analysis: true, ..Limits::depth(4) };
        let found = player.think(&analysis, &Control::default(), |_| ());
        assert!(found.table_hits > 0, "level {number}: {found:?}");
    }
}

/// Regression: a promotion that is recaptured at once scores the same for each piece, and three of four
/// were underpromotions.
#[test]
fn no_level_underpromotes_among_equal_moves() {
    let positions =
        ["6kr/2R3P1/8/8/8/1p6/3n2BK/8 w - - 0 1", "5r2/3nP3/4k3/6K1/1p2B3/5R2/8/8 w - - 0 1"]
            .map(|fen| Chess.parse_fen(fen).expect("a position"));
    for (position, seed) in positions.into_iter().flat_map(|p| (0..40).map(move |s| (p, s))) {
        let level = Level::new(1 + (seed % 9) as u8).expect("a level");
        let settings = PlayerSettings { level, seed, ..PlayerSettings::minimal(Chess) };
        let mut player = Player::new(&settings).expect("a player");
        player.set_history(History::new(position));
        let found = player.think(&Limits::depth(6), &Control::default(), |_| ());
        let promotion = found.best().and_then(|mv| mv.promotion);
        assert!(promotion.is_none_or(|kind| kind == QUEEN), "level {level}: {found:?}");
    }
}

/// No two games are the same, no move is worse than the best by more than the margin, and there is
/// no variety in games from other positions than the start.
#[test]
fn variety_is_within_its_margin() {
    const MARGIN: u16 = 20;
    let limits = Limits::depth(4);
    let game = |variety: u16, seed: u64| {
        let settings = PlayerSettings { variety, seed, ..PlayerSettings::minimal(Chess) };
        moves(&mut Player::new(&settings).expect("a player"), &limits, 24)
    };
    let games: HashSet<_> = (0..8).map(|seed| game(MARGIN, seed)).collect();
    assert_eq!(games.len(), 8);
    assert_eq!(game(0, 1), game(0, 2));
    let settings = PlayerSettings { variety: MARGIN, ..PlayerSettings::minimal(Chess) };
    let mut firsts = HashSet::new();
    for seed in 0..30 {
        let mut player = Player::new(&settings).expect("a player");
        player.set_seed(seed);
        player.set_multi_pv(4);
        let best = player.search(&limits, &Control::default(), |_| ()).score.hundredths();
        player.clear();
        let found = player.think(&limits, &Control::default(), |_| ());
        assert!(best - found.score.hundredths() <= i32::from(MARGIN), "{found:?}");
        assert!(found.other_lines.len() <= 3, "{found:?}");
        firsts.insert(found.best());
        let ending = Chess.parse_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").expect("a position");
        player.set_history(History::new(ending));
        player.set_multi_pv(1);
        let found = player.think(&limits, &Control::default(), |_| ());
        let expected = player.search(&limits, &Control::default(), |_| ());
        assert_eq!(found.best(), expected.best());
    }
    assert!(firsts.len() > 1, "{firsts:?}");
}
