//! Compares the rules of Alapo with a second, slower implementation and with published figures, and
//! un-moves with moves.

mod random;
mod slow;

use damka_games::alapo::{Move, Position};
use damka_games::{
    Alapo, Color, FenError, FenProblem, Game, Kind, Material, MoveError, Pieces, Position as _,
    Random, SetupError, Square, SquareSet,
};
use proptest::prelude::*;
use slow::Board;
use std::collections::HashMap;

const START: &str = "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w";

fn position(fen: &str) -> Position {
    Alapo.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

const QUEEN: Kind = Kind::new(0);
const ROOK: Kind = Kind::new(1);

fn set(squares: &[u8]) -> SquareSet {
    squares.iter().map(|&square| Square::new(square)).collect()
}

fn random_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || position(&random::board(&mut random).fen())).take(count)
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

// Forward moves

#[test]
fn perft_from_the_start_agrees_with_the_slow_generator() {
    assert_eq!(Alapo.start().perft(1), 12);
    for depth in 0..=4 {
        assert_eq!(Alapo.start().perft(depth), Board::start().perft(depth), "{depth}");
    }
}

#[test]
fn moves_of_random_positions_agree_with_the_slow_generator() {
    let mut random = Random::new(1);
    let (mut invaded, mut lost, mut crowded) = (0, 0, 0);
    for _ in 0..10_000 {
        let board = random::board(&mut random);
        let fen = board.fen();
        let p = position(&fen);
        let ours = sorted(p.moves().iter().map(|&mv| {
            let next = p.play(mv).fen();
            (p.format_move(mv), p.is_capture(mv), next)
        }));
        let slow = sorted(board.moves().into_iter().map(|mv| (mv.text, mv.takes, mv.next.fen())));
        assert_eq!(ours, slow, "{fen}");
        assert_eq!(p.count_moves(), slow.len() as u64, "{fen}");
        assert_eq!(p.captures_only(), board.has_invader(), "{fen}");
        for depth in 1..=2 {
            assert_eq!(p.perft(depth), board.perft(depth), "{fen} {depth}");
        }
        invaded += usize::from(board.has_invader());
        lost += usize::from(slow.is_empty());
        crowded += usize::from(slow.len() > 32);
    }
    // Otherwise the positions would not test what they are meant to.
    assert!(invaded > 1000 && lost > 100 && crowded > 100, "{invaded} {lost} {crowded}");
}

#[test]
fn an_invader_must_be_taken() {
    // The rook could reach its goal, but it must take on b1.
    let p = position("6/6/1b4/6/6/Rk4 w");
    let moves: Vec<_> = p.moves().iter().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["a1-b1"]);
    assert!(p.captures_only());
    // The invader is out of reach: White has lost, although its rook could move otherwise.
    let p = position("6/6/1b4/R5/6/1k4 w");
    assert!(p.captures_only());
    assert_eq!(p.count_moves(), 0);
}

#[test]
fn taking_the_last_piece_wins() {
    let p = position("6/6/6/6/f5/W5 w");
    let p = p.play(p.parse_move("a1-a2").unwrap());
    assert_eq!((p.side(Color::White), p.side(Color::Black)), (set(&[6]), SquareSet::EMPTY));
    assert_eq!(p.turn(), Color::Black);
    assert!(p.moves().is_empty());
    assert_eq!(p.perft(1), 0);
}

#[test]
fn exits_are_the_materials_after_captures() {
    let (mut qr, mut kw) = (Material::default(), Material::default());
    (qr.0[0], qr.0[1], kw.0[3], kw.0[4]) = (1, 1, 1, 2);
    let less = |material: Material, kind| material.without(Kind::new(kind)).unwrap();
    assert_eq!(
        sorted(Alapo::exits([qr, kw])),
        sorted([[less(qr, 0), kw], [less(qr, 1), kw], [qr, less(kw, 3)], [qr, less(kw, 4)]])
    );
    let material = |p: &Position| Color::BOTH.map(|color| p.material(color));
    for p in random_positions(2, 1000) {
        let exits = Alapo::exits(material(&p));
        for &mv in &p.moves() {
            let after = material(&p.play(mv));
            assert_eq!(exits.contains(&after), p.is_capture(mv));
            assert_eq!(after == material(&p), !p.is_capture(mv));
        }
    }
}

// Values of two-piece endings, as published

/// The value of a position for the side to move, with the distance in plies.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Win(u32),
    Loss(u32),
}

fn two_piece_positions(white: usize, black: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for turn in Color::BOTH {
        for (w, b) in (0..36).flat_map(|w| (0..36).map(move |b| (w, b))) {
            let mover_on_goal = match turn {
                Color::White => w >= 30,
                Color::Black => b < 6,
            };
            if w != b && !mover_on_goal {
                let mut pieces: Pieces = Default::default();
                pieces[(Color::White, Kind::new(white))] = set(&[w]);
                pieces[(Color::Black, Kind::new(black))] = set(&[b]);
                positions.push(Alapo.assemble(&pieces, turn));
            }
        }
    }
    positions
}

/// The values of all positions that are not drawn, by plain iteration over the
/// forward moves.
fn solve(positions: &[Position]) -> HashMap<Position, Value> {
    let mut values = HashMap::new();
    for plies in 0.. {
        let found: Vec<_> = positions
            .iter()
            .filter(|p| !values.contains_key(*p))
            .filter_map(|p| {
                let next: Vec<Option<Value>> = p
                    .moves()
                    .iter()
                    .map(|&mv| p.play(mv))
                    .map(|next| match next.side(next.turn()).len() {
                        // A loss in 0 plies. Only passes after the first may use it.
                        0 => (plies > 0).then_some(Value::Loss(0)),
                        _ => values.get(&next).copied(),
                    })
                    .collect();
                if next.iter().any(|value| matches!(value, Some(Value::Loss(_)))) {
                    Some((*p, Value::Win(plies)))
                } else if next.iter().all(|value| matches!(value, Some(Value::Win(_)))) {
                    Some((*p, Value::Loss(plies)))
                } else {
                    None
                }
            })
            .collect();
        if found.is_empty() && plies > 0 {
            break;
        }
        values.extend(found);
    }
    values
}

#[test]
fn one_against_one_has_the_published_values() {
    let mut total = [0; 3];
    let mut equals = HashMap::new();
    for white in 0..6 {
        for black in 0..6 {
            let positions = two_piece_positions(white, black);
            let values = solve(&positions);
            for turn in Color::BOTH {
                let (mut counts, mut longest) = ([0; 3], 0);
                for p in positions.iter().filter(|p| p.turn() == turn) {
                    let (outcome, plies) = match values.get(p) {
                        Some(&Value::Win(plies)) => (0, plies),
                        None => (1, 0),
                        Some(&Value::Loss(plies)) => (2, plies),
                    };
                    counts[outcome] += 1;
                    longest = longest.max(plies);
                }
                assert_eq!(counts.iter().sum::<u32>(), 1050);
                for (total, count) in total.iter_mut().zip(counts) {
                    *total += count;
                }
                if white == black {
                    equals.insert((Alapo::KINDS[white], turn), (counts, longest));
                }
            }
            let value = |fen: &str| values.get(&position(fen)).copied();
            match (Alapo::KINDS[white], Alapo::KINDS[black]) {
                ('F', 'K') => assert_eq!(value("k5/6/6/6/6/F5 w"), Some(Value::Loss(10))),
                ('F', 'F') => assert_eq!(value("f5/6/6/6/6/F5 w"), Some(Value::Win(9))),
                _ => {}
            }
        }
    }
    assert_eq!(total, [45_008, 1_984, 28_608]);
    for (kind, expected) in [
        ('F', ([546, 0, 504], 9)),
        ('W', ([540, 0, 510], 18)),
        ('K', ([604, 64, 382], 15)),
        ('B', ([782, 0, 268], 4)),
        ('R', ([780, 150, 120], 1)),
        ('Q', ([812, 146, 92], 1)),
    ] {
        for turn in Color::BOTH {
            assert_eq!(equals[&(kind, turn)], expected, "{kind}v{kind} {turn}");
        }
    }
}

// Un-moves

fn quiet_moves(p: &Position) -> impl Iterator<Item = Move> {
    p.moves().into_iter().filter(|&mv| !p.is_capture(mv))
}

/// Checks that the quiet moves of a position can be taken back, and that its un-moves lead to it.
fn check_unmoves(p: &Position) {
    for mv in quiet_moves(p) {
        let next = p.play(mv);
        let listed = next.unmoves().iter().filter(|&before| before == p).count();
        assert_eq!(listed, 1, "{} after {mv}", p.fen());
    }
    for before in p.unmoves() {
        let fen = before.fen();
        assert_eq!(Alapo.parse_fen(&fen), Ok(before), "before {}", p.fen());
        let leads = quiet_moves(&before).any(|mv| before.play(mv) == *p);
        assert!(leads, "{fen} does not lead to {}", p.fen());
    }
}

#[test]
fn unmoves_undo_the_quiet_moves_of_random_positions() {
    for p in random_positions(3, 5_000) {
        check_unmoves(&p);
        for mv in quiet_moves(&p).take(3) {
            check_unmoves(&p.play(mv));
        }
    }
}

#[test]
fn unmoves_undo_all_quiet_moves_of_two_pieces() {
    for (white, black) in [(0, 0), (1, 2), (3, 5), (4, 4)] {
        let positions = two_piece_positions(white, black);
        positions.iter().for_each(check_unmoves);
        let forward: usize = positions.iter().map(|p| quiet_moves(p).count()).sum();
        let backward: usize = positions.iter().map(|p| p.unmoves().len()).sum();
        assert_eq!(forward, backward);
    }
}

#[test]
fn only_the_invader_can_have_moved() {
    let before =
        |fen: &str| -> Vec<String> { sorted(position(fen).unmoves().iter().map(Position::fen)) };
    assert_eq!(before("F5/6/6/2R3/5k/6 b"), ["6/1F4/6/2R3/5k/6 w"]);
    // A wazir that went along the goal rank would have been there before.
    assert_eq!(before("6/K5/2r3/6/6/1w4 w"), ["6/K5/2r3/6/1w4/6 b"]);
    // Not an invader: every piece may have moved, none from the goal rank.
    assert_eq!(before("6/F5/6/6/5k/5W b"), ["6/6/1F4/6/5k/5W w", "6/F5/6/6/5k/4W1 w"]);
}

#[test]
fn no_quiet_move_leads_to_an_illegal_position() {
    let unmoves = |queens: &[u8], rook: u8| {
        let mut pieces = Pieces::default();
        pieces[(Color::White, QUEEN)] = set(queens);
        pieces[(Color::Black, ROOK)] = set(&[rook]);
        Alapo.assemble(&pieces, Color::Black).unmoves().len()
    };
    // A queen on d3; a rook on a2, or on its goal f1 where White should have taken it.
    assert_eq!(unmoves(&[15], 6), 17);
    assert_eq!(unmoves(&[15], 5), 0);
    // Two pieces cannot have reached f6 and a6 at once.
    assert_eq!(unmoves(&[35, 30], 6), 0);
}

// Symmetry

#[test]
fn flip_exchanges_the_sides() {
    let p = position("q5/6/4K1/6/r5/1F4 b");
    assert_eq!(p.flip().fen(), "1f4/R5/6/4k1/6/Q5 w");
}

#[test]
fn flipped_positions_have_the_same_moves_and_results() {
    for p in random_positions(4, 5_000) {
        let flipped = p.flip();
        assert_eq!(flipped.flip(), p);
        assert_ne!(flipped.turn(), p.turn());
        assert_eq!(Alapo.parse_fen(&flipped.fen()), Ok(flipped));
        assert_eq!(flipped.count_moves(), p.count_moves());
        assert_eq!(flipped.captures_only(), p.captures_only());
        let successors = |p: Position| p.moves().into_iter().map(move |mv| p.play(mv));
        assert_eq!(
            sorted(successors(flipped).map(|next| next.fen())),
            sorted(successors(p).map(|next| next.flip().fen()))
        );
    }
}

// Positions as text

#[test]
fn squares_are_numbered_along_the_ranks() {
    let p = position("r4b/6/6/6/kQ4/KW4 b");
    let at = |color, kind| p.pieces(color, Kind::new(kind));
    assert_eq!(at(Color::White, 3), set(&[0]));
    assert_eq!(at(Color::White, 4), set(&[1]));
    assert_eq!(at(Color::Black, 3), set(&[6]));
    assert_eq!(at(Color::White, 0), set(&[7]));
    assert_eq!(at(Color::Black, 1), set(&[30]));
    assert_eq!(at(Color::Black, 2), set(&[35]));
    assert_eq!(p.piece_at(Square::new(7)), Some((Color::White, QUEEN)));
    assert_eq!(p.piece_at(Square::new(8)), None);
    assert_eq!(p.turn(), Color::Black);
}

#[test]
fn the_start_position_follows_the_rules() {
    assert_eq!(Alapo.parse_fen(START), Ok(Alapo.start()));
    assert_eq!(Alapo.start().fen(), START);
    assert_eq!(
        Alapo.start().diagram(),
        "6  r b q q b r\n\
         5  w f k k f w\n\
         4  . . . . . .\n\
         3  . . . . . .\n\
         2  W F K K F W\n\
         1  R B Q Q B R\n   a b c d e f\n"
    );
}

#[test]
fn random_positions_parse_and_assemble_to_themselves() {
    let mut random = Random::new(5);
    for _ in 0..10_000 {
        let fen = random::board(&mut random).fen();
        let p = position(&fen);
        assert_eq!(p.fen(), fen);
        let pieces = p.setup().pieces;
        assert_eq!(Alapo.assemble(&pieces, p.turn()), p);
        for square in p.occupied() {
            let held = p.piece_at(square).unwrap();
            assert!(pieces[held].contains(square));
        }
    }
}

#[test]
fn alternative_fens_are_parsed() {
    for text in [
        "  rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR\t W \n",
        "rbqqbr/wfkkfw/24/111111/WFKKFW/RBQQBR w",
        "?turn=0;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w",
        "?turn=0;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR",
        "?turn=0&setup= rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR ;&game=30",
        "setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w&turn=0",
        "?setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR w",
    ] {
        assert_eq!(Alapo.parse_fen(text), Ok(Alapo.start()), "{text}");
    }
    let black = position("rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR b");
    for text in [
        "rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR B",
        "?turn=1;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR b",
        "?turn=1;&setup=rbqqbr/wfkkfw/6/6/WFKKFW/RBQQBR",
    ] {
        assert_eq!(Alapo.parse_fen(text), Ok(black), "{text}");
    }
}

#[test]
fn bad_texts_are_refused_with_a_reason_and_the_place() {
    use FenProblem::*;
    let unexpected = |text: &str| Unexpected(text.into(), "");
    let bad_side = |text: &str| BadSideToMove(text.into());
    let rows = |found| RowCount { found, wanted: 6 };
    let length = |row, found| RowLength { row, found, wanted: 6 };
    let table = [
        ("", NoSideToMove, 1),
        (" \n", NoSideToMove, 1),
        ("?turn=0;&setup=", NoSideToMove, 16),
        ("k5/6/6/6/6/F5", NoSideToMove, 14),
        ("  k5/6/6/6/6/F5  ", NoSideToMove, 16),
        ("?setup=k5/6/6/6/6/F5", NoSideToMove, 21),
        ("k5/6/6/6/6/F5 x", bad_side("x"), 15),
        ("k5/6/6/6/6/F5 wb", bad_side("wb"), 15),
        ("k5/6/6/6/6/F5 é", bad_side("é"), 15),
        ("k5/6/6/6/6/F5 w 0 1", unexpected("0 1"), 17),
        ("k5/6/6/6/6/F5  b b", unexpected("b"), 18),
        ("k5/6/6/6/6/F5w b", length(1, 7), 12),
        ("k5/6/0/6/6/F5 w", unexpected("0"), 6),
        ("k5/6/6/7/6/F5 w", unexpected("7"), 8),
        ("k5/6/6/9/6/F5 w", unexpected("9"), 8),
        ("p5/6/6/6/6/F5 w", unexpected("p"), 1),
        ("k5/6/6/6/6/F4x w", unexpected("x"), 14),
        ("é5/6/6/6/6/F5 w", unexpected("é"), 1),
        ("k5/éé/6/6/6/F5 w", unexpected("é"), 4),
        ("k5/6/6/6/6/F5, w", unexpected(","), 14),
        ("W:WKa1:BKb6", unexpected(":"), 2),
        ("?turn=0;", unexpected("?"), 1),
        ("w", rows(1), 2),
        ("k5/6/6/6/F5 w", rows(5), 12),
        ("k5/6/6/6/6/F5/ w", rows(7), 15),
        ("k5/6/6/6/6/6/F5/6 w", rows(8), 14),
        ("/k5/6/6/6/6/F5 w", rows(7), 13),
        ("k4/6/6/6/6/F5 w", length(6, 5), 1),
        ("k5/6/66/6/6/F5 w", length(4, 12), 6),
        ("k5/6/6//6/F5 w", length(3, 0), 8),
        (" k5/6/6/6/6/F6 w", length(1, 7), 13),
        ("k5/6/6/6/6/ w", length(1, 0), 12),
        ("?turn=2;&setup=k5/6/6/6/6/F5 w", unexpected("2"), 7),
        ("?turn=;&setup=k5/6/6/6/6/F5 w", unexpected(""), 7),
        ("?turn=0;&setup=k5/6/6/6/6/F5 b", unexpected("b"), 30),
        ("?turn=1;&setup=k5/6/6/6/6/F5  w", unexpected("w"), 31),
        ("?turn=1;&setup=k5/6/6/6/6/G5", unexpected("G"), 27),
    ];
    for (text, problem, at) in table {
        let mut error = Alapo.parse_setup(text).expect_err(text);
        // The description of what was expected may change, so it is not compared.
        if let Unexpected(_, wanted) = &mut error.problem {
            assert!(!wanted.is_empty());
            *wanted = "";
        }
        assert_eq!(error, FenError { problem, at }, "{text}");
    }
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    use SetupError::*;
    let on_goal = |color, square: &str| MoverOnGoal(color, square.into());
    let many = |color| TooManyPieces { color, count: 13, max: 12 };
    let table = [
        ("6/6/6/6/6/6 w", NoPieces(Color::Black)),
        ("k5/6/6/6/6/6 b", NoPieces(Color::White)),
        ("6/6/6/6/6/K5 w", NoPieces(Color::Black)),
        ("k5/6/6/F5/FFFFFF/FFFFFF w", many(Color::White)),
        ("kkkkkk/rrrrrr/b5/6/6/F5 w", many(Color::Black)),
        ("2F2k/6/6/6/6/6 w", on_goal(Color::White, "c6")),
        ("6/6/6/6/F5/5k b", on_goal(Color::Black, "f1")),
        ("6/6/6/6/F5/k4q w", SeveralInvaders(Color::Black, 2)),
        ("FWF3/6/6/6/6/k4q b", on_goal(Color::Black, "a1")),
        ("FWF3/6/6/6/k5/6 b", SeveralInvaders(Color::White, 3)),
    ];
    for (text, problem) in table {
        assert_eq!(Alapo.parse_fen(text), Err(problem.into()), "{text}");
    }
}

fn check_any_text(text: &str) {
    if let Ok(p) = Alapo.parse_fen(text) {
        assert_eq!(Alapo.parse_fen(&p.fen()), Ok(p), "{text}");
    }
    let start = Alapo.start();
    if let Ok(mv) = start.parse_move(text) {
        assert!(start.moves().contains(&mv), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        check_any_text(&text);
    }

    #[test]
    fn nearly_good_text_is_read_or_refused(
        text in "(\\?turn=[01x];?&)?(setup=)?[qrbkwfQRBKWF1-7é]{0,7}(/[qrbkwfQRBKWF1-7]{0,7}){4,6} ?[wb]?[;& ]?"
    ) {
        check_any_text(&text);
    }

    #[test]
    fn a_damaged_position_is_read_or_refused(
        at in 0..START.len(), length in 0..4usize, by in "[QRBKWFqrbkwf0-9/ wb?=&é]{0,3}"
    ) {
        let end = START.len().min(at + length);
        check_any_text(&[&START[..at], &by, &START[end..]].concat());
    }

    #[test]
    fn nearly_good_moves_are_read_or_refused(text in "[a-gA-G0-7é][0-7]?[-x: é]?[a-g][0-7]") {
        check_any_text(&text);
    }
}

// Moves as text

#[test]
fn formatted_moves_parse_to_the_same_move() {
    for p in random_positions(6, 2_000) {
        for &mv in &p.moves() {
            let text = p.format_move(mv);
            for written in [
                text.clone(),
                text.to_uppercase(),
                text.replace('-', "x"),
                text.replace('-', "X"),
                text.replace('-', ":"),
                text.replace('-', ""),
                format!(" {text}\n"),
                text.replace('-', "–"),
                text.replace('a', "а").replace('c', "с").replace('e', "е"),
            ] {
                assert_eq!(p.parse_move(&written), Ok(mv), "{written}");
            }
        }
    }
}

#[test]
fn squares_of_a_move_are_file_and_rank() {
    let p = Alapo.start();
    assert_eq!(p.parse_move("a2-a3"), Ok(Move { from: Square::new(6), to: Square::new(12) }));
    assert_eq!(p.format_move(Move { from: Square::new(11), to: Square::new(17) }), "f2-f3");
}

#[test]
fn bad_moves_are_refused_with_a_reason() {
    let start = Alapo.start();
    for text in [
        "", "-", "a2", "a2-", "a2-a", "a2--a3", "a2 a3", "a2-a3-a4", "a2-a33", "g2-a3", "a2-g3",
        "a0-a1", "a2-a7", "2a-3a", "a²-a³", "é2-a3", "aaaa", "2222",
    ] {
        let error = start.parse_move(text).expect_err(text);
        assert!(matches!(error, MoveError::NotAMove(..)), "{text}: {error}");
    }
    for text in ["a2-a4", "a2-a2", "a2-b2", "a5-a4", "c3-c4", "b2-b3"] {
        let error = start.parse_move(text).expect_err(text);
        let MoveError::Illegal(_, legal) = &error else { panic!("{text}: {error}") };
        let listed = sorted(legal.split(", ").map(str::to_string));
        assert_eq!(listed, sorted(Board::start().moves().into_iter().map(|mv| mv.text)));
    }
    let lost = position("6/6/6/R5/6/1k4 w");
    let error = lost.parse_move("a3-a4").unwrap_err();
    assert!(error.to_string().contains("none"), "{error}");
}
