mod library;
mod plain;

use super::board::AxisKind;
use super::fibre::{Fibre, Piece};
use super::solve::{Unsolved, solve};
use crate::Stop;
use crate::solve::instructions::Instructions;
use damka_games::{Color, Random};
use damka_tables::{Value, Wdl};
use library::{Library, fibres};
use plain::{Board, Man};
use std::collections::HashMap;

/// Published counts over the full board: wins, draws, losses and the longest win in plies, with
/// White and with Black to move.
type Published = (&'static str, [(u64, u64, u64, u16); 2]);

/// Two independent generators agree on these.
const COUNTS: [Published; 7] = [
    ("KBvK", [(0, 193_284, 0, 0), (0, 223_944, 0, 0)]),
    ("KNvK", [(0, 205_496, 0, 0), (0, 223_944, 0, 0)]),
    ("KPvK", [(124_960, 38_368, 0, 55), (0, 70_420, 97_604, 0)]),
    ("KQvK", [(144_508, 0, 0, 19), (0, 23_048, 200_896, 0)]),
    ("KRvK", [(175_168, 0, 0, 31), (0, 22_244, 201_700, 0)]),
    ("KQvKR", [(8_863_768, 71_704, 17_136, 69), (3_090_088, 627_960, 7_062_680, 37)]),
    ("KRvKP", [(7_406_204, 680_382, 13_454, 51), (1_633_620, 1_743_898, 6_585_490, 85)]),
];

#[test]
fn counts_match_published_figures() {
    for instructions in Instructions::available() {
        let mut library = Library::new(instructions);
        for (signature, published) in COUNTS {
            let found = library.count(signature).map(|counts| {
                let [loss, draw, win] =
                    [Wdl::Loss, Wdl::Draw, Wdl::Win].map(|wdl| counts.positions(wdl));
                (win, draw, loss, counts.longest(Wdl::Win).unwrap_or(0))
            });
            assert_eq!(found, published, "{signature} {instructions:?}");
        }
    }
}

#[test]
fn a_stop_ends_solving() {
    let instructions = Instructions::best();
    let mut library = Library::new(instructions);
    let fibre = &fibres("KQvK")[0];
    library.solve(fibre);
    let stop = Stop::default();
    stop.request();
    let stopped = solve(instructions, &stop, fibre, &library);
    assert!(matches!(stopped, Err(Unsolved::Interrupted)), "{stopped:?}");
}

/// The men of a position, the squares of one of its symmetric images, and the side to move.
type Key = (Vec<Man>, Vec<usize>, Color);

/// The values of positions of three men.
#[derive(Default)]
struct Plain(HashMap<Key, Value>);

impl Plain {
    /// Solves all positions of a king and `kind` against a king. The positions after promotions
    /// must have been solved; two bare kings draw.
    fn solve(&mut self, kind: char) {
        let men = [(Color::White, 'K'), (Color::Black, 'K'), (Color::White, kind)];
        let mut boards = HashMap::new();
        for number in 0..64 * 64 * 64 {
            let squares = [number / 4096, number / 64 % 64, number % 64];
            let [white, black, other] = squares;
            let is_free = white != black && white != other && black != other;
            if !is_free || kind == 'P' && other / 8 % 7 == 0 {
                continue;
            }
            let placed: Vec<(Man, usize)> = men.into_iter().zip(squares).collect();
            for board in Color::BOTH.map(|turn| Board::new(&placed, turn)) {
                // Symmetric positions share a key; the last one is kept.
                if board.is_legal() {
                    boards.insert(key(&board), board);
                }
            }
        }
        let (keys, boards): (Vec<Key>, Vec<Board>) = boards.into_iter().unzip();
        let numbers: HashMap<&Key, usize> = keys.iter().zip(0..).collect();
        // The number of a successor with the same men, or the value of another successor.
        let successor = |next: &Board| {
            let key = key(next);
            let other = || self.0.get(&key).copied().unwrap_or(Value::DRAW);
            numbers.get(&key).copied().ok_or_else(other)
        };
        let successors: Vec<Vec<Result<usize, Value>>> =
            boards.iter().map(|board| board.successors().iter().map(successor).collect()).collect();
        let mut values: Vec<Option<Value>> = vec![None; boards.len()];
        // Wins by promotion may begin after levels without wins or losses, but within 40 plies.
        let (mut idle, mut plies) = (0, 0);
        while idle < 2 || plies < 40 {
            let known = |next: &Result<usize, Value>| match *next {
                Ok(number) => values[number],
                Err(value) => Some(value),
            };
            let is_decided = |number: usize| match (plies % 2, &successors[number]) {
                (0, none) if none.is_empty() => boards[number].is_checked(boards[number].turn),
                (0, all) => {
                    all.iter().filter_map(known).filter(|value| is_win(*value, plies)).count()
                        == all.len()
                }
                (_, any) => any.iter().any(|next| known(next) == Some(Value::decided(plies - 1))),
            };
            let open = (0..boards.len()).filter(|&number| values[number].is_none());
            let decided: Vec<usize> = open.filter(|&number| is_decided(number)).collect();
            idle = if decided.is_empty() { idle + 1 } else { 0 };
            decided.into_iter().for_each(|number| values[number] = Some(Value::decided(plies)));
            plies += 1;
        }
        let values = values.into_iter().map(|value| value.unwrap_or(Value::DRAW));
        self.0.extend(keys.into_iter().zip(values));
    }
}

/// Whether a value is a win in fewer than `plies` plies.
fn is_win(value: Value, plies: u16) -> bool {
    value.wdl() == Wdl::Win && value.plies() < Some(plies)
}

/// The men of a position, and the least squares among its symmetric images.
fn key(board: &Board) -> Key {
    let men = board.squares.iter().enumerate();
    let mut men: Vec<(Man, usize)> =
        men.filter_map(|(square, man)| man.map(|man| (man, square))).collect();
    men.sort_unstable();
    let (men, squares): (Vec<Man>, Vec<usize>) = men.into_iter().unzip();
    let images = if men.iter().any(|man| man.1 == 'P') { 2 } else { 8 };
    let image = |symmetry: usize| -> Vec<usize> {
        let image = |&square: &usize| {
            let (mut file, mut rank) = (square % 8, square / 8);
            if symmetry & 1 != 0 {
                file = 7 - file;
            }
            if symmetry & 2 != 0 {
                rank = 7 - rank;
            }
            if symmetry & 4 != 0 { 8 * file + rank } else { 8 * rank + file }
        };
        squares.iter().map(image).collect()
    };
    let least = (0..images).map(image).min().expect("itself");
    (men, least, board.turn)
}

#[test]
fn three_men_match_a_plain_solver() {
    let mut library = Library::new(Instructions::best());
    let mut plain = Plain::default();
    for kind in ['Q', 'R', 'B', 'N', 'P'] {
        plain.solve(kind);
        library.count(&format!("K{kind}vK"));
    }
    for ((men, squares, turn), &value) in &plain.0 {
        let placed: Vec<(Man, usize)> = men.iter().copied().zip(squares.iter().copied()).collect();
        let board = Board::new(&placed, *turn);
        assert_eq!(library.value(&board), Some(value), "{placed:?} {turn}");
    }
}

/// Checks random positions of a fibre against their successors. Values with exact distances that
/// follow from their successors everywhere are correct.
fn check_by_moves(library: &mut Library, fibre: &Fibre, positions: usize) {
    library.solve(fibre);
    let mut random = Random::new(positions as u64);
    let letter = |kind| ['Q', 'R', 'B', 'N'][kind as usize];
    let mut checked = 0;
    while checked < positions {
        let mut men: Vec<Man> = vec![(Color::White, 'K'), (Color::Black, 'K')];
        men.extend(fibre.pieces().iter().map(|&Piece { kind, color }| (color, letter(kind))));
        let mut placed: Vec<(Man, usize)> =
            men.into_iter().map(|man| (man, (random.next() % 64) as usize)).collect();
        for color in Color::BOTH {
            let pawns = (0..64).filter(|square| fibre.pawns()[color as usize] >> square & 1 != 0);
            placed.extend(pawns.map(|square| ((color, 'P'), square)));
        }
        let turn = Color::BOTH[(random.next() % 2) as usize];
        let board = Board::new(&placed, turn);
        if board.squares.iter().flatten().count() < placed.len() {
            continue;
        }
        let found = library.value(&board);
        assert_eq!(found.is_some(), board.is_legal(), "{placed:?} {turn}");
        if let Some(value) = found {
            assert_eq!(value, library.value_by_moves(&board), "{placed:?} {turn}");
            checked += 1;
        }
    }
}

#[test]
fn values_follow_from_their_successors() {
    let mut library = Library::new(Instructions::best());
    for signature in ["KQvKR", "KRvKB", "KBNvK", "KNvKN", "KQQvK", "KRvKN"] {
        check_by_moves(&mut library, &fibres(signature)[0], 3000);
    }
    for (signature, white, black) in
        [("KRvKP", 0, 1 << 11), ("KNvKP", 0, 1 << 52), ("KQPvK", 1 << 52, 0), ("KBPvK", 1 << 12, 0)]
    {
        let pieces = fibres(signature)[0].pieces().to_vec();
        check_by_moves(&mut library, &Fibre::new(pieces, [white, black]), 3000);
    }
}

/// Pawns that can capture each other en passant, including positions in which it is the only move.
#[test]
fn en_passant_is_scored_like_other_moves() {
    let mut library = Library::new(Instructions::best());
    for (white, black) in [(1 << 12, 1 << 27), (1 << 8, 1 << 25), (1 << 36, 1 << 51)] {
        check_by_moves(&mut library, &Fibre::new(Vec::new(), [white, black]), 10_000);
    }
}

#[test]
#[ignore = "solves five men without pawns"]
fn en_passant_is_scored_with_a_piece_on_the_board() {
    let mut library = Library::new(Instructions::best());
    let rook = Piece { kind: AxisKind::Rook, color: Color::White };
    check_by_moves(&mut library, &Fibre::new(vec![rook], [1 << 12, 1 << 27]), 10_000);
}

/// Leapers and sliders that block each other.
#[test]
#[ignore = "takes a minute or two and a gigabyte"]
fn five_men_have_the_published_longest_wins() {
    let mut library = Library::new(Instructions::best());
    for (signature, plies) in
        [("KBNvKN", 213), ("KBBvKN", 155), ("KRBvKR", 129), ("KNNvKP", 229), ("KRPvKR", 147)]
    {
        assert_eq!(library.count(signature)[0].longest(Wdl::Win), Some(plies), "{signature}");
    }
}
