//! Perft from the start position, and from others, against published figures.

use damka_games::draughts::Position;
use damka_games::{Draughts, Game, Position as _};

/// Variant, position, counting, then the figures from depth 1.
const FIGURES: &str = include_str!("perft_draughts.tsv");

/// Deep enough to meet every rule, shallow enough for every test run; the
/// benchmark goes deeper.
const DEPTH: u32 = 9;

/// Leaves with captures by different routes counted separately.
fn perft_routes(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_routes();
    }
    position
        .moves()
        .into_iter()
        .map(|mv| {
            let after = position.play(mv);
            position.routes_of(mv) * perft_routes(&after, depth - 1)
        })
        .sum()
}

/// Checks every published row of a variant; returns how many there were.
fn check(game: Draughts) -> usize {
    let mut rows = 0;
    for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[0] != game.name() {
            continue;
        }
        rows += 1;
        let position = match fields[1] {
            "start" => game.start(),
            fen => game.parse_fen(fen).expect("a position"),
        };
        for (depth, figure) in (1..=DEPTH).zip(&fields[3..]) {
            let found = match fields[2] {
                "moves" => position.perft(depth),
                "routes" => perft_routes(&position, depth),
                other => panic!("unknown counting {other}"),
            };
            let figure: u64 = figure.parse().expect("a figure");
            assert_eq!(found, figure, "{} {} {} depth {depth}", fields[0], fields[1], fields[2]);
        }
    }
    rows
}

macro_rules! variants {
    ($($name:ident $variant:ident $rows:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(check(Draughts::$variant), $rows, "published rows");
        }
    )*};
}

variants! {
    russian Russian 2;
    brazilian Brazilian 2;
    pool Pool 2;
    english English 2;
    czech Czech 1;
    spanish Spanish 1;
    italian Italian 1;
    thai Thai 4;
}
