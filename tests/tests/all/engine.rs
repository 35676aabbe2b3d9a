//! The engine with tables never spoils an ending.

use damka_engine::{Control, EndgameTables, Engine, History, Limits, Playable, Report, Score};
use damka_games::{Alapo, Brazilian, Draughts, English, Game, Pool, Position, Random, Russian};
use damka_gen::{Family, Options};
use damka_probe::{Tables, table_path};
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature, Value, Wdl};
use damka_tests::{build_all, build_with};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A random position of 2 to `pieces` pieces.
fn position<G: Family>(game: G, pieces: u32, random: &mut Random) -> G::Position {
    let all: Vec<Signature<G>> =
        (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
    let signature = random.pick(&all).expect("signatures");
    let side = random.pick(signature.sides()).expect("a side to move");
    let [mover, opponent] = signature.to_move(side);
    let index = Index::new(game, mover, opponent);
    let position = index.position(random.below(index.len()));
    if random.below(2) == 0 { position } else { position.flip() }
}

fn engine<G: Playable>(tables: &Arc<Tables<G>>) -> Engine<G> {
    let mut engine = Engine::new(tables.game(), 1 << 20);
    let endings = EndgameTables::new(Arc::clone(tables)).expect("tables");
    engine.set_tables(Some(Arc::new(endings)));
    engine
}

/// Plays `games` endings against the best defence by the tables: wins take exactly their distance,
/// and draws stay draws.
fn spoils_nothing<G: Family + Playable>(game: G, directory: &Path, pieces: u32, games: u32) {
    const PLIES: u16 = 60;
    let tables = Arc::new(Tables::open(game, directory));
    let mut random = Random::new(1);
    for number in 0..games {
        let start = position(game, pieces, &mut random);
        let value = tables.dtw(&start).expect("a value");
        if value.wdl() == Wdl::Loss {
            continue;
        }
        let mut engine = engine(&tables);
        let mut game = History::<G>::new(start);
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::nodes(2_000) };
        for ply in 0..value.plies().unwrap_or(PLIES) {
            let position = *game.position();
            let mv = if ply % 2 == 0 {
                let found = engine.search(&game, &limits, &Control::default(), |_| ());
                found.best().expect("a move")
            } else {
                // The longest defence in lost positions, else any best move.
                let moves = tables.moves(&position, Metric::Dtw).expect("moves");
                let equal = moves.iter().take_while(|mv| mv.value == moves[0].value).count();
                moves[random.below(equal as u64) as usize].mv
            };
            game.play(mv);
            let now = tables.dtw(game.position()).expect("a value");
            let case = format!("game {number}, ply {ply}: {}", position.fen());
            match value.plies() {
                Some(plies) => assert_eq!(now.plies(), Some(plies - ply - 1), "{case}"),
                None => assert_eq!(now, Value::DRAW, "{case}"),
            }
            if value == Value::DRAW && game.end().is_some() {
                break;
            }
        }
        if value.wdl() == Wdl::Win {
            assert!(game.position().moves().is_empty(), "the game is won");
        }
    }
}

#[test]
fn no_ending_is_spoiled() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build_all(Russian, 4, directory);
    build_all(English, 4, directory);
    build_all(Brazilian, 3, directory);
    build_all(Pool, 3, directory);
    build_all(Alapo, 2, directory);
    spoils_nothing(Russian, directory, 4, 50);
    spoils_nothing(English, directory, 4, 50);
    spoils_nothing(Brazilian, directory, 3, 50);
    spoils_nothing(Pool, directory, 3, 50);
    spoils_nothing(Alapo, directory, 2, 50);
}

/// 1,000 endings of up to 5 pieces in each variant; building the tables takes a minute.
#[test]
#[ignore = "takes a minute"]
fn no_ending_of_five_pieces_is_spoiled() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    build_all(Russian, 5, directory);
    build_all(English, 5, directory);
    build_all(Brazilian, 5, directory);
    build_all(Pool, 5, directory);
    spoils_nothing(Russian, directory, 5, 1_000);
    spoils_nothing(English, directory, 5, 1_000);
    spoils_nothing(Brazilian, directory, 5, 1_000);
    spoils_nothing(Pool, directory, 5, 1_000);
}

/// Tables of fewer pieces than there are on the board give the values after captures.
#[test]
fn incomplete_tables_are_of_use() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 4, directory.path());
    let all = Tables::open(Russian, directory.path());
    let part = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, part.path());
    let part = Arc::new(Tables::open(Russian, part.path()));
    let mut random = Random::new(7);
    let (mut hits, mut decided, mut known_by_captures) = (0, 0, 0);
    for _ in 0..60 {
        let position = position(Russian, 4, &mut random);
        let value = all.dtw(&position).expect("a value");
        let mut engine = engine(&part);
        let game = History::<Draughts>::new(position);
        if position.captures_only() && part.dtw(&position).is_ok() {
            known_by_captures += 1;
            let found = engine.search(&game, &Limits::depth(1), &Control::default(), |_| ());
            assert_eq!(found.value.map(Value::plies), Some(value.plies()), "{}", position.fen());
        }
        let found = engine.search(&game, &Limits::depth(9), &Control::default(), |_| ());
        hits += found.table_hits;
        // Proved results are right, and no win is longer than its score.
        if found.score.is_win() || found.score.is_loss() {
            decided += 1;
            let wdl = if found.score.is_win() { Wdl::Win } else { Wdl::Loss };
            assert_eq!(wdl, value.wdl(), "{}", position.fen());
        }
        if let Some(plies) = found.score.plies() {
            assert!(value.plies().is_some_and(|least| least <= plies));
        }
    }
    assert!(hits > 1_000 && decided > 20, "{hits} hits, {decided} decided");
    assert!(known_by_captures > 5, "{known_by_captures} positions");
}

/// A search limited by nodes has the same result whether or not the blocks that it needs are decoded.
#[test]
fn nodes_are_counted_alike_with_an_empty_cache_and_a_full_one() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 4, directory.path());
    let warm = Arc::new(Tables::open(Russian, directory.path()));
    let mut random = Random::new(11);
    for _ in 0..20 {
        let position = position(Russian, 5, &mut random);
        let game = History::<Draughts>::new(position);
        let search = |tables: &Arc<Tables<Draughts>>| {
            let limits = Limits::nodes(3_000);
            engine(tables).search(&game, &limits, &Control::default(), |_| ())
        };
        // The first search decodes blocks for the second.
        let cold = Arc::new(Tables::open(Russian, directory.path()));
        for found in [search(&warm), search(&warm)] {
            let first = search(&cold);
            let summary = |report: Report<Draughts>| (report.nodes, report.score, report.pv);
            assert_eq!(summary(found), summary(first), "{}", position.fen());
        }
    }
}

/// Best play is looked up as far as time allows, and damaged tables are treated as missing.
#[test]
fn tables_obey_the_time_and_damage_does_not_stop_the_engine() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 4, directory.path());
    // Three kings catch one that is not on the main diagonal.
    let game =
        History::<Draughts>::new(Russian.parse_fen("W:WKa3,Kc1,Ke1:BKb8").expect("a position"));
    let tables = Arc::new(Tables::open(Russian, directory.path()));
    let plies = tables.dtw(game.position()).expect("a value").plies().expect("a win");
    assert!(plies > 1);
    let search =
        |limits: &Limits, tables| engine(tables).search(&game, limits, &Control::default(), |_| ());
    for (limits, length) in [(Limits::default(), plies), (Limits::time(Duration::ZERO), 1)] {
        let found = search(&limits, &tables);
        assert_eq!(found.score, Score::decided(plies));
        assert_eq!(found.pv.len(), usize::from(length));
    }
    for metric in Metric::ALL {
        let signature = Signature::<Draughts>::of(game.position()).0;
        let path = table_path(directory.path(), &signature, metric);
        std::fs::write(path, b"no table").expect("the file");
    }
    let tables = Arc::new(Tables::open(Russian, directory.path()));
    let found = search(&Limits::depth(9), &tables);
    assert!(found.best().is_some() && found.table_hits > 0, "{found:?}");
}

/// Without tables an analysis finds the shortest win within its depth. A player is content with any
/// win, and chooses the longest loss that it sees.
#[test]
fn a_search_finds_the_distances_of_the_tables() {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(Russian, 3, directory.path());
    build_all(Alapo, 2, directory.path());
    agree(Russian, directory.path(), 3, 9);
    agree(Alapo, directory.path(), 2, 7);
}

fn agree<G: Family + Playable>(game: G, directory: &Path, pieces: u32, plies: u16) {
    let tables = Tables::open(game, directory);
    let mut random = Random::new(3);
    let mut found = 0;
    for _ in 0..300 {
        let position = position(game, pieces, &mut random);
        let value = tables.dtw(&position).expect("a value");
        let Some(distance) = value.plies().filter(|&distance| distance <= plies) else {
            continue;
        };
        let search = |limits: Limits| {
            let mut engine = Engine::new(game, 1 << 20);
            engine.search(&History::<G>::new(position), &limits, &Control::default(), |_| ())
        };
        // Reductions may delay a proof, but not forever.
        let limits = Limits::depth(2 * plies);
        let analysis = search(Limits { is_analysis: true, ..limits });
        assert_eq!(analysis.score, Score::decided(distance), "{}", position.fen());
        assert_eq!(analysis.pv.len(), usize::from(distance), "{}", position.fen());
        let played = search(limits).score;
        assert_eq!(played.is_win(), distance % 2 == 1, "{}: {played}", position.fen());
        assert_eq!(played.is_loss(), distance % 2 == 0, "{}: {played}", position.fen());
        assert!(played.plies() >= Some(distance), "{}: {played}", position.fen());
        found += 1;
    }
    assert!(found > 50, "{found} positions");
}

/// Wins of up to 15 plies with 6 pieces on the board are found by search alone, and none is shorter
/// than by the tables.
#[test]
#[ignore = "takes half a minute"]
fn wins_of_six_pieces_are_found_without_tables() {
    /// The number of nodes of five seconds or more.
    const NODES: u64 = 20_000_000;
    let wins = include_str!("../../data/wins6.txt").lines().filter(|line| !line.starts_with('#'));
    let mut found = 0;
    for line in wins {
        let (fen, plies) = line.split_once(' ').expect("a position and its distance");
        let position = Russian.parse_fen(fen).expect("a position");
        let mut engine = Engine::new(Russian, 64 << 20);
        let game = History::<Draughts>::new(position);
        let report = engine.search(&game, &Limits::nodes(NODES), &Control::default(), |_| ());
        let distance = report.score.plies().filter(|_| report.score.is_win());
        let least: u16 = plies.parse().expect("a distance");
        assert!(distance.is_some_and(|distance| distance >= least), "{line}: {}", report.score);
        found += 1;
    }
    assert_eq!(found, 200);
}

/// With WDL tables only, lost positions are defended against best play, not as long as possible,
/// but not much shorter.
#[test]
fn lost_endings_are_defended_without_distances() {
    defends(Russian);
    defends(English);
}

fn defends<G: Family + Playable>(game: G) {
    const PIECES: u32 = 4;
    let all = tempfile::tempdir().expect("a directory");
    build_all(game, PIECES, all.path());
    let all = Tables::open(game, all.path());
    let wdl = tempfile::tempdir().expect("a directory");
    let signatures: Vec<Signature<G>> =
        (2..=PIECES).flat_map(|pieces| Signature::all(game, pieces)).collect();
    let options = Options { metrics: vec![Metric::Wdl], ..Options::default() };
    build_with(&options, &signatures, wdl.path());
    let wdl = Arc::new(Tables::open(game, wdl.path()));
    let mut random = Random::new(5);
    let (mut games, mut best, mut held) = (0, 0, 0);
    while games < 60 {
        let start = position(game, PIECES, &mut random);
        let value = all.dtw(&start).expect("a value");
        if value.wdl() != Wdl::Loss || value.plies() < Some(6) || start.captures_only() {
            continue;
        }
        let mut engine = engine(&wdl);
        let mut game = History::<G>::new(start);
        while !game.position().moves().is_empty() {
            if game.moves().len() % 2 == 1 {
                game.play(all.moves(game.position(), Metric::Dtw).expect("moves")[0].mv);
                continue;
            }
            let limits = Limits::nodes(2_000);
            let found = engine.search(&game, &limits, &Control::default(), |_| ());
            assert!(found.score.is_loss(), "{}: {}", game.position().fen(), found.score);
            // A score has a distance only if it is exact, as after the last capture.
            let value = all.dtw(game.position()).expect("a value");
            assert!(found.score.plies().is_none_or(|plies| value.plies() == Some(plies)));
            game.play(found.best().expect("a move"));
        }
        games += 1;
        best += usize::from(value.plies().expect("a distance"));
        held += game.moves().len();
    }
    assert!(4 * held > 3 * best, "{}: {held} plies of {best}", game.name());
}
