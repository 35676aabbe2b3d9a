//! Chess960: castling with kings and rooks on any files.

use super::moves::{Seen, compare};
use super::{castlings, position, shredder};
use cozy_chess::Board;
use damka_games::chess::{CHESS960_POSITIONS, chess960};
use damka_games::{
    Chess, Color, Counted, FenError, FenProblem, Game, MoveError, Position as _, PositionError,
    Random, SetupError,
};

#[test]
fn start_positions_match_cozy_chess() {
    for number in 0..CHESS960_POSITIONS {
        let start = chess960(number).expect("a position");
        let theirs = format!("{:#}", Board::chess960_startpos(number.into()));
        assert_eq!(format!("{} 0 1", shredder(&start)), theirs, "{number}");
        assert_eq!(Chess.parse_fen(&start.fen()), Ok(start), "{number}");
        assert_eq!(Chess.parse_fen(&theirs), Ok(start), "{number}");
        assert_eq!(Chess.parse_fen(&format!(" chess960:{number}\n")), Ok(start), "{number}");
    }
    assert_eq!(chess960(CHESS960_POSITIONS), None);
    assert_eq!(chess960(518), Some(Chess.start()));
}

#[test]
fn numbers_of_start_positions_are_below_960() {
    for (text, number, at) in [("chess960:960", "960", 10), (" chess960:", "", 11)] {
        let error = Chess.parse_setup(text).expect_err(text);
        let FenError { problem: FenProblem::Unexpected(found, _), at: place } = error else {
            panic!("{text}: {error}")
        };
        assert_eq!((&found[..], place), (number, at));
    }
}

#[test]
fn moves_of_random_games_match_cozy_chess() {
    let mut seen = Seen::default();
    for number in (0..CHESS960_POSITIONS).step_by(8) {
        let mut random = Random::numbered(13, number.into());
        let mut p = chess960(number).expect("a position");
        let mut board = Board::chess960_startpos(number.into());
        for _ in 0..150 {
            compare(&p, &board, &mut seen);
            let Some(mv) = random.pick(&p.moves()) else { break };
            board.play(mv.to_string().parse().expect("a move"));
            p = p.play(mv);
        }
    }
    assert!(seen.castling > 200, "{seen:?}");
}

/// X-FEN names the rook by side where it is the outermost one, Shredder-FEN always by its file.
#[test]
fn castling_rights_are_read_in_both_notations() {
    for (text, written) in [
        ("4k3/8/8/8/8/8/8/1R2K1R1 w GB -", "KQ"),
        ("4k3/8/8/8/8/8/8/1R2K1R1 w KQ -", "KQ"),
        ("4k3/8/8/8/8/8/8/R3K2R w HA -", "KQ"),
        ("r3k2r/8/8/8/8/8/8/4K3 b ah -", "kq"),
        // The inner rook needs its file.
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB -", "GB"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w HA -", "KQ"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w KB -", "KB"),
        ("1rrk1r2/8/8/8/8/8/8/4K3 b cf -", "kc"),
        // A piece behind the rook makes no difference.
        ("4k3/8/8/8/8/8/8/1R2K1RN w KQ -", "KQ"),
    ] {
        let p = position(text);
        assert_eq!(p.fen().split(' ').nth(2), Some(written), "{text}");
        assert_eq!(Chess.parse_fen(&p.fen()), Ok(p), "{text}");
    }
}

#[test]
fn castling_arrives_on_the_squares_of_standard_chess() {
    for (fen, san, uci, after) in [
        ("4k3/8/8/8/8/8/8/1RK3R1 w GB -", "O-O", "c1g1", "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/1RK3R1 w GB -", "O-O-O", "c1b1", "4k3/8/8/8/8/8/8/2KR2R1 b - - 1 1"),
        // King and rook change places; only the rook moves; only the king moves.
        ("4k3/8/8/8/8/8/8/5KR1 w G -", "O-O", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/6KR w H -", "O-O", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/R1K5 w A -", "O-O-O", "c1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/3RK3 w D -", "O-O-O", "e1d1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("rk6/8/8/8/8/8/8/4K3 b a -", "O-O-O", "b8a8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
    ] {
        let p = position(fen);
        let mv = p.parse_move(san).expect(san);
        assert_eq!((&p.format_move(mv)[..], &mv.to_string()[..]), (san, uci), "{fen}");
        assert_eq!((p.coordinates_960(mv), p.coordinates(mv)), (uci.into(), uci.into()), "{fen}");
        assert_eq!(p.parse_move(uci), Ok(mv), "{fen}");
        assert_eq!(Counted::from(p).play(mv).fen(), after, "{fen}");
        assert!(!p.is_capture(mv), "{fen}");
    }
}

/// A king's step and castling can have the same target; the notation distinguishes them.
#[test]
fn a_step_to_the_target_of_castling_is_not_castling() {
    let p = position("4k3/8/8/8/8/8/8/5K1R w H -");
    let (step, castling) = (p.parse_move("f1g1").unwrap(), p.parse_move("f1h1").unwrap());
    assert_eq!([step, castling].map(|mv| p.format_move(mv)), ["Kg1", "O-O"]);
    assert_eq!(p.parse_move("Kg1"), Ok(step));
    assert!(matches!(p.parse_move("Kh1"), Err(MoveError::Illegal(..))));
    // With king and rook as in standard chess both notations are read, and UCI's own is written.
    let p = position("4k3/8/8/8/8/8/8/R3K2R w KQ -");
    for (san, uci, with_option) in [("O-O", "e1g1", "e1h1"), ("O-O-O", "e1c1", "e1a1")] {
        let mv = p.parse_move(san).unwrap();
        assert_eq!((p.parse_move(uci), p.parse_move(with_option)), (Ok(mv), Ok(mv)));
        assert_eq!(p.coordinates(mv), uci);
        assert_eq!(p.coordinates_960(mv), with_option);
    }
}

#[test]
fn castling_needs_empty_and_safe_squares() {
    assert_eq!(castlings("4k3/8/8/8/8/8/8/1RK3R1 w GB -"), "O-O O-O-O");
    // A piece between king and target, or between rook and target.
    assert_eq!(castlings("4k3/8/8/8/8/8/8/1RKN2R1 w GB -"), "");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/1RK2NR1 w GB -"), "O-O-O");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/RN2K3 w A -"), "");
    // The king passes an attacked square; only the rook does.
    assert_eq!(castlings("3rk3/8/8/8/8/8/8/1RK3R1 w GB -"), "O-O-O");
    assert_eq!(castlings("1r2k3/8/8/8/8/8/8/R3K3 w A -"), "O-O-O");
    // The rook shielded the king's target.
    assert_eq!(castlings("4k3/8/8/8/8/8/8/qRK5 w B -"), "");
    assert_eq!(castlings("4k3/8/8/8/8/8/8/1RK5 w B -"), "O-O-O");
}

#[test]
fn illegal_castling_is_explained() {
    for (fen, text, why) in [
        ("4k3/8/8/8/8/8/8/1RK3R1 w B -", "O-O", "White has no right to castle there"),
        ("4k3/8/8/8/8/8/8/1RK2NR1 w GB -", "O-O", "f1 is occupied"),
        ("2r1k3/8/8/8/8/8/8/1RK3R1 w GB -", "O-O", "the king is in check"),
        ("3rk3/8/8/8/8/8/8/1RK3R1 w GB -", "O-O", "d1 is attacked"),
        ("4k3/8/8/8/8/8/8/qRK5 w B -", "O-O-O", "c1 is attacked"),
    ] {
        let error = position(fen).parse_move(text).expect_err(fen).to_string();
        assert!(error.contains(why), "{fen}: {error}");
    }
}

#[test]
fn impossible_rights_are_refused_with_a_reason() {
    use Color::*;
    use SetupError::*;
    let nowhere = |color, right, piece, square: &str| CastlingFromNowhere {
        color,
        right,
        piece,
        square: square.into(),
    };
    for (fen, problem) in [
        ("4k3/8/8/8/8/8/8/4K1R1 w H -", nowhere(White, 'K', "rook", "h1")),
        ("4k3/8/8/8/8/8/8/4K1R1 w F -", nowhere(White, 'F', "rook", "f1")),
        ("4k3/8/8/8/8/8/4K3/6R1 w G -", nowhere(White, 'G', "king", "its first rank")),
        ("6r1/4k3/8/8/8/8/8/4K3 w g -", nowhere(Black, 'g', "king", "its first rank")),
        ("4k3/8/8/8/8/8/8/4K1RR w GH -", CastlingTwice(White)),
        ("rr2k3/8/8/8/8/8/8/4K3 w ab -", CastlingTwice(Black)),
    ] {
        assert_eq!(Chess.parse_fen(fen), Err(PositionError::from(problem)), "{fen}");
    }
}

#[test]
fn chess960_is_recognised_by_the_squares_of_kings_and_rooks_that_may_castle() {
    let is_chess960 = |fen: &str| position(fen).setup().is_chess960();
    assert!(is_chess960("4k3/8/8/8/8/8/8/4K1R1 w G -"));
    assert!(is_chess960("4k3/8/8/8/8/8/8/3K3R w H -"));
    assert!(!is_chess960("4k3/8/8/8/8/8/8/3K3R w - -"));
    let numbers = (0..CHESS960_POSITIONS)
        .filter(|&number| !chess960(number).is_some_and(|start| start.setup().is_chess960()));
    // Kings on e1 and rooks in the corners.
    assert_eq!(numbers.count(), 18);
}
