//! The rules of the draughts variants, compared with positions from the sources of `docs/RULES.md`
//! and with a slow generator. Neither uses damka's table of flags.

mod slow;

use damka_games::draughts::{Position, promotion_row};
use damka_games::{Color, Draughts, Game, Position as _, Square, SquareSet};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A position for each rule of each variant: game, rule, position, legal moves, source.
const ROWS: &str = include_str!("rules.tsv");

/// The rules that every variant must have a row for.
const RULES: [&str; 8] =
    ["board", "choice", "kings", "landing", "men", "prey", "promotion", "removal"];

/// The names of the lower corners of the board, `-` for a corner that is no square.
fn corners(game: Draughts) -> String {
    let board = game.board();
    let name = |square: Option<Square>| square.map_or("-".into(), |at| game.square_name(at));
    format!("{} {}", name(board[7][0]), name(board[7][7]))
}

/// The legal moves from square to square, sorted; a move that differs from another only in what
/// it captures is listed twice.
fn legal(position: &Position) -> String {
    let game = position.game();
    let moves = position.moves();
    let names = moves.iter().map(|&mv| {
        let sign = if position.is_capture(mv) { 'x' } else { '-' };
        format!("{}{sign}{}", game.square_name(mv.from()), game.square_name(mv.to()))
    });
    sorted(names.collect())
}

fn sorted(mut names: Vec<String>) -> String {
    names.sort();
    names.join(" ")
}

#[test]
fn every_rule_matches_its_sources() {
    let mut seen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in ROWS.lines().filter(|row| !row.starts_with('#')) {
        let [name, rule, position, expected, source] = row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("five columns: {row}")
        };
        assert!(!source.is_empty(), "a source: {row}");
        seen.entry(name).or_default().insert(rule);
        let game: Draughts = name.parse().expect("a variant");
        if rule == "board" {
            assert_eq!(corners(game), expected, "{row}");
            assert_eq!(game.parse_fen(position), Ok(game.start()), "{row}");
            continue;
        }
        let position = game.parse_fen(position).expect("a position");
        let expected = sorted(expected.split(' ').map(str::to_owned).collect());
        assert_eq!(legal(&position), expected, "{row}");
    }
    for game in Draughts::ALL {
        assert_eq!(seen[game.name()], BTreeSet::from(RULES), "{}", game.name());
    }
}

/// Positions of any variant with 2 to 24 pieces.
fn positions() -> impl Strategy<Value = Position> {
    let games = proptest::sample::select(Draughts::ALL);
    let pieces = proptest::collection::vec((0u8..32, any::<bool>(), 0u8..4), 2..=24);
    (games, pieces, 0u8..4, any::<bool>()).prop_map(|(game, pieces, kings_below, white_to_move)| {
        let (mut sides, mut kings) = ([SquareSet::EMPTY; 2], SquareSet::EMPTY);
        for (square, white, kind) in pieces {
            let square = SquareSet::from(Square::new(square));
            let color = if white { Color::White } else { Color::Black };
            let is_taken = !((sides[0] | sides[1]) & square).is_empty();
            if is_taken || sides[color as usize].len() == 12 {
                continue;
            }
            sides[color as usize] |= square;
            if kind <= kings_below || !(promotion_row(color) & square).is_empty() {
                kings |= square;
            }
        }
        let turn = if white_to_move { Color::White } else { Color::Black };
        Position::new(game, sides[0], sides[1], kings, turn)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40_000))]
    #[test]
    fn a_slow_generator_finds_the_same_moves(position in positions()) {
        let moves = position.moves();
        let generated = moves.iter().map(|mv| {
            let taken = mv.captured().into_iter().map(Square::index).collect();
            (mv.from().index(), mv.to().index(), mv.ends_as_king(), taken)
        });
        let generated: BTreeSet<slow::PlainMove> = generated.collect();
        prop_assert_eq!(generated.len(), moves.len());
        prop_assert_eq!(generated, slow::moves(&position));
    }
}
