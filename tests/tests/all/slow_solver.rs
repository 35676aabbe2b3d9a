//! Compares tables with slow solvers that share only the rules with the generator: no index, no
//! un-moves, no retrograde analysis.

use damka_engine::Outcome;
use damka_games::{Alapo, Brazilian, Color, Draughts, English, Game, Pool, Position, Russian};
use damka_gen::{Check, Family, Request, verify};
use damka_probe::Tables;
use damka_tables::metric::Metric;
use damka_tables::{Index, Signature, Value, Wdl};
use damka_tests::{build_all, build_tables};
use std::collections::HashMap;

/// Solves all positions that play can lead to from `positions`. For each distance in plies, evaluates every
/// undecided position again.
fn solve_forwards<G: Game>(positions: Vec<G::Position>) -> Vec<(G::Position, Value)> {
    // Positions get numbers as they are found.
    let mut numbers = HashMap::new();
    let mut found = Vec::new();
    let mut number = |position, found: &mut Vec<G::Position>| {
        *numbers.entry(position).or_insert_with(|| {
            found.push(position);
            found.len() - 1
        })
    };
    for position in positions {
        number(position, &mut found);
    }
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while let Some(&position) = found.get(successors.len()) {
        let moves = position.moves().into_iter();
        successors.push(moves.map(|mv| number(position.play(mv), &mut found)).collect());
    }

    let mut values: Vec<Option<Value>> = vec![None; found.len()];
    let mut undecided: Vec<usize> = (0..found.len()).collect();
    let mut idle = 0;
    // After two distances without a new decision there are no more.
    for plies in 0.. {
        let is = |after: &usize, wdl| values[*after].is_some_and(|value| value.wdl() == wdl);
        let (decided, rest): (Vec<_>, Vec<_>) =
            undecided.into_iter().partition(|&position| match plies % 2 {
                0 => successors[position].iter().all(|after| is(after, Wdl::Win)),
                _ => successors[position].iter().any(|after| is(after, Wdl::Loss)),
            });
        undecided = rest;
        idle = if decided.is_empty() { idle + 1 } else { 0 };
        for position in decided {
            values[position] = Some(Value::decided(plies));
        }
        if idle == 2 {
            break;
        }
    }
    let values = values.into_iter().map(|value| value.unwrap_or(Value::DRAW));
    found.into_iter().zip(values).collect()
}

/// Every position of a signature, as the index lists them.
fn positions<G: Family>(signature: &Signature<G>) -> Vec<G::Position> {
    let sides = signature.sides().iter();
    sides
        .flat_map(|&side| {
            let [mover, opponent] = signature.to_move(side);
            let index = Index::new(signature.game(), mover, opponent);
            (0..index.len()).map(|number| index.position(number)).collect::<Vec<_>>()
        })
        .collect()
}

/// Compares the tables of 2 to `pieces` pieces with the slow solver.
fn check<G: Family>(game: G, pieces: u32) {
    let directory = tempfile::tempdir().expect("a directory");
    build_all(game, pieces, directory.path());
    let tables = Tables::open(game, directory.path());
    let all: Vec<Signature<G>> =
        (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
    let values = solve_forwards::<G>(all.iter().flat_map(positions).collect());
    assert!(values.len() > 10_000);
    for (position, value) in values {
        assert_eq!(tables.dtw(&position).expect("a value"), value, "{position:?}");
        assert_eq!(tables.wdl(&position).expect("a value"), value.wdl(), "{position:?}");
    }
}

#[test]
fn russian_tables_are_what_looking_ahead_finds() {
    check(Russian, 3);
}

#[test]
fn brazilian_tables_are_what_looking_ahead_finds() {
    check(Brazilian, 3);
}

#[test]
fn pool_tables_are_what_looking_ahead_finds() {
    check(Pool, 3);
}

#[test]
fn english_tables_are_what_looking_ahead_finds() {
    check(English, 3);
}

#[test]
fn alapo_tables_are_what_looking_ahead_finds() {
    check(Alapo, 2);
}

/// Alpha-beta search by the rules alone proves the short wins and losses of larger tables, and
/// finds no others.
fn check_by_search<G: Family>(game: G, signature: &str, depth: u32) {
    let signature = Signature::parse(game, signature).expect("a signature");
    let directory = tempfile::tempdir().expect("a directory");
    build_tables(&[signature], directory.path());
    let tables = Tables::open(game, directory.path());
    let mut proven = 0;
    let positions = positions(&signature);
    for position in positions.iter().step_by(positions.len() / 2000) {
        let position = *position;
        let value = tables.dtw(&position).expect("a value");
        let near = value.plies().map(u32::from).filter(|&plies| plies <= depth);
        let expected = match (value.wdl(), near) {
            (Wdl::Win, Some(plies)) => Outcome::Win(plies),
            (Wdl::Loss, Some(plies)) => Outcome::Loss(plies),
            _ => Outcome::Unknown,
        };
        assert_eq!(damka_engine::solve::<G>(&position, depth), expected, "{position:?} {value:?}");
        proven += u32::from(expected != Outcome::Unknown);
    }
    assert!(proven > 50, "only {proven} positions were decided within {depth} plies");
}

#[test]
fn a_search_agrees_with_the_tables() {
    check_by_search(Russian, "KMvKM", 5);
    check_by_search(Brazilian, "KKvKM", 5);
    check_by_search(Pool, "KMvKM", 5);
    check_by_search(English, "KMvKM", 7);
    check_by_search(Alapo, "QFvW", 7);
}

/// The forward generator agrees with every stored value of the 4-piece tables.
#[test]
fn tables_verify() {
    fn check<G: Family>(game: G, pieces: u32) {
        let directory = tempfile::tempdir().expect("a directory");
        build_all(game, pieces, directory.path());
        let all: Vec<Signature<G>> =
            (2..=pieces).flat_map(|pieces| Signature::all(game, pieces)).collect();
        let found =
            verify(&all, Check::Whole, &Request::new(directory.path())).expect("a verification");
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        assert_eq!(found.tables, all.len() * Metric::ALL.len());
    }
    check(Brazilian, 4);
    check(Pool, 4);
    check(Alapo, 3);
}

#[test]
fn a_search_knows_the_end_of_the_game() {
    // White takes the last man.
    let position = Russian.parse_fen("W:Wc3:Bd4").expect("a position");
    assert_eq!(damka_engine::solve::<Draughts>(&position, 4), Outcome::Win(1));
    let taken = position.play(position.moves()[0]);
    assert_eq!(taken.turn(), Color::Black);
    assert_eq!(damka_engine::solve::<Draughts>(&taken, 4), Outcome::Loss(0));
}
