use super::{played, position, random_positions, sorted};
use damka_games::chess::{BISHOP, KING, KNIGHT, Move, PAWN, Position, QUEEN, ROOK};
use damka_games::{Chess, Color, Game, Kind, Pieces, Position as _, Setup, Square};

fn quiet_moves(p: &Position) -> impl Iterator<Item = Move> {
    p.moves().into_iter().filter(|&mv| !p.is_capture(mv))
}

/// Whether the un-moves of `next` must include `p`, from which a quiet move leads to it.
fn is_promised(p: &Position, next: &Position) -> bool {
    p.en_passant().is_none() && p.castling() == next.castling()
}

/// Checks that each un-move of a position gives a legal position, from which one quiet move leads
/// back. Returns the number of un-moves.
fn check_backward(p: &Position) -> usize {
    let unmoves = p.unmoves();
    for before in &unmoves {
        let fen = before.fen();
        assert_eq!(Chess.parse_fen(&fen), Ok(*before), "before {}", p.fen());
        assert!(is_promised(before, p), "{fen} before {}", p.fen());
        let leads = quiet_moves(before).filter(|&mv| before.play(mv) == *p).count();
        let listed = unmoves.iter().filter(|other| *other == before).count();
        assert_eq!((leads, listed), (1, 1), "{fen} to {}", p.fen());
    }
    unmoves.len()
}

/// Checks that each position after a quiet move has `p` among its un-moves exactly if it must.
fn check_forward(p: &Position) {
    for mv in quiet_moves(p) {
        let next = p.play(mv);
        let listed = next.unmoves().contains(p);
        assert_eq!(listed, is_promised(p, &next), "{} after {mv}", p.fen());
    }
}

#[test]
fn unmoves_undo_the_quiet_moves_of_games() {
    for p in played(5, 20) {
        check_forward(&p);
        check_backward(&p);
    }
}

#[test]
fn unmoves_undo_the_quiet_moves_of_few_men() {
    let (mut found, mut with_rights, mut with_en_passant) = (0, 0, 0);
    for p in random_positions(6, 8_000) {
        check_forward(&p);
        let count = check_backward(&p);
        found += count;
        with_rights += if p.castling().is_none() { 0 } else { count };
        with_en_passant += if p.en_passant().is_none() { 0 } else { count };
        for mv in quiet_moves(&p).take(2) {
            check_backward(&p.play(mv));
        }
    }
    assert!(found > 30_000 && with_rights > 500 && with_en_passant > 30, "{found}");
}

/// All positions of two kings and a white piece.
fn three_men(kind: Kind) -> Vec<Position> {
    let mut positions = Vec::new();
    for turn in Color::BOTH {
        for number in 0..64u32.pow(3) {
            let [white, black, piece] =
                [0, 6, 12].map(|shift| Square::new((number >> shift & 63) as u8));
            let mut pieces = Pieces::default();
            pieces[(Color::White, KING)] = white.into();
            pieces[(Color::Black, KING)] = black.into();
            pieces[(Color::White, kind)] |= piece.into();
            positions.extend(Chess.position(&Setup::new(pieces, turn)).ok());
        }
    }
    positions
}

/// Counts the quiet moves of all these positions, once forward and once backward. The numbers of
/// positions are published.
#[test]
fn moves_and_unmoves_of_an_ending_are_equally_many() {
    let published = [
        (QUEEN, 144_508 + 223_944),
        (ROOK, 175_168 + 223_944),
        (BISHOP, 193_284 + 223_944),
        (KNIGHT, 205_496 + 223_944),
        (PAWN, 163_328 + 168_024),
    ];
    let (mut forward, mut backward) = (0, 0);
    for (kind, count) in published {
        let positions = three_men(kind);
        assert_eq!(positions.len(), count, "{kind:?}");
        forward += positions.iter().map(|p| quiet_moves(p).count()).sum::<usize>();
        backward += positions.iter().map(|p| p.unmoves().len()).sum::<usize>();
    }
    assert_eq!(forward, backward);
}

fn before(fen: &str) -> Vec<String> {
    let fens = position(fen).unmoves().into_iter().map(|p| p.fen());
    sorted(fens.map(|fen| fen.strip_suffix(" 0 1").unwrap().to_owned()))
}

#[test]
fn a_pawn_that_can_be_taken_en_passant_has_just_moved() {
    assert_eq!(before("4k3/8/8/8/3pP3/8/8/4K2R b K e3"), ["4k3/8/8/8/3p4/8/4P3/4K2R w K -"]);
    // Without an en passant square, the pawn cannot have just made a double step.
    let fens = before("4k3/8/8/8/3pP3/8/8/4K3 b - -");
    assert!(fens.contains(&"4k3/8/8/8/3p4/4P3/8/4K3 w - -".to_owned()), "{fens:?}");
    assert!(!fens.contains(&"4k3/8/8/8/3p4/8/4P3/4K3 w - -".to_owned()), "{fens:?}");
}

#[test]
fn kings_and_rooks_that_may_castle_have_not_moved() {
    assert_eq!(before("k7/8/8/8/8/8/8/4K2R b K -"), [""; 0]);
    assert_eq!(
        before("k7/8/8/8/8/8/P7/4K2R b K -"),
        [""; 0],
        "a pawn on its second rank has not moved"
    );
    assert_eq!(before("k7/8/8/8/8/P7/8/4K2R b K -"), ["k7/8/8/8/8/8/P7/4K2R w K -"]);
}

#[test]
fn a_piece_on_the_last_rank_may_have_been_a_pawn() {
    let fens = before("3N4/8/8/8/8/8/1k6/7K b - -");
    assert!(fens.contains(&"8/3P4/8/8/8/8/1k6/7K w - -".to_owned()), "{fens:?}");
    // A king was never a pawn.
    let fens = before("3K4/8/8/8/8/8/1k6/8 b - -");
    assert!(fens.iter().all(|fen| !fen.contains('P')), "{fens:?}");
}

#[test]
fn no_predecessor_has_the_opponent_in_check() {
    // The bishop gives check, so it has just moved, and from the other diagonal. In all other
    // predecessors Black would be in check with White to move.
    let expected = [
        "7k/B7/8/8/8/8/7P/K7 w - -",
        "7k/8/1B6/8/8/8/7P/K7 w - -",
        "7k/8/8/2B5/8/8/7P/K7 w - -",
        "7k/8/8/8/8/4B3/7P/K7 w - -",
        "7k/8/8/8/8/8/5B1P/K7 w - -",
        "7k/8/8/8/8/8/7P/K5B1 w - -",
    ];
    let expected = expected.map(str::to_owned);
    assert_eq!(before("7k/8/8/8/3B4/8/7P/K7 b - -"), sorted(expected));
}
