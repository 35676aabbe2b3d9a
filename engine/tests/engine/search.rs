//! Limits, stopped searches, repeated searches and restricted root moves.

use damka_engine::{Control, Engine, History, Limits, Playable, Report, TimeControl};
use damka_games::{Chess, Draughts, Game, Position, Russian};
use std::time::Duration;

/// The reports of a search with an empty transposition table.
fn reports(game: &History<Draughts>, limits: &Limits) -> Vec<Report<Draughts>> {
    let mut reports = Vec::new();
    let mut engine = Engine::new(Russian, 1 << 20);
    let last =
        engine.search(game, limits, &Control::default(), |found| reports.push(found.clone()));
    reports.push(last);
    reports
}

/// A search that is stopped shortly before it completes a depth that changes the best move has
/// sometimes changed it already.
#[test]
fn a_better_move_of_an_unfinished_depth_is_played() {
    let (mut stopped, mut changed) = (0, 0);
    let mut game = History::<Draughts>::new(Russian.start());
    for _ in 0..30 {
        let depths = reports(&game, &Limits::depth(13));
        for two in depths.windows(2).filter(|two| two[0].best() != two[1].best()) {
            let [before, after] = two else { unreachable!("windows of two") };
            // Limits may be exceeded by up to a thousand nodes.
            let limit = after.nodes.saturating_sub(1_500);
            if limit <= before.nodes {
                continue;
            }
            let found = reports(&game, &Limits::nodes(limit)).pop().expect("a report");
            assert_eq!(found.depth, before.depth, "the depth was not finished");
            stopped += 1;
            changed += u32::from(found.best() == after.best());
        }
        let Some(best) = depths.last().and_then(Report::best) else { break };
        game.play(best);
    }
    assert!(stopped >= 10 && changed >= 3, "{changed} of {stopped}");
}

/// Limits also hold if each depth takes few nodes.
#[test]
fn limits_are_checked_between_small_depths() {
    let game = History::<Draughts>::new(Russian.start());
    for limits in [Limits::time(Duration::ZERO), Limits::nodes(1)] {
        let found = reports(&game, &limits).pop().expect("a report");
        assert!(found.depth <= 1 && found.best().is_some(), "{limits:?}: {found:?}");
    }
}

/// With a single legal move, a time limit is not used up.
#[test]
fn the_only_move_is_played_at_once() {
    let position = Russian.parse_fen("W:Wc3,g1:Bd4,b8,f8,h8").expect("a position");
    let game = History::<Draughts>::new(position);
    assert_eq!(position.moves().len(), 1);
    let long = Duration::from_secs(1_000_000);
    let clock = TimeControl { left: long, increment: long, moves: None };
    for limits in [Limits::time(long), Limits { clock: Some(clock), ..Limits::default() }] {
        let found = reports(&game, &limits).pop().expect("a report");
        assert!(found.depth == 1 && found.best().is_some(), "{limits:?}: {found:?}");
    }
    // Not in an analysis, and not with a depth limit.
    let analysis = Limits { is_analysis: true, ..Limits::time(Duration::from_millis(200)) };
    for limits in [analysis, Limits { time: Some(long), ..Limits::depth(7) }] {
        let found = reports(&game, &limits).pop().expect("a report");
        assert!(found.depth >= 2, "{limits:?}: {found:?}");
    }
}

/// After `clear`, an engine plays the same game as a new one.
#[test]
fn an_engine_that_has_forgotten_plays_like_a_new_one() {
    fn check<G: Playable>(rules: G) {
        // Small enough that old entries have to be replaced.
        let mut engine = Engine::new(rules, 1 << 14);
        let mut play = || {
            engine.clear();
            let mut game = History::<G>::new(rules.start());
            let nodes = |_| {
                let limits = Limits::nodes(3_000);
                let found = engine.search(&game, &limits, &Control::default(), |_| ());
                game.play(found.best().expect("a move"));
                found.nodes
            };
            (0..25).map(nodes).collect::<Vec<_>>()
        };
        let new = play();
        for games in 1..=5 {
            assert_eq!(play(), new, "{} after {games}", rules.name());
        }
    }
    check(Russian);
    check(Chess);
}

/// `set_root_moves` restricts the root to the given moves.
#[test]
fn a_search_chooses_among_the_given_moves() {
    let game = History::<Draughts>::new(Russian.start());
    let mut engine = Engine::new(Russian, 1 << 18);
    let mut best = |choice: &[_]| {
        engine.set_root_moves(choice.to_vec());
        let found = engine.search(&game, &Limits::depth(6), &Control::default(), |_| ());
        found.best().expect("a move")
    };
    let legal = game.position().moves();
    for &mv in &legal {
        assert_eq!(best(&[mv]), mv);
        let two = [mv, legal[0]];
        assert!(two.contains(&best(&two)));
    }
    // Illegal moves are ignored.
    let illegal = game.position().play(legal[0]).moves()[0];
    for choice in [&[][..], &[illegal]] {
        assert!(legal.contains(&best(choice)));
    }
}
