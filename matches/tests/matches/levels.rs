//! Levels, measured by matches. Levels are limited only by depth and number of positions, so that
//! every run is the same.

use damka_engine::Control;
use damka_games::{Alapo, Brazilian, Chess, Czech, English, Italian, Pool, Russian, Spanish, Thai};
use damka_matches::{Contested, Entrant, Match, Openings, Tally};
use std::ops::ControlFlow;

/// The result of a match of `pairs` pairs.
fn tally<G: Contested>(game: G, first: &str, second: &str, pairs: u64) -> Tally {
    let entrants = [first, second].map(|text| {
        let setup = format!("{text},memory=1M").parse().expect("settings");
        Entrant::new(game, text, setup, None).expect("no tables are needed")
    });
    let planned = Match {
        entrants,
        openings: Openings::random(game, 6, 5),
        pairs,
        seed: 1,
        concurrency: 2,
        longest: 300,
        tables: None,
        sprt: None,
    };
    planned.run(&Control::default(), |_, _| ControlFlow::Continue(())).expect("a match")
}

/// The baseline at depth 3 wins against the lowest level.
#[test]
fn a_beginner_loses_to_the_baseline() {
    fn check<G: Contested>(game: G) {
        let found = tally(game, "level=1", "opponent=plain,depth=3", 40);
        assert!(5 * found.losses >= 3 * found.games(), "{} {found:?}", game.name());
    }
    check(Russian);
    check(English);
    check(Brazilian);
    check(Pool);
    check(Czech);
    check(Spanish);
    check(Italian);
    check(Thai);
    check(Alapo);
    check(Chess);
}

/// A level scores at least 61.3 % against the one below: 80 Elo. Higher levels take too long for a test.
#[test]
#[ignore = "takes a quarter of a minute"]
fn each_level_is_stronger_than_the_one_below() {
    fn check<G: Contested>(game: G) {
        for level in 2..=5 {
            let [upper, lower] = [level, level - 1].map(|level| format!("level={level}"));
            let found = tally(game, &upper, &lower, 20);
            assert!(found.score().is_some_and(|score| score >= 0.613), "{upper}: {found:?}");
        }
    }
    check(Russian);
    check(Alapo);
    check(Chess);
}
